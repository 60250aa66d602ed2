"""Prompt files: what stands at their head, and how they become messages.

The first comment of a file is its front matter, in TOML: ``version`` (raised with every change of
meaning), ``task``, ``variables`` (all that the text may use), and ``answer`` (a form in
``prompts.answers``; absent where the form depends on the row). A conversation has the blocks
``system`` and ``user``; a file without blocks is one text.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from prompts.answers import ANSWERS, Answer

FOLDER = Path(__file__).parent
Role = Literal["system", "user"]
ROLES: tuple[Role, ...] = ("system", "user")
_FRONT_MATTER = re.compile(r"\A\{#(.*?)#\}", re.DOTALL)

_environment = Environment(
    loader=FileSystemLoader(FOLDER),
    undefined=StrictUndefined,
    autoescape=False,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file."""

    version: int
    task: str
    variables: frozenset[str]
    answer: type[Answer] | None
    template: Template

    def text(self, variables: dict[str, Any]) -> str:
        """Fill the whole file.

        Raises:
            TypeError: a variable is missing, or is one that the front matter does not name.
            jinja2.UndefinedError: the text uses something that is not there.
        """
        self._check(variables)
        return self.template.render(variables)

    def turns(self, variables: dict[str, Any]) -> list[tuple[Role, str]]:
        """Fill each block; return role and text of each.

        Raises:
            TypeError, jinja2.UndefinedError: as ``text``.
        """
        self._check(variables)
        context = self.template.new_context(variables)
        blocks = self.template.blocks
        return [(role, "".join(blocks[role](context)).strip()) for role in ROLES if role in blocks]

    def _check(self, variables: dict[str, Any]) -> None:
        if variables.keys() != self.variables:
            raise TypeError(
                f"the prompt {self.template.name} takes {sorted(self.variables)},"
                f" not {sorted(variables)}"
            )


@cache
def load(name: str) -> Prompt:
    """Read the prompt file ``name``.

    Raises:
        ValueError: its front matter is missing or wrong.
    """
    head = _FRONT_MATTER.match((FOLDER / f"{name}.jinja").read_text(encoding="utf-8"))
    if head is None:
        raise ValueError(f"prompts/{name}.jinja: it must begin with a comment: the front matter")
    try:
        front = tomllib.loads(head[1])
        answer = ANSWERS[front.pop("answer")] if "answer" in front else None
        version, task, variables = (front.pop(key) for key in ("version", "task", "variables"))
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise ValueError(f"prompts/{name}.jinja: front matter: {error}") from None
    if front:
        raise ValueError(f"prompts/{name}.jinja: front matter: unknown {', '.join(front)}")
    template = _environment.get_template(f"{name}.jinja")
    return Prompt(version, task, frozenset(variables), answer, template)


def render(name: str, **variables: Any) -> str:
    """Fill the prompt file ``name`` with ``variables``.

    Raises:
        TypeError, jinja2.UndefinedError: as ``Prompt.text``.
    """
    return load(name).text(variables)

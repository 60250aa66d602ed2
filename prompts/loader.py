"""Turns a prompt file and its variables into text."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(f"{name}.jinja")


def render(name: str, **variables: object) -> str:
    """Fill the prompt file ``name`` with ``variables``.

    Raises:
        jinja2.UndefinedError: the prompt uses a variable that was not given.
    """
    return _template(name).render(variables)

"""Inputs that a model proposes: one more spring of the search, believed only when run."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from builder.literals import LiteralError, dumps
from builder.model.client import Failure, Model, Question, UnusableAnswerError
from builder.records import Method
from builder.synthesis.domain import Domain
from builder.synthesis.schema import UndecodableError, arguments_of, schema_of_inputs
from prompts.ask import free_question

PROPOSE = "propose"
COUNT = 8
"""How many argument tuples are asked for at a time."""
_SHOWN_KNOWN = 12
_SHOWN_LINES = 12
_SHOWN_CHANGES = 12
_SHOWN_CHARACTERS = 200
_LONGEST = 2000
"""Characters of the longest literal that is taken."""


@dataclass(frozen=True, slots=True)
class Change:
    """A small change of the code that no input has shown so far."""

    line: int
    """From 1."""
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a model proposed."""

    inputs: tuple[str, ...]
    """Canonical literals of argument tuples inside the domain, each once, none known before."""
    origin: str
    """``model:NAME``, the origin of examples made from them."""
    repeated: int = 0
    """Proposals that were known, or came twice."""
    outside: int = 0
    """Proposals that are outside the domain or no values at all."""
    problem: str = ""
    """Why there is none, if the model gave no answer of use."""


def propose(
    method: Method,
    domain: Domain,
    model: Model,
    *,
    known: Sequence[str] = (),
    lines: Sequence[int] = (),
    changes: Sequence[Change] = (),
    count: int = COUNT,
) -> Proposals:
    """Ask a model for inputs that show what no input has shown.

    Args:
        method: whose arguments they are.
        domain: what the arguments may be.
        model: has a model for ``propose``.
        known: canonical literals of the inputs that are there already.
        lines: lines of the code that none of them reaches, from 1.
        changes: small changes that none of them notices.
        count: most inputs to ask for.

    Raises:
        WaitingForModelError, PauError: as ``Model.ask``.
    """
    asked = propose_question(
        method.code, domain, known=known, lines=lines, changes=changes, count=count
    )
    origin = f"model:{model.models[PROPOSE]}"
    answer = model.ask(asked)
    if isinstance(answer, Failure):
        return Proposals((), origin, problem=answer.detail)
    return _checked(answer.value, domain, frozenset(known), origin)


def propose_question(
    code: str,
    domain: Domain,
    *,
    known: Sequence[str] = (),
    lines: Sequence[int] = (),
    changes: Sequence[Change] = (),
    count: int = COUNT,
) -> Question[list[Any]]:
    """Write the question that ``propose`` asks; the arguments are the same."""
    texts = code.splitlines()
    short = [text for text in known if len(text) <= _SHOWN_CHARACTERS]
    return free_question(
        PROPOSE,
        schema_of_inputs(domain, count),
        _read,
        code=code,
        arguments=_arguments(domain),
        known=sorted(short, key=len)[:_SHOWN_KNOWN],
        lines=[{"number": n, "text": texts[n - 1].strip()} for n in lines[:_SHOWN_LINES]],
        mutants=list(changes[:_SHOWN_CHANGES]),
        count=count,
    )


def _arguments(domain: Domain) -> list[dict[str, str]]:
    named = []
    for index, kind in enumerate(domain.parameters):
        optional = "" if index < domain.required else " (may be left out)"
        named.append({"name": f"arg{index}", "kind": f"{kind}{optional}"})
    if domain.variadic is not None:
        named.append({"name": "more", "kind": f"any number of {domain.variadic}"})
    return named


def _read(text: str) -> list[Any]:
    answer = json.loads(text)
    inputs = answer.get("inputs") if isinstance(answer, dict) else None
    if not isinstance(inputs, list) or not inputs:
        raise UnusableAnswerError("there is no list of inputs in it")
    return inputs


def _checked(items: list[Any], domain: Domain, known: frozenset[str], origin: str) -> Proposals:
    inputs: dict[str, None] = {}
    repeated = outside = 0
    for item in items:
        text = _literal(item, domain)
        if text is None:
            outside += 1
        elif text in known or text in inputs:
            repeated += 1
        else:
            inputs[text] = None
    return Proposals(tuple(inputs), origin, repeated, outside)


def _literal(item: Any, domain: Domain) -> str | None:
    """Write a proposal as the literal of a tuple; None: it is none of the domain."""
    try:
        arguments = arguments_of(domain, item)
        return dumps(arguments, _LONGEST) if domain.contains(arguments) else None
    except (UndecodableError, LiteralError, RecursionError):
        return None

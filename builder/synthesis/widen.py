"""Types that the calls of a corpus do not show, where the code has a way that only they take."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from builder.literals import dumps
from builder.synthesis.compose import Arguments
from builder.synthesis.domain import Domain, Float, Int, Kind, NoneKind, Str, Union
from builder.synthesis.from_values import union

PARENTS = 5
"""Inputs in which an argument is replaced."""
FLOATS = (0.5, 2.0, -1.5, 37.25)
"""Floats that a person means exactly, among them a whole one."""
INTS = (0, 2, -3, 40)


@dataclass(frozen=True, slots=True)
class Widening:
    """A wider domain, and inputs that only it has."""

    domain: Domain
    inputs: tuple[str, ...]


def widenings(code: str, domain: Domain, parents: Sequence[Arguments]) -> Iterator[Widening]:
    """Give domains in which one argument may have one more type.

    A number may be of the other type of numbers, a text a number, since the code may make a text
    of it; anything may be None if the code compares with None.

    Args:
        code: the method.
        domain: its domain so far.
        parents: argument tuples inside it on which the method returned.
    """
    may_be_none = _compares_with_none(code)
    for place, kind in enumerate(domain.parameters):
        for more, values in _more_kinds(kind, may_be_none):
            kinds = list(domain.parameters)
            kinds[place] = union((kind, more))
            inputs = [
                dumps((*parent[:place], value, *parent[place + 1 :]))
                for parent in parents[:PARENTS]
                if len(parent) > place
                for value in values
            ]
            wider = replace(domain, parameters=tuple(kinds))
            yield Widening(wider, tuple(dict.fromkeys(inputs)))


def _compares_with_none(code: str) -> bool:
    comparisons = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Compare))
    return any(
        isinstance(operand, ast.Constant) and operand.value is None
        for node in comparisons
        for operand in (node.left, *node.comparators)
    )


def _more_kinds(kind: Kind, may_be_none: bool) -> Iterator[tuple[Kind, tuple[Any, ...]]]:
    options = kind.options if isinstance(kind, Union) else (kind,)
    types = {type(option) for option in options}
    if types & {Int, Str} and Float not in types:
        yield Float(), FLOATS
    if types & {Float, Str} and Int not in types:
        yield Int(), INTS
    if may_be_none and NoneKind not in types:
        yield NoneKind(), (None,)

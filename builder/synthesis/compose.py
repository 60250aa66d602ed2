"""Puts argument tuples together from pools of values, so that the arguments suit each other."""

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from builder.literals import dumps, loads
from builder.synthesis.domain import Kind
from builder.synthesis.strategies import pool

Arguments = tuple[Any, ...]


@lru_cache(maxsize=4096)
def values(kind: Kind) -> tuple[Any, ...]:
    """The values of a kind's pool. They are shared: never change one in place."""
    return tuple(loads(text) for text in pool(kind))


def draw(kind: Kind, source: random.Random, lean: int = 2) -> Any:
    """One value of the pool; None if the pool is empty.

    Args:
        kind: what to draw.
        source: of the choice.
        lean: how strongly to lean to the values that come first, which are typical and small;
            1: not at all.
    """
    every = values(kind)
    if not every:
        return None
    return every[min(source.randrange(len(every)) for _ in range(lean))]


def compose(kinds: Sequence[Kind], source: random.Random, lean: int = 2) -> Arguments:
    """One value for each kind, drawn with ``lean``; some are made to suit another argument."""
    arguments = [draw(kind, source, lean) for kind in kinds]
    if len(arguments) > 1:
        if source.random() < 0.3:
            _make_equally_long(arguments, kinds)
        for index, kind in enumerate(kinds):
            if source.random() < 0.3:
                arguments[index] = related(arguments, index, kind, source)
    return tuple(arguments)


def _make_equally_long(arguments: list[Any], kinds: Sequence[Kind]) -> None:
    """Cut all sequences to the length of the shortest that is not empty."""
    lengths = [len(value) for value in arguments if isinstance(value, list | tuple | str) and value]
    for index, value in enumerate(arguments):
        if lengths and isinstance(value, list | tuple | str):
            shorter = value[: min(lengths)]
            if kinds[index].contains(shorter):
                arguments[index] = shorter


def related(arguments: Sequence[Any], index: int, kind: Kind, source: random.Random) -> Any:
    """A value of a kind made from another argument: a part, its length; else the old value."""
    candidates = [
        candidate
        for place, other in enumerate(arguments)
        if place != index
        for candidate in _derived(other, source)
        if kind.contains(candidate)
    ]
    return source.choice(candidates) if candidates else arguments[index]


def _derived(value: Any, source: random.Random) -> list[Any]:
    if isinstance(value, int) and not isinstance(value, bool):
        return [value, value + 1, value - 1, -value]
    if isinstance(value, str | list | tuple) and value:
        length = len(value)
        place = source.randrange(length)
        whole = [value, value[::-1], value[:place], value[1:], value[place : place + 2]]
        return [*whole, length, length - 1, length // 2, place, value[place], value[0], value[-1]]
    if isinstance(value, dict | set | frozenset) and value:
        return [len(value), *sorted(value, key=dumps)[:3]]
    return [value]

"""Puts what a decision compared back into the arguments. Runs in the sandbox.

What stands in a comparison often stands in the input as well, as it is or at a fixed distance;
then the other side can be put there in one step (input-to-state correspondence, Aschermann et
al. 2019).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # in the sandbox all of it is one module
    from builder.synthesis.climb.variables import places, replaced, resized

LONGEST = 200
"""Characters of a text that is put into the arguments."""
MOST_SIZE = 64
"""Length that a text or list is brought to."""
MOST_WANTED = 5
"""Elements of a collection that are put where one was looked for."""


def fed_back(arguments: tuple[Any, ...], operands: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Give the arguments changed by what their decision compared."""
    pairs = list(pairwise(operands))
    for place, value in places(arguments):
        for one, other in pairs:
            for left, right in ((one, other), (other, one)):
                for new in substitutes(value, left, right):
                    if type(new) is type(value) and new != value:
                        yield replaced(arguments, place, new)


def substitutes(value: Any, seen: Any, wanted: Any) -> Iterator[Any]:
    """Give what may stand in the place of a value, so that ``wanted`` is seen and not ``seen``."""
    kind = type(value)
    if kind in (int, float):
        if _is_number(wanted) and _is_number(seen):
            if value == seen:
                yield from (kind(wanted), kind(wanted) + 1, kind(wanted) - 1)
            yield from (kind(value + wanted - seen), kind(value - wanted + seen))
    elif kind is str and isinstance(wanted, str) and len(wanted) <= LONGEST:
        if isinstance(seen, str) and seen and seen in value:
            yield value.replace(seen, wanted)
            yield value.replace(seen, wanted, 1)
        yield from (wanted, wanted + value, value + wanted)
    if kind in (str, list, tuple) and type(wanted) is int and len(value) == seen:
        yield from (
            resized(value, size) for size in (wanted, wanted + 1, wanted - 1) if _fits(size)
        )
    if kind is list and value == seen and type(wanted) is list:
        yield list(wanted)
    if isinstance(wanted, list | tuple | set | frozenset | dict) and value == seen:
        yield from list(wanted)[:MOST_WANTED]
    if kind is list and value == wanted:
        yield [*value, seen]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 10**12


def _fits(size: int) -> bool:
    return 0 <= size <= MOST_SIZE

"""The categories that an input falls into: empty or not, zero, one, negative, alike or different.

Programs go wrong on the borders of what they take, and readers with them: "for 0 it gives '0'".
A suite that has an input of every category leaves no border out. The method is the category
partition of T. J. Ostrand and M. J. Balcer (Communications of the ACM 31, 1988), with the choices
made once and for all.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, combinations, islice, pairwise
from typing import Any, Final

_LARGE: Final = 10
_MANY: Final = 5
"""Elements or characters from which a collection is long."""
_COMPARED: Final = 50
"""Most elements or characters of a value in which equal ones are looked for."""
_DEEP: Final = 2
"""Levels of collections that are looked into."""
_SOME: Final = 8
"""Elements of a collection that are looked at."""


Category = tuple[tuple[int, ...], str]
"""The place of one argument, from 0, or of two, and a name in words."""


def categories(arguments: tuple[Any, ...]) -> frozenset[Category]:
    """Return the categories of an argument tuple: of each argument, and of each pair of them."""
    single = (((place,), _of(value, _DEEP)) for place, value in enumerate(arguments))
    pairs = (
        ((one, other), _of_both(arguments[one], arguments[other]))
        for one, other in combinations(range(len(arguments)), 2)
    )
    found: set[Category] = set()
    for places, names in chain[tuple[tuple[int, ...], Iterator[str]]](single, pairs):
        with suppress(ArithmeticError):  # a signalling NaN compares with nothing
            found.update((places, name) for name in names)
    return frozenset(found)


def _of(value: Any, levels: int) -> Iterator[str]:
    kind = type(value)
    if kind in (bool, type(None)):
        yield str(value)
    elif kind in (int, float):
        yield from _of_number(value)
    elif kind is str:
        yield from _of_size(value)
        yield from _of_text(value)
    elif kind in (list, tuple):
        yield from _of_size(value)
        yield from _of_order(value)
    elif kind in (dict, set, frozenset):
        yield from _of_size(value)
    if levels and kind in (list, tuple, dict):
        inner = [*value, *value.values()] if kind is dict else value
        for element in islice(inner, _SOME):
            yield from (f"with {name}" for name in _of(element, levels - 1))


def _of_number(value: float) -> Iterator[str]:
    if value < 0:
        yield "negative"
    if abs(value) > _LARGE:
        yield "large"
    elif value in (0, 1):
        yield f"{value:.0f}"
    if type(value) is int:
        yield "odd" if value % 2 else "even"
    else:
        yield "whole" if value == value // 1 else "fractional"


def _of_size(value: Any) -> Iterator[str]:
    if len(value) < 2:
        yield f"{len(value)} long"
    elif len(value) >= _MANY:
        yield "long"
    if type(value) in (str, list, tuple) and 1 < len(value) <= _COMPARED:
        news = sum(all(one != other for other in value[:at]) for at, one in enumerate(value))
        if news == 1:
            yield "all alike"
        else:
            yield "with repetitions" if news < len(value) else "all different"


def _of_order(value: Any) -> Iterator[str]:
    if len(value) < 2 or {type(element) for element in value} - {int, float, str}:
        return
    try:
        if all(one <= other for one, other in pairwise(value)):
            yield "rising"
        elif all(one >= other for one, other in pairwise(value)):
            yield "falling"
        else:
            yield "up and down"
    except TypeError:
        return


def _of_text(value: str) -> Iterator[str]:
    for name in ("islower", "isupper", "isdigit", "isspace"):
        if getattr(value, name)():
            yield name
    if any(map(str.isupper, value)) and any(map(str.islower, value)):
        yield "both cases"
    if any(map(str.isdigit, value)) and not value.isdigit():
        yield "with digits"
    if value != value.strip():
        yield "blanks around"
    elif " " in value:
        yield "words"
    if any(not sign.isalnum() and not sign.isspace() for sign in value):
        yield "with signs"


def _of_both(one: Any, other: Any) -> Iterator[str]:
    if {type(one), type(other)} <= {int, float} or type(one) is type(other) is str:
        yield "same" if one == other else "less" if one < other else "more"
    elif type(one) is type(other) and type(one) in (list, tuple):
        yield "same" if one == other else "as long" if len(one) == len(other) else "not as long"
    yield from _of_whole(one, other)
    yield from (f"turned: {name}" for name in _of_whole(other, one))


def _of_whole(whole: Any, part: Any) -> Iterator[str]:
    """Yield how a value stands to one that may be an element, a part or a place of it."""
    if type(whole) in (str, list, tuple) and type(part) is int:
        yield "inside" if 0 <= part < len(whole) else "beyond"
    is_text = type(whole) is str
    if type(whole) in (list, tuple, dict, set, frozenset) or (is_text and type(part) is str):
        try:
            yield "holds" if part in whole else "lacks"
        except TypeError:
            return

"""The variables inside a tuple of arguments, and the steps of each. Runs in the sandbox.

A variable is a scalar, however deep it lies, or the length of a text or collection. A place in
the arguments is the indices that lead there; into a dict or set they count its items.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Place = tuple[int, ...]
Step = Callable[[Any, int], Any]
"""Makes a value out of a value and the size of the step, a power of two."""

MOST_PARTS = 12
"""Characters of a text, or elements of a collection, that are changed one by one."""
COLLECTIONS = (list, tuple, set, frozenset, dict)
FIRST, LAST = 32, 126
"""Code points between which characters are changed."""
FARTHEST = 10**9
"""No number is led beyond it."""
MARKS = " aA0.,-"
"""Characters that are put before and behind a text."""
UNITS = (1.0, 0.1, 0.01, 0.001)
"""Shortest steps of floats."""


def items_of(value: Any) -> list[Any]:
    """Return the parts of a collection, of a dict each key before its value."""
    if isinstance(value, dict):
        return [part for item in value.items() for part in item]
    return sorted(value, key=repr) if isinstance(value, set | frozenset) else list(value)


def made_of(items: list[Any], like: Any) -> Any:
    """Return a collection of the type of ``like`` with the parts that ``items_of`` would give."""
    if isinstance(like, dict):
        return dict(zip(items[::2], items[1::2], strict=False))
    return type(like)(items)


def places(value: Any, start: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Give every place and the value that is there, outer ones first."""
    if start:
        yield start, value
    if type(value) in COLLECTIONS:
        for index, item in enumerate(items_of(value)[:MOST_PARTS]):
            yield from places(item, (*start, index))


def replaced(value: Any, place: Place, new: Any) -> Any:
    """Return the value with another one in a place, where there is that place."""
    if not place:
        return new
    items = items_of(value)
    if place[0] >= len(items):
        return value
    items[place[0]] = replaced(items[place[0]], place[1:], new)
    return made_of(items, value)


def directions(value: Any) -> Iterator[Step]:
    """Give the ways in which a value can go on and on."""
    kind = type(value)
    if kind is int:
        yield from (_plus(1), _plus(-1))
    elif kind is float:
        for unit in UNITS:
            yield from (_plus(unit), _plus(-unit))
    elif kind in (str, list, tuple):
        yield _grown
        yield lambda old, size: old[: max(0, len(old) - size)]
        yield lambda old, size: old[size:]
    if kind is str:
        for index in range(min(len(value), MOST_PARTS)):
            yield from (_other_letter(index, 1), _other_letter(index, -1))


def _plus(unit: float) -> Step:
    def step(old: Any, size: int) -> Any:
        new = old + unit * size
        if abs(new) > FARTHEST:
            return old
        return round(new, 6) if isinstance(new, float) else new

    return step


def _grown(old: Any, size: int) -> Any:
    return old + (old[-1:] or ("a" if isinstance(old, str) else old)) * size


def _other_letter(index: int, sign: int) -> Step:
    def step(old: str, size: int) -> str:
        code = min(LAST, max(FIRST, ord(old[index]) + sign * size))
        return old[:index] + chr(code) + old[index + 1 :]

    return step


def single_steps(value: Any) -> Iterator[Any]:
    """Give values near by that lie in no direction."""
    kind = type(value)
    if kind is bool:
        yield not value
    elif kind is int:
        yield -value
    elif kind is str:
        yield from (value + mark for mark in MARKS)
        yield from (mark + value for mark in MARKS)
        for index in range(min(len(value), MOST_PARTS)):
            before, letter, after = value[:index], value[index], value[index + 1 :]
            yield before + after
            yield before + letter + letter + after
            if letter.swapcase() != letter:
                yield before + letter.swapcase() + after
    elif kind in COLLECTIONS:
        yield from _rearranged(value)


def _rearranged(value: Any) -> Iterator[Any]:
    """Leave out, repeat and swap neighbours; into dicts and sets put something like a part."""
    items = items_of(value)
    width = 2 if isinstance(value, dict) else 1
    for index in range(0, min(len(items), MOST_PARTS), width):
        before, part, after = items[:index], items[index : index + width], items[index + width :]
        yield made_of([*before, *after], value)
        if isinstance(value, list | tuple):
            yield made_of([*before, *part, *part, *after], value)
            yield made_of([*before[:-1], *part, *before[-1:], *after], value)
        elif type(part[0]) in (int, str):
            other = part[0] + 1 if type(part[0]) is int else part[0] + "a"
            yield made_of([*items, other, *part[1:]], value)


def resized(value: Any, size: int) -> Any:
    """Return a text, list or tuple cut or repeated to a length."""
    if not value:
        return "a" * size if isinstance(value, str) else value
    return (value * (size // len(value) + 1))[:size]


def any_other(value: Any, chance: Random) -> Any:
    """Return a value of the same type chosen by chance, small rather than large."""
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        most = chance.choice((5, 20, 100))
        return chance.randint(-most if value < 0 or chance.random() < 0.3 else 0, most)
    if kind is float:
        return round(chance.uniform(-(most := chance.choice((2, 20, 100))), most), 2)
    if kind is str:
        place = chance.randint(0, len(value))
        letter = chr(chance.randint(FIRST, LAST))
        return value[:place] + letter + value[place + chance.randint(0, 1) :]
    if kind in (list, tuple):
        return kind(chance.sample(value, len(value)))
    return value

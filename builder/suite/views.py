"""Ways to see less of a value than there is, and values on which that loses something.

Each is a belief that a reader may have of a function: that case, order or sign do not matter, or
that it looks at the first elements only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

_SHORT = 3
"""Elements of the part of a sequence that is seen."""
_SMALL = 10
"""Largest number that is seen as it is."""


@dataclass(frozen=True, slots=True)
class View:
    """One way to see less."""

    look: Callable[[Any], Any]
    """Returns what is seen; raises where there is nothing to overlook."""
    changes: tuple[Callable[[Any], Any], ...]
    """Each returns a value like another one, of which less is seen; raises where it knows none."""


def _like(value: Any, parts: list[Any]) -> Any:
    """Put elements or characters together to a value of the type of another one."""
    return "".join(parts) if type(value) is str else type(value)(parts)


def _sequence(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let a change be for lists, tuples and strings alone."""

    def changed(value: Any) -> Any:
        if type(value) not in (list, tuple, str):
            raise TypeError
        return change(value)

    return changed


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let a change be for a value, or for every element of a list or tuple."""

    def changed(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)(changed(element) for element in value)
        return change(value)

    return changed


def _text(change: Callable[[str], str]) -> Callable[[Any], Any]:
    """Let a change be for strings alone: other values can be sliced or iterated as well."""

    def changed(value: Any) -> Any:
        if type(value) is not str:
            raise TypeError
        return change(value)

    return changed


def _number(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def changed(value: Any) -> Any:
        if type(value) not in (int, float):
            raise TypeError
        return change(value)

    return changed


def _alphanumeric(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


VIEWS: Final[dict[str, View]] = {
    "the order": View(
        _sequence(lambda value: _like(value, sorted(value))),
        (_sequence(lambda value: value[::-1]),),
    ),
    "the order, from the largest": View(
        _sequence(lambda value: _like(value, sorted(value, reverse=True))),
        (_sequence(lambda value: value[::-1]),),
    ),
    "the direction": View(
        _sequence(lambda value: value[::-1]), (_sequence(lambda value: value + value[:1]),)
    ),
    "repetitions": View(
        _sequence(lambda value: _like(value, list(dict.fromkeys(value)))),
        (_sequence(lambda value: value + value[:1]),),
    ),
    "all but the first elements": View(
        _sequence(lambda value: value[:_SHORT]), (_sequence(lambda value: value + value),)
    ),
    "all but the last elements": View(
        _sequence(lambda value: value[-_SHORT:]), (_sequence(lambda value: value + value),)
    ),
    "upper and lower case": View(
        _each(_text(str.lower)),
        (
            _each(_text(str.swapcase)),
            _each(_text(lambda text: text[:1].swapcase() + text[1:])),
        ),
    ),
    "blanks around": View(_each(_text(str.strip)), (_each(_text(lambda text: f" {text} ")),)),
    "signs between letters": View(
        _each(_text(_alphanumeric)), (_each(_text(lambda text: f"{text[:1]}-{text[1:]}")),)
    ),
    "the sign": View(_each(_number(abs)), (_each(_number(lambda number: -number)),)),
    "how large it is": View(
        _each(_number(lambda number: type(number)(max(-_SMALL, min(_SMALL, number))))),
        (_each(_number(lambda number: 7 * number)),),
    ),
}
"""By what is overlooked."""

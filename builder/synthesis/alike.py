"""Changes equal values in all arguments alike, so that what they have in common stays.

Where a method asks whether its arguments are equal, or whether one occurs in another, a change of
one of them alone loses the answer.
"""

import random
from collections.abc import Iterator
from typing import Any

Arguments = tuple[Any, ...]

_STEPS = (-10, -2, -1, 1, 2, 3, 7, 10, 25)
_LETTERS = "abcdekmxyzABZ019 "


def change_alike(arguments: Arguments, source: random.Random) -> Arguments:
    """Replace one int, float or text by another wherever it occurs in the arguments.

    Returns:
        The new arguments; the old ones if they hold no such value.
    """
    values = list(dict.fromkeys((type(value), value) for value in _scalars(arguments)))
    if not values:
        return arguments
    kind, old = source.choice(values)
    new = _other(old, source)
    changed: Arguments = _replaced(arguments, kind, old, new)
    return changed


def _scalars(value: Any) -> Iterator[int | float | str]:
    if type(value) in (int, float, str):
        if value == value:
            yield value
    elif type(value) in (list, tuple):
        for item in value:
            yield from _scalars(item)
    elif type(value) is dict:
        for key, item in value.items():
            yield from _scalars(key)
            yield from _scalars(item)


def _other(value: Any, source: random.Random) -> Any:
    if isinstance(value, str):
        place = source.randint(0, len(value))
        letter = source.choice(_LETTERS)
        return value[:place] + letter + value[place + source.randint(0, 1) :]
    return value + source.choice(_STEPS)


def _replaced(value: Any, kind: type, old: Any, new: Any) -> Any:
    if type(value) is kind and value == old:
        return new
    if type(value) in (list, tuple):
        return type(value)(_replaced(item, kind, old, new) for item in value)
    if type(value) is dict:
        return {
            _replaced(key, kind, old, new): _replaced(item, kind, old, new)
            for key, item in value.items()
        }
    return value

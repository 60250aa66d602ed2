"""Answers that hang on the last digits of a float, or leave the range where floats are exact."""

import math
import re
from typing import Any

from builder.literals import dumps, loads

EXACT = 2**53
"""Beyond it not every int is a float."""
_ULPS = 3
_NICE = 1024
"""Floats that are whole multiples of 1/1024 are taken to be meant exactly."""
_RELATIVE = 1e-9
_TEXT = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_FLOAT = re.compile(r"\d\.\d|\de[+-]\d")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def neighbours(literal: str) -> tuple[str, ...]:
    """The argument tuple with its rough floats moved up, and moved down, by a few ulps.

    Returns:
        Two canonical literals; none if every float is one that a person means exactly.
    """
    if "." not in literal and "e" not in literal:
        return ()
    value = loads(literal)
    up, down = dumps(_moved(value, math.inf)), dumps(_moved(value, -math.inf))
    return () if up == literal else (up, down)


def _moved(value: Any, goal: float) -> Any:
    if type(value) is float:
        return value if _is_nice(value) else _step(value, goal)
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(_moved(item, goal) for item in value)
    if type(value) is dict:
        return {_moved(key, goal): _moved(item, goal) for key, item in value.items()}
    return value


def _is_nice(value: float) -> bool:
    return not math.isfinite(value) or (value * _NICE).is_integer()


def _step(value: float, goal: float) -> float:
    for _ in range(_ULPS):
        value = math.nextafter(value, goal)
    return value


def agree(first: str, second: str) -> bool:
    """Whether two literals are the same but for the last digits of the numbers in them."""
    if first == second:
        return True
    if _NUMBER.sub("0", first) != _NUMBER.sub("0", second):
        return False
    pairs = zip(_NUMBER.findall(first), _NUMBER.findall(second), strict=True)
    return all(_close(float(left), float(right)) for left, right in pairs)


def _close(left: float, right: float) -> bool:
    return left == right or math.isclose(left, right, rel_tol=_RELATIVE, abs_tol=_RELATIVE)


def is_inexact(arguments: str, value: str) -> bool:
    """Whether ints became floats where floats cannot hold them."""
    arguments, value = _TEXT.sub("''", arguments), _TEXT.sub("''", value)
    if _FLOAT.search(arguments) or not _FLOAT.search(value):
        return False
    return any(
        math.isfinite(float(number)) and abs(float(number)) >= EXACT
        for number in _NUMBER.findall(arguments) + _NUMBER.findall(value)
    )

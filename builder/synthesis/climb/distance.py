"""How far a decision was from going the other way. Runs in the sandbox.

Distances are those of Korel (1990) for numbers, of Alshraideh and Bottaci (2006) for strings, and
where parts add up each is normalised as McMinn (2004) does, d / (d + 1). They are 0 exactly where
the decision goes that way, and compare only with others of the same decision.
"""

import operator
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

ELSEWHERE = 10**6
"""Distance between values of different types: nothing leads from one to the other."""
LENGTH = 128
"""Distance that one character or element more or less makes: more than that of two letters."""
MOST_PARTS = 60
"""So many elements or characters are looked at."""

_CONTAINERS = (str, list, tuple, set, frozenset, dict, range, bytes)

Ways = tuple[float, float]
"""Distance to the test being true, and to its being false."""

HOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda one, other: one in other,
    "NotIn": lambda one, other: one not in other,
}


def holds(operations: Sequence[str], operands: Sequence[Any]) -> Any:
    """Return what the test of a decision gives."""
    if not operations:
        return operands[0]
    if operations[0].startswith("."):
        return getattr(operands[0], operations[0][1:])(*operands[1:])
    value: Any = True
    for place, operation in enumerate(operations):
        value = HOLDS[operation](operands[place], operands[place + 1])
        if not value:
            break
    return value


def ways(operations: Sequence[str], operands: Sequence[Any]) -> Ways:
    """Return the distances to both ways out of a decision.

    Raises:
        Exception: what the operands raise, or TypeError where there is no distance.
    """
    if not operations:
        return truth(operands[0])
    if operations[0].startswith("."):
        return text_test(operations[0][1:], operands[0], *operands[1:])
    links = [
        compared(operation, operands[place], operands[place + 1])
        for place, operation in enumerate(operations)
    ]
    if len(links) == 1:
        return links[0]
    return sum(normal(true) for true, _ in links), min(false for _, false in links)


def normal(distance: float) -> float:
    """Bring a distance between 0 and 1, so that several can be added."""
    return distance / (distance + 1)


def truth(value: Any) -> Ways:
    """Return how far a value is from being taken as true, and as false."""
    if not value:
        return 1, 0
    if isinstance(value, int | float):
        return 0, abs(value)
    try:
        return 0, len(value)
    except TypeError:
        return 0, 1


def compared(operation: str, one: Any, other: Any) -> Ways:
    """Return how far a comparison is from holding, and from failing."""
    match operation:
        case "Eq" | "Is":
            apart = difference(one, other)
            return apart, int(apart == 0)
        case "In":
            return membership(one, other)
        case "Lt":
            return order(one, other)
        case "Gt":
            return order(other, one)
    opposite = {"NotEq": "Eq", "IsNot": "Is", "NotIn": "In", "GtE": "Lt", "LtE": "Gt"}
    true, false = compared(opposite[operation], one, other)
    return false, true


def order(one: Any, other: Any) -> Ways:
    """Return how far ``one < other`` is from holding, and from failing."""
    is_less = bool(one < other)
    apart = lexical(one, other) if isinstance(one, str | list | tuple) else difference(one, other)
    return (0, apart or 1) if is_less else (apart + 1, 0)


def lexical(one: Any, other: Any) -> float:
    """Return how far two sequences are apart where they first differ."""
    for left, right in zip(one, other, strict=False):
        if left != right:
            return difference(left, right)
    return abs(len(one) - len(other))


def difference(one: Any, other: Any) -> float:
    """Return how far two values are from being equal."""
    if one == other:
        return 0
    if isinstance(one, int | float) and isinstance(other, int | float):
        apart = abs(one - other)
        return apart if apart < float("inf") else ELSEWHERE
    if isinstance(one, str) and isinstance(other, str):
        pairs = zip(one[:MOST_PARTS], other[:MOST_PARTS], strict=False)
        letters = sum(abs(ord(left) - ord(right)) for left, right in pairs)
        return letters + LENGTH * abs(len(one) - len(other)) or 1
    if isinstance(one, set | frozenset) and isinstance(other, set | frozenset):
        return len(one ^ other)
    if isinstance(one, dict) and isinstance(other, dict):
        shared = [normal(difference(one[key], other[key])) for key in one if key in other]
        return len(one) + len(other) - 2 * len(shared) + sum(shared)
    if type(one) is type(other) and isinstance(one, list | tuple):
        parts = zip(one[:MOST_PARTS], other[:MOST_PARTS], strict=False)
        return sum(normal(difference(*pair)) for pair in parts) + abs(len(one) - len(other)) or 1
    return ELSEWHERE


def membership(one: Any, other: Any) -> Ways:
    """Return how far ``one in other`` is from holding, and from failing.

    Raises:
        TypeError: to look into ``other`` might change it, as it does an iterator.
    """
    if not isinstance(other, _CONTAINERS):
        raise TypeError
    if isinstance(other, str):
        places = range(max(1, len(other) - len(one) + 1))[:MOST_PARTS]
        parts: list[Any] = [other[place : place + len(one)] for place in places]
    else:
        parts = list(islice(other, MOST_PARTS))
    if one in other:
        return 0, max(1, sum(part == one for part in parts))
    return min((difference(one, part) for part in parts), default=ELSEWHERE), 0


def text_test(name: str, text: Any, *arguments: Any) -> Ways:
    """Return how far a string is from passing a test of its own, and from failing."""
    if getattr(text, name)(*arguments):
        return 0, 1
    if name in ("startswith", "endswith"):
        wanted = arguments[0] if isinstance(arguments[0], tuple) else (arguments[0],)
        return min(
            difference(text[: len(each)] if name == "startswith" else text[-len(each) :], each)
            for each in wanted
        ), 0
    wrong = sum(not getattr(character, name)() for character in text)
    return wrong + (not text) or 1, 0

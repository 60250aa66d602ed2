"""Cheap functions that understand nothing: a suite that one of them passes is worthless.

Those that are constant, or look E_context up in a table, need no code here: no input of E_context
is a test, and the tests of a suite always have two different outputs.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final

from builder.literals import LiteralError, dumps, loads
from builder.records import Example

Impostor = Callable[..., Any]

LONGEST: Final = 10_000
"""Of a range that is gone through, and of the literal of an output, in characters."""


def _each(change: Callable[[Any], Any]) -> Impostor:
    """Make the impostor that changes every element or character, and keeps the type."""

    def impostor(values: Any) -> Any:
        changed = [change(value) for value in values]
        return "".join(changed) if isinstance(values, str) else type(values)(changed)

    return impostor


def _only(holds: Callable[[Any], Any]) -> Impostor:
    """Make the impostor that keeps some elements or characters."""

    def impostor(values: Any) -> Any:
        kept = [value for value in values if holds(value)]
        return "".join(kept) if isinstance(values, str) else type(values)(kept)

    return impostor


def _in_order(values: Any, order: Callable[[Any], list[Any]]) -> Any:
    ordered = order(values)
    return "".join(ordered) if isinstance(values, str) else ordered


_OF_ONE: Final[tuple[Impostor, ...]] = (
    len,
    sum,
    max,
    min,
    sorted,
    abs,
    bool,
    any,
    all,
    str,
    int,
    float,
    list,
    tuple,
    set,
    dict,
    Counter,
    lambda x: not x,
    lambda x: -x,
    lambda x: x + 1,
    lambda x: x - 1,
    lambda x: 2 * x if isinstance(x, int | float) else None,
    lambda x: x * x,
    lambda x: x // 2,
    lambda x: x / 2,
    lambda x: x % 2,
    lambda x: x % 2 == 0,
    lambda x: x % 2 == 1,
    lambda x: x > 0,
    lambda x: x >= 0,
    lambda x: x < 0,
    lambda x: x[0],
    lambda x: x[-1],
    lambda x: x[1:],
    lambda x: x[:-1],
    lambda x: x[::-1],
    lambda x: x == x[::-1],
    lambda x: x[::2],
    lambda x: len(set(x)),
    lambda x: len(set(x)) == len(x),
    lambda x: list(dict.fromkeys(x)),
    lambda x: max(x) - min(x),
    lambda x: sum(x) / len(x),
    lambda x: sum(len(value) for value in x),
    lambda x: max(x, key=len),
    lambda x: list(map(len, x)),
    lambda x: sum(map(int, str(x))),
    lambda x: len(str(x)),
    lambda x: [value for row in x for value in row],
    lambda x: list(x.keys()),
    lambda x: list(x.values()),
    lambda x: {value: key for key, value in x.items()},
    lambda x: _in_order(x, sorted),
    lambda x: _in_order(x, lambda values: sorted(values, reverse=True)),
    lambda x: _in_order(x, lambda values: list(dict.fromkeys(values))),
    lambda x: x.upper(),
    lambda x: x.lower(),
    lambda x: x.swapcase(),
    lambda x: x.title(),
    lambda x: x.capitalize(),
    lambda x: x.strip(),
    lambda x: x.split(),
    lambda x: len(x.split()),
    lambda x: " ".join(x.split()),
    lambda x: " ".join(x.split()[::-1]),
    lambda x: x.isdigit(),
    lambda x: x.isalpha(),
    lambda x: x.isupper(),
    lambda x: x.islower(),
    lambda x: "".join(x),
    lambda x: " ".join(x),
    _each(lambda value: value + 1),
    _each(lambda value: value * 2),
    _each(lambda value: value * value),
    _each(str),
    _each(lambda value: value.upper()),
    _only(lambda value: value),
    _only(lambda value: value > 0),
    _only(lambda value: value % 2 == 0),
    _only(lambda value: value % 2 == 1),
    _only(lambda value: value.isalpha()),
    _only(lambda value: value.isdigit()),
    _only(lambda value: value not in "aeiouAEIOU"),
)
_OF_TWO: Final[tuple[Impostor, ...]] = (
    lambda x, y: x + y,
    lambda x, y: y + x,
    lambda x, y: x - y,
    lambda x, y: y - x,
    lambda x, y: abs(x - y),
    lambda x, y: x * y if isinstance(x, float) or isinstance(y, float) else int(x) * int(y),
    lambda x, y: x / y,
    lambda x, y: x // y,
    lambda x, y: x % y,
    lambda x, y: x == y,
    lambda x, y: x != y,
    lambda x, y: x > y,
    lambda x, y: x < y,
    lambda x, y: x >= y,
    lambda x, y: x <= y,
    lambda x, y: x in y,
    lambda x, y: y in x,
    lambda x, y: x.count(y),
    lambda x, y: x.index(y),
    lambda x, y: x.find(y),
    lambda x, y: x.split(y),
    lambda x, y: y.join(x),
    lambda x, y: x.startswith(y),
    lambda x, y: x.endswith(y),
    lambda x, y: x.replace(y, ""),
    lambda x, y: x[y],
    lambda x, y: x[:y],
    lambda x, y: x[y:],
    lambda x, y: x[y:] + x[:y],
    lambda x, y: x[-y:] + x[:-y],
    lambda x, y: sorted(x)[y],
    lambda x, y: sorted(x)[:y],
    lambda x, y: x.get(y),
    lambda x, y: [value for value in x if value != y],
    lambda x, y: [value for value in x if value > y],
    lambda x, y: [value for value in x if value in y],
    lambda x, y: [value for value in x if value not in y],
    lambda x, y: [value + y for value in x],
    lambda x, y: set(x) == set(y),
    lambda x, y: sorted(x) == sorted(y),
    lambda x, y: sorted(x + y),
    lambda x, y: [*x, y],
    lambda x, y: list(zip(x, y, strict=False)),
    lambda x, y: [a + b for a, b in zip(x, y, strict=False)],
    lambda x, y: len(x) == len(y),
    lambda x, y: len(x) > y,
    lambda x, y: x & y,
    lambda x, y: x | y,
    lambda x, y: x ^ y,
)
_OF_THREE: Final[tuple[Impostor, ...]] = (
    lambda x, y, z: x + y + z,
    lambda x, y, z: x * y * z,
    lambda x, y, z: x + y - z,
    lambda x, y, z: x == y == z,
    lambda x, y, z: x < y < z,
    lambda x, y, z: y <= x <= z,
    lambda x, y, z: x.replace(y, z),
    lambda x, y, z: x[y:z],
    lambda x, y, z: sum(x[y:z]),
    lambda x, y, z: (x + y) % z,
    lambda x, y, z: [*x, y, z],
)
_OF_SOME: Final[tuple[Impostor, ...]] = (
    lambda *values: max(values),
    lambda *values: min(values),
    lambda *values: list(values),
    lambda *values: values,
    lambda *values: sorted(values),
    lambda *values: values[0],
    lambda *values: values[1],
    lambda *values: values[2],
    lambda *values: values[3],
    lambda *values: reduce(lambda x, y: x + y, values),
)


IMPOSTORS: Final = _OF_ONE + _OF_TWO + _OF_THREE + _OF_SOME
"""They change nothing, and raise on arguments of the wrong number or type."""


def passing(impostors: Sequence[Impostor], example: Example) -> tuple[Impostor, ...]:
    """Return those of some impostors that give the right output on an example."""
    if not impostors:
        return ()
    arguments = loads(example.input)
    if any(map(_is_awkward, arguments)):
        return ()
    return tuple(each for each in impostors if _gives(each, arguments, example.output))


def _gives(impostor: Impostor, arguments: tuple[Any, ...], output: str) -> bool:
    try:
        return dumps(impostor(*arguments), limit=LONGEST) == output
    except (LiteralError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False


def _is_awkward(value: Any) -> bool:
    """Whether an impostor could give something else in the next process, or take too long."""
    if isinstance(value, dict):
        return any(map(_is_awkward, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_is_awkward, value))
    return isinstance(value, set | frozenset) or (isinstance(value, range) and len(value) > LONGEST)

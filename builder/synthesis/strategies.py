"""From a kind to a Hypothesis strategy, and to a pool of its values that is always the same.

Strategies are narrower than their kinds: they give what a person would write, short and small
first. Values are drawn through Hypothesis' entry for outside fuzzers, from bytes that depend on
the kind alone. So there is no example database, and nothing of what else was loaded or drawn in
the process matters (Hypothesis' own engine mixes in constants of loaded modules).
"""

import json
import math
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from builder.literals import LiteralError, dumps
from builder.synthesis.domain import (
    Bool,
    Bytes,
    Collection,
    Complex,
    Dict,
    Float,
    FrozenSet,
    Int,
    Kind,
    List,
    NoneKind,
    Rare,
    Record,
    Set,
    Str,
    Tuple,
    Union,
    VariableTuple,
)

POOL_SIZE = 40
"""Values drawn for a kind; typical ones that every pool starts with come on top."""
_BUFFER_BYTES = 600
_LONGEST = (7, 4, 3)
"""Most elements of a collection, by depth of nesting."""

_TYPICAL_INTS = (0, 1, 2, 3, 5, 10, -1, 4, 7, 12, 100, -5, 6, 8, -2, 15, 20, 9, 50, -10)
_TYPICAL_FLOATS = (0.0, 1.0, 0.5, 2.5, -1.0, 3.0, 10.0, 1.5, 0.1, 100.0, -2.5, 7.25)
_TYPICAL_TEXTS = (
    *("hello", "a", "", "abc", "Hello World", "racecar", "12", "aabbc", "the quick brown fox"),
    *("ABC", "a b c", "Python 3", "x", "3.5", "1,2,3", "(a[b]{c})", "user@example.com"),
    *("2024-01-31", "10:30", "1/2", "-7", "0101", "foo_bar", "Hello, World!", "listen", "A1b2"),
    *("1 2 3", "192.168.0.1", "banana", "aaa", " spaced ", "fooBar", "100", "xyz", "caf\u00e9"),
    *("the cat and the dog", "a b a", "to be or not to be", "one\ntwo\none", "Mississippi"),
)
_WORDS = ("apple", "red", "cat", "dog", "Bob", "is", "a", "sun", "Anna", "level", "new", "x1")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIXED = _LETTERS + _LETTERS.upper()
_SIGNS = _MIXED + "0123456789" + " ,.!?-_"


def strategy(kind: Kind, depth: int = 0) -> SearchStrategy[Any]:
    """Give a strategy for short and small values of a kind."""
    match kind:
        case NoneKind():
            return st.none()
        case Bool():
            return st.booleans()
        case Int(low=low, high=high):
            return _ints(low, high, depth)
        case Float(low=low_float, high=high_float):
            return _floats(low_float, high_float)
        case Complex():
            return st.builds(complex, st.integers(-5, 5), st.integers(-5, 5))
        case Str():
            return _texts(kind, depth)
        case Bytes():
            return _lists(st.sampled_from(b"abcABC012 "), kind.min_size, kind.max_size, 8).map(
                bytes
            )
        case Collection():
            return _collections(kind, depth)
        case Dict():
            pairs = st.tuples(strategy(kind.key, 2), strategy(kind.value, depth + 1))
            longest = _LONGEST[min(depth + 1, 2)]
            return _lists(pairs, kind.min_size, kind.max_size, longest).map(dict)
        case Tuple(elements=elements):
            return st.tuples(*(strategy(element, depth + 1) for element in elements))
        case Record(items=items):
            return st.fixed_dictionaries({key: strategy(each, depth + 1) for key, each in items})
        case Union(options=options):
            return st.one_of(*(strategy(option, depth) for option in options))
        case Rare(type_name=name):
            return _RARE[name]
    return _ANY


def _ints(low: int | None, high: int | None, depth: int) -> SearchStrategy[int]:
    ranges = [(0, 9), (-20, 20), (0, 100), (-200, 1000)]
    ranges = ranges[: 4 - min(depth, 2)]
    inside = [(_inside(first, low, high), _inside(last, low, high)) for first, last in ranges]
    return st.one_of(*(st.integers(first, last) for first, last in inside))


def _inside(value: int, low: int | None, high: int | None) -> int:
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value


def _floats(low: float | None, high: float | None) -> SearchStrategy[float]:
    # Quarters, cents and whole numbers, as far as the bounds leave any.
    options = []
    for unit, first, last in ((4, -40, 80), (100, -2000, 20000), (1, -20, 1000)):
        least = first if low is None else max(first, math.ceil(low * unit))
        most = last if high is None else min(last, math.floor(high * unit))
        if least <= most:
            options.append(st.integers(least, most).map(_divide_by(unit)))
    return st.one_of(options) if options else st.floats(low, high, allow_infinity=False)


def _divide_by(unit: int) -> Callable[[int], float]:
    return lambda number: number / unit


def _lists(
    element: SearchStrategy[Any], least: int, most: int | None, longest: int
) -> SearchStrategy[list[Any]]:
    limit = least + longest if most is None else min(most, least + longest)
    return st.lists(element, min_size=least, max_size=limit)


def _texts(kind: Str, depth: int) -> SearchStrategy[str]:
    # Lists of characters, because ``st.text`` writes a table of Unicode to the disk.
    def of(characters: Iterable[str], longest: int = 8, joint: str = "") -> SearchStrategy[str]:
        options = st.sampled_from(list(characters))
        return _lists(options, kind.min_size, kind.max_size, longest).map(joint.join)

    if kind.alphabet is not None:
        return of(kind.alphabet)
    if depth:
        short = st.one_of(of("abc", 3), of(_MIXED, 5), of("0123456789", 2))
        words = [word for word in _WORDS if kind.contains(word)]
        return st.one_of(st.sampled_from(words), short, short) if words else short
    return st.one_of(
        of(_LETTERS),
        of("ab"),
        of("abcAB"),
        of(_MIXED, 12),
        of(_SIGNS, 12),
        of("0123456789", 4),
        of("aeiouxyz", 6),
        of(_WORDS, 4, " ").filter(kind.contains),
    )


def _collections(kind: Collection, depth: int) -> SearchStrategy[Any]:
    longest = _LONGEST[min(depth, 2)]
    element = strategy(kind.element, depth + 1)
    lists = _lists(element, kind.min_size, kind.max_size, longest)
    if isinstance(kind, List | VariableTuple):
        lists = st.one_of(lists, _with_repeats(lists), lists.map(_sorted_if_possible))
        if isinstance(kind.element, List) and kind.min_size <= 3:
            lists = st.one_of(lists, _tables(kind.element, max(kind.min_size, 1)))
    made = lists.map(kind.python_type)
    return made.filter(kind.contains) if isinstance(kind, Set | FrozenSet) else made


def _with_repeats(lists: SearchStrategy[list[Any]]) -> SearchStrategy[list[Any]]:
    def repeat(pair: tuple[list[Any], list[int]]) -> list[Any]:
        values, order = pair
        return [values[index % len(values)] for index in order[: len(values)]] if values else []

    return st.tuples(lists, st.lists(st.integers(0, 3), min_size=8, max_size=8)).map(repeat)


def _sorted_if_possible(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return values


def _tables(row: List, least: int) -> SearchStrategy[list[Any]]:
    """Rectangular and square lists of lists."""
    cell = strategy(row.element, 2)
    shapes = st.tuples(st.integers(least, 3), st.integers(max(row.min_size, 1), 3), st.booleans())

    def table(shape: tuple[int, int, bool]) -> SearchStrategy[list[Any]]:
        height, width = shape[0], shape[0] if shape[2] else shape[1]
        line = st.lists(cell, min_size=width, max_size=width)
        return st.lists(line, min_size=height, max_size=height)

    return shapes.flatmap(table)


_SMALL = st.integers(0, 9)
_SHORT = st.lists(st.sampled_from("abc"), max_size=3).map("".join)
_PAIRS = st.lists(st.tuples(_SHORT, _SMALL), max_size=4)
_ANY: SearchStrategy[Any] = st.one_of(
    _SMALL, _SHORT, st.lists(_SMALL, max_size=3), st.booleans(), st.none(), _PAIRS.map(dict)
)
_RARE: dict[str, SearchStrategy[Any]] = {
    "Counter": st.lists(_SHORT, max_size=5).map(Counter),
    "Decimal": st.integers(-1000, 10000).map(lambda number: Decimal(number) / 100),
    "Fraction": st.builds(Fraction, st.integers(-10, 10), st.integers(1, 9)),
    "OrderedDict": _PAIRS.map(OrderedDict),
    "bytearray": st.lists(st.sampled_from(b"abc012"), max_size=6).map(bytearray),
    "defaultdict": _PAIRS.map(lambda pairs: defaultdict(int, pairs)),
    "deque": st.lists(_SMALL, max_size=5).map(deque),
    "range": st.builds(range, st.integers(-3, 5), st.integers(-3, 12), st.sampled_from((1, 2, -1))),
}


@lru_cache(maxsize=4096)
def pool(kind: Kind) -> tuple[str, ...]:
    """Give canonical literals of distinct values of a kind, typical ones first.

    The pool depends on the kind alone. It is empty if the kind has no small values.
    """
    texts = dict.fromkeys(_typical(kind))
    for value in _drawn(kind, POOL_SIZE):
        try:
            text = dumps(value, limit=2000)
        except LiteralError:
            continue
        if kind.contains(value):
            texts.setdefault(text)
    return tuple(texts)


def _typical(kind: Kind) -> list[str]:
    match kind:
        case Int():
            values: Iterable[Any] = _TYPICAL_INTS
        case Float():
            values = _TYPICAL_FLOATS
        case Str():
            values = _TYPICAL_TEXTS
        case Bool():
            return ["True", "False"]
        case Union(options=options):
            return [text for option in options for text in _typical(option)[:10]]
        case _:
            return []
    return [dumps(value) for value in values if kind.contains(value)]


def _drawn(kind: Kind, count: int) -> list[Any]:
    values: list[Any] = []

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy(kind))
    def note(value: Any) -> None:
        values.append(value)

    draw = note.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
    source = random.Random(json.dumps(kind.to_json(), sort_keys=True))
    for _ in range(count):
        with suppress(TypeError):  # an annotation can ask for a set of lists, which has no values
            draw(source.randbytes(_BUFFER_BYTES))
    return values

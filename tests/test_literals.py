"""Canonical literals: exact type, exact value, one text per value."""

import math
import os
import re
import subprocess
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.literals import (
    MAX_DEPTH,
    LiteralError,
    LiteralTooLargeError,
    canonical,
    dumps,
    loads,
)

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers(allow_nan=True, allow_infinity=True)
    | st.text(st.characters(codec=None))
    | st.binary()
    | st.decimals().filter(lambda number: not number.is_snan())  # one cannot be hashed
    | st.fractions()
    | st.builds(range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 3))
)
HASHABLE = st.recursive(
    ATOMS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=4), max_leaves=6
)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(HASHABLE, inner, max_size=4),
        st.sets(HASHABLE, max_size=4),
        st.lists(inner, max_size=4).map(deque),
        st.dictionaries(HASHABLE, inner, max_size=3).map(OrderedDict),
        st.dictionaries(HASHABLE, inner, max_size=3).map(lambda d: defaultdict(list, d)),
        st.dictionaries(HASHABLE, st.integers(), max_size=3).map(Counter),
        st.binary().map(bytearray),
    ),
    max_leaves=12,
)


def same(left: Any, right: Any) -> bool:
    """Compare by type and value, independently of the module under test."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return (left == right and math.copysign(1, left) == math.copysign(1, right)) or left != left
    if isinstance(left, complex):
        return same(left.real, right.real) and same(left.imag, right.imag)
    if isinstance(left, Decimal):
        return repr(left) == repr(right)
    if isinstance(left, list | tuple | deque):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return len(left) == len(right) and all(map(same, left.items(), right.items()))
    if isinstance(left, set | frozenset):
        return len(left) == len(right) and all(any(same(a, b) for b in right) for a in left)
    return bool(left == right)


@given(VALUES)
def test_loading_what_was_dumped_gives_the_value_with_its_type(value: Any) -> None:
    assert same(loads(dumps(value)), value)


@given(VALUES)
def test_the_text_of_a_loaded_text_is_the_text(value: Any) -> None:
    text = dumps(value)
    assert dumps(loads(text)) == text


@given(VALUES)
def test_the_text_is_ascii_on_one_line(value: Any) -> None:
    text = dumps(value)
    assert text.isascii()
    assert text.isprintable()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ((1,), [1]),
        ("a", b"a"),
        ({1}, frozenset({1})),
        ({1: 2, 3: 4}, {3: 4, 1: 2}),
        (Decimal("1.0"), Decimal("1.00")),
        (1, Fraction(1)),
        ({}, Counter()),
        ({}, set()),
        (deque([1]), deque([1], 3)),
        (b"", bytearray()),
    ],
)
def test_values_that_differ_in_type_or_detail_have_different_texts(left: Any, right: Any) -> None:
    assert dumps(left) != dumps(right)


def test_every_nan_has_the_same_text() -> None:
    assert dumps(float("nan")) == dumps(-float("nan")) == "float('nan')"


@pytest.mark.parametrize("bits", [8191, 8192, 8193, 20_000, 40_000])
@pytest.mark.parametrize("sign", [1, -1])
def test_ints_beyond_pythons_limit_of_digits_survive(bits: int, sign: int) -> None:
    value = sign * ((1 << bits) - 3)
    assert loads(dumps(value)) == value


def test_the_text_is_the_same_under_every_hash_seed() -> None:
    program = (
        "from builder.literals import dumps\n"
        "print(dumps([{'b', 'a', 'cd', (1, 'x'), None, 2.5}, frozenset(map(str, range(50)))]))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "3")
    }
    assert len(texts) == 1


class Color(IntEnum):
    RED = 1


class Point(NamedTuple):
    x: int


class Text(str):
    __slots__ = ()


class Impostor(type):
    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(int)


class Forged(metaclass=Impostor):
    pass


@pytest.mark.parametrize(
    "value",
    [
        object(),
        Color.RED,
        Point(1),
        Text("a"),
        Forged(),
        len,
        ...,
        iter([]),
        {1: 2}.keys(),
        defaultdict(lambda: 1),
        [object()],
        {"a": object()},
        re.match("a", "a"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_outside_the_family_raises_the_one_named_error(value: Any) -> None:
    with pytest.raises(LiteralError):
        dumps(value)


def test_a_value_that_holds_itself_raises_the_named_error() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(LiteralError):
        dumps(value)


@pytest.mark.parametrize(
    "wrap",
    [lambda v: [v], lambda v: (v,), lambda v: OrderedDict(a=v), lambda v: defaultdict(int, a=v)],
)
def test_the_deepest_value_that_can_be_written_can_be_read(wrap: Any) -> None:
    value: Any = 0
    for _ in range(MAX_DEPTH):
        value = wrap(value)
        try:
            text = dumps(value)
        except LiteralError:
            break
        assert dumps(loads(text)) == text


@pytest.mark.parametrize(
    "value", ["a" * 100, list(range(100)), {i: i for i in range(100)}, 1 << 9000, {"é" * 50}]
)
def test_a_text_longer_than_the_limit_raises_and_never_is_built(value: Any) -> None:
    with pytest.raises(LiteralTooLargeError):
        dumps(value, limit=90)


@given(VALUES, st.integers(0, 400))
def test_a_text_within_the_limit_is_the_same_as_without_one(value: Any, limit: int) -> None:
    try:
        text = dumps(value, limit=limit)
    except LiteralTooLargeError:
        return
    assert text == dumps(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "f(1)",
        "__import__('os')",
        "[i for i in (1,)]",
        "1 + 1",
        "lambda: 1",
        "(1).real",
        "{**{}}",
        "[*(1,)]",
        "f'{1}'",
        "...",
        "open('a')",
        "set(x=1)",
        "{[1]}",
        "range(0)(1)",
        "'a' 'b' +",
        "float('x')",
        "1 if 1 else 2",
        "not 1",
        "~1",
        "(" * 300,
        "defaultdict(print, {})",
        "range(1, 2, 0)",
        "\0",
        "Decimal('1') + 1",
        "9" * 5000,
    ],
)
def test_a_text_that_is_no_literal_of_the_family_raises_the_one_named_error(text: str) -> None:
    with pytest.raises(LiteralError):
        loads(text)


def test_a_literal_as_a_person_writes_it_becomes_canonical() -> None:
    assert canonical('( {3,1}, +1, 1+2j, "a", [ ], 1e3,)') == (
        "({1, 3}, 1, complex(1.0, 2.0), 'a', [], 1000.0)"
    )

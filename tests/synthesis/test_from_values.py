"""Values that were seen give the narrowest kind that holds them and their like."""

from collections import deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.synthesis.from_values import kind_of

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2) | st.integers(), inner, max_size=3)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_the_kind_holds_every_value_that_it_was_made_from(values: list[Any]) -> None:
    kind = kind_of(values)
    assert [value for value in values if not kind.contains(value)] == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([3], "int"),
        ([3, 2.5], "int or float"),
        ([True, None], "bool or None"),
        ([[1], [2, 3]], "list of int"),
        ([[1, "a"]], "list of int or str"),
        ([[]], "list of any literal"),
        ([[], [[1]]], "list of list of int"),
        ([{"a": 1}], "dict from str to int"),
        ([{"name": "Bo", "age": 3}], "dict with 'name': str, 'age': int"),
        ([{"a": 1}, {"a": 2}, {"a": 3}], "dict with 'a': int"),
        ([{1, 2}], "set of int"),
        ([frozenset("a")], "frozenset of str"),
        ([deque()], "deque"),
        ([(1, 2)], "tuple of int"),
        ([(1, "a")], "tuple of (int, str)"),
        ([(1, 2), (3, 4)], "tuple of (int, int)"),
        ([(1, 2), (3, 4, 5)], "tuple of int"),
        ([(1, 2, 3, 4, 5), (1, 2, 3, 4, 6)], "tuple of int"),
        ([[(1, 2), (3, 4)]], "list of tuple of (int, int)"),
    ],
)
def test_values_are_read_as_a_person_would(values: list[Any], kind: str) -> None:
    assert str(kind_of(values)) == kind


def test_only_what_was_seen_among_floats_is_allowed() -> None:
    assert not kind_of([1.5]).contains(float("nan"))
    assert kind_of([float("nan")]).contains(float("nan"))
    assert not kind_of([float("nan")]).contains(float("inf"))

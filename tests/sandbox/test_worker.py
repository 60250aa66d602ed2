"""How the child makes arguments, and sees whether they changed."""

from collections import Counter, OrderedDict, deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.literals import dumps
from builder.sandbox.worker import _freeze, _is_unchanged, read_arguments

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**9000, max_value=2**9001)
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.text("'\"\\{}[](),:TrueNaNInfinity0x")
    | st.binary()
)
HASHABLE: st.SearchStrategy[Any] = st.deferred(
    lambda: SCALARS | st.tuples(SCALARS, SCALARS) | st.frozensets(SCALARS, max_size=3)
)
VALUES: st.SearchStrategy[Any] = st.deferred(
    lambda: (
        SCALARS
        | st.fractions()
        | st.decimals()
        | st.lists(VALUES, max_size=3)
        | st.tuples(VALUES)
        | st.tuples(VALUES, VALUES)
        | st.dictionaries(HASHABLE, VALUES, max_size=3)
        | st.dictionaries(st.text("ab'"), VALUES, max_size=3)
        | st.sets(HASHABLE, max_size=3)
        | st.lists(VALUES, max_size=3).map(deque)
        | st.dictionaries(HASHABLE, VALUES, max_size=3).map(OrderedDict)
        | st.lists(HASHABLE, max_size=3).map(Counter)
    )
)
ARGUMENTS = st.lists(VALUES, max_size=3).map(tuple)


@given(ARGUMENTS)
def test_arguments_are_what_their_literal_says(arguments: tuple[Any, ...]) -> None:
    text = dumps(arguments)
    assert dumps(read_arguments(text)) == text


@given(ARGUMENTS)
def test_arguments_are_fresh_each_time(arguments: tuple[Any, ...]) -> None:
    text = dumps(arguments)
    for part in read_arguments(text):
        if type(part) is list:
            part.append(None)
    assert dumps(read_arguments(text)) == text


@given(ARGUMENTS)
def test_untouched_arguments_are_unchanged(arguments: tuple[Any, ...]) -> None:
    text = dumps(arguments)
    frozen = _freeze(arguments, text)
    assert frozen is None or _is_unchanged(arguments, frozen)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1], [True]),
        ([1], [1.0]),
        ([0.0], [-0.0]),
        (["a"], [b"a"]),
        ([(1,)], [[1]]),
        ([{1: 2}], [OrderedDict({1: 2})]),
        ([{1: 2, 3: 4}], [{3: 4, 1: 2}]),
        ([{1}], [frozenset({1})]),
    ],
)
def test_equal_values_of_other_types_count_as_changed(before: Any, after: Any) -> None:
    frozen = _freeze((before,), dumps((before,)))
    assert frozen is not None
    assert not _is_unchanged((after,), frozen)

"""How far a decision was from going the other way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.synthesis.climb.distance import HOLDS, holds, ways

SCALARS = st.integers(-9, 9) | st.floats(-9, 9) | st.text("abc", max_size=3) | st.none()
VALUES: st.SearchStrategy[Any] = st.one_of(
    SCALARS,
    st.lists(st.integers(0, 3), max_size=3),
    st.tuples(st.integers(0, 3), st.text("ab", max_size=2)),
    st.dictionaries(st.text("ab", max_size=1), st.integers(0, 3), max_size=2),
    st.sets(st.integers(0, 3), max_size=2),
)


@given(st.sampled_from(sorted(HOLDS)), VALUES, VALUES)
def test_a_distance_is_0_exactly_where_the_decision_goes_that_way(
    operation: str, one: Any, other: Any
) -> None:
    if operation in ("Is", "IsNot"):
        one = other  # else equal values may be two
    try:
        value = holds([operation], [one, other])
        true, false = ways([operation], [one, other])
    except TypeError:
        return
    assert (true == 0) == bool(value)
    assert (false == 0) == (not value)
    assert min(true, false) == 0


@pytest.mark.parametrize(
    ("operation", "one", "other"),
    [
        ("Eq", "a" * 500, "a" * 499 + "b"),
        ("Eq", [0] * 500, [0] * 499 + [1]),
        ("In", 499, list(range(500))),
        ("In", 500, list(range(500))),
        ("In", "b", "a" * 499 + "b"),
    ],
)
def test_of_long_values_too(operation: str, one: Any, other: Any) -> None:
    value = holds([operation], [one, other])
    true, false = ways([operation], [one, other])
    assert (true == 0, false == 0) == (value, not value)


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=3))
def test_a_chain_is_as_far_from_true_as_all_its_links(numbers: list[int]) -> None:
    chain = ["LtE", "Lt"]
    true, false = ways(chain, numbers)
    assert holds(chain, numbers) == (numbers[0] <= numbers[1] < numbers[2])
    assert (true == 0) == bool(holds(chain, numbers))
    assert (false == 0) == (not holds(chain, numbers))


@pytest.mark.parametrize(
    ("operation", "far", "near"),
    [
        ("Eq", (3, 10), (8, 10)),
        ("Eq", ("abz", "abc"), ("abd", "abc")),
        ("Eq", ("a", "abc"), ("abz", "abc")),
        ("Eq", ([1], [1, 2, 3]), ([1, 2], [1, 2, 3])),
        ("Eq", ([9, 2], [1, 2]), ([2, 2], [1, 2])),
        ("Eq", ({"a": 1}, {"b": 2}), ({"b": 9}, {"b": 2})),
        ("Lt", (10, 3), (4, 3)),
        ("Lt", ("z", "b"), ("c", "b")),
        ("GtE", (1, 10), (9, 10)),
        ("In", (50, [1, 9]), (11, [1, 9])),
        ("In", ("zq", "abc"), ("bd", "abc")),
        ("NotIn", (1, [1, 1, 2]), (1, [1, 2])),
        (".startswith", ("zbc", "abc"), ("bbc", "abc")),
        (".endswith", ("abz", "bc"), ("abd", "bc")),
        (".isdigit", ("1ab2",), ("1a22",)),
        (".isalpha", ("",), ("a",)),
    ],
)
def test_what_is_nearer_to_holding_has_the_smaller_distance(
    operation: str, far: tuple[Any, ...], near: tuple[Any, ...]
) -> None:
    assert ways([operation], near)[0] < ways([operation], far)[0]


@pytest.mark.parametrize(("far", "near"), [([1, 2, 3], [1]), (-7, 2), ("abc", "a"), ({1: 2}, {})])
def test_what_is_nearer_to_being_false_has_the_smaller_distance(far: Any, near: Any) -> None:
    assert ways([], [near])[1] < ways([], [far])[1]


@given(st.sampled_from(["isdigit", "islower", "isupper", "isalpha"]), st.text("aB1 ", max_size=5))
def test_a_text_that_passes_its_test_is_no_way_from_passing(name: str, text: str) -> None:
    assert (ways([f".{name}"], [text])[0] == 0) == getattr(text, name)()

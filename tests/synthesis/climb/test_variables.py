"""The variables inside arguments and the steps that they make."""

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builder.literals import dumps
from builder.synthesis.climb.variables import (
    any_other,
    directions,
    places,
    replaced,
    resized,
    single_steps,
)

SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.booleans(), st.integers(-99, 99), st.floats(-9, 9), st.text("ab X1", max_size=5), st.none()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
        | st.sets(st.integers(0, 9), max_size=3)
    ),
    max_leaves=6,
)
ARGUMENTS = st.tuples(VALUES, VALUES)


@given(ARGUMENTS)
def test_what_is_put_back_into_its_place_changes_nothing(arguments: tuple[Any, ...]) -> None:
    for place, value in places(arguments):
        assert dumps(replaced(arguments, place, value)) == dumps(arguments)


@given(ARGUMENTS)
def test_a_value_put_into_a_place_stands_there(arguments: tuple[Any, ...]) -> None:
    before = dumps(arguments)
    for place, value in places(arguments):
        if type(value) is float:
            assert (place, 77.5) in list(places(replaced(arguments, place, 77.5)))
    assert dumps(arguments) == before


@given(VALUES, st.integers(0, 99))
def test_every_step_keeps_the_type(value: Any, seed: int) -> None:
    stepped = [step(value, size) for step in directions(value) for size in (1, 2, 4)]
    for new in [*stepped, *single_steps(value), any_other(value, Random(seed))]:
        assert type(new) is type(value)


@given(st.integers(-99, 99), st.integers(-99, 99))
def test_an_int_comes_to_any_other_by_its_steps(start: int, goal: int) -> None:
    value, turns = start, 0
    while value != goal:
        near = [step(value, size) for step in directions(value) for size in (1, 2, 4, 8, 16, 32)]
        value, turns = min(near, key=lambda each: abs(each - goal)), turns + 1
    assert turns <= 14


@given(
    st.lists(st.integers(), min_size=1, max_size=4) | st.text("ab", max_size=4), st.integers(0, 9)
)
def test_a_resized_value_has_the_length(value: Any, size: int) -> None:
    assert len(resized(value, size)) == size

"""New argument tuples from old ones."""

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builder.literals import dumps
from builder.suite.mutation.breed import Breeder

SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.integers(-50, 50),
    st.floats(-50, 50),
    st.text(alphabet="abc XY1", max_size=6),
    st.none(),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(alphabet="ab", max_size=2), inner, max_size=3)
        | st.sets(st.integers(0, 9), max_size=4)
        | st.frozensets(st.text(alphabet="ab", max_size=2), max_size=3)
    ),
    max_leaves=8,
)


def breeder(seed: int = 0) -> Breeder:
    return Breeder(Random(seed), [(1, 2)], (10, 11, 0.5), ("key", "z"))


@given(VALUES, st.integers(0, 99))
def test_a_changed_value_keeps_its_type(value: Any, seed: int) -> None:
    assert type(breeder(seed).changed(value)) is type(value)


@given(st.tuples(VALUES, VALUES), st.integers(0, 99))
def test_parents_stay_as_they_were(parent: tuple[Any, ...], seed: int) -> None:
    before = dumps(parent)
    makes = breeder(seed)
    for _ in range(10):
        makes.child(parent, lambda: parent)
    assert dumps(parent) == before


@given(st.tuples(VALUES, VALUES), st.integers(0, 99))
def test_the_same_source_makes_the_same_children(parent: tuple[Any, ...], seed: int) -> None:
    first, second = breeder(seed), breeder(seed)
    for _ in range(5):
        one, two = (makes.child(parent, lambda: parent) for makes in (first, second))
        assert dumps(one) == dumps(two)


def test_the_number_of_arguments_stays() -> None:
    makes = breeder()
    assert {len(makes.child((1, "a", []), lambda: (5,))) for _ in range(200)} == {3}


def test_constants_of_the_code_and_values_near_them_turn_up() -> None:
    makes = breeder()
    ints = {makes.changed(50) for _ in range(500)}
    assert {9, 10, 11, 12, 49, 51, -50, 100, 25} <= ints
    texts = {makes.changed("ab") for _ in range(500)}
    assert {"keyab", "abkey", "AB", "ba", "a", "b"} <= texts


def test_numbers_do_not_grow_without_end() -> None:
    makes, value = breeder(), 1
    for _ in range(3000):
        value = makes.changed(value)
        assert abs(value) < 10**8


def test_some_children_keep_the_sum_of_their_parent() -> None:
    makes = breeder()
    children = [makes.child((50, 60, 70), lambda: (50, 60, 70)) for _ in range(2000)]
    kept = [child for child in children if sum(child) == 180 and sorted(child) != [50, 60, 70]]
    assert len(kept) > 10

"""The comparison that decides whether a mutant is killed."""

from collections import Counter, OrderedDict, deque
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builder.literals import dumps, loads
from builder.suite.mutation.trial import same

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.0, -0.0, 1.0, float("nan"), 1j, b"a", "a", ""]),
)
VALUES = st.recursive(
    SCALARS,
    lambda part: st.one_of(
        st.lists(part, max_size=3),
        st.lists(part, max_size=3).map(tuple),
        st.lists(part, max_size=3).map(deque),
        st.sets(SCALARS, max_size=3),
        st.frozensets(SCALARS, max_size=3),
        st.dictionaries(SCALARS, part, max_size=3),
        st.dictionaries(SCALARS, part, max_size=2).map(OrderedDict),
        st.lists(st.integers(0, 2), max_size=3).map(Counter),
    ),
    max_leaves=5,
)


@given(VALUES, VALUES)
def test_values_are_the_same_exactly_when_their_literals_are(one: Any, other: Any) -> None:
    assert same(one, other) == (dumps(one) == dumps(other))


@given(VALUES)
def test_a_value_is_the_same_as_a_copy_of_it(value: Any) -> None:
    assert same(value, loads(dumps(value)))

"""Ways to see less of a value are for the values of which there is that much to see."""

from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builder.literals import dumps
from builder.suite.views import VIEWS

SEEN = st.recursive(
    st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=5) | st.lists(inner, max_size=5).map(tuple),
    max_leaves=8,
)


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize(
    "value",
    [{"a", "b"}, frozenset("ab"), {"a": 1}, Counter("ab"), OrderedDict(a=1), defaultdict(int, a=1),
     deque("ab"), b"ab", bytearray(b"ab"), range(3), Decimal(3), Fraction(1, 3), 1j, True, None],
)  # fmt: skip
def test_other_values_than_numbers_texts_and_sequences_are_left_alone(
    name: str, value: object
) -> None:
    for change in (VIEWS[name].look, *VIEWS[name].changes):
        for whole in (value, [value]):
            try:
                seen = change(whole)
            except (TypeError, ValueError, AttributeError):
                continue
            # Nothing but the order or number of the elements around it may change.
            assert isinstance(whole, list)
            assert {dumps(element) for element in seen} == {dumps(value)}


@example(value=[12.5, float("nan")], name="how large it is")
@given(value=SEEN, name=st.sampled_from(sorted(VIEWS)))
def test_what_is_seen_is_of_the_same_types_and_has_a_literal(value: Any, name: str) -> None:
    for change in (VIEWS[name].look, *VIEWS[name].changes):
        try:
            seen = change(value)
        except (TypeError, ValueError, AttributeError):
            continue
        assert _types(seen) <= _types(value)
        dumps(seen)


def _types(value: Any) -> set[type]:
    parts = value if isinstance(value, list | tuple) else ()
    return {type(value)}.union(*map(_types, parts))

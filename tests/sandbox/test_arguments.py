"""How the child makes arguments, and sees whether they changed."""

from collections import Counter, OrderedDict, deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.literals import dumps
from builder.sandbox.arguments import (
    BATCH,
    BATCH_CHARACTERS,
    freeze,
    is_unchanged,
    pack,
    read,
    read_all,
)

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
    assert dumps(read(text)) == text


@given(ARGUMENTS)
def test_arguments_are_fresh_each_time(arguments: tuple[Any, ...]) -> None:
    text = dumps(arguments)
    for part in read(text):
        if type(part) is list:
            part.append(None)
    assert dumps(read(text)) == text


@given(st.lists(ARGUMENTS, max_size=5), st.sampled_from(["{}", "{'a': [1], 'b': (2, {'c': 3})}"]))
def test_arguments_made_together_are_those_made_alone(
    many: list[tuple[Any, ...]], keywords: str
) -> None:
    texts = [dumps(arguments) for arguments in many]
    made = list(read_all(pack(texts, [keywords] * len(texts))))
    assert [(text, named, dumps(values)) for text, named, values, _ in made] == [
        (text, keywords, text) for text in texts
    ]
    for _, _, values, frozen in made:
        assert frozen is None or is_unchanged(values, frozen)


def test_arguments_of_equal_literals_share_nothing() -> None:
    made = [values for _, _, values, _ in read_all(pack(["([1], {'a': 2})"] * 2, ["{}"] * 2))]
    made[0][0].append(None)
    made[0][1].clear()
    assert made[1] == ([1], {"a": 2})


@pytest.mark.parametrize("length", [1, BATCH_CHARACTERS, 3 * BATCH_CHARACTERS])
def test_any_number_of_long_literals_is_packed_and_read(length: int) -> None:
    texts = [f"('{'x' * length}', {number})" for number in range(BATCH + 1)]
    read_texts = [text for text, _, _, _ in read_all(pack(texts, ["{}"] * len(texts)))]
    assert read_texts == texts


@given(ARGUMENTS)
def test_untouched_arguments_are_unchanged(arguments: tuple[Any, ...]) -> None:
    text = dumps(arguments)
    frozen = freeze(arguments, text)
    assert frozen is None or is_unchanged(arguments, frozen)


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
    frozen = freeze((before,), dumps((before,)))
    assert frozen is not None
    assert not is_unchanged((after,), frozen)

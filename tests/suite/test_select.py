"""Which observations become E_context and E_test."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.literals import dumps
from builder.reasons import Reason
from builder.records import Example, Rejection
from builder.suite.select import TYPICAL_TESTS, Selection, promising, select
from builder.synthesis.search import Observation


def seen(value: object, output: object, *hits: int, origin: str = "hypothesis") -> Observation:
    return Observation(Example(dumps((value,)), dumps(output), origin), hits)


def chosen(result: Selection | Rejection) -> Selection:
    assert isinstance(result, Selection), result
    return result


def inputs(observations: tuple[Observation, ...]) -> list[str]:
    return [observation.example.input for observation in observations]


def signs() -> list[Observation]:
    """Observations of a function that tells the sign of an int, with rare probes for 0."""
    return [
        seen(
            n,
            "neg" if n < 0 else "zero" if n == 0 else "pos",
            *([1] if n < 0 else [0, 2 + (n > 0)]),
        )
        for n in range(-9, 30)
    ]


OBSERVATIONS = st.lists(
    st.builds(
        seen,
        st.integers(0, 300),
        st.sampled_from([None, True, 0, 1, "a", "", [1], -2.5]),
        st.integers(0, 9),
        st.integers(0, 9),
        st.integers(0, 9),
    ),
    min_size=7,
    max_size=60,
)


def selections() -> st.SearchStrategy[tuple[list[Observation], Selection]]:
    pairs = OBSERVATIONS.map(lambda observations: (observations, select(observations, 4, 20)))
    return pairs.filter(lambda pair: isinstance(pair[1], Selection))  # type: ignore[return-value]


@given(selections())
def test_no_input_stands_twice_and_none_is_both_context_and_test(
    case: tuple[list[Observation], Selection],
) -> None:
    _, selection = case
    every = inputs(selection.context + selection.tests)
    assert len(set(every)) == len(every)


@given(selections())
def test_the_size_of_the_suite_is_within_its_bounds(
    case: tuple[list[Observation], Selection],
) -> None:
    _, selection = case
    assert len(selection.context) == 2
    assert 4 <= len(selection.tests) <= 20


@given(selections())
def test_outputs_differ_within_the_context_and_within_the_tests(
    case: tuple[list[Observation], Selection],
) -> None:
    _, selection = case
    assert len({each.example.output for each in selection.context}) == 2
    assert len({each.example.output for each in selection.tests}) >= 2


@given(selections())
def test_the_tests_alone_take_every_arc_that_has_two_witnesses_outside_the_context(
    case: tuple[list[Observation], Selection],
) -> None:
    observations, selection = case
    context = inputs(selection.context)
    known: set[str] = set()
    left: set[int] = set()
    for each in observations:
        if each.example.input not in known and each.example.input not in context:
            left.update(each.hits)
        known.add(each.example.input)
    assert left == {hit for each in selection.tests for hit in each.hits}


@given(OBSERVATIONS, st.randoms(use_true_random=False))
def test_the_order_of_distinct_observations_does_not_matter(
    observations: list[Observation], shuffler: random.Random
) -> None:
    distinct = list({each.example.input: each for each in observations}.values())
    shuffled = distinct.copy()
    shuffler.shuffle(shuffled)
    assert select(distinct, 4, 20) == select(shuffled, 4, 20)


def test_an_arc_with_a_single_witness_is_kept_for_the_tests() -> None:
    observations = [seen(n, n % 3, n % 2) for n in range(1, 30)]
    rare = seen(0, 9, 7, origin="corpus")
    selection = chosen(select([rare, *observations], 4, 20))
    assert rare in selection.tests


def test_context_shows_common_behaviours_and_leaves_something_open() -> None:
    selection = chosen(select(signs(), 4, 20))
    shown = {hit for each in selection.context for hit in each.hits}
    assert {each.example.output for each in selection.context} == {"'neg'", "'pos'"}
    assert 2 not in shown


def test_of_two_inputs_that_show_the_same_the_simpler_is_a_test() -> None:
    observations = [seen(n, n % 2, n % 2) for n in range(1, 20)]
    simple, less_simple = seen([1, 2], 1, 5), seen([1, 4, 6, 8], 1, 5)
    tests = chosen(select([*observations, less_simple, simple], 4, 20)).tests
    assert simple in tests
    assert less_simple not in tests


def test_look_alikes_are_not_added() -> None:
    observations = [seen(n, n % 2 == 0, n % 2) for n in range(1000, 1400)]
    assert len(chosen(select(observations, 4, 20)).tests) == 4


def test_diverse_outcomes_fill_the_suite_up() -> None:
    observations = [seen(n, n * n, 0) for n in range(100)]
    assert len(chosen(select(observations, 4, 20)).tests) == TYPICAL_TESTS


def test_what_kills_a_mutant_a_second_time_is_preferred_to_look_alikes() -> None:
    observations = [seen(n, n % 2 == 0, n % 2) for n in range(1000, 1400)]
    kills = {observations[n].example.input: frozenset([1]) for n in (250, 350)}
    tests = chosen(select(observations, 4, 20, kills)).tests
    assert {observations[250], observations[350]} <= set(tests)
    assert len(tests) == 4


def test_killing_inputs_are_taken_beyond_the_usual_size_but_not_beyond_the_maximum() -> None:
    observations = [seen(n, n * n, 0) for n in range(100)]
    kills = {each.example.input: frozenset([number]) for number, each in enumerate(observations)}
    assert len(chosen(select(observations, 4, 15, kills)).tests) == 15


@pytest.mark.parametrize(
    ("common", "telling"),
    [
        ([(n, n) for n in range(50)], ([1] * 30, 30)),
        ([([n], n) for n in range(50)], ([7, 8], 8)),
        ([("a" * n, n) for n in range(50)], ("b" * 60, 61)),
    ],
    ids=["the argument comes back", "the first element", "the length"],
)
def test_an_impostor_fails_some_test_where_one_can_tell(
    common: list[tuple[object, object]], telling: tuple[object, object]
) -> None:
    observations = [seen(value, output, 0) for value, output in common]
    odd = seen(*telling, 0)
    assert odd in chosen(select([*observations, odd], 4, 20)).tests


def test_the_promising_inputs_are_all_and_start_with_those_that_show_everything() -> None:
    observations = signs()
    order = promising(observations, 4)
    assert not isinstance(order, Rejection)
    assert sorted(order) == sorted(each.example.input for each in observations)
    hits = {each.example.input: each.hits for each in observations}
    assert {hit for text in order[:3] for hit in hits[text]} == {0, 1, 2, 3}


def test_one_output_for_everything_is_constant() -> None:
    result = select([seen(n, 1, 0) for n in range(9)], 4, 20)
    assert isinstance(result, Rejection)
    assert result.reason is Reason.CONSTANT


def test_a_single_input_with_another_output_is_not_enough() -> None:
    result = select([seen(n, n == 3, 0) for n in range(9)], 4, 20)
    assert isinstance(result, Rejection)
    assert result.reason is Reason.CONSTANT


def test_repeated_inputs_count_once_when_there_are_too_few() -> None:
    result = select([seen(n % 5, n % 5, 0) for n in range(50)], 4, 20)
    assert isinstance(result, Rejection)
    assert result.reason is Reason.TOO_FEW_INPUTS
    assert result.detail == "5 inputs, 6 needed"

"""What looks simple to a person, and which sorts of outcome there are."""

import pytest

from builder.literals import dumps
from builder.records import Example
from builder.suite.simplicity import cost, outcome_class


def example(value: object, output: object = 0, origin: str = "hypothesis") -> Example:
    return Example(dumps((value,)), dumps(output), origin)


@pytest.mark.parametrize(
    ("simpler", "other"),
    [
        ([1, 2], [1, 2, 3, 4, 5]),
        ([1, 2], []),
        ("abc", "\x00\x7f"),
        ("abc", "a~^"),
        (12, 98765),
        (0.5, 0.123456),
        (1.0, float("nan")),
        (1.0, -0.0),
    ],
)
def test_the_simpler_input_costs_less(simpler: object, other: object) -> None:
    assert cost(example(simpler)) < cost(example(other))


def test_of_equal_inputs_the_one_with_the_shorter_output_costs_less() -> None:
    assert cost(example(3, "a")) < cost(example(3, "a" * 50))


def test_an_input_of_the_corpus_is_preferred_to_an_equally_long_one() -> None:
    assert cost(example(35, origin="corpus")) < cost(example(34))


@pytest.mark.parametrize(
    ("output", "sort"),
    [
        (None, "None"),
        (True, "True"),
        (7, "int"),
        (-7, "-int"),
        (0, "zero int"),
        (1 << 9000, "int"),
        (0.0, "zero float"),
        (-0.0, "zero float"),
        (-2.5, "-float"),
        (1e300, "float"),
        (float("nan"), "float("),
        ("a", "'"),
        ("it's", "'"),
        ("", "empty '"),
        ([], "empty ["),
        ([1], "["),
        ((), "empty ("),
        ({1: 2}, "{"),
        (frozenset(), "empty frozenset("),
    ],
)
def test_outcomes_are_sorted_by_kind_sign_and_emptiness(output: object, sort: str) -> None:
    assert outcome_class(example(1, output)) == sort


def test_a_call_that_changes_its_argument_is_an_outcome_of_its_own() -> None:
    assert outcome_class(Example("([],)", "1", "corpus", mutates=True)) == "int, arguments changed"

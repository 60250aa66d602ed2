"""Answers must not hang on the last digits of a float."""

import pytest

from builder.synthesis.floats import agree, is_inexact, neighbours


def test_floats_that_a_person_means_exactly_are_left_alone() -> None:
    assert neighbours("(0.5, [1.25, 3.0], 7, 'a.b')") == ()


def test_rough_floats_move_up_and_down_by_a_few_ulps() -> None:
    up, down = neighbours("([0.1, 0.5],)")
    assert up != down
    assert agree(up, "([0.1, 0.5],)")
    assert agree(down, "([0.1, 0.5],)")
    assert "0.5" in up


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("0.30000000000000004", "0.3", True),
        ("[1, 'a 0.1']", "[1, 'a 0.10000000000000003']", True),
        ("True", "False", False),
        ("0.3", "0.31", False),
        ("'low'", "'high'", False),
        ("[1, 2]", "[1, 2, 3]", False),
        ("3", "2", False),
        ("1e-20", "2e-20", True),
    ],
)
def test_answers_agree_if_only_last_digits_differ(first: str, second: str, same: bool) -> None:
    assert agree(first, second) is same


@pytest.mark.parametrize(
    ("arguments", "value", "inexact"),
    [
        ("(9007199254740993, 2)", "4503599627370496.5", True),
        ("(10,)", "1e+20", True),
        ("(10, 4)", "2.5", False),
        ("(9007199254740993,)", "9007199254740994", False),
        ("(1e+17,)", "2e+17", False),
        ("('1.5',)", "'2.5'", False),
    ],
)
def test_ints_may_not_leave_the_range_in_which_floats_are_exact(
    arguments: str, value: str, inexact: bool
) -> None:
    assert is_inexact(arguments, value) is inexact

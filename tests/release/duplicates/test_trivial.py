"""A function is trivial if one builtin gives all its answers."""

from typing import Any

import pytest

from builder.literals import dumps
from builder.release.duplicates.behaviour import digest
from builder.release.duplicates.trivial import trivial_name


def name_of(*answers: tuple[tuple[Any, ...], object]) -> str | None:
    return trivial_name([(arguments, digest(dumps(output))) for arguments, output in answers])


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ([((5,), 5), (("a",), "a")], "identity"),
        ([(([1, 2],), 2), (("abc",), 3)], "len"),
        ([(([3, 1],), [1, 3]), (("ba",), ["a", "b"])], "sorted"),
        ([(([1, 2],), [2, 1]), (("ab",), "ba")], "reversed"),
        ([(("aB", "b"), 0), (("abb", "b"), 2)], "str.count"),
        ([((2, 7), 7), ((9, 1), 9)], "max"),
    ],
)
def test_the_builtin_is_named(answers: list[tuple[tuple[Any, ...], object]], name: str) -> None:
    assert name_of(*answers) == name


def test_one_other_answer_is_enough_not_to_be_trivial() -> None:
    assert name_of((([1, 2],), 2), (([1, 2, 3],), 3), (([],), None)) is None


def test_types_count() -> None:
    assert name_of((([1, 2],), 2.0)) is None


def test_what_a_builtin_refuses_is_no_answer_of_it() -> None:
    assert name_of((("x",), 1), ((7,), 1)) is None


def test_arguments_are_left_as_they_are() -> None:
    values = [3, 1, 2]
    name_of(((values,), [1, 2, 3]))
    assert values == [3, 1, 2]


def test_sets_are_not_judged_because_their_order_differs_between_processes() -> None:
    assert name_of((({"a", "b"},), 2)) is None

"""Cheap functions, and which examples they get right."""

import pytest

from builder.literals import dumps
from builder.records import Example
from builder.suite.impostors import IMPOSTORS, passing


def example(arguments: tuple[object, ...], output: object) -> Example:
    return Example(dumps(arguments), dumps(output), "corpus")


def some_pass(*examples: Example) -> bool:
    left = IMPOSTORS
    for each in examples:
        left = passing(left, each)
    return bool(left)


@pytest.mark.parametrize(
    "examples",
    [
        [example(([3, 1, 2],), 3), example(([],), 0)],
        [example(([3, 1, 2],), 6), example(([],), 0)],
        [example((5, "a"), "a"), example((7, "bc"), "bc")],
        [example(("ab", 2, [1]), [1]), example(("c", 3, []), [])],
        [example(("Hello you",), "HELLO YOU")],
        [example((2, 3, 4), 9), example((0, 0, 1), 1)],
        [example(("aXbX", "X"), 2), example(("", "y"), 0)],
    ],
    ids=["len", "sum", "echo of the second", "echo of the third", "upper", "sum of three", "count"],
)
def test_the_usual_impostors_are_there(examples: list[Example]) -> None:
    assert some_pass(*examples)


def test_types_are_told_apart() -> None:
    assert not some_pass(example((True,), 1), example((False,), 0), example((True,), True))


def test_another_output_unmasks_all() -> None:
    assert not passing(IMPOSTORS, example(([3, 1, 2],), "something else"))


def test_arguments_are_left_as_they_were() -> None:
    for arguments in (([3, 1, 2],), ({"a": 1},), ([3, 1], [2]), ("ab", "b"), ([[1], [2]], 1)):
        text = dumps(arguments)
        for impostor in IMPOSTORS:
            try:
                impostor(*arguments)
            except Exception:
                continue
            assert dumps(arguments) == text


def test_what_could_differ_in_the_next_process_passes_nothing() -> None:
    assert not passing(IMPOSTORS, example(({"a", "b"},), 2))
    assert not passing(IMPOSTORS, example((range(10**12),), 10**12))

"""Which lines of a text are examples, and which are words."""

import pytest

from builder.describe.examples import without_examples


def kept(text: str, name: str = "f") -> str:
    return " / ".join(without_examples(text, name).split("\n"))


@pytest.mark.parametrize(
    "example",
    [
        ">>> f(1)\n2",
        ">>> f(1)\n[1,\n 2]\n>>> f(2)\n3",
        "f(1) == 2",
        "f(1) ➞ 2\n# since one and one are two",
        "* f(1) -> 2\n* f(2) -> 3",
        "for f(1) == 2",
        "assert f(1) == 2",
        "other_name(1) ==> 2",
        "Example:\nf(1) => 2",
        "For example:\nf(a) => 2",
        "Examples\nFor x = 1 the output should be 2",
        "Example 1:\n\n    Input: x = 1\n    Output: 2\n    Explanation: One and\n    Two more.",
        "for examble:\nf(1) ->1 + 1 = 2",
        "Example :\n    Input: 5\n    Output: 1",
        "It must be implemented like this:\n>>> f(1) == 2",
        "f([\n  1,\n], 1) == 2",
    ],
)
def test_examples_are_taken_out(example: str) -> None:
    assert kept(f"Add one.\n{example}").rstrip(" /") == "Add one."
    assert kept(f"Add one.\n\n{example}").rstrip(" /") == "Add one."


@pytest.mark.parametrize(
    "words",
    [
        "A number is good, for example 3.",
        "For example: the number 3 is good.",
        "Output the number of times.",
        "Return f(x) plus one.",
        "- the next odd number if x is odd.",
        "1. 1 <= x <= 100",
        "the strength is CAP - SM",
        "return 'Yes' if it is good.",
        "f(0) == 1\nf(n) == f(n - 1) + 1",
        "other_name(n) = n! * (n - 1)!",
    ],
)
def test_words_and_definitions_stay(words: str) -> None:
    assert kept(words) == words.replace("\n", " / ")


def test_words_after_an_example_stay() -> None:
    assert kept("f(1) == 2\nIt is assumed that x is even.") == "It is assumed that x is even."
    assert kept("Add.\n\nf(1) == 2\n\nReturn 0 for None.") == "Add. /  / Return 0 for None."


def test_an_example_below_a_definition_goes() -> None:
    assert (
        kept("f(n) == f(n - 1) + 1\nWrite it.\n>>> f(1)\n2") == "f(n) == f(n - 1) + 1 / Write it."
    )


def test_words_that_announced_an_example_end_as_a_sentence() -> None:
    assert kept("If it is empty, return an empty list:\n  x = []") == (
        "If it is empty, return an empty list."
    )

"""Old names in a description give way to those that a reader of the row knows."""

import pytest

from builder.describe.names import Names, leaked_name, names_of, replace_names
from builder.records import Method, Parameter


def names(target: str, *parameters: str, helpers: tuple[str, ...] = ()) -> Names:
    return Names(target, tuple((old, f"arg{k}") for k, old in enumerate(parameters)), helpers)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is_good tells whether x is good.", "the function tells whether x is good."),
        ("Write a function is_good that tells.", "Write a function that tells."),
        ("Write a function is_good() that tells.", "Write a function that tells."),
        ("Write a function called 'is_good' that tells.", "Write a function that tells."),
        ("is_good is a function that tells.", "tells."),
        ("For 3, is_good(3) is True.", "For 3, test_func(3) is True."),
        ("The n-th is_good number.", "The n-th is_good number.".replace("is_good", "the function")),
        ("Find the is_good number.", "Find the number."),
    ],
)
def test_the_name_of_the_target_goes(text: str, expected: str) -> None:
    assert replace_names(text, names("is_good")) == expected


def test_a_target_named_by_a_word_leaves_the_word_alone() -> None:
    assert replace_names("Sort and count.", names("count")) == "Sort and count."
    assert replace_names("A function count that adds.", names("count")) == "A function that adds."
    assert replace_names("Use breadth-first search (BFS).", names("BFS")) == (
        "Use breadth-first search (BFS)."
    )


@pytest.mark.parametrize(
    ("text", "old", "expected"),
    [
        ("Given a list lst of numbers", "lst", "Given a list arg0 of numbers"),
        ("between planet1 and Mars", "planet1", "between arg0 and Mars"),
        ("the `file_name' is good", "file_name", "the arg0 is good"),
        ("a list of numbers", "numbers", "a list of numbers"),
        ("the list 'numbers'", "numbers", "the list arg0"),
        ("0 <= need <= 1000, as you need", "need", "0 <= arg0 <= 1000, as you need"),
        ("1 <= len(words) <= 9", "words", "1 <= len(arg0) <= 9"),
        ("@number : integer", "number", "arg0 : integer"),
        ("brackets is a string of brackets", "brackets", "arg0 is a string of brackets"),
        ("the n-th of n numbers", "n", "the arg0-th of arg0 numbers"),
        ("a nth number", "n", "a nth number"),
        ("2n + n**2 = n[0]", "n", "2n + arg0**2 = arg0[0]"),
        ("a list l' that is like l", "l", "a list l' that is like arg0"),
        ("between a and a list", "a", "between arg0 and a list"),
        ("the letter 'a'", "a", "the letter 'a'"),
        ("it is at an end", "at", "it is at an end"),
        ("f(x1, y1)", "x1", "f(arg0, y1)"),
    ],
)
def test_a_parameter_is_called_as_in_the_header(text: str, old: str, expected: str) -> None:
    assert replace_names(text, names("is_good", old)) == expected


def test_names_of_a_method_are_those_of_the_corpus() -> None:
    method = Method(
        code="",
        header="",
        parameters=(Parameter("arg0", "xs"),),
        original="LIMIT = 3\ndef helper_one(x): pass\nclass Node: pass\ndef is_good(xs): pass",
        original_entry_point="is_good",
    )

    assert names_of(method) == names("is_good", "xs", helpers=("LIMIT", "Node", "helper_one"))


@pytest.mark.parametrize("text", ["as helper_one does", "is_good!", "the max_value of it"])
def test_a_name_that_is_left_is_a_leak(text: str) -> None:
    assert leaked_name(text, names("is_good", "max_value", helpers=("helper_one",)))


@pytest.mark.parametrize("text", ["a list of numbers", "count them", "half_helper_one", "an xs"])
def test_words_and_short_names_are_no_leak(text: str) -> None:
    assert leaked_name(text, names("count", "numbers", "xs", helpers=("helper_one",))) is None

"""Which texts cannot stand alone as a description."""

import pytest

from builder.describe.fitness import unfit_description, unfit_request


@pytest.mark.parametrize(
    "text",
    [
        "Rewrite the following Python code to be faster.",
        "Edit the code below to print it.",
        "Debug the given program.",
        "Modify this function to make it more efficient",
        "Can you correct the syntax errors in my script?",
        "Find and fix the bug in it.",
        "Translate the given C++ function into Python.",
        "Optimize an existing algorithm.",
        "Given this code snippet, say what it does.",
    ],
)
def test_a_request_about_other_code_is_unfit(text: str) -> None:
    assert unfit_request(text)


@pytest.mark.parametrize(
    "text",
    [
        "Convert a temperature from Celsius to Fahrenheit.",
        "Find the maximum of the given periodic function.",
        "This function takes a list.",
        "She lost the code she used for grading.",
        "Return the HTTP status code.",
        "Create a function to translate a text into pig latin.",
        "Find the missing numbers in the given list.",
    ],
)
def test_a_request_about_values_is_fit(text: str) -> None:
    assert unfit_request(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "says nothing"),
        ("Sort.", "says nothing"),
        ("See https://example.org for it.", "link"),
        ("Do ```x = 1``` to it.", "code"),
        ("Like def f(x): return x", "code"),
        ("Like public static int f(int x) { return x; }", "code"),
        ("Use lambda x: x to sort.", "code"),
        ("What is the largest number?", "question"),
        ("A tree is defined as:", "announces"),
        ("Add the following two matrices.", "announces"),
    ],
)
def test_an_unfit_description_is_told_why(text: str, why: str) -> None:
    assert why in (unfit_description(text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "Add two numbers.",
        "Sort a list by using lambda function.",
        "Return (a, b) where a < b.",
        "Count the words; ignore case.",
        "test_func(0) == 0",
        "Return one of the following: 'a', 'b'.",
    ],
)
def test_plain_words_are_fit(text: str) -> None:
    assert unfit_description(text) is None

"""A request for a program becomes a statement of what the function does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.describe.wording import as_statement, without_links


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write a function to add.", "Add."),
        ("Write a python function to add two numbers.", "Add two numbers."),
        ("Write a function that returns true.", "Returns true."),
        ("Write a function to that returns true.", "Returns true."),
        ("Write a python function takes in a list and adds.", "Takes in a list and adds."),
        ("Create a Python function that, given a list, adds.", "Given a list, adds."),
        ("Your task is to write a function that adds.", "Adds."),
        ("You have to write a function which adds.", "Adds."),
        ("How would you write a Python function to add numbers?", "Add numbers."),
        ("Can you write a Python script that adds numbers?", "Adds numbers."),
        ("How can I filter out odd numbers in Python?", "Filter out odd numbers."),
        ("In Python, write a recursive function to add.", "Add."),
        ("Given a list, write a function to add its elements.", "Given a list, add its elements."),
        ("Implement a function in Python to add.", "Add."),
        ("Call it using Python's library.", "Call it using Python's library."),
        ("What would be the Python code to add numbers?", "Add numbers."),
    ],
)  # fmt: skip
def test_what_asks_for_a_program_is_left_out(text: str, expected: str) -> None:
    assert as_statement(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Find the sum of two numbers.",
        "This function takes a list and returns its sum.",
        "You are given a list of numbers.",
        "Generate a list of even numbers.",
        "Complete the sum of the series.",
    ],
)
def test_plain_statements_stay_as_they_are(text: str) -> None:
    assert as_statement(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add the numbers", "Add the numbers."),
        ("Add them . Return it", "Add them. Return it."),
        ('He said "a". return it.', 'He said "a". Return it.'),
        ("Numbers, e.g. the first, count.", "Numbers, e.g. the first, count."),
        ("arg0 is the list", "arg0 is the list."),
        ("It is at odd indices..", "It is at odd indices."),
        ('"Given an array', "Given an array."),
        ("Sorts by x (and then by y)", "Sorts by x (and then by y)."),
        ("Is x between them?", "Is x between them?"),
    ],
)
def test_sentences_begin_and_end_as_sentences(text: str, expected: str) -> None:
    assert as_statement(text) == expected


def test_lines_of_one_paragraph_are_joined_and_paragraphs_stay_apart() -> None:
    assert (
        as_statement("Add all\nnumbers.\n\nReturn\nthe sum.") == "Add all numbers.\nReturn the sum."
    )


def test_a_sentence_without_its_mark_at_the_end_of_a_line_gets_it() -> None:
    assert as_statement("Otherwise return -1\nThree sides are given.") == (
        "Otherwise return -1. Three sides are given."
    )


def test_list_items_and_rows_of_tables_stay_lines_of_their_own() -> None:
    text = (
        "It is so:\n- odd numbers,\n  if any\n- even ones.\nReturn all.\n\n> 3.7    A\n> 3.3    B"
    )

    assert as_statement(text).split("\n") == [
        "It is so:",
        "- odd numbers, if any.",
        "- even ones.",
        "Return all.",
        "> 3.7 A",
        "> 3.3 B",
    ]


@pytest.mark.parametrize(
    "link",
    ["https://example.org/a-b/", "(http://example.org)", "www.example.org/x", "example.org/x"],
)
def test_links_go(link: str) -> None:
    assert without_links(f"Rotate it. {link}").strip() == "Rotate it."


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_comes_out_without_blank_lines_or_double_spaces(text: str) -> None:
    worded = as_statement(without_links(text))

    assert all(line == " ".join(line.split()) for line in worded.split("\n"))

"""Which calls and values a text is found to show."""

import pytest

from builder.shown import ShownCall, expression, shown_calls


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(1) == 2", "2"),
        ("f(1) -> 2", "2"),
        ("f(1) => 'a'", "'a'"),
        ("f(1) ==> (1, 2)", "(1, 2)"),
        ("f(1) ➞ True", "True"),
        ("f(1) = 2", "2"),
        ("f(1) returns 2", "2"),
        ("f(1) should return 16.", "16."),
        ('f(1)   # returns "x"', '"x"'),
        ("f(1) ->19 - 5 - 6 = 8", "19 - 5 - 6"),
        (">>> f(1)\n[1, 2]", "[1, 2]"),
        (">>> f(1) # a note\n2", "2"),
        (">>> f(1)\n\n>>> f(2)", None),
        ("f(1)\n2", None),
        ("f(1) == 2 and f(2) == 3", "2"),
        ("f(1) and so on", None),
    ],
)
def test_the_value_is_what_follows_an_arrow_or_stands_on_the_next_line(
    text: str, expected: str | None
) -> None:
    assert next(shown_calls(text, "f")) == ShownCall("f(1)", expected)


def test_brackets_and_texts_within_a_call_belong_to_it() -> None:
    calls = [shown.call for shown in shown_calls("so f([(1, 2)], ')') and f(g(3))", "f")]

    assert calls == ["f([(1, 2)], ')')", "f(g(3))"]


def test_a_call_may_run_over_several_lines() -> None:
    assert next(shown_calls("f([\n  1,\n  2,\n]) == 3", "f")) == ShownCall(
        "f([\n  1,\n  2,\n])", "3"
    )


@pytest.mark.parametrize("text", ["an f (of x", "self.f(1)", "half(1)", "f(never closed"])
def test_what_is_no_whole_call_of_that_name_is_passed_over(text: str) -> None:
    assert list(shown_calls(text, "f")) == []


def test_a_value_without_end_is_given_up() -> None:
    assert next(shown_calls("f(1) == " + "[" * 200_000, "f")).expected is None


def test_odd_escapes_in_a_text_warn_nobody(recwarn: pytest.WarningsRecorder) -> None:
    assert expression(r"'\d'") is not None
    assert not recwarn.list

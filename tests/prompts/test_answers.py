"""The forms of answers: what is read, and what is said of anything else."""

import json

import pytest

from builder.model.client import UnusableAnswerError
from prompts.answers import ANSWERS, Description, Function, Judgement


def test_a_sound_answer_is_read() -> None:
    assert Description.read('{"description": "Adds."}').description == "Adds."
    assert Judgement.read('{"reason": "same", "rating": 5}').rating == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"rating": 5}', "reason: Field required"),
        ('{"reason": "x", "rating": "5"}', "rating: Input should be a valid integer"),
        ('{"reason": "x", "rating": 6}', "rating: Input should be less than or equal to 5"),
        ('{"reason": "x", "rating": 5, "more": 1}', "more: Extra inputs are not permitted"),
        ("[]", "the answer: Input should be"),
    ],
)
def test_an_answer_of_another_form_is_told_from_where_it_is_wrong(text: str, said: str) -> None:
    with pytest.raises(UnusableAnswerError, match=f"^{said}"):
        Judgement.read(text)


def test_text_that_is_no_json_is_left_to_the_caller() -> None:
    with pytest.raises(json.JSONDecodeError):
        Description.read("It adds.")


@pytest.mark.parametrize("name", [name for name, form in ANSWERS.items() if form.form()])
def test_schemas_keep_to_what_strict_endpoints_take(name: str) -> None:
    schema = ANSWERS[name].form()
    assert schema is not None
    assert schema["additionalProperties"] is False
    assert sorted(schema["required"]) == sorted(schema["properties"])


CODE = "import math\n\ndef test_func(arg0):\n    return math.sqrt(arg0)\n"


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        f"```python\n{CODE}```",
        f"Here it is:\n\n```python\n{CODE}```\nYou can call it like this:\n```\ntest_func(4)\n```",
    ],
)
def test_code_is_taken_from_its_fence(text: str) -> None:
    assert Function.read(text).code == CODE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def test_func(arg0)\n", "the code is not Python"),
        ("I cannot do that.", "the code is not Python"),
        ("x = 1", "does not define test_func"),
        ("class A:\n    def test_func(self): pass", "does not define test_func"),
        ("\0", "the code is not Python"),
        ("-" * 100_000 + "1", "the code is not Python"),
        ("def test_func(x): return x" + " + 0" * 300, "the code is nested too deeply"),
    ],
)
def test_text_without_the_function_is_no_code(text: str, said: str) -> None:
    with pytest.raises(UnusableAnswerError, match=said):
        Function.read(text)

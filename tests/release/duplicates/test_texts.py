"""Functions are found in rows of any form."""

from builder.release.duplicates.normal_form import normal_form
from builder.release.duplicates.texts import functions_in

PROMPT = 'def twice(number):\n    """Return the double."""\n'
BODY = "    return number * 2\n"
PLAIN = "def f(x):\n    return x * 2\n"


def forms(row: dict[str, object]) -> list[str]:
    return [normal_form(function.code) for function in functions_in(row, "there/0")]


def test_a_text_that_is_code_is_read() -> None:
    assert forms({"code": PROMPT + BODY}) == [normal_form(PLAIN)]


def test_a_prompt_and_its_solution_are_put_together() -> None:
    assert forms({"prompt": PROMPT, "solution": BODY}) == [normal_form(PLAIN)]


def test_code_in_fences_is_found_however_deep() -> None:
    answer = f"Here you are:\n```python\n{PLAIN}```\nIt doubles."
    assert forms({"messages": [{"role": "assistant", "content": answer}]}) == [normal_form(PLAIN)]


def test_every_function_of_a_module_stands_with_what_it_needs() -> None:
    code = "def g(x):\n    return x + 1\ndef f(x):\n    return g(x) * 2\n"
    found = list(functions_in({"code": code}, "there/0"))
    assert [function.entry_point for function in found] == ["g", "f"]
    assert found[0].code == "def g(x):\n    return x + 1"
    assert found[1].code.startswith("def g(x):")


def test_the_validation_of_the_published_benchmark_is_taken_away() -> None:
    code = (
        "def validate_input_args(arg0):\n    assert type(arg0) is int\n"
        "def test_func(arg0):\n    validate_input_args(arg0)\n    return arg0 * 2\n"
    )
    (function,) = functions_in({"test_func_validated": code}, "there/0")
    assert normal_form(function.code) == normal_form(PLAIN)


def test_functions_that_could_be_no_row_are_left_out() -> None:
    code = "def f(name):\n    return open(name).read()\ndef g():\n    return 1\n"
    assert forms({"code": code}) == []


def test_texts_without_code_hold_nothing() -> None:
    assert forms({"a": "to def or not to def (", "b": 3, "c": None, "d": ["x"]}) == []

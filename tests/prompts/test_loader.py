"""Prompt files: complete front matter, strict variables, and the very words that are sent."""

from pathlib import Path
from typing import Any

import jinja2
import pytest
from jinja2 import meta

from builder.model.request import Message
from builder.records import Example
from prompts.answers import Description, Function, Judgement, Validator
from prompts.ask import free_question, question
from prompts.loader import FOLDER, load, render

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(file.stem for file in FOLDER.glob("*.jinja"))
CODE = "def test_func(arg0, arg1):\n    if arg0 > arg1:\n        return arg1\n    return arg0\n"
EXAMPLES = [Example("(3, 2)", "2", "corpus"), Example("(1, 2)", "1", "corpus")]
VARIABLES: dict[str, dict[str, Any]] = {
    "describe": {"code": CODE, "examples": EXAMPLES, "earlier": []},
    "describe_again": {
        "code": CODE,
        "examples": [],
        "earlier": [
            {
                "text": "Returns the larger of two values.",
                "unfit": "",
                "misses": [{"input": "(3, 2)", "expected": "2", "got": "3"}],
            },
            {"text": "`min(arg0, arg1)`", "unfit": "it holds code: `", "misses": []},
        ],
    },
    "write_code": {
        "header": "def test_func(arg0, arg1):",
        "description": "Returns the smaller of two values.",
    },
    "propose": {
        "code": CODE,
        "arguments": [{"name": "arg0", "kind": "int"}, {"name": "arg1", "kind": "int or None"}],
        "known": ["(3, 2)"],
        "lines": [{"number": 4, "text": "return arg0"}],
        "mutants": [{"line": 2, "old": ">", "new": ">="}],
        "count": 5,
    },
    "constrain": {
        "code": CODE,
        "validator": "def validate_input_args(arg0, arg1):\n    pass\n",
        "valid": ["(3, 2)", "(1, 2)"],
        "invalid": [{"input": "('a', 1)", "exception": "TypeError"}],
        "earlier": [
            {
                "code": "def validate_input_args(arg0, arg1):\n    raise TypeError('arg0')\n",
                "problem": "it refuses the example (3, 2)",
            }
        ],
    },
    "judge": {
        "header": "def test_func(arg0, arg1):",
        "reference": "Returns the smaller of two values.",
        "candidate": "Returns the minimum.",
    },
    "repair": {"problem": "rating is missing"},
    "direct": {"header": "def test_func(arg0, arg1):", "examples": EXAMPLES},
    "interactive_start": {"header": "def test_func(arg0, arg1):", "examples": EXAMPLES},
}


def shown(case: str) -> str:
    """Write down what is sent, with the version that says so."""
    prompt = load(case.removesuffix("_again"))
    parts = [f"version {prompt.version} of {prompt.task}"]
    if prompt.template.blocks:
        parts += [f"[{role}]\n{text}" for role, text in prompt.turns(VARIABLES[case])]
    else:
        parts.append(prompt.text(VARIABLES[case]))
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("case", VARIABLES)
def test_the_words_that_are_sent_change_only_with_their_version(case: str) -> None:
    """To change them on purpose: raise the version, delete the golden file, run this twice."""
    file = GOLDEN / f"{case}.txt"
    if not file.exists():
        file.write_text(shown(case), encoding="utf-8")
        pytest.fail(f"{file.name} was missing and has been written: look at it and run again")
    assert shown(case) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_front_matter_names_exactly_the_variables_of_the_text(name: str) -> None:
    tree = jinja2.Environment().parse((FOLDER / f"{name}.jinja").read_text(encoding="utf-8"))
    assert load(name).variables == meta.find_undeclared_variables(tree)


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_has_a_golden_file(name: str) -> None:
    assert name in VARIABLES


def test_a_missing_or_surplus_variable_is_an_error() -> None:
    with pytest.raises(TypeError, match="repair"):
        render("repair")
    with pytest.raises(TypeError, match="surplus"):
        render("repair", problem="none", surplus=1)
    with pytest.raises(jinja2.UndefinedError):
        render("direct", header="def test_func(arg0):", examples=[{"input": "(1,)"}])


def test_what_stands_in_a_variable_is_never_read_as_a_template() -> None:
    assert "{{ 7 * 7 }}" in render("repair", problem="{{ 7 * 7 }}")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("describe", Description),
        ("write_code", Function),
        ("constrain", Validator),
        ("judge", Judgement),
    ],
)
def test_the_front_matter_names_the_form_of_the_answer(name: str, form: type) -> None:
    assert load(name).answer is form
    question(form, name, **VARIABLES[name])


def test_a_question_holds_all_that_determines_the_answer() -> None:
    asked = question(Description, "describe", **VARIABLES["describe"])
    assert asked.task == "describe"
    assert asked.prompt_version == load("describe").version
    assert [message.role for message in asked.messages] == ["system", "user"]
    assert asked.schema == Description.form()
    assert "no JSON" in asked.repair("no JSON")


def test_the_form_of_an_answer_may_depend_on_the_row() -> None:
    asked = free_question("propose", {"type": "object"}, str, **VARIABLES["propose"])
    assert asked.schema == {"type": "object"}
    assert isinstance(asked.messages[0], Message)

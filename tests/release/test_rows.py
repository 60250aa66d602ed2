"""What a published row holds, in both configs."""

import ast
import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.literals import dumps
from builder.records import Coverage, Example, Strength, Suite, Survivor, Task
from builder.release.rows import (
    CANARY,
    CONFIGS,
    DEFAULT_COLUMNS,
    default_row,
    features,
    is_exact_in_default,
    natural_key,
    task_from_row,
    typed_row,
)
from tests.factories import task as own_task

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.complex_numbers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers() | st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)


def _example(arguments: tuple[Any, ...], output: object) -> Example:
    return Example(dumps(arguments), dumps(output), "hypothesis")


def test_a_typed_row_has_the_declared_columns(first_large: Task) -> None:
    assert list(typed_row(first_large)) == list(features("typed"))


def test_a_default_row_has_the_eight_published_columns(first_large: Task) -> None:
    assert list(default_row(first_large)) == list(DEFAULT_COLUMNS) == list(features("default"))


def test_a_typed_row_gives_its_task_back(first_large: Task, extremes: Task, appended: Task) -> None:
    for task in (first_large, extremes, appended):
        assert task_from_row(typed_row(task), task.split) == task


def test_a_typed_row_holds_how_strong_its_tests_are(extremes: Task) -> None:
    coverage = replace(
        extremes.suite.coverage, dead_lines=(3,), dead_arcs=((2, 3),), why_dead="nothing goes there"
    )
    survivors = (Survivor(2, "condition", "-a\n+b", "no difference"), Survivor(4, "return", "-c"))
    suite = replace(extremes.suite, coverage=coverage, strength=Strength(10, 8, 3, survivors))
    task = replace(extremes, suite=suite)
    row = typed_row(task)
    assert (row["mutants"], row["mutants_killable"], row["mutants_killed"]) == (10, 9, 8)
    assert (row["mutation_score"], row["context_mutation_score"]) == (8 / 9, 3 / 9)
    assert (row["branch_arcs"], row["branch_arcs_live"], row["branch_coverage"]) == (2, 1, 1.0)
    assert (row["statements_live"], row["statement_coverage"]) == (2, 1.0)
    assert list(row) == list(features("typed"))
    assert task_from_row(row, task.split) == task


def test_a_typed_row_carries_the_canary(first_large: Task) -> None:
    assert typed_row(first_large)["canary"] == CANARY


def test_a_row_says_which_lines_and_arcs_its_tests_miss(extremes: Task) -> None:
    row = typed_row(extremes)
    assert row["missing_lines"] == [3]
    assert row["missing_arcs"] == [{"start": 2, "end": 3}]
    assert (row["statement_coverage"], row["branch_coverage"]) == (2 / 3, 0.5)


def test_published_examples_are_pairs_of_input_text_and_json_value(first_large: Task) -> None:
    row = default_row(first_large)
    assert json.loads(row["train_examples"]) == [["([1, 5], 3)", 5], ["([1], 3)", None]]
    assert json.loads(row["test_examples"])[1] == ["([0.5, 2], 1)", 2]


def test_all_examples_are_the_shown_pairs_without_an_error(first_large: Task) -> None:
    row = default_row(first_large)
    assert json.loads(row["all_examples"]) == [
        ["([1, 5], 3)", 5, "None"],
        ["([1], 3)", None, "None"],
    ]


def test_a_published_input_spreads_over_the_parameters(first_large: Task, appended: Task) -> None:
    for task in (first_large, appended):
        for text, _ in json.loads(default_row(task)["test_examples"]):
            arguments = ast.literal_eval(text)
            assert isinstance(arguments, tuple)
            assert len(arguments) == task.arity


def test_an_output_that_json_cannot_hold_is_published_as_its_literal(extremes: Task) -> None:
    outputs = [output for _, output in json.loads(default_row(extremes)["test_examples"])]
    assert outputs == ["(4, 4)", "('a', 'b')", "(7, 7)", "(1, 1)"]


def test_the_published_code_validates_first(first_large: Task) -> None:
    code = default_row(first_large)["test_func_validated"]
    assert code.index("def validate_input_args") < code.index("def test_func")
    target = ast.parse(code).body[-1]
    assert isinstance(target, ast.FunctionDef)
    assert ast.unparse(target.body[0]) == "validate_input_args(arg0, arg1)"


def test_prompts_show_the_header_and_the_context_and_nothing_of_the_tests(
    first_large: Task,
) -> None:
    row = default_row(first_large)
    for prompt in (row["direct_prompt"], row["interactive_starting_prompt"]):
        assert first_large.header in prompt
        assert "Input: ([1, 5], 3) => Output: 5" in prompt
        assert "Input: ([1], 3) => Output: None" in prompt
        assert not any(example.input in prompt for example in first_large.suite.tests)
        assert "[STOP]" in prompt


def test_a_missing_description_stays_missing(appended: Task) -> None:
    assert default_row(appended)["description"] is None
    assert typed_row(appended)["description"] is None


@given(JSON_VALUES)
def test_what_json_holds_is_published_exactly(value: object) -> None:
    example = _example(("x",), value)
    published = json.loads(default_row(_task_with(example))["train_examples"])[0][1]
    assert dumps(published) == example.output
    assert is_exact_in_default(example)


@given(VALUES)
def test_a_row_marked_exact_gives_back_every_value(value: object) -> None:
    for example in (_example((value,), 0), _example((), value)):
        text, output = json.loads(default_row(_task_with(example))["train_examples"])[0]
        is_exact = _reads_back(text, example.input) and dumps(output) == example.output
        assert is_exact_in_default(example) == is_exact


@pytest.mark.parametrize(
    "output",
    ["(1, 2)", "{1, 2}", "{1: 'a'}", "b'a'", "float('nan')", "float('inf')", "[(1,)]", "{'a': ()}"],
)
def test_types_beyond_json_are_not_exact(output: str) -> None:
    assert not is_exact_in_default(Example("(1,)", output, "corpus"))


def test_an_input_that_is_no_plain_literal_is_not_exact() -> None:
    assert not is_exact_in_default(Example("(frozenset({1}),)", "1", "corpus"))
    assert is_exact_in_default(Example("('set(1)',)", "1", "corpus"))


def test_every_config_has_explicit_features() -> None:
    for config in CONFIGS:
        assert features(config).arrow_schema.names


def test_ids_are_ordered_by_their_numbers() -> None:
    ids = ["b/1", "a/10", "a/9", "a/x"]
    assert sorted(ids, key=natural_key) == ["a/9", "a/10", "a/x", "b/1"]


@given(st.lists(st.text(alphabet="a1²/", max_size=5)))
def test_different_ids_have_different_places_in_the_order(ids: list[str]) -> None:
    ordered = sorted(set(ids), key=natural_key)
    assert all(natural_key(a) < natural_key(b) for a, b in pairwise(ordered))


def _task_with(example: Example) -> Task:
    suite = Suite((example,), (), Coverage(1, 1, 0, 0), 0)
    return own_task(suite=suite)


def _reads_back(text: str, literal: str) -> bool:
    try:
        return dumps(ast.literal_eval(text)) == literal
    except ValueError:
        return False

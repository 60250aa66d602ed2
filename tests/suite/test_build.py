"""From what was observed to a suite with its figures, on real runs."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from builder.config import Settings
from builder.reasons import Reason, Stage
from builder.records import Example, Method, Parameter, Rejection, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.measure import measure
from builder.suite.strength import strength
from builder.synthesis.search import Exploration, Observation, explore

GRADES = """\
def test_func(arg0):
    result = []
    for mark in arg0:
        if mark >= 90:
            result.append('A')
        elif mark >= 60 and mark % 2 == 0:
            result.append('B')
        else:
            result.append('C')
    return result
"""
DEAD_ARC = """\
def test_func(arg0):
    if arg0 * arg0 < 0:
        return 'never'
    return arg0 % 7
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


def method(code: str) -> Method:
    header = next(line for line in code.splitlines() if line.startswith("def test_func"))
    return Method(code, header, (Parameter("arg0", "marks"),), code, "test_func")


def explored(code: str, sandbox: Sandbox, *seeds: str) -> Exploration:
    found = explore(method(code), seeds, sandbox, 0)
    assert isinstance(found, Exploration), found
    return found


def built(code: str, sandbox: Sandbox, *seeds: str) -> Suite:
    suite = build_suite(method(code), explored(code, sandbox, *seeds), sandbox, Settings())
    assert isinstance(suite, Suite), suite
    return suite


@pytest.fixture(scope="module")
def grades(sandbox: Sandbox) -> Suite:
    return built(GRADES, sandbox, "([95, 61, 60, 10],)", "([],)", "([90],)")


def test_the_tests_alone_take_every_arc_that_was_reached(sandbox: Sandbox, grades: Suite) -> None:
    assert grades.coverage.arcs == grades.coverage.arcs_covered == grades.arcs_reached == 6
    measured, _ = measure(GRADES, [example.input for example in grades.tests], sandbox)
    assert measured == grades.coverage


def test_the_tests_kill_what_slightly_wrong_functions_do(sandbox: Sandbox, grades: Suite) -> None:
    figures = strength(method(GRADES), grades, sandbox)
    assert figures.mutation_score > 0.9
    assert figures.context_mutation_score < figures.mutation_score


def test_the_same_exploration_gives_the_same_suite(sandbox: Sandbox, grades: Suite) -> None:
    assert built(GRADES, sandbox, "([95, 61, 60, 10],)", "([],)", "([90],)") == grades


def test_coverage_is_of_the_inputs_given(sandbox: Sandbox) -> None:
    coverage, outcomes = measure(GRADES, ["([],)", "(5,)"], sandbox)
    assert (coverage.arcs, coverage.arcs_covered) == (6, 1)
    assert [outcome.value or outcome.exception for outcome in outcomes] == ["[]", "TypeError"]


def test_too_many_dead_arcs_reject_a_method_with_the_figures(sandbox: Sandbox) -> None:
    found = explored(DEAD_ARC, sandbox, "(3,)", "(12,)")
    result = build_suite(method(DEAD_ARC), found, sandbox, Settings())
    assert isinstance(result, Rejection)
    assert result.reason is Reason.LOW_BRANCH_COVERAGE
    assert result.detail == ("the tests take 1 of 2 arcs, all inputs together 1; missing: 2 to 3")


def test_another_answer_than_in_the_search_rejects_a_method(sandbox: Sandbox) -> None:
    found = explored(GRADES, sandbox, "([95, 61, 60, 10],)")
    changed = tuple(
        Observation(replace(seen.example, output=f"[{seen.example.output}]"), seen.hits)
        for seen in found.observations
    )
    result = build_suite(method(GRADES), replace(found, observations=changed), sandbox, Settings())
    assert isinstance(result, Rejection)
    assert (result.stage, result.reason) == (Stage.PROVE, Reason.NONDETERMINISTIC)


def test_too_few_inputs_reject_a_method(sandbox: Sandbox) -> None:
    found = explored(GRADES, sandbox, "([95, 61, 60, 10],)")
    few = replace(found, observations=found.observations[:5])
    result = build_suite(method(GRADES), few, sandbox, Settings())
    assert isinstance(result, Rejection)
    assert result.reason is Reason.TOO_FEW_INPUTS


def test_the_bounds_of_the_settings_hold(sandbox: Sandbox) -> None:
    found = explored(GRADES, sandbox, "([95, 61, 60, 10],)")
    settings = Settings(minimum_tests=12, maximum_tests=12)
    suite = build_suite(method(GRADES), found, sandbox, settings)
    assert isinstance(suite, Suite)
    assert len(suite.tests) == 12
    assert all(isinstance(example, Example) for example in suite.tests)

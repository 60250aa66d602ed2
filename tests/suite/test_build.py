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
UNKILLABLE = """\
def test_func(arg0):
    size = len(arg0)
    if size > 0:
        return arg0[0] + size
    return 0
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


def test_the_tests_kill_what_slightly_wrong_functions_do(grades: Suite) -> None:
    strength = grades.strength
    assert strength.mutants > 20
    assert strength.mutation_score > 0.95
    assert strength.context_mutation_score < strength.mutation_score
    assert strength.killed + len(strength.survivors) == strength.mutants


def test_what_survives_everything_is_named_as_probably_equivalent(sandbox: Sandbox) -> None:
    strength = built(UNKILLABLE, sandbox, "([3, 1],)", "([],)").strength
    survivors = {survivor.difference: survivor for survivor in strength.survivors}
    equivalent = survivors["-    if size > 0:\n+    if (size != 0):"]
    assert equivalent.line == 3
    assert equivalent.why_equivalent == (
        "2,000 further inputs, 2,000 of them at its line, show no difference"
    )
    assert strength.killable < strength.mutants
    assert strength.mutation_score == strength.killed / strength.killable


def test_what_lives_is_hunted_longer_where_too_much_lives(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n    for i in range(80):\n        pass\n"
        "    return [x + 1 for x in arg0 if x > 2 and x != 10]\n"
    )
    strength = built(code, sandbox, "([3, 1],)", "([],)").strength
    assert strength.mutation_score == 1.0
    assert strength.killable < strength.mutants


def test_weak_tests_reject_a_method_with_the_figure(sandbox: Sandbox) -> None:
    found = explored(GRADES, sandbox, "([95, 61, 60, 10],)")
    settings = Settings(minimum_tests=2, maximum_tests=2, min_mutation_score=1.0)
    result = build_suite(method(GRADES), found, sandbox, settings)
    assert isinstance(result, Rejection)
    assert (result.stage, result.reason) == (Stage.SUITE, Reason.LOW_MUTATION_SCORE)
    assert "mutants from the method (0." in result.detail


def test_the_same_exploration_gives_the_same_suite(sandbox: Sandbox, grades: Suite) -> None:
    assert built(GRADES, sandbox, "([95, 61, 60, 10],)", "([],)", "([90],)") == grades


def test_coverage_is_of_the_inputs_given(sandbox: Sandbox) -> None:
    coverage, outcomes = measure(GRADES, ["([],)", "(5,)"], sandbox)
    assert (coverage.arcs, coverage.arcs_covered) == (6, 1)
    assert [outcome.value or outcome.exception for outcome in outcomes] == ["[]", "TypeError"]


def test_an_arc_that_directed_inputs_did_not_take_is_believed_to_be_dead(sandbox: Sandbox) -> None:
    found = replace(explored(DEAD_ARC, sandbox, "(3,)", "(12,)"), directed=1500)
    suite = build_suite(method(DEAD_ARC), found, sandbox, Settings())
    assert isinstance(suite, Suite), suite
    coverage = suite.coverage
    assert coverage.missing_arcs == coverage.dead_arcs == ((2, 3),)
    assert coverage.dead_lines == (3,)
    assert coverage.why_dead == (
        "no call that returns goes there:"
        " 1,500 inputs were directed at it, and 2,000 more were tried"
    )
    assert (coverage.arcs, coverage.live_arcs, coverage.arcs_covered) == (2, 1, 1)
    assert coverage.branch_coverage == coverage.statement_coverage == 1


def test_too_many_arcs_that_nothing_took_reject_a_method_with_the_figures(
    sandbox: Sandbox,
) -> None:
    found = replace(explored(DEAD_ARC, sandbox, "(3,)", "(12,)"), directed=0)
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

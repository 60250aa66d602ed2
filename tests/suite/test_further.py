"""Tests that a suite is given besides, and what they change of its figures."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from builder.reasons import Stage
from builder.records import Example, Method, Parameter, Rejection, Strength, Suite, Survivor
from builder.sandbox.supervisor import Sandbox
from builder.suite.further import ORIGIN, with_tests
from tests.factories import task

SUITE = task().suite
"""Four tests of a method that adds one."""
ADDS = Method(task().code, task().header, (Parameter("arg0", "n"),), "", "")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def grown(sandbox: Sandbox, *inputs: str, suite: Suite = SUITE, most: int = 20) -> Suite:
    found = with_tests(ADDS, suite, inputs, most, sandbox)
    assert isinstance(found, Suite)
    return found


def test_an_input_becomes_a_test_with_what_was_observed(sandbox: Sandbox) -> None:
    larger = grown(sandbox, "(40,)")
    assert larger.tests == (*SUITE.tests, Example("(40,)", "41", ORIGIN))
    assert larger.context == SUITE.context
    assert larger.coverage.statements_covered == larger.coverage.statements


def test_no_suite_grows_beyond_its_bound(sandbox: Sandbox) -> None:
    most = len(SUITE.tests) + 1
    assert len(grown(sandbox, "(40,)", "(41,)", most=most).tests) == most
    assert grown(sandbox, "(40,)", most=most - 1) == SUITE


def test_an_input_on_which_the_method_raises_is_left_out(sandbox: Sandbox) -> None:
    assert grown(sandbox, "('x',)") == SUITE


def test_an_input_that_is_an_example_already_is_left_out(sandbox: Sandbox) -> None:
    known = [example.input for example in (SUITE.context[0], SUITE.tests[0])]
    assert grown(sandbox, *known) == SUITE


def test_a_mutant_that_a_new_test_kills_is_no_survivor(sandbox: Sandbox) -> None:
    survivor = Survivor(2, "constant", "-    return arg0 + 1\n+    return arg0 + 2", "looked equal")
    weak = replace(SUITE, strength=Strength(9, 8, 8, (survivor,)))
    strength = grown(sandbox, "(40,)", suite=weak).strength
    assert (strength.killed, strength.survivors) == (9, ())


def test_an_input_that_shows_state_rejects_the_method(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n    if arg0 > 30:\n"
        "        test_func.n = getattr(test_func, 'n', 0) + 1\n        return test_func.n\n"
        "    return arg0 + 1\n"
    )
    found = with_tests(replace(ADDS, code=code), SUITE, ["(40,)"], 20, sandbox)
    assert isinstance(found, Rejection)
    assert found.stage is Stage.PROVE

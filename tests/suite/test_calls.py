"""Calls on many inputs: an outcome for each."""

from collections.abc import Iterator

import pytest

from builder.sandbox.protocol import Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.calls import call_all
from builder.synthesis.runner import CALL_SECONDS


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


def test_each_input_has_its_outcome(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return 6 / arg0\n"
    two, zero = call_all(code, ["(2,)", "(0,)"], sandbox)
    assert (two.verdict, two.value) == (Verdict.OK, "3.0")
    assert (zero.verdict, zero.exception) == (Verdict.ERROR, "ZeroDivisionError")


def test_the_function_may_have_any_name(sandbox: Sandbox) -> None:
    (outcome,) = call_all("def f(x):\n    return x\n", ["(2,)"], sandbox, entry_point="f")
    assert outcome.value == "2"


def test_a_module_that_does_not_load_answers_every_input_alike(sandbox: Sandbox) -> None:
    outcomes = call_all("1 / 0\ndef test_func(arg0):\n    return 1\n", ["(2,)", "(3,)"], sandbox)
    assert [outcome.verdict for outcome in outcomes] == [Verdict.ERROR] * 2


def test_the_loop_budget_ends_a_call(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    for _ in range(arg0):\n        pass\n    return arg0\n"
    few, many = call_all(code, ["(50,)", "(500,)"], sandbox, loop_budget=100)
    assert (few.verdict, many.verdict) == (Verdict.OK, Verdict.TIMEOUT)


def test_what_builtins_work_on_spends_the_budget_long_before_the_clock(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return sum(range(arg0))\n"
    few, many = call_all(code, ["(100_000,)", "(1_000_000,)"], sandbox)
    assert (few.verdict, many.verdict) == (Verdict.OK, Verdict.TIMEOUT)
    assert many.cpu_seconds < CALL_SECONDS / 2


def test_no_inputs_need_no_call(sandbox: Sandbox) -> None:
    assert call_all("def test_func(arg0):\n    return 1\n", [], sandbox) == []

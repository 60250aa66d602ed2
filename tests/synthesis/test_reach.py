"""Inputs are led to arcs that none of those made by chance takes."""

from typing import Any

import pytest

from builder.literals import loads
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.domain import Dict, Domain, Float, Int, Kind, List, Str
from builder.synthesis.reach import Reached, reach_missing
from builder.synthesis.runner import Runner
from tests.synthesis.methods import method_of

INT, TEXT, INTS = Int(), Str(), List(element=Int())
GOALS: dict[str, tuple[str, tuple[Kind, ...], str]] = {
    "int": ("arg0 * 3 - 1 == 71270", (INT,), "(1,)"),
    "far int": ("arg0 * 7 > 123456789", (INT,), "(1,)"),
    "two ints": ("arg0 * arg0 + arg1 * arg1 == 2500", (INT, INT), "(1, 2)"),
    "float": ("12.34 < arg0 * 3 < 12.36", (Float(),), "(1.5,)"),
    "text": ("arg0[::-1] == 'olleh'", (TEXT,), "('a',)"),
    "letters": ("sum(map(ord, arg0)) == 1234", (TEXT,), "('a',)"),
    "prefix": ("arg0.startswith(arg1 + 'zz')", (TEXT, TEXT), "('q', 'p')"),
    "digits": ("len(arg0) == 5 and arg0.isdigit()", (TEXT,), "('7',)"),
    "length": ("len(arg0) >= 30", (INTS,), "([1],)"),
    "element": ("len(arg0) == 3 and arg0[2] == 77", (INTS,), "([1],)"),
    "sum": ("sum(arg0) == 1000", (INTS,), "([1, 2],)"),
    "member": ("arg1 in arg0 and arg1 > 40", (INTS, INT), "([1, 2], 3)"),
    "key": ("arg1 in arg0", (Dict(key=TEXT, value=INT), TEXT), "({'one': 1}, 'two')"),
    "nested": ("arg0[0][0] == 50", (List(element=INTS, min_size=1),), "([[1]],)"),
    "joined": ("arg0 > 500 and (arg1 < -70 or arg1 == 4 * arg0)", (INT, INT), "(1, 2)"),
}


def led(
    sandbox: Sandbox, code: str, kinds: tuple[Kind, ...], *inputs: str, seed: float = 0
) -> tuple[Reached, Runner]:
    runner = Runner(method_of(code), sandbox)
    runner.run(inputs)
    found = reach_missing(runner, Domain(kinds, len(kinds)), runner.valid(), seed)
    runner.run(found.inputs)
    return found, runner


def function_of(condition: str, kinds: tuple[Kind, ...], then: str = "return 1") -> str:
    parameters = ", ".join(f"arg{index}" for index in range(len(kinds)))
    return f"def test_func({parameters}):\n    if {condition}:\n        {then}\n    return 0\n"


@pytest.mark.parametrize("goal", GOALS)
def test_a_way_that_was_missing_is_taken(sandbox: Sandbox, goal: str) -> None:
    condition, kinds, start = GOALS[goal]
    found, runner = led(sandbox, function_of(condition, kinds), kinds, start)
    assert "1" in {runner.outcomes[text].value for text in found.inputs}


def test_a_way_behind_another_is_taken_too(sandbox: Sandbox) -> None:
    then = "if arg1 == arg0 + 10000:\n            return 1"
    code = function_of("arg0 == 4321", (INT, INT), then)
    _, runner = led(sandbox, code, (INT, INT), "(1, 2)")
    assert len(runner.reached) == runner.arcs


def test_what_is_found_is_in_the_domain_and_was_not_known(sandbox: Sandbox) -> None:
    kinds = (Int(low=0, high=50),)
    code = function_of("arg0 > 40 or arg0 < 0", kinds)
    found, _ = led(sandbox, code, kinds, "(1,)")
    values = [loads(text)[0] for text in found.inputs]
    assert values
    assert all(40 < value <= 50 for value in values)


def test_a_way_on_which_the_method_raises_is_not_taken(sandbox: Sandbox) -> None:
    code = function_of("arg0 > 5000", (INT,), "raise ValueError")
    found, _ = led(sandbox, code, (INT,), "(1,)")
    assert found.inputs == ()
    assert found.tried > 0


def test_where_nothing_is_missing_nothing_is_tried(sandbox: Sandbox) -> None:
    found, _ = led(sandbox, function_of("arg0 > 5", (INT,)), (INT,), "(1,)", "(9,)")
    assert found == Reached((), 0)


def test_endless_loops_end(sandbox: Sandbox) -> None:
    code = function_of("arg0 > 100", (INT,), "while True:\n            pass")
    found, _ = led(sandbox, code, (INT,), "(1,)")
    assert found.inputs == ()


@pytest.mark.parametrize("seed", [0, 0.25])
def test_the_same_seed_finds_the_same(sandbox: Sandbox, seed: float) -> None:
    condition, kinds, start = GOALS["two ints"]
    one, other = (
        led(sandbox, function_of(condition, kinds), kinds, start, seed=seed)[0] for _ in "ab"
    )
    assert one == other


def test_arguments_that_the_method_changes_stay_as_they_were_made(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    arg0.append(0)\n    return 1 if sum(arg0) == 70 else 0\n"
    found, runner = led(sandbox, code, (INTS,), "([1, 2],)")
    values: list[Any] = [loads(text)[0] for text in found.inputs]
    assert values
    assert all(sum(value) == 70 for value in values)
    assert {runner.outcomes[text].value for text in found.inputs} == {"1"}

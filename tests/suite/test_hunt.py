"""Inputs that kill mutants which what was observed lets live."""

from collections.abc import Iterator

import pytest

from builder.literals import loads
from builder.records import Example, Method, Parameter
from builder.sandbox.supervisor import Sandbox
from builder.suite.hunt import NEW_INPUTS, Prey, hunt_mutants
from builder.suite.kill import KillMatrix, mutation_kills
from builder.suite.mutation.finder import Mutant
from builder.synthesis.domain import Domain, Float, Int, List, Str
from builder.synthesis.search import Observation

INT, INTS = Domain((Int(),), 1), Domain((List(element=Int()),), 1)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


def method(body: str, arity: int = 1) -> Method:
    names = [f"arg{index}" for index in range(arity)]
    header = f"def test_func({', '.join(names)}):"
    code = f"{header}\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return Method(code, header, tuple(Parameter(name, "x") for name in names), code, "test_func")


class Case:
    """A method, what its mutants did on some inputs, and what a hunt brought."""

    def __init__(
        self, body: str, inputs: list[str], domain: Domain, sandbox: Sandbox, effort: int = 1
    ) -> None:
        self.method = method(body, len(domain.parameters))
        self.matrix: KillMatrix = mutation_kills(self.method, inputs, sandbox)
        observations = [Observation(Example(text, "0", "corpus"), ()) for text in inputs]
        self.prey: Prey = hunt_mutants(
            self.method, domain, observations, self.matrix, sandbox, effort
        )

    def mutant(self, line: str) -> Mutant:
        """The mutant that has ``line`` in place of another."""
        code = self.method.code
        return next(
            each
            for each in self.matrix.mutants
            if each.difference(code).splitlines()[-1][1:].strip() == line
        )


def test_a_mutant_that_lives_on_what_was_observed_is_killed(sandbox: Sandbox) -> None:
    case = Case("return arg0 > 1000", ["(3,)", "(2000,)"], INT, sandbox)
    mutant = case.mutant("return (arg0 >= 1000)")
    assert mutant in case.matrix.survivors
    assert case.prey.kills[mutant] == {"(1000,)"}
    found = {each.example.input: each.example for each in case.prey.observations}
    assert found["(1000,)"].output == "False"
    assert found["(1000,)"].origin == "mutation"


def test_a_mutant_that_one_input_kills_gets_more_killers(sandbox: Sandbox) -> None:
    case = Case("return arg0.replace('ab', '')", ["('xabx',)", "('q',)"], _texts(), sandbox)
    mutant = case.mutant("return arg0")
    assert len(case.prey.kills[mutant]) > 1
    assert mutant not in case.prey.equivalent


def test_nothing_outside_the_domain_kills(sandbox: Sandbox) -> None:
    domain = Domain((Int(low=0, high=500),), 1)
    case = Case("return arg0 > 1000", ["(3,)", "(400,)"], domain, sandbox)
    mutant = case.mutant("return (arg0 >= 1000)")
    assert not case.prey.kills[mutant]
    assert case.prey.equivalent[mutant].startswith("all ints from -")
    assert all(0 <= loads(each.example.input)[0] <= 500 for each in case.prey.observations)


def test_a_mutant_that_many_new_inputs_cannot_tell_is_probably_equivalent(
    sandbox: Sandbox,
) -> None:
    body = "size = len(arg0)\nif size > 0:\n    return arg0[0]\nreturn size"
    case = Case(body, ["([1, 2],)", "([],)"], INTS, sandbox)
    why = case.prey.equivalent[case.mutant("if (size != 0):")]
    assert why == f"{NEW_INPUTS:,} further inputs, {NEW_INPUTS:,} of them at its line, " + (
        "show no difference"
    )


def test_a_longer_hunt_tries_as_many_inputs_where_each_takes_long(sandbox: Sandbox) -> None:
    body = (
        "size = len(arg0)\nfor i in range(400):\n    size += i % 2 if size > 0 else 0\nreturn size"
    )
    short, long = (
        Case(body, ["([1, 2],)", "([],)"], INTS, sandbox, effort).prey for effort in (1, 6)
    )
    assert short.tried < NEW_INPUTS == long.tried
    assert len(short.equivalent) < len(long.equivalent)


def test_a_longer_hunt_goes_on_until_enough_inputs_come_to_a_rare_line(sandbox: Sandbox) -> None:
    body = (
        "if arg0 != 0 and arg1 != 0 and arg2 != 0 and arg0 + arg1 + arg2 == 180:\n"
        "    if arg0 + arg1 >= arg2 or arg1 + arg2 >= arg0:\n"
        "        return True\n"
        "return False"
    )
    inputs = ["(50, 60, 70)", "(90, 45, 45)", "(150, 30, 70)", "(1, 2, 3)"]
    domain = Domain((Int(), Int(), Int()), 3)
    short, long = (Case(body, inputs, domain, sandbox, effort).prey for effort in (1, 6))
    assert short.tried == NEW_INPUTS < long.tried
    assert sum(map(bool, short.kills.values())) < sum(map(bool, long.kills.values()))


def test_a_line_that_no_input_comes_to_says_so(sandbox: Sandbox) -> None:
    body = "if len(arg0) < 0:\n    return 'never'\nreturn len(arg0)"
    case = Case(body, ["([1, 2],)", "([],)"], INTS, sandbox)
    why = case.prey.equivalent[case.mutant("return 'neverx'")]
    assert why == f"none of {NEW_INPUTS:,} further inputs comes to its line"


def test_a_new_line_is_news(sandbox: Sandbox) -> None:
    body = "if arg0 == 77:\n    return 'rare'\nreturn arg0"
    case = Case(body, ["(1,)", "(2,)", "(3,)", "(4,)"], INT, sandbox)
    assert "(77,)" in [each.example.input for each in case.prey.observations]


def test_what_loops_too_long_on_larger_ints_is_tried_on_all_smaller_ones(sandbox: Sandbox) -> None:
    body = (
        "total = 0\nfor i in range(arg0):\n    for j in range(i):\n        total += j\nreturn total"
    )
    case = Case(body, [f"({n},)" for n in range(12)], INT, sandbox)
    why = case.prey.equivalent[case.mutant("for i in list(range(arg0))[::-1]:")]
    assert why.startswith("all ints from -6")


def test_answers_that_hang_on_the_last_digits_are_no_examples(sandbox: Sandbox) -> None:
    body = "return arg0 * 3 == 0.1 * 9"
    case = Case(body, ["(1.0,)", "(0.5,)"], Domain((Float(),), 1), sandbox)
    for each in case.prey.observations:
        assert each.example.output == "False"


def test_the_same_hunt_brings_the_same(sandbox: Sandbox) -> None:
    cases = [
        Case("return arg0[:7] + 'c'", ["('xabx',)", "('q',)"], _texts(), sandbox) for _ in "ab"
    ]
    assert cases[0].prey == cases[1].prey


def test_where_every_mutant_has_killers_enough_nothing_is_hunted(sandbox: Sandbox) -> None:
    case = Case("return arg0 + 1", ["(1,)", "(5,)", "(7,)", "(-3,)"], INT, sandbox)
    assert case.prey == Prey((), {}, {})


def _texts() -> Domain:
    return Domain((Str(),), 1)


@pytest.mark.parametrize("huge", ["[0] * arg0 ** 6", "'ab' * arg0 ** 6"])
def test_what_one_step_makes_huge_does_not_end_the_hunt(huge: str, sandbox: Sandbox) -> None:
    body = f"if arg0 <= 0:\n    return {huge}\nmade = {huge}\nreturn made[:arg0]"
    case = Case(body, ["(-1,)", "(0,)", "(1,)", "(2,)"], INT, sandbox)
    assert case.prey.tried > 0

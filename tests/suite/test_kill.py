"""Which inputs tell which mutants from the method."""

from collections.abc import Iterator

import pytest

from builder.records import Method, Parameter
from builder.sandbox.supervisor import Sandbox
from builder.suite.kill import ALL_OF, ENOUGH, KillMatrix, mutation_kills


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


def method(code: str) -> Method:
    return Method(code, code.split("\n")[0], (Parameter("arg0", "x"),), code, "test_func")


def killers(matrix: KillMatrix, code: str) -> dict[str, set[str]]:
    """Inputs that kill a mutant, by the lines that it adds."""
    found = {}
    for mutant, inputs in zip(matrix.mutants, matrix.killers, strict=True):
        lines = mutant.difference(code).splitlines()
        found[" ".join(line[1:].strip() for line in lines if line[0] == "+")] = set(inputs)
    return found


ABSOLUTE = "def test_func(arg0):\n    if arg0 < 0:\n        return -arg0\n    return arg0\n"


def test_an_input_kills_what_answers_otherwise_on_it(sandbox: Sandbox) -> None:
    matrix = mutation_kills(method(ABSOLUTE), ["(3,)", "(0,)", "(-2,)"], sandbox)
    found = killers(matrix, ABSOLUTE)
    assert found["if True:"] == {"(3,)"}
    assert found["if False:"] == {"(-2,)"}
    assert found["if arg0 < 1:"] == set()
    assert found["return arg0"] == {"(-2,)"}


def test_score_and_survivors_follow_from_the_matrix(sandbox: Sandbox) -> None:
    matrix = mutation_kills(method(ABSOLUTE), ["(3,)", "(0,)", "(-2,)"], sandbox)
    killed = len(matrix.mutants) - len(matrix.survivors)
    assert matrix.score == killed / len(matrix.mutants)
    assert matrix.score_of(["(3,)", "(0,)", "(-2,)"]) == matrix.score
    assert matrix.score_of(["(0,)"]) < matrix.score_of(["(-2,)", "(0,)"]) < matrix.score
    numbers = {n for numbers in matrix.kills().values() for n in numbers}
    assert len(numbers) == killed


@pytest.mark.parametrize(
    ("line", "mutant", "given"),
    [
        ("return arg0 * 1", "return arg0 * 0", "(5,)"),
        ("return arg0 == 1", "return None", "(5,)"),
        ("return arg0[0 * arg0[0]]", "return arg0[1 * arg0[0]]", "([5],)"),
        ("return arg0.append(1)", "return arg0.append(2)", "([5],)"),
        ("return arg0 // 1", "return (arg0 / 1)", "(5,)"),
    ],
    ids=["value", "kind of value", "exception", "argument afterwards", "type"],
)
def test_a_mutant_is_killed_by_another(
    sandbox: Sandbox, line: str, mutant: str, given: str
) -> None:
    code = f"def test_func(arg0):\n    {line}\n"
    assert killers(mutation_kills(method(code), [given], sandbox), code)[mutant] == {given}


def test_a_mutant_that_loops_without_end_is_killed(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    while arg0 > 0:\n        arg0 -= 1\n    return arg0\n"
    found = killers(mutation_kills(method(code), ["(3,)", "(0,)"], sandbox), code)
    assert found["arg0 += 1"] == {"(3,)"}
    assert found["while (arg0 >= 0):"] == {"(3,)", "(0,)"}


def test_a_mutant_that_catches_everything_still_ends(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n    while arg0 > 0:\n        try:\n            arg0 -= 1\n"
        "        except BaseException:\n            pass\n    return arg0\n"
    )
    found = killers(mutation_kills(method(code), ["(3,)"], sandbox), code)
    assert found["arg0 += 1"] == {"(3,)"}


GROWING = {
    "arg0, arg1 = (arg1, (arg0 * arg1))": (
        "while arg1:\n        arg0, arg1 = (arg1, arg0 % arg1)\n    return arg0"
    ),
    "arg1 *= arg1": "for _ in range(arg0):\n        arg1 //= arg1\n    return arg1",
    "return sum(range((arg0 << arg1)))": "return sum(range(arg0 >> arg1))",
    "pass": "while arg0:\n        arg1 = arg1 + sorted(arg1)\n        arg0 -= 1\n    return arg1",
}


@pytest.mark.parametrize("mutant", GROWING)
def test_a_mutant_whose_work_grows_is_killed_by_what_it_weighs(
    sandbox: Sandbox, mutant: str
) -> None:
    code = f"def test_func(arg0, arg1):\n    {GROWING[mutant]}\n"
    given = "(9, [1])" if mutant == "pass" else "(99, 66)"
    matrices = [mutation_kills(method(code), [given], sandbox) for _ in range(2)]
    assert killers(matrices[0], code)[mutant] == {given}
    assert matrices[0] == matrices[1]


def test_a_mutant_that_only_the_clock_ends_is_left_out(sandbox: Sandbox) -> None:
    code = (
        "from itertools import repeat\n"
        "def test_func(arg0):\n    return any(repeat(arg0)), arg0 + 3\n"
    )
    found = killers(mutation_kills(method(code), ["(9,)"], sandbox), code)
    assert "return all(repeat(arg0)), arg0 + 3" not in found
    assert found["return any(repeat(arg0)), (arg0 - 3)"] == {"(9,)"}


def test_only_inputs_that_come_to_a_fault_are_blamed_for_it(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n    if arg0 > 9:\n        arg0 = [arg0]\n        return arg0\n"
        "    return arg0\n"
    )
    found = killers(mutation_kills(method(code), ["(3,)", "(12,)", "(15,)"], sandbox), code)
    assert found["arg0 = []"] == {"(12,)", "(15,)"}


def test_the_first_inputs_are_all_tried_and_then_as_many_as_needed(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return arg0 > 100\n"
    inputs = [f"({n},)" for n in range(ALL_OF)] + [f"({n},)" for n in range(200, 300)]
    found = killers(mutation_kills(method(code), inputs, sandbox), code)
    assert len(found["return None"]) == ALL_OF
    assert len(found["return (arg0 != 100)"]) == ALL_OF
    code = "def test_func(arg0):\n    return min(arg0, 100)\n"
    found = killers(mutation_kills(method(code), inputs, sandbox), code)
    assert len(found["return min(arg0, 0)"]) == ALL_OF - 1
    assert len(found["return min(arg0, 101)"]) == ENOUGH


def test_a_dear_input_is_tried_where_all_others_have_one_value(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n    for i in range(100 if arg0 < 9 else 300000):\n"
        "        if i == arg0 < 9:\n            return True\n    return False\n"
    )
    inputs = [f"({number},)" for number in range(12)]
    found = killers(mutation_kills(method(code), inputs, sandbox), code)
    assert found["return True"] == {"(9,)"}


def test_inputs_of_rare_types_are_made_anew_for_each_mutant(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n    arg0.update('a')\n    total = arg0['a']\n    return total + 1\n"
    )
    found = killers(mutation_kills(method(code), ["(Counter({'a': 2}),)"], sandbox), code)
    assert found["return total + 2"] == {"(Counter({'a': 2}),)"}
    assert not any("return total + 1" in line for line in found)


def test_the_matrix_is_the_same_each_time(sandbox: Sandbox) -> None:
    inputs = [f"({n},)" for n in range(-9, 9)]
    first = mutation_kills(method(ABSOLUTE), inputs, sandbox)
    assert first == mutation_kills(method(ABSOLUTE), inputs, sandbox)


def test_the_limits_of_the_sandbox_are_left_as_they_were(sandbox: Sandbox) -> None:
    before = sandbox.limits
    mutation_kills(method(ABSOLUTE), ["(1,)"], sandbox)
    assert sandbox.limits == before

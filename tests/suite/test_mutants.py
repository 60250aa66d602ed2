"""All first-order mutants of a method."""

import ast
import marshal
import pickle
from copy import deepcopy
from types import CodeType
from typing import Any

import pytest

from builder.suite.mutants import mutate

CODE = """\
LIMIT = 3

def helper0(value):
    return value % LIMIT == 0

def test_func(arg0, *arg1):
    total = []
    for item in arg0:
        if item and (not helper0(item)):
            total.append(-item)
        elif item == 'é':
            continue
        else:
            total += [x for x in range(item) if x]
    while len(total) > 5:
        total = total[1:]
        if not total:
            break
    return f'{total}'.upper() if arg1 else sorted(total, key=lambda x: x * 2)
"""


def differences(code: str) -> set[str]:
    return {mutant.difference(code) for mutant in mutate(code).mutants}


def body(*lines: str) -> str:
    return "\n    ".join(["def test_func(arg0, arg1):", *lines]) + "\n"


def test_only_a_condition_inside_a_loop_can_hold_for_the_first_alone() -> None:
    outside = body("for x in arg0:", "    return x", "else:", "    if arg1:", "        arg0 = 1")
    assert not any("break" in each for each in differences(outside))


def test_every_mutant_is_a_module_that_parses_and_differs_in_its_line() -> None:
    for mutant in mutate(CODE).mutants:
        ast.parse(mutant.applied(CODE))
        assert mutant.applied(CODE) != CODE
        assert mutant.line <= CODE.count("\n")


def test_what_compiles_to_the_same_instructions_is_left_out() -> None:
    assert "-    return arg0 * 1\n+    return arg0 * 2" in differences(body("return arg0 * 1"))
    added = [each.split("+    ")[1] for each in differences(body("if not arg0:", "    return 1"))]
    assert sum(line in ("if arg0:", "if not (not arg0):", "    if arg0:") for line in added) == 1


@pytest.mark.parametrize(
    ("lines", "added"),
    [
        (["return arg0"], ["+    return None"]),
        (["arg0 += arg1", "return arg0"], ["+    pass"]),
        (["arg0 += arg1", "return arg0"], ["+    arg0 -= arg1"]),
        (["if arg0:", "    return 1", "return 2"], ["+    if False:"]),
        (["if arg0:", "    return 1", "return 2"], ["+    if not arg0:"]),
        (["for x in arg0:", "    arg1 += x", "return arg1"], ["+    for x in ():"]),
        (["for x in arg0:", "    arg1 += x", "return arg1"], ["+        break"]),
        (
            ["for x in arg0:", "    if x:", "        arg1 = x", "return arg1"],
            ["+            break"],
        ),
        (["while arg0 > 1:", "    arg0 -= 1", "return arg0"], ["+    while (arg0 >= 1):"]),
        (["for x in arg0:", "    break", "return arg1"], ["+        continue"]),
        (["return [x for x in arg0 if x]"], ["+    return [x for x in arg0 if (not x)]"]),
        (["return arg0 if arg1 else 0"], ["+    return arg0 if (not arg1) else 0"]),
        (["return sum((x * 2 for x in arg0))"], ["+    return sum(((x + 2) for x in arg0))"]),
        (["arg0[arg1] = 1", "return arg0"], ["+    arg0[arg1 + 1] = 1"]),
    ],
)
def test_there_is_a_mutant_with_the_line(lines: list[str], added: list[str]) -> None:
    changed = [
        [line for line in difference.splitlines() if line.startswith("+")]
        for difference in differences(body(*lines))
    ]
    assert added in changed


def test_an_else_can_be_dropped() -> None:
    code = body("if arg0:", "    return 1", "else:", "    arg1 = 2", "return arg1")
    assert "-    else:\n-        arg1 = 2" in differences(code)


def test_printing_and_raising_are_left_alone() -> None:
    code = body("if arg0 < 0:", "    raise ValueError('negative')", "print(arg0)", "return arg1")
    assert not any("print" in each or "negative" in each for each in differences(code))


def test_a_fault_of_an_elif_is_come_to_by_way_of_its_if() -> None:
    places = {mutant.place for mutant in mutate(CODE).mutants if mutant.line == 11}
    assert places == {9}


def test_a_fault_at_module_level_is_in_every_call() -> None:
    places = {mutant.place for mutant in mutate(CODE).mutants if mutant.line == 1}
    assert places == {0}


def test_of_a_long_table_only_some_entries_are_changed() -> None:
    code = f"TABLE = {list(range(100, 200))}\n" + body("return TABLE[arg0]")
    assert len([mutant for mutant in mutate(code).mutants if mutant.line == 1]) < 15


def test_the_mutants_are_the_same_each_time() -> None:
    assert pickle.dumps(mutate(CODE)) == pickle.dumps(mutate(CODE))


def test_names_of_the_harness_give_way_to_those_of_the_method() -> None:
    code = body("_tick = arg0", "return _tick")
    assert mutate(code).tick == "_tick_"


WEIGHED = (
    body("return sorted(arg0)[1:] + arg0[:-1] * 2, max(*arg0, len(arg0)), arg1 in arg0"),
    body("total = 1", "for x in arg0:", "    total *= x", "    total += x", "return total, -total"),
    body(
        "return [f'{sorted(arg0)[0]:>4}', '-'.join(str(x) for x in arg0 if x), not arg0[1:] == [2]]"
    ),
    body("arg0.sort(key=lambda x: -x)", "return (y := sum(arg0)) - len(set(arg0)), y ** 2 % 7"),
    body(
        "if arg1 in (arg0 or [3]) and not max(arg0) < 3:", "    return arg0.index(arg1)", "return 5"
    ),
    body("return list(map(abs, arg0)) + [x for x in reversed(arg0) if x % 2]"),
)


@pytest.mark.parametrize("code", WEIGHED)
def test_probes_and_weights_change_nothing_in_a_mutant(code: str) -> None:
    mutation = mutate(code)
    assert mutation.mutants
    for mutant, program in zip(mutation.mutants, mutation.programs, strict=True):
        probes = {mutation.tick: lambda: None, mutation.weigh: lambda value, _shift: value}
        for arguments in (([3, 1, 2], 1), ([2], 3), ([4, 4, 0, 5, 7], 0)):
            plain = outcome(compile(mutant.applied(code), "plain", "exec"), {}, arguments)
            assert outcome(marshal.loads(program), dict(probes), arguments) == plain


def outcome(program: CodeType, names: dict[str, Any], arguments: tuple[Any, ...]) -> str:
    """Run a module of our own and call its function; give its value or exception."""
    exec(program, names)
    try:
        return repr(names["test_func"](*deepcopy(arguments)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

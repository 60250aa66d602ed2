"""The search finds the domain of a method and inputs that take every arc of it."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from builder.literals import canonical, loads
from builder.reasons import Reason, Stage
from builder.records import Rejection
from builder.sandbox.supervisor import Sandbox
from builder.synthesis import runner
from builder.synthesis.probes import insert_probes
from builder.synthesis.search import Exploration, explore
from tests.synthesis.methods import method_of


def explored(sandbox: Sandbox, code: str, *seeds: str, names: tuple[str, ...] = ()) -> Exploration:
    found = explore(method_of(code, names), seeds, sandbox, seed=0)
    assert isinstance(found, Exploration), found
    return found


def rejected(sandbox: Sandbox, code: str, *seeds: str) -> Rejection:
    found = explore(method_of(code), seeds, sandbox, seed=0)
    assert isinstance(found, Rejection)
    return found


def arcs_missed(code: str, found: Exploration) -> set[int]:
    reached = {hit for each in found.observations for hit in each.hits}
    return set(range(insert_probes(code).arcs)) - reached


CLAMP = """
def test_func(arg0, arg1, arg2):
    if arg0 < arg1:
        return arg1
    if arg0 > arg2:
        return arg2
    return arg0
"""
GRADES = """
def test_func(arg0):
    total = 0
    for name, points in arg0.items():
        if not name or points < 0:
            continue
        total += points
    return 'many' if total > 40 else 'few'
"""
FILE_NAME = """
def test_func(arg0):
    parts = arg0.split('.')
    if len(parts) != 2:
        return 'No'
    if parts[1] not in ('txt', 'exe'):
        return 'No'
    return 'Yes' if parts[0] else 'Empty'
"""
FIND = """
def test_func(arg0, arg1):
    for place, item in enumerate(arg0):
        if item == arg1:
            return place
    return -1
"""
PAIRS = """
def test_func(arg0):
    return [a for a, b in arg0 if (b, a) in arg0 and a < b]
"""
ENDING = """
def test_func(arg0, arg1, arg2):
    return arg0.endswith(arg1 + str(arg2))
"""
MIXED = """
def test_func(arg0):
    if isinstance(arg0, str):
        return arg0.upper()
    if isinstance(arg0, list):
        return len(arg0)
    return arg0 + 1
"""


@pytest.mark.parametrize(
    ("code", "seeds"),
    [
        (CLAMP, ("(5, 0, 3)",)),
        (CLAMP, ()),
        (GRADES, ("({'Bo': 3},)",)),
        (GRADES, ()),
        (FILE_NAME, ("('a.txt',)",)),
        (FIND, ("([1, 2], 2)",)),
        (FIND, ()),
        (PAIRS, ("([(1, 2)],)",)),
        (ENDING, ("('abc', 'b', 3)",)),
        (MIXED, ("(3,)",)),
        (MIXED, ()),
    ],
    ids=lambda value: "" if isinstance(value, str) else f"{len(value)} seeds",
)
def test_every_arc_is_taken(sandbox: Sandbox, code: str, seeds: tuple[str, ...]) -> None:
    assert arcs_missed(code, explored(sandbox, code, *seeds)) == set()


def test_observations_are_distinct_canonical_and_inside_the_domain(sandbox: Sandbox) -> None:
    found = explored(sandbox, FIND, "([1, 2], 2)")
    inputs = [each.example.input for each in found.observations]
    assert len(inputs) == len(set(inputs)) > 60
    assert [text for text in inputs if canonical(text) != text] == []
    assert [text for text in inputs if not found.domain.contains(loads(text))] == []


def test_observations_hold_what_the_method_returns(sandbox: Sandbox) -> None:
    found = explored(sandbox, "def test_func(arg0):\n    return (arg0, arg0 * 2)\n", "(4,)")
    for each in found.observations:
        (value,) = loads(each.example.input)
        assert loads(each.example.output) == (value, value * 2)


def test_a_changed_argument_is_marked(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    arg0.append(0)\n    return len(arg0)\n"
    assert all(each.example.mutates for each in explored(sandbox, code, "([1],)").observations)
    assert not any(each.example.mutates for each in explored(sandbox, FIND).observations)


def test_the_corpus_own_calls_come_first_and_keep_their_origin(sandbox: Sandbox) -> None:
    found = explored(sandbox, CLAMP, "(5, 0, 3)", "(-2, 0, 3)")
    assert [each.example.input for each in found.observations][:2] == ["(5, 0, 3)", "(-2, 0, 3)"]
    origins = Counter(each.example.origin for each in found.observations)
    assert origins["corpus"] == 2
    assert set(origins) == {"corpus", "hypothesis", "constant", "mutation"}


@pytest.mark.parametrize(
    ("code", "names", "kinds"),
    [
        ("return arg0[::-1]", ("text",), ["str"]),
        ("return arg0[::-1]", ("numbers",), ["list of int"]),
        ("return arg0 * 1.19", ("price",), ["int or float"]),
        (
            "return [row[arg1] for row in arg0]",
            ("matrix", "column"),
            ["list of list of int", "int"],
        ),
        ("return int(arg0, 2) + int(arg1, 2)", ("a", "b"), ["str", "str"]),
        ("return arg0.get(arg1, 0)", ("stock", "name"), ["dict from str to int", "str"]),
    ],
)
def test_without_calls_the_kinds_are_those_a_person_would_give(
    sandbox: Sandbox, code: str, names: tuple[str, ...], kinds: list[str]
) -> None:
    parameters = ", ".join(f"arg{index}" for index in range(len(names)))
    found = explored(sandbox, f"def test_func({parameters}):\n    {code}\n", names=names)
    assert [str(kind) for kind in found.domain.parameters] == kinds


def test_annotations_complete_what_calls_leave_open(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return list(arg0)\n"
    found = explore(method_of(code, annotations=("List[str]",)), ("([],)",), sandbox, 0)
    assert isinstance(found, Exploration)
    assert str(found.domain.parameters[0]) == "list of str"


def test_values_on_which_it_fails_are_outside_the_domain(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    if arg0 < 0:\n        raise ValueError\n    return arg0 + 1\n"
    assert explored(sandbox, code, "(3,)").domain.violation((-1,)) == "arg0 must be at least 0"


def test_a_default_leaves_its_argument_free(sandbox: Sandbox) -> None:
    code = "def test_func(arg0, arg1=','):\n    return arg0.split(arg1 or None)\n"
    found = explored(sandbox, code, "('a,b',)")
    assert found.domain.required == 1
    assert {len(loads(each.example.input)) for each in found.observations} == {1, 2}


def test_variadic_arguments_come_in_any_number(sandbox: Sandbox) -> None:
    found = explored(sandbox, "def test_func(*arg0):\n    return sum(arg0)\n", "(1, 2)")
    assert len({len(loads(each.example.input)) for each in found.observations}) > 2


def test_slow_inputs_are_no_examples(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n"
        "    if arg0 < 2:\n        return arg0\n"
        "    return test_func(arg0 - 1) + test_func(arg0 - 2)\n"
    )
    found = explored(sandbox, code, "(5,)")
    assert max(loads(each.example.input)[0] for each in found.observations) < 30
    assert found.failed > 0


def test_many_slow_inputs_do_not_hide_the_others(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n"
        "    while len(arg0) != 1:\n        arg0.append(arg0.pop(0))\n"
        "    return arg0[0]\n"
    )
    found = explored(sandbox, code, "([6],)")
    assert found.domain.violation(([6, 7],)) == "arg0 must have a length of at most 1"
    assert len(found.observations) > 10


def test_a_slow_input_is_an_example_where_all_others_have_one_outcome(sandbox: Sandbox) -> None:
    code = (
        "def test_func(arg0):\n    for i in range(1, 60 if arg0 % 2 else 200000):\n"
        "        if i * arg0 % 2 == 1:\n            return True\n    return False\n"
    )
    found = explored(sandbox, code, "(3,)", "(4,)")
    outputs = Counter(each.example.output for each in found.observations)
    assert outputs["False"] > 1


@pytest.mark.parametrize(
    "body",
    [
        "kept = list(range(arg0 * arg0))\n    i = 2\n    while kept[i:]:\n"
        "        kept = sorted(set(kept) - set(kept[i::i]))\n        i += 1\n    return kept[:3]",
        "product = 1\n    for i in range(1, abs(arg0) + 1):\n        product *= i ** i\n"
        "    return str(product)[:3]",
        "text = 'ab'\n    while len(text) < arg0 ** 3:\n        text = text.replace('a', 'ba')\n"
        "    return text.count('b') % 7",
        "return sum(sorted(str(n)) > ['1'] for n in [10, arg0]) + sum(range(arg0 ** 3))",
    ],
)
def test_no_clock_decides_what_is_an_example(
    body: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = f"def test_func(arg0):\n    {body}\n"
    found = explored(sandbox, code, "(3,)", "(7,)")
    monkeypatch.setattr(runner, "CALL_SECONDS", 10 * runner.CALL_SECONDS)
    assert explored(sandbox, code, "(3,)", "(7,)") == found


def test_answers_on_the_edge_of_a_float_are_no_examples(sandbox: Sandbox) -> None:
    code = "def test_func(arg0, arg1):\n    return arg0 * 3 == arg1\n"
    found = explored(sandbox, code, "(0.1, 0.3)", "(0.1, 0.30000000000000004)", "(0.5, 1.5)")
    inputs = [each.example.input for each in found.observations]
    assert "(0.1, 0.3)" not in inputs
    assert "(0.1, 0.30000000000000004)" not in inputs
    assert "(0.5, 1.5)" in inputs


@pytest.mark.parametrize(
    ("body", "seeds", "stage", "reason"),
    [
        ("return arg0.missing", (), Stage.SYNTHESISE, Reason.NO_VALID_INPUT),
        ("return arg0.missing", ("(1,)",), Stage.SYNTHESISE, Reason.NO_VALID_INPUT),
        ("while True:\n        pass", ("(1,)",), Stage.SYNTHESISE, Reason.TOO_SLOW),
        ("return {True: 1}[arg0]", ("(True,)",), Stage.SYNTHESISE, Reason.TOO_FEW_INPUTS),
        ("arg0 = 2\n    return None", ("(1,)",), Stage.SYNTHESISE, Reason.ONLY_NONE),
        ("return object", ("(1,)",), Stage.SYNTHESISE, Reason.UNSERIALISABLE),
        ("return object if arg0 > 9 else None", (), Stage.SYNTHESISE, Reason.UNSERIALISABLE),
        ("return 'x' * 5000", ("(1,)",), Stage.SYNTHESISE, Reason.TOO_LARGE),
        ("SEEN.append(arg0)\n    return len(SEEN)", ("(1,)",), Stage.PROVE, Reason.STATEFUL),
        (
            "return list({arg0, 'a', 'b', 'c', 'd'})",
            ("('e',)",),
            Stage.PROVE,
            Reason.NONDETERMINISTIC,
        ),
    ],
)
def test_a_method_without_examples_is_rejected_with_the_reason(
    sandbox: Sandbox, body: str, seeds: tuple[str, ...], stage: Stage, reason: Reason
) -> None:
    found = rejected(sandbox, f"SEEN = []\ndef test_func(arg0):\n    {body}\n", *seeds)
    assert (found.stage, found.reason) == (stage, reason)


def test_a_module_that_does_not_load_is_rejected(sandbox: Sandbox) -> None:
    found = rejected(sandbox, "import nowhere\ndef test_func(arg0):\n    return arg0\n", "(1,)")
    assert found.reason is Reason.DOES_NOT_LOAD


PRINT_EXPLORATION = f"""
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.search import explore
from tests.synthesis.methods import method_of
import sys
with Sandbox() as sandbox:
    codes = [{GRADES!r}, {FIND!r}, {MIXED!r}]
    for code in codes if sys.argv[1] == "forwards" else codes[::-1]:
        found = explore(method_of(code), (), sandbox, 0)
        print(repr(found))
"""


def test_the_same_method_and_seed_give_the_same_in_every_process() -> None:
    def explorations(hash_seed: str, order: str) -> list[str]:
        answer = subprocess.run(
            [sys.executable, "-c", PRINT_EXPLORATION, order],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        return answer.splitlines()

    assert explorations("1", "forwards") == explorations("2", "backwards")[::-1]


def test_another_seed_gives_other_inputs(sandbox: Sandbox) -> None:
    method = method_of(FIND)
    one, other = (explore(method, (), sandbox, seed) for seed in (0, 1))
    assert one != other


@pytest.mark.parametrize(
    ("code", "seeds"),
    [
        ("def test_func(arg0, arg1, arg2):\n    return arg0 == arg1 == arg2\n", ("(6, 8, 12)",)),
        (
            "def test_func(arg0, arg1):\n    return all(x == arg1 for x in arg0.values())\n",
            ("({'a': 12, 'b': 12}, 10)", "({'a': 12, 'b': 12, 'c': 12}, 12)"),
        ),
    ],
)
def test_a_rare_outcome_is_seen_on_several_inputs(
    sandbox: Sandbox, code: str, seeds: tuple[str, ...]
) -> None:
    outputs = Counter(each.example.output for each in explored(sandbox, code, *seeds).observations)
    assert outputs["True"] >= 3
    assert outputs["False"] >= 3

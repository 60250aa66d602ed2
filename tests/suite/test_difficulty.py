"""How hard a method is to guess, by calls with random arguments."""

import math
from collections.abc import Iterator

import pytest

from builder.records import Difficulty, Example
from builder.sandbox.supervisor import Sandbox
from builder.suite.difficulty import RANDOM_INPUTS, measure_difficulty
from builder.synthesis.domain import Bool, Domain, Int, Str


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


def examples(*inputs: str) -> list[Example]:
    return [Example(text, "None", "corpus") for text in inputs]


INT = Domain((Int(),), 1)


def test_without_branches_the_rarest_branch_is_taken_always(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return arg0 * 3\n"
    assert measure_difficulty(code, INT, examples("(1,)"), sandbox).rarest_branch_rate == 1


def test_a_branch_that_only_one_value_takes_is_rare(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    if arg0 == 123456:\n        return 1\n    return 0\n"
    measured = measure_difficulty(code, INT, examples("(123456,)", "(1,)"), sandbox)
    assert measured == Difficulty(rarest_branch_rate=0, outcome_entropy=0)


def test_branches_that_no_test_takes_do_not_count(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    if arg0 == 123456:\n        return 1\n    return 0\n"
    assert measure_difficulty(code, INT, examples("(1,)"), sandbox).rarest_branch_rate == 1


def test_rate_and_entropy_describe_the_same_random_inputs(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return 'yes' if arg0 else 'no'\n"
    measured = measure_difficulty(
        code, Domain((Bool(),), 1), examples("(True,)", "(False,)"), sandbox
    )
    rare = measured.rarest_branch_rate
    assert 0.1 < rare <= 0.5
    bits = -(rare * math.log2(rare) + (1 - rare) * math.log2(1 - rare))
    assert measured.outcome_entropy == pytest.approx(bits)


def test_entropy_counts_the_bits_of_the_outcome(sandbox: Sandbox) -> None:
    same = measure_difficulty("def test_func(arg0):\n    return 5\n", INT, [], sandbox)
    assert same.outcome_entropy == 0
    other = measure_difficulty("def test_func(arg0):\n    return arg0\n", INT, [], sandbox)
    assert 2 < other.outcome_entropy <= math.log2(RANDOM_INPUTS)


def test_calls_that_raise_count_for_nothing(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return 1 if len(arg0) < 3 else 1 / 0\n"
    measured = measure_difficulty(code, Domain((Str(),), 1), examples("('a',)"), sandbox)
    assert measured == Difficulty(rarest_branch_rate=1, outcome_entropy=0)


def test_the_figures_depend_on_the_code_and_the_domain_alone(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return arg0 if arg0 > 9 else -arg0\n"
    tests = examples("(10,)", "(3,)")
    first = measure_difficulty(code, INT, tests, sandbox)
    assert measure_difficulty(code, INT, tests, sandbox) == first

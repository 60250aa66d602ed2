"""The published coverage figures: what counts, and that coverage.py itself agrees."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import coverage
import pytest

from builder.literals import loads
from builder.sandbox.protocol import Outcome, Report, Verdict
from builder.suite.measure import code_map, coverage_of

BRANCHING = """\
LIMIT = 3 if __name__ else 4

def helper(value):
    if value > LIMIT:
        return 'large'
    return 'small'

def test_func(arg0):
    total = []
    for item in arg0:
        if (item and
                item != 2):
            total.append(helper(
                item
            ))
            continue
        total.append([part for part in range(item) if part])
    else:
        total.append(None)
    while True:
        if len(total) > 2:
            break
        total.append(0)
    match len(arg0):
        case 0:
            total = [0]
        case 1 | 2:
            total += [1]
    try:
        total.index('large')
    except ValueError:
        return total if total else None
    with open(0, closefd=False) as channel:
        if channel:
            total.append(1)
    return total
"""


def run_under_coverage(code: str, folder: Path, inputs: Sequence[str]) -> coverage.Coverage:
    """Run our own code in this process, as coverage.py's users do."""
    path = folder / "subject.py"
    path.write_text(code)
    spec = importlib.util.spec_from_file_location("subject", path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    tracer = coverage.Coverage(branch=True, data_file=None, config_file=False, include=[str(path)])
    tracer.set_option("run:core", "ctrace")  # as the sandbox does
    with tracer.collect():
        spec.loader.exec_module(module)
        for literal in inputs:
            module.test_func(*loads(literal))
    return tracer


def as_report(tracer: coverage.Coverage, folder: Path) -> Report:
    data, path = tracer.get_data(), str(folder / "subject.py")
    return Report(
        loaded=Outcome(Verdict.OK),
        executed_lines=tuple(data.lines(path) or ()),
        executed_arcs=tuple(data.arcs(path) or ()),
    )


@pytest.mark.parametrize(
    "inputs",
    [
        [],
        ["([],)"],
        ["([1],)"],
        ["([2, 0],)"],
        ["([9],)", "([1, 2, 3],)"],
        ["([],)", "([0],)", "([1, 2, 3, 9],)"],
    ],
)
def test_branches_are_those_of_the_report_that_coverage_makes(
    tmp_path: Path, inputs: list[str]
) -> None:
    tracer = run_under_coverage(BRANCHING, tmp_path, inputs)
    figures = coverage_of(BRANCHING, as_report(tracer, tmp_path))

    official = tracer.branch_stats(str(tmp_path / "subject.py"))
    assert figures.arcs == sum(total for total, _ in official.values())
    assert figures.arcs_covered == sum(taken for _, taken in official.values())


def test_statements_are_those_of_the_report_that_coverage_makes(tmp_path: Path) -> None:
    tracer = run_under_coverage(BRANCHING, tmp_path, ["([1],)"])
    figures = coverage_of(BRANCHING, as_report(tracer, tmp_path))

    _, statements, _, missing, _ = tracer.analysis2(str(tmp_path / "subject.py"))
    at_module_level = {1, 3, 8}
    assert figures.statements == len(set(statements) - at_module_level)
    assert figures.missing_lines == tuple(missing)


def test_lines_run_at_loading_do_not_count() -> None:
    code = (
        "if 1 > 2:\n    LIMIT = 1\nelse:\n    LIMIT = 2\n\ndef test_func(arg0):\n    return LIMIT"
    )
    assert code_map(code).statements == {7}
    assert code_map(code).arcs == frozenset()


def test_helpers_and_methods_of_helper_classes_count() -> None:
    code = (
        "class Helper:\n    size = 1\n    def double(self):\n        return 2\n\n"
        "def helper():\n    return 1\n\n"
        "def test_func(arg0):\n    return helper()\n"
    )
    assert code_map(code).statements == {4, 7, 10}


def test_constant_conditions_are_no_branches() -> None:
    code = "def test_func(arg0):\n    while True:\n        if arg0:\n            return 1\n"
    assert code_map(code).arcs == {(3, 4), (3, 2)}


def test_a_raise_that_leaves_the_call_is_not_counted() -> None:
    code = "def test_func(arg0):\n    if arg0 < 0:\n        raise ValueError\n    return arg0\n"
    assert code_map(code).statements == {2, 4}
    assert code_map(code).arcs == frozenset()


def test_a_raise_that_can_be_caught_is_counted() -> None:
    code = (
        "def test_func(arg0):\n    try:\n        if arg0 < 0:\n            raise ValueError\n"
        "        return arg0\n    except ValueError:\n        return 0\n"
    )
    assert (3, 4) in code_map(code).arcs
    assert 4 in code_map(code).statements


def test_code_without_branches_is_covered_in_full() -> None:
    code = "def test_func(arg0):\n    return arg0\n"
    figures = coverage_of(code, Report(Outcome(Verdict.OK)))
    assert (figures.arcs, figures.branch_coverage) == (0, 1.0)
    assert (figures.statements_covered, figures.missing_lines) == (0, (2,))

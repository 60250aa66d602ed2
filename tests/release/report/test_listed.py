"""What is listed of a row."""

from dataclasses import replace

import pytest

from builder.reasons import Reason, Stage
from builder.records import Rejection, Strength, Survivor, Task
from builder.release.report.listed import listed_rejection, listed_row


def test_a_row_is_listed_with_its_figures(first_large: Task) -> None:
    row = listed_row(first_large)
    assert row["id"] == "garden/2"
    assert row["split"] == "test"
    assert row["arity"] == 2
    assert row["lines"] == 5
    assert row["tests"] == 4
    assert row["branchCoverage"] == 1.0
    assert row["entropy"] == 1.5
    assert not row["mutates"]


def test_what_was_not_measured_is_none(extremes: Task) -> None:
    assert listed_row(extremes)["entropy"] is None


def test_gaps_are_the_survivors_that_nothing_excuses(extremes: Task) -> None:
    survivors = (Survivor(2, "condition", "-a\n+b", "no difference"), Survivor(4, "call", "-a\n+b"))
    suite = replace(extremes.suite, strength=Strength(9, 7, 3, survivors))
    row = listed_row(replace(extremes, suite=suite))
    assert (row["survivors"], row["gaps"]) == (2, 1)


def test_arcs_believed_dead_are_told_from_those_missed(extremes: Task) -> None:
    coverage = replace(extremes.suite.coverage, dead_arcs=((2, 3),))
    row = listed_row(replace(extremes, suite=replace(extremes.suite, coverage=coverage)))
    assert (row["missedArcs"], row["deadArcs"]) == (1, 1)


@pytest.mark.parametrize(
    ("detail", "twin"),
    [
        ("duplicate_of mbpp/8: same syntax tree", "mbpp/8"),
        ("same code as Garden/12", "garden/12"),
        ("the row in garden.jsonl is the same", None),
        ("", None),
    ],
)
def test_a_lost_row_names_the_row_that_it_repeats(detail: str, twin: str | None) -> None:
    lost = Rejection("garden", "Garden/3", Stage.RELEASE, Reason.DUPLICATE_METHOD, detail)
    assert listed_rejection(lost)["twin"] == twin
    assert listed_rejection(lost)["id"] == "garden/3"

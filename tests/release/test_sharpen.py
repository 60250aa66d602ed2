"""A finished row gets tests that tell it from rows that pass all its tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.records import Example, Strength, Survivor
from builder.release.sharpen import ORIGIN, sharpen, sharpen_once
from builder.sandbox.supervisor import Sandbox
from builder.store import open_store
from tests.factories import task

TASK = task()
"""Adds one to a number, with four tests."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def test_an_input_becomes_a_test_with_what_was_observed(sandbox: Sandbox) -> None:
    sharper = sharpen(TASK, ["(40,)"], 20, sandbox)
    assert sharper.suite.tests == (*TASK.suite.tests, Example("(40,)", "41", ORIGIN))
    assert sharper.suite.context == TASK.suite.context
    assert sharper.suite.coverage.statements_covered == sharper.suite.coverage.statements


def test_no_suite_grows_beyond_its_bound(sandbox: Sandbox) -> None:
    most = len(TASK.suite.tests) + 1
    assert len(sharpen(TASK, ["(40,)", "(41,)"], most, sandbox).suite.tests) == most
    assert sharpen(TASK, ["(40,)"], most - 1, sandbox) == TASK


def test_an_input_on_which_the_method_raises_is_left_out(sandbox: Sandbox) -> None:
    assert sharpen(TASK, ["('x',)"], 20, sandbox) == TASK


def test_a_mutant_that_a_new_test_kills_is_no_survivor(sandbox: Sandbox) -> None:
    survivor = Survivor(2, "constant", "-    return arg0 + 1\n+    return arg0 + 2", "looked equal")
    suite = TASK.suite.__class__(
        TASK.suite.context, TASK.suite.tests, TASK.suite.coverage, 0, Strength(9, 8, 8, (survivor,))
    )
    weak = task(suite=suite)
    strength = sharpen(weak, ["(40,)"], 20, sandbox).suite.strength
    assert (strength.killed, strength.survivors) == (9, ())


def test_what_was_done_once_is_kept(sandbox: Sandbox, tmp_path: Path) -> None:
    with open_store(tmp_path / "store.sqlite") as store:
        first = sharpen_once(TASK, ["(40,)"], 20, sandbox, store)
        assert first == sharpen(TASK, ["(40,)"], 20, sandbox)
        assert sharpen_once(TASK, ["(40,)"], 20, sandbox, store) == first

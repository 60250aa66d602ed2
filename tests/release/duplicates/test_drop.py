"""Who stays when two rows hold the same function, and how the loss of the other is told."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from builder.reasons import Reason, Stage
from builder.records import Difficulty, Task
from builder.release.duplicates.drop import Distinct, drop_duplicates
from builder.release.duplicates.function import Function, function_of
from builder.release.duplicates.kept import compare_once
from builder.sandbox.supervisor import Sandbox
from builder.store import Store
from builder.synthesis.domain import Domain, Int
from tests.factories import task

DOMAIN = json.dumps(Domain((Int(),), 1).to_json())
OTHER = "def test_func(arg0):\n    return arg0 * 7\n"


def row(name: str, **changes: Any) -> Task:
    return task(
        task_id=f"own/{name}",
        source_id=name,
        domain=DOMAIN,
        difficulty=Difficulty(1.0, 2.0),
        **changes,
    )


@pytest.fixture
def compare(sandbox: Sandbox, store: Store) -> Any:
    return partial(compare_once, sandboxes=[sandbox], keeper=store)


def names(distinct: Distinct) -> list[str]:
    return [kept.source_id for kept in distinct.tasks]


def test_test_rows_win_over_train_rows(compare: Any) -> None:
    distinct = drop_duplicates([row("train", split="train"), row("test")], [], compare)
    assert names(distinct) == ["test"]
    (lost,) = distinct.dropped
    assert (lost.source_id, lost.stage) == ("train", Stage.RELEASE)
    assert lost.reason is Reason.LEAKS_INTO_TEST
    assert lost.detail == "duplicate_of own/test: same syntax tree"


@pytest.mark.parametrize("split", ["train", "test"])
def test_within_a_split_the_first_wins(compare: Any, split: str) -> None:
    distinct = drop_duplicates([row("a", split=split), row("b", split=split)], [], compare)
    assert names(distinct) == ["a"]
    assert [lost.reason for lost in distinct.dropped] == [Reason.DUPLICATE_METHOD]


def test_within_a_split_a_described_row_wins(compare: Any) -> None:
    distinct = drop_duplicates([row("bare", description=None), row("told")], [], compare)
    assert names(distinct) == ["told"]


def test_functions_elsewhere_win_over_all_rows(compare: Any) -> None:
    elsewhere = Function("garden/test/3", row("x").code, "test_func", Domain((Int(),), 1))
    distinct = drop_duplicates([row("a"), row("b", code=OTHER)], [elsewhere], compare)
    assert names(distinct) == ["b"]
    (lost,) = distinct.dropped
    assert lost.reason is Reason.STANDS_ELSEWHERE
    assert lost.detail.startswith("duplicate_of garden/test/3: ")


def test_what_stays_keeps_its_order_and_has_its_rivals_counted(compare: Any) -> None:
    rows = [row("late", split="train", code=OTHER), row("early")]
    distinct = drop_duplicates(rows, [], compare)
    assert names(distinct) == ["late", "early"]
    # The factory's examples are those of ``early``, so it fits the context of ``late`` too.
    assert [kept.difficulty for kept in distinct.tasks] == [
        Difficulty(1.0, 2.0, rivals=1, agreeing_rivals=1),
        Difficulty(1.0, 2.0, rivals=1, agreeing_rivals=0),
    ]


def test_the_same_functions_are_compared_once(
    sandbox: Sandbox, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row("a"), row("b", code=OTHER)]
    compare = partial(compare_once, sandboxes=[sandbox], keeper=store)
    first = drop_duplicates(rows, [], compare)
    monkeypatch.setattr(Sandbox, "run", None)
    assert drop_duplicates(rows, [], compare) == first


def test_a_changed_example_is_compared_anew(sandbox: Sandbox, store: Store) -> None:
    def key_is_kept(functions: Sequence[Function]) -> bool:
        before = len(answers(store))
        compare_once(functions, 0, [sandbox], store)
        return len(answers(store)) == before

    rows = [row("a"), row("b", code=OTHER)]
    assert not key_is_kept([function_of(each) for each in rows])
    assert key_is_kept([function_of(each) for each in rows])
    assert not key_is_kept([function_of(rows[1])])


def answers(store: Store) -> list[Any]:
    return store._connection.execute("SELECT key FROM answers").fetchall()

"""Every row is counted once: as kept, or as rejected at one stage for one reason."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import HarnessError
from builder.reasons import Reason, Stage
from builder.records import Rejection, Task
from builder.release.funnel import Funnel, build_funnel
from tests.factories import task

SOURCES = ("garden", "meadow")


def _task(source: str, source_id: str) -> Task:
    return task(source=source, source_id=source_id, task_id=f"{source}/{source_id}")


def _rejection(source: str, source_id: str, stage: Stage, reason: Reason) -> Rejection:
    return Rejection(source, source_id, stage, reason)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(SOURCES), st.none() | st.sampled_from(Stage), st.sampled_from(Reason)
        )
    )
)
def test_at_every_stage_what_enters_is_kept_or_rejected(
    rows: list[tuple[str, Stage | None, Reason]],
) -> None:
    lost = [
        _rejection(source, str(n), stage, reason)
        for n, (source, stage, reason) in enumerate(rows)
        if stage is not None
    ]
    kept = [_task(source, str(n)) for n, (source, stage, _) in enumerate(rows) if stage is None]
    rows_in = Counter(dict.fromkeys(SOURCES, 0))
    rows_in.update(source for source, _, _ in rows)
    funnel = build_funnel(rows_in, lost, kept)
    for source in SOURCES:
        entered = rows_in[source]
        for step in funnel.steps[source]:
            assert step.entered == entered
            entered = step.kept
        assert entered == funnel.kept(source) == sum(t.source == source for t in kept)


def test_a_row_that_was_lost_from_sight_is_the_toolkits_fault() -> None:
    with pytest.raises(HarnessError, match="garden do not add up: 2 in, 0 rejected, 1 kept"):
        build_funnel({"garden": 2}, [], [_task("garden", "1")])


def test_a_row_counted_twice_is_the_toolkits_fault() -> None:
    lost = [_rejection("garden", "1", Stage.SUITE, Reason.CONSTANT)]
    with pytest.raises(HarnessError, match="row 1 of garden was counted 2 times"):
        build_funnel({"garden": 2}, lost, [_task("garden", "1")])


def test_a_repeated_row_may_have_the_id_of_the_first() -> None:
    lost = [_rejection("garden", "1", Stage.INGEST, Reason.DUPLICATE)] * 2
    assert build_funnel({"garden": 3}, lost, [_task("garden", "1")]).kept("garden") == 1


def test_a_row_of_an_unread_corpus_is_the_toolkits_fault() -> None:
    with pytest.raises(HarnessError, match="never read: garden"):
        build_funnel({}, [], [_task("garden", "1")])


FUNNEL = build_funnel(
    {"garden": 1001, "meadow": 2},
    [
        *(_rejection("garden", str(n), Stage.INGEST, Reason.NOT_PYTHON) for n in range(1000)),
        _rejection("meadow", "1", Stage.SUITE, Reason.CONSTANT),
    ],
    [_task("garden", "kept"), _task("meadow", "kept")],
)


def test_the_table_has_a_line_for_each_reason() -> None:
    assert FUNNEL.table(width=60).splitlines() == [
        "               garden   meadow    total",
        "rows in         1,001        2    1,003",
        "lost at ingest",
        "  not_python    1,000        .    1,000",
        "lost at suite",
        "  constant          .        1        1",
        "kept                1        1        2",
    ]


def test_rows_that_were_finished_are_told_before_duplicates_go() -> None:
    funnel = build_funnel(
        {"garden": 3},
        [
            _rejection("garden", "1", Stage.SUITE, Reason.CONSTANT),
            _rejection("garden", "2", Stage.RELEASE, Reason.DUPLICATE_METHOD),
        ],
        [_task("garden", "3")],
    )
    assert funnel.table(width=40).splitlines()[-4:] == [
        "finished                  2",
        "lost at release",
        "  duplicate_method        1",
        "kept                      1",
    ]


def test_the_table_explains_the_reasons_where_there_is_room() -> None:
    lines = FUNNEL.table(width=110).splitlines()
    assert lines[3].endswith("The text is not a Python module that parses.")
    assert max(map(len, lines)) <= 110


def test_the_json_counts_each_stage_and_explains_the_reasons() -> None:
    content = FUNNEL.to_json()
    garden = content["sources"]["garden"]
    assert (garden["rows"], garden["kept"]) == (1001, 1)
    assert garden["stages"][0] == {
        "stage": "ingest",
        "entered": 1001,
        "kept": 1,
        "rejected": {"not_python": 1000},
    }
    assert [stage["stage"] for stage in garden["stages"]] == [stage.value for stage in Stage]
    assert set(content["reasons"]) == {"not_python", "constant"}


def test_the_json_gives_the_funnel_back() -> None:
    assert Funnel.from_json(json.loads(json.dumps(FUNNEL.to_json()))) == FUNNEL

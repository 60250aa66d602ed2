"""Ten rows with a real model: asked once, killed, resumed, replayed, and never asked again."""

import itertools
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from builder.describe.model import Described
from builder.literals import loads
from builder.model.budget import BudgetReachedError, Limits
from builder.model.client import Mode
from builder.model.settings import ModelSettings, spending
from builder.model.store import Store
from builder.reasons import Reason
from builder.sandbox.supervisor import Sandbox
from tests.model.live.rows import COUNT, Draft, Finished, drafts, finish, record, settings_for
from tests.model.live.served import ServedModel

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def rows(sandbox: Sandbox) -> list[Draft]:
    return list(itertools.islice(drafts(sandbox), COUNT))


@dataclass(frozen=True)
class Recording:
    """A run that was killed, and the one that went on from there."""

    settings: ModelSettings
    before: int
    """Replies kept by the run that was killed."""
    finished: list[Finished]


@pytest.fixture(scope="module")
def recording(
    served: ServedModel,
    rows: list[Draft],
    sandbox: Sandbox,
    tmp_path_factory: pytest.TempPathFactory,
) -> Recording:
    store = tmp_path_factory.mktemp("recording") / "model.sqlite"
    settings = settings_for(served, store)
    process = multiprocessing.get_context("spawn").Process(target=record, args=(rows, settings))
    process.start()
    while process.is_alive() and replies(store) < 3:
        time.sleep(0.1)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    before = replies(store)
    settings = later(settings)
    return Recording(settings, before, finish(rows, settings, sandbox))


def replies(store: Path) -> int:
    if not store.exists():
        return 0
    with Store(store) as opened:
        return int(opened.read("SELECT count(*) FROM replies")[0][0])


def later(settings: ModelSettings) -> ModelSettings:
    return replace(settings, started=settings.started + 1000)


def sent(settings: ModelSettings) -> int:
    return sum(line.calls for line in spending(settings) if line.sent)


def test_every_row_comes_to_an_end(recording: Recording) -> None:
    assert len(recording.finished) == COUNT
    for row in recording.finished:
        if isinstance(row.described, Described):
            match = row.described.best.code_match
            assert match is not None
            assert 0 <= match <= 1
        else:
            assert row.described.reason is Reason.NO_MODEL_DESCRIPTION


def test_whatever_the_model_proposes_is_a_value_of_the_domain(
    recording: Recording, rows: list[Draft]
) -> None:
    for row, draft in zip(recording.finished, rows, strict=True):
        for literal in row.proposals.inputs:
            assert draft.exploration.domain.contains(loads(literal))


def test_the_killed_run_was_gone_on_with_and_nothing_asked_twice(recording: Recording) -> None:
    assert recording.before >= 3
    assert recording.before + sent(recording.settings) == replies(recording.settings.store)


def test_a_second_run_asks_nothing_and_comes_to_the_same(
    recording: Recording, rows: list[Draft], sandbox: Sandbox
) -> None:
    again = later(recording.settings)
    assert finish(rows, again, sandbox) == recording.finished
    assert sent(again) == 0


def test_a_budget_stops_the_run_and_keeps_what_was_answered(
    served: ServedModel, rows: list[Draft], sandbox: Sandbox, tmp_path: Path
) -> None:
    settings = settings_for(served, tmp_path / "model.sqlite")
    limited = replace(settings, limits=Limits(calls=2))
    with pytest.raises(BudgetReachedError):
        finish(rows, limited, sandbox)
    assert sent(limited) == replies(settings.store) == 2


def test_with_the_server_gone_the_run_is_replayed_from_an_export(
    recording: Recording,
    rows: list[Draft],
    sandbox: Sandbox,
    served: ServedModel,
    tmp_path: Path,
) -> None:
    served.stop()
    with Store(recording.settings.store) as store:
        store.export_jsonl(tmp_path / "conversation.jsonl")
    with Store(tmp_path / "elsewhere.sqlite") as store:
        store.import_jsonl(tmp_path / "conversation.jsonl")
    elsewhere = replace(
        later(recording.settings),
        store=tmp_path / "elsewhere.sqlite",
        endpoint=None,
        mode=Mode.REPLAY,
    )
    assert finish(rows, elsewhere, sandbox) == recording.finished

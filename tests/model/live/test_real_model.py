"""Ten rows with a real model: killed, resumed, asked for nothing twice, replayed, held to a budget.

The tests of this module build on each other's replies and run in this order.
"""

import json
import os
import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from builder.literals import loads
from builder.release.packed import read_rejections, read_tasks
from builder.synthesis.domain import Domain
from tests.model.live.served import ServedModel
from tests.test_build import RUN, hashes

pytestmark = pytest.mark.model

ROWS = 10
OPTIONS = """
[model]
most_tokens = 48
attempts = 1
seconds = 600.0
"""
"""The model is tiny: it rambles, has a small window, and answers slowly on a busy machine."""


class Builder:
    """Builds the first rows of HumanEval with the served model."""

    def __init__(self, served: ServedModel, folder: Path) -> None:
        self._served = served
        self.release = folder / "release"
        self.store = folder / "replies.sqlite"
        self._options = folder / "options.toml"
        self._options.write_text(OPTIONS)

    def start(self, *options: str) -> "subprocess.Popen[str]":
        environment = {
            **os.environ,
            "PAU_CONFIG": str(self._options),
            "OPENAI_BASE_URL": self._served.address,
            "OPENAI_API_KEY": "none",
        }
        return subprocess.Popen(
            [*RUN, "--source", "humaneval", "--limit", str(ROWS), "--workers", "1",
             "--model", self._served.name, "--concurrency", "2", "--output", str(self.release),
             *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
            start_new_session=True,
        )  # fmt: skip

    def build(self, *options: str) -> tuple[int, str]:
        run = self.start(*options)
        printed, _ = run.communicate()
        return run.returncode, printed

    def replies(self) -> int:
        """Return how many replies are kept."""
        if not self.store.exists():
            return 0
        connection = sqlite3.connect(self.store)
        try:
            return int(connection.execute("SELECT count(*) FROM replies").fetchone()[0])
        except sqlite3.OperationalError:  # the table is being made
            return 0
        finally:
            connection.close()


def calls(printed: str) -> int:
    """Return how many calls the ledger tells of."""
    return sum(map(int, re.findall(r" by \S+: (\d+) calls,", printed)))


@pytest.fixture(scope="module")
def builder(served: ServedModel, tmp_path_factory: pytest.TempPathFactory) -> Builder:
    return Builder(served, tmp_path_factory.mktemp("live"))


def test_killed_and_run_again_it_asks_for_nothing_that_was_answered(builder: Builder) -> None:
    run = builder.start()
    deadline = time.monotonic() + 300
    while builder.replies() < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    before = builder.replies()
    assert before >= 3
    assert not builder.release.exists()
    status, printed = builder.build()
    assert status == 0, printed
    assert before + calls(printed) == builder.replies()


def test_every_row_is_kept_or_lost_for_a_reason_of_the_model(builder: Builder) -> None:
    tasks, lost = read_tasks(builder.release), read_rejections(builder.release)
    assert len(tasks) + len(lost) == ROWS
    for task in tasks:
        assert task.description_code_match is not None
        assert 0 <= task.description_code_match <= 1
        domain = Domain.from_json(json.loads(task.domain))
        for test in task.suite.tests:
            assert domain.contains(loads(test.input))


def test_a_second_run_asks_nothing_and_gives_the_same_bytes(builder: Builder) -> None:
    before = hashes(builder.release)
    for options in ((), ("--fresh",)):
        status, printed = builder.build(*options)
        assert status == 0, printed
        assert calls(printed) == 0
        assert hashes(builder.release) == before


def test_a_budget_stops_the_run_and_keeps_what_was_answered(
    served: ServedModel, tmp_path: Path
) -> None:
    limited = Builder(served, tmp_path)
    status, printed = limited.build("--max-calls", "2")
    assert status == 3, printed
    assert calls(printed) == limited.replies() == 2
    assert not limited.release.exists()


def test_with_the_server_gone_the_conversation_is_replayed_to_the_same_bytes(
    builder: Builder, served: ServedModel, tmp_path: Path
) -> None:
    served.stop()
    conversation = str(tmp_path / "conversation.jsonl")
    elsewhere = Builder(served, tmp_path)
    for verb, release in (("export", builder.release), ("import", elsewhere.release)):
        subprocess.run(
            [*RUN[:-1], "replies", verb, conversation, "--release", str(release)], check=True
        )
    status, printed = elsewhere.build("--replies", "replay")
    assert status == 0, printed
    assert hashes(elsewhere.release) == hashes(builder.release)

"""A whole build that asks a model, through the command, over real HTTP.

The endpoint is scripted: it knows the three functions below and answers at once. What real models
do with the same stages, ``tests/model/live`` looks at.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.release.packed import read_tasks
from tests.model.batch_server import BatchServer
from tests.model.server import Ask, ModelServer, Raw, Reaction, Say
from tests.test_build import RUN, hashes

KEY = "sk-a-very-secret-key"
NEEDLE = 828_643
CODES = {
    "triple": "def f(amount):\n    if amount < 0:\n        return 0\n    return amount * 3\n",
    "needle": "def f(amount):\n    if (amount * 7919 + 11) % 1000003 == 4242:\n"
    "        return 'found'\n    return amount % 3\n",
    "inverse": "def f(amount):\n    return [100 // (amount - 40)]\n",
}
MARKS = {"triple": "* 3", "needle": "7919", "inverse": "[100"}
"""What the anonymised code of each still holds."""
DESCRIPTIONS = {
    "triple": "Returns three times the number, or zero for a negative one.",
    "needle": "Returns the remainder of the number by three, except for one rare number.",
    "inverse": "Returns a list with one hundred divided by the number less forty, rounded down.",
}
BODIES = {
    "triple": "return 0 if arg0 < 0 else arg0 * 3",
    "needle": "return 'found' if (arg0 * 7919 + 11) % 1000003 == 4242 else arg0 % 3",
    "inverse": "return [100 // (arg0 - 40)]",
}


def answer(body: dict[str, object]) -> Say:
    """Answer any question about the three functions."""
    messages = body["messages"]
    assert isinstance(messages, list)
    words = str(messages[-1]["content"])
    if body["model"] == "reader":
        name = next(name for name, text in DESCRIPTIONS.items() if text in words)
        return Say(f"```python\ndef test_func(arg0):\n    {BODIES[name]}\n```")
    name = next(name for name, mark in MARKS.items() if mark in words)
    if body["model"] == "writer":
        return Say(json.dumps({"description": DESCRIPTIONS[name]}))
    if body["model"] == "proposer":
        return Say(json.dumps({"inputs": [{"arg0": NEEDLE}, {"arg0": 5}]}))
    assert body["model"] == "guard"
    present = re.search(r"```python\n(def validate_input_args.*?)```", words, re.DOTALL)
    assert present is not None
    check = "    if arg0 == 40:\n        raise ValueError('arg0 must not be forty')\n"
    return Say(f"```python\n{present[1].rstrip()}\n{check}```")


def react(ask: Ask) -> Reaction:
    return answer(ask.body)


MODELS = ["--model", "describe=writer", "--model", "write_code=reader",
          "--model", "propose=proposer", "--model", "constrain=guard"]  # fmt: skip


class Bench:
    """A corpus and the way to build it."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        folder.mkdir(exist_ok=True)
        self.corpus = folder / "corpus.jsonl"
        rows = [
            {"id": f"sample_{number}", "code": code, "input": "7", "output": "1"}
            for number, code in enumerate(CODES.values())
        ]
        self.corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
        self.release = folder / "out" / "release"

    def start(self, *options: str, models: list[str] = MODELS) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*RUN, "--source", "cruxeval", "--corpus", f"cruxeval={self.corpus}",
             "--output", str(self.release), "--workers", "1", *models, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": self.address},
        )  # fmt: skip

    def build(self, *options: str, models: list[str] = MODELS) -> tuple[int, str]:
        """Return the exit status and all that was printed."""
        run = self.start(*options, models=models)
        out, err = run.communicate(timeout=240)
        return run.returncode, out + err


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(react) as server:
        yield server


@pytest.fixture
def bench(tmp_path: Path, server: ModelServer) -> Bench:
    return Bench(tmp_path / "own", server.base_url)


class Built:
    """A release that was built with a model, and what that took."""

    def __init__(self, folder: Path) -> None:
        with ModelServer(react) as server:
            self.bench = Bench(folder, server.base_url)
            self.status, self.printed = self.bench.build()
            self.asks = list(server.asks)
        assert self.status == 0, self.printed
        self.tasks = {task.task_id: task for task in read_tasks(self.bench.release)}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(tmp_path_factory.mktemp("built"))


def sent(server: ModelServer) -> list[str]:
    """Return each body that came in."""
    return [json.dumps(ask.body, sort_keys=True) for ask in server.asks]


def test_rows_without_a_description_get_one_that_code_can_be_written_from(built: Built) -> None:
    assert built.status == 0, built.printed
    assert len(built.tasks) == len(CODES)
    found = [(task.description, task.description_origin, task.description_code_match)
             for _, task in sorted(built.tasks.items())]  # fmt: skip
    assert found == [(text, "model:writer", 1.0) for text in DESCRIPTIONS.values()]


def test_a_proposed_input_reaches_what_the_search_cannot(built: Built) -> None:
    task = built.tasks["cruxeval/sample_1"]
    proposed = [test for test in task.suite.tests if test.origin == "model:proposer"]
    assert (f"({NEEDLE},)", "'found'") in [(test.input, test.output) for test in proposed]
    assert task.suite.coverage.missing_arcs == ()


def test_a_validator_refuses_what_the_method_raises_on(built: Built) -> None:
    assert "must not be forty" in built.tasks["cruxeval/sample_2"].validator
    assert "must not be forty" not in built.tasks["cruxeval/sample_0"].validator


def test_the_end_tells_what_was_asked(built: Built) -> None:
    calls = Counter(str(ask.body["model"]) for ask in built.asks)
    for task, model in (("describe", "writer"), ("propose", "proposer"), ("constrain", "guard")):
        assert f"{task} by {model}: {calls[model]} calls" in built.printed


def test_the_manifest_names_the_models(built: Built) -> None:
    manifest = json.loads((built.bench.release / "manifest.json").read_text())
    assert manifest["settings"]["models"]["models"]["describe"] == "writer"


def test_no_file_and_no_line_holds_the_key_or_the_address(built: Built) -> None:
    assert KEY not in built.printed
    for file in built.bench.folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert KEY.encode() not in content
            assert built.bench.address.encode() not in content


def test_one_worker_asks_for_several_rows_at_a_time(tmp_path: Path) -> None:
    def slowly(ask: Ask) -> Reaction:
        time.sleep(2)
        return react(ask)

    with ModelServer(slowly) as server:
        status, printed = Bench(tmp_path / "own", server.base_url).build()
        assert status == 0, printed
        assert server.most_at_a_time > 1


def test_a_second_run_asks_nothing_and_gives_the_same_bytes(
    bench: Bench, server: ModelServer
) -> None:
    status, printed = bench.build()
    assert status == 0, printed
    asked, before = len(server.asks), hashes(bench.release)
    for options in ((), ("--fresh",)):
        status, printed = bench.build(*options)
        assert status == 0, printed
        assert len(server.asks) == asked
        assert hashes(bench.release) == before
    status, printed = bench.build("--dry-run")
    assert status == 0
    assert "no model would be asked anything" in printed


def test_an_exported_conversation_is_replayed_with_no_server(built: Built, tmp_path: Path) -> None:
    conversation = tmp_path / "conversation.jsonl"
    replies(["export", str(conversation), "--release", str(built.bench.release)])
    elsewhere = Bench(tmp_path / "elsewhere", "http://127.0.0.1:9/v1")
    replies(["import", str(conversation), "--release", str(elsewhere.release)])
    status, printed = elsewhere.build("--replies", "replay")
    assert status == 0, printed
    changed = {"manifest.json", "SHA256SUMS"}  # they name the corpus file
    theirs, ours = hashes(elsewhere.release), hashes(built.bench.release)
    assert {name for name in ours if ours[name] != theirs[name]} <= changed


def test_a_replay_that_misses_a_reply_says_so_and_writes_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "own", "http://127.0.0.1:9/v1")
    status, printed = bench.build("--replies", "replay")
    assert status == 2
    assert "replay: the store has no reply" in printed
    assert not bench.release.exists()


def test_a_budget_stops_the_run_and_the_next_one_goes_on(
    bench: Bench, server: ModelServer, built: Built
) -> None:
    status, printed = bench.build("--max-calls", "2")
    assert status == 3, printed
    assert len(server.asks) == 2
    assert not bench.release.exists()
    status, printed = bench.build()
    assert status == 0, printed
    assert Counter(sent(server)) == Counter(
        json.dumps(ask.body, sort_keys=True) for ask in built.asks
    )
    assert rows(bench) == rows(built.bench)


def test_killed_while_it_asks_and_run_again_it_repeats_no_answered_call(
    bench: Bench, server: ModelServer, built: Built
) -> None:
    run = bench.start()
    deadline = time.monotonic() + 120
    while len(server.asks) < 3 and time.monotonic() < deadline:
        time.sleep(0.002)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    before = len(server.asks)
    status, printed = bench.build()
    assert status == 0, printed
    # Only what was in flight when it was killed can have been paid for twice.
    assert len(server.asks) <= len(built.asks) + before
    repeated = [body for body, count in Counter(sent(server)).items() if count > 1]
    assert all(body in sent(server)[:before] for body in repeated)
    assert rows(bench) == rows(built.bench)


def test_rows_whose_replies_are_not_kept_are_not_kept_either(bench: Bench) -> None:
    status, printed = bench.build("--replies", "off", "--limit", "1")
    assert status == 0, printed
    status, printed = bench.build("--replies", "replay", "--limit", "1")
    assert status == 2
    assert "replay: the store has no reply" in printed


def test_a_refresh_that_was_broken_off_leaves_no_row_behind_its_replies(
    bench: Bench, server: ModelServer
) -> None:
    def reworded(ask: Ask) -> Reaction:
        body = json.loads(json.dumps(ask.body).replace("Gives", "Returns"))
        said = answer(body)
        is_writer = ask.body["model"] == "writer"
        return Say(str(said.text).replace("Returns", "Gives")) if is_writer else said

    def build(*options: str) -> tuple[int, str]:
        return bench.build("--limit", "1", *options, models=MODELS[:4])

    status, printed = build()
    assert status == 0, printed
    server.react = reworded
    status, printed = build("--replies", "refresh", "--max-calls", "1")
    assert status == 3, printed
    status, printed = build()
    assert status == 0, printed
    (task,) = read_tasks(bench.release)
    assert task.description == DESCRIPTIONS["triple"].replace("Returns", "Gives")


def test_a_dry_run_asks_nothing_and_tells_what_it_would(bench: Bench, server: ModelServer) -> None:
    status, printed = bench.build("--dry-run")
    assert status == 0, printed
    assert server.asks == []
    assert re.search(r"propose by proposer: \d+ calls to begin with, at most \d+ tokens", printed)
    assert not bench.release.exists()


def test_a_dry_run_asks_nothing_of_batches_either(bench: Bench, server: ModelServer) -> None:
    status, printed = bench.build("--dry-run", "--batch")
    assert status == 0, printed
    assert server.asks == []
    assert "calls to begin with" in printed


def test_a_wrong_wish_is_told_in_one_line_and_leaves_nothing(bench: Bench) -> None:
    status, printed = bench.build("--max-cost", "1")
    assert status == 2
    assert printed.startswith("pau-build: error: --max-cost: no price is known for ")
    assert printed.count("\n") == 1
    status, printed = bench.build("--source", "nowhere")
    assert status == 2
    assert not bench.release.parent.exists()


def test_rows_wait_while_an_endpoint_fails_and_are_not_lost(tmp_path: Path) -> None:
    options = tmp_path / "options.toml"
    options.write_text("[model]\ntries = 2\n")
    ill = True

    def sometimes(ask: Ask) -> Reaction:
        if ill and "* 3" in str(ask.body["messages"]):
            return Raw(b"{}", 503)
        return react(ask)

    with ModelServer(sometimes) as server:
        bench = Bench(tmp_path / "own", server.base_url)
        os.environ["PAU_CONFIG"] = str(options)
        try:
            status, printed = bench.build()
            assert status == 3, printed
            assert "1 of 3 rows wait for a model" in printed
            assert not bench.release.exists()
            ill = False
            status, printed = bench.build()
        finally:
            del os.environ["PAU_CONFIG"]
    assert status == 0, printed
    assert len(read_tasks(bench.release)) == len(CODES)


def test_batches_are_handed_in_and_collected_until_every_row_is_there(
    tmp_path: Path, built: Built
) -> None:
    with BatchServer(answer) as server:
        bench = Bench(tmp_path / "own", server.base_url)
        statuses: list[int] = []
        while 0 not in statuses and len(statuses) < 9:
            status, printed = bench.build("--batch")
            assert status in (0, 3), printed
            statuses.append(status)
    assert statuses[-1] == 0
    assert len(statuses) > 2
    assert rows(bench) == rows(built.bench)


def rows(bench: Bench) -> list[bytes]:
    return [file.read_bytes() for file in sorted(bench.release.rglob("*.parquet"))]


def replies(arguments: list[str]) -> None:
    program = "from builder.commands.main import main; main()"
    subprocess.run([sys.executable, "-c", program, "replies", *arguments], check=True)

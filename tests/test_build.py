"""A whole build through the command, from the corpus that is installed with the toolkit."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builder.release.packed import read_tasks

LIMIT = 12
RUN = [sys.executable, "-c", "from builder.commands.main import main; main()", "run"]
ROWS = ["--source", "humaneval", "--limit", str(LIMIT)]


def start(output: Path, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*RUN, "--output", str(output), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )


def finish(run: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, err = run.communicate(timeout=240)
    return run.returncode, out, err


def build(output: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    return finish(start(output, *arguments, **environment))


def hashes(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of the first problems, built without interruption by two workers."""
    folder = tmp_path_factory.mktemp("whole") / "release"
    status, out, err = build(folder, *ROWS, "--workers", "2", PYTHONHASHSEED="1")
    assert status == 0, err
    assert str(folder) in out
    return folder


def test_the_funnel_is_shown_and_adds_up(release: Path) -> None:
    funnel = json.loads((release / "funnel.json").read_text())["sources"]["humaneval"]
    lost = sum(sum(stage["rejected"].values()) for stage in funnel["stages"])
    assert funnel["rows"] == LIMIT == funnel["kept"] + lost
    assert funnel["kept"] >= LIMIT - 2


def test_one_worker_another_hash_seed_and_a_fresh_store_give_the_same_bytes(
    release: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "release"
    status, _, err = build(folder, *ROWS, "--workers", "1", PYTHONHASHSEED="2")
    assert status == 0, err
    assert hashes(folder) == hashes(release)


def test_killed_while_it_builds_and_run_again_it_gives_the_same_bytes(
    release: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "release"
    run = start(folder, *ROWS, "--workers", "1")
    wait_for_rows(folder.parent / "store.sqlite", 3)
    os.killpg(run.pid, signal.SIGKILL)
    finish(run)
    assert not folder.exists()
    status, _, err = build(folder, *ROWS)
    assert status == 0, err
    assert hashes(folder) == hashes(release)


def test_interrupted_it_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    run = start(folder, *ROWS, "--workers", "1")
    wait_for_rows(folder.parent / "store.sqlite", 1)
    os.killpg(run.pid, signal.SIGINT)
    status, _, err = finish(run)
    assert status == 130
    assert err.splitlines()[-1].startswith("pau-build: interrupted; run the same command again")
    assert not folder.exists()


def test_a_second_run_builds_no_row_again(release: Path) -> None:
    before = stored_at(release.parent / "store.sqlite")
    files = hashes(release)
    status, _, err = build(release, *ROWS)
    assert status == 0, err
    assert stored_at(release.parent / "store.sqlite") == before
    assert hashes(release) == files


def test_sources_that_cannot_be_had_are_named_and_left_out(tmp_path: Path) -> None:
    status, _, err = build(tmp_path / "release", "--limit", "2", HF_HUB_OFFLINE="1")
    assert status == 0, err
    for name in ("mbpp", "cruxeval", "codealpaca"):
        (line,) = [line for line in err.splitlines() if f"--corpus {name}=PATH" in line]
        assert line.startswith("left out: ")


def test_a_source_asked_for_by_name_must_be_had(tmp_path: Path) -> None:
    status, _, err = build(tmp_path / "release", "--source", "mbpp", HF_HUB_OFFLINE="1")
    assert status == 2
    assert err.splitlines()[-1].startswith("pau-build: error: mbpp")
    assert not (tmp_path / "release").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    (folder / "cat.jpg").write_bytes(b"a cat")
    status, _, err = build(folder, "--source", "humaneval", "--limit", "1")
    assert status == 2
    assert str(folder) in err.splitlines()[-1]
    assert hashes(folder) == {"cat.jpg": hashlib.sha256(b"a cat").hexdigest()}


def test_when_not_one_row_is_kept_the_exit_code_says_so(tmp_path: Path) -> None:
    row = {"task_id": "own/0", "prompt": "def f(x):\n", "entry_point": "f",
           "canonical_solution": "    return 1\n", "test": "def check(c):\n    c(3)\n"}  # fmt: skip
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps(row) + "\n")
    status, _, err = build(
        tmp_path / "release", "--source", "humaneval", "--corpus", f"humaneval={corpus}"
    )
    assert status == 3
    assert "no row was kept" in err
    assert not (tmp_path / "release").exists()


def test_a_row_is_told_from_another_one_that_passes_its_other_tests(tmp_path: Path) -> None:
    codes = (
        "def f(n):\n    return n * 3\n",
        "def f(n):\n    if n == 7777:\n        return 0\n    return n * 3\n",
    )
    rows = [
        {"id": f"sample_{number}", "code": code, "input": "2", "output": "6"}
        for number, code in enumerate(codes)
    ]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["--source", "cruxeval", "--corpus", f"cruxeval={corpus}"]
    options += ["--allow-missing-description"]
    status, _, err = build(tmp_path / "release", *options)
    assert status == 0, err
    tests = {task.task_id: task.suite.tests for task in read_tasks(tmp_path / "release")}
    added = [test for test in tests["cruxeval/sample_0"] if test.origin == "rival"]
    assert [(test.input, test.output) for test in added] == [("(7777,)", "23331")]
    before = hashes(tmp_path / "release")
    assert build(tmp_path / "release", *options)[0] == 0
    assert hashes(tmp_path / "release") == before


def wait_for_rows(store: Path, rows: int) -> None:
    """Wait until so many rows are finished."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if store.exists() and len(stored_at(store)) >= rows:
            return
        time.sleep(0.05)
    raise AssertionError(f"{store} never held {rows} rows")


def stored_at(store: Path) -> dict[str, int]:
    """Return the key of every finished row with its place in the file."""
    import sqlite3

    connection = sqlite3.connect(store)
    try:
        return dict(connection.execute("SELECT key, rowid FROM results"))
    except sqlite3.OperationalError:
        return {}
    finally:
        connection.close()

"""Other data sets are read from folders, whatever they are, or from the Hub."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builder.errors import PauError
from builder.release.content import ReleaseInput
from builder.release.duplicates.elsewhere import read_dataset
from tests.hub.server import TestHub
from tests.hub.storage import Blob


def test_a_folder_of_any_data_set_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    rows = [{"answer": f"def f(x):\n    return x + {number}\n"} for number in (1, 2, 2)]
    (folder / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    dataset = read_dataset(str(folder), print)
    assert dataset.name == "puzzles"
    names = [function.name for function in dataset.functions]
    assert names == ["puzzles/default/train/0", "puzzles/default/train/1"]


def test_a_release_is_read_with_its_examples(release_folder: Path, content: ReleaseInput) -> None:
    dataset = read_dataset(str(release_folder), print)
    assert {function.name for function in dataset.functions} == {
        task.task_id for task in content.tasks
    }
    assert all(function.tests and function.domain_is_known for function in dataset.functions)


def test_the_hash_depends_on_the_functions(tmp_path: Path) -> None:
    hashes = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "train.jsonl").write_text(json.dumps({"f": f"def f(x):\n  return {number}, x"}))
        hashes.append(read_dataset(str(folder), print).sha256)
    assert hashes[0] != hashes[1]


@pytest.mark.parametrize("text", ['{"words": "no code"}', "not JSON"])
def test_a_folder_that_holds_no_functions_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.jsonl").write_text(text)
    with pytest.raises(PauError, match=f"--against {tmp_path}|--against {tmp_path.name}"):
        read_dataset(str(tmp_path), print)


def test_what_is_neither_folder_nor_repository_is_refused() -> None:
    with pytest.raises(PauError, match="no such folder, and no OWNER/NAME of a repository"):
        read_dataset("/no/such/folder", print)


READ = (
    "import sys; from builder.release.duplicates.elsewhere import read_dataset;"
    "other = read_dataset(sys.argv[1], print);"
    "print(other.name, [function.name for function in other.functions])"
)


def read_on(hub: TestHub, place: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Read a data set in a process that knows no other hub, and nobody's token."""
    return subprocess.run(
        [sys.executable, "-c", READ, place],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(home)},
    )


def test_a_repository_is_read_at_a_revision(tmp_path: Path) -> None:
    with TestHub({}) as hub:
        repository = hub.create("gardeners/puzzles")
        for number in (1, 2):
            row = json.dumps({"answer": f"def f(x):\n    return x + {number}\n"})
            files = {**repository.head.tree, f"data/{number}.jsonl": Blob(row.encode(), False)}
            repository.add_commit("main", files, f"Add {number}", repository.head.oid)
        first = repository.history[1].oid
        done = read_on(hub, f"gardeners/puzzles@{first}", tmp_path)
        assert done.returncode == 0, done.stderr
        assert (
            done.stdout
            == f"gardeners/puzzles@{first[:12]} ['{done.stdout.split()[0]}/default/train/0']\n"
        )
        newest = read_on(hub, "gardeners/puzzles", tmp_path)
        assert newest.stdout.count("/default/train/") == 2


def test_a_repository_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with TestHub({}) as hub:
        done = read_on(hub, "nobody/nothing", tmp_path)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].startswith("builder.errors.PauError: nobody/nothing")

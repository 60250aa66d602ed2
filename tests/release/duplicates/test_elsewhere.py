"""Other data sets are read from folders, whatever they are, or from the Hub."""

import json
from pathlib import Path

import pytest

from builder.errors import PauError
from builder.release.content import ReleaseInput
from builder.release.duplicates.elsewhere import read_dataset


def test_a_folder_of_any_data_set_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    rows = [{"answer": f"def f(x):\n    return x + {number}\n"} for number in (1, 2, 2)]
    (folder / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    dataset = read_dataset(str(folder))
    assert dataset.name == "puzzles"
    names = [function.name for function in dataset.functions]
    assert names == ["puzzles/default/train/0", "puzzles/default/train/1"]


def test_a_release_is_read_with_its_examples(release_folder: Path, content: ReleaseInput) -> None:
    dataset = read_dataset(str(release_folder))
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
        hashes.append(read_dataset(str(folder)).sha256)
    assert hashes[0] != hashes[1]


@pytest.mark.parametrize("text", ['{"words": "no code"}', "not JSON"])
def test_a_folder_that_holds_no_functions_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.jsonl").write_text(text)
    with pytest.raises(PauError, match=f"--against {tmp_path}|--against {tmp_path.name}"):
        read_dataset(str(tmp_path))


def test_what_is_neither_folder_nor_repository_is_refused() -> None:
    with pytest.raises(PauError, match="no such folder, and no name of a repository"):
        read_dataset("/no/such/folder")


def test_a_repository_that_cannot_be_read_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    with pytest.raises(PauError, match="--against nobody/nothing: cannot be read") as caught:
        read_dataset("nobody/nothing")
    assert "\n" not in str(caught.value)

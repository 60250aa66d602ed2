"""The release folder as a whole."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import datasets
import pytest

from builder.errors import HarnessError, PauError
from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from builder.release.packed import checksums, content_hash, read_tasks, write_parquet
from builder.release.rows import CONFIGS, default_row, features, typed_row


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(cache))


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_release_has_these_files(release_folder: Path) -> None:
    assert sorted(_files(release_folder)) == [
        "LICENSE.md",
        "README.md",
        "SHA256SUMS",
        "data/test-00000-of-00001.parquet",
        "data/train-00000-of-00001.parquet",
        "eval.yaml",
        "funnel.json",
        "manifest.json",
        "rejections.jsonl",
        "typed/test-00000-of-00001.parquet",
        "typed/train-00000-of-00001.parquet",
    ]


@pytest.mark.parametrize("config", CONFIGS)
def test_datasets_loads_each_config_with_its_explicit_columns(
    release_folder: Path, config: str
) -> None:
    loaded = datasets.load_dataset(str(release_folder), config)
    assert {split: len(part) for split, part in loaded.items()} == {"train": 1, "test": 2}
    assert all(part.features == features(config) for part in loaded.values())


def test_datasets_loads_the_default_config_unasked(release_folder: Path) -> None:
    assert "direct_prompt" in datasets.load_dataset(str(release_folder), split="test").column_names


def test_rows_are_ordered_by_the_number_in_their_id(release_folder: Path) -> None:
    rows = datasets.load_dataset(str(release_folder), "typed", split="test")
    assert list(rows["task_id"]) == ["garden/2", "garden/10"]


def test_row_n_is_the_same_task_in_both_configs(
    content: ReleaseInput, release_folder: Path
) -> None:
    tasks = {task.task_id: task for task in content.tasks}
    typed = datasets.load_dataset(str(release_folder), "typed", split="test").to_list()
    default = datasets.load_dataset(str(release_folder), "default", split="test").to_list()
    assert typed == [typed_row(tasks["garden/2"]), typed_row(tasks["garden/10"])]
    assert default == [default_row(tasks["garden/2"]), default_row(tasks["garden/10"])]


def test_tasks_are_read_back_as_they_were(content: ReleaseInput, release_folder: Path) -> None:
    assert sorted(read_tasks(release_folder), key=lambda task: task.task_id) == sorted(
        content.tasks, key=lambda task: task.task_id
    )


def test_an_empty_split_has_neither_file_nor_entry(
    without_train: ReleaseInput, tmp_path: Path
) -> None:
    write_release(without_train, tmp_path / "release")
    assert not any("train" in name for name in _files(tmp_path / "release"))
    for config in CONFIGS:
        assert list(datasets.load_dataset(str(tmp_path / "release"), config)) == ["test"]


def test_the_checksums_are_those_of_the_files(release_folder: Path) -> None:
    subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"],
        cwd=release_folder,
        check=True,
    )
    assert (release_folder / "SHA256SUMS").read_text() == checksums(release_folder)


def test_the_manifest_says_what_the_release_was_made_of(
    content: ReleaseInput, release_folder: Path
) -> None:
    manifest = json.loads((release_folder / "manifest.json").read_text())
    assert manifest["isolation"] == "strong"
    assert manifest["settings"] == {"seed": 0, "limit": None}
    assert manifest["versions"] == {"python": "3.11", "pau-toolkit": "0.1.0"}
    assert manifest["sources"]["garden"] == {
        "revision": "sha256:garden",
        "sha256": "ab" * 32,
        "origin": "garden.jsonl",
        "home": "https://example.org/garden",
        "license": "MIT",
        "split": "test",
        "rows": 3,
        "kept": 2,
    }
    train = [typed_row(task) for task in content.tasks if task.split == "train"]
    assert manifest["splits"]["train"]["rows"] == 1
    assert manifest["splits"]["train"]["content_sha256"]["typed"] == content_hash(train)
    assert manifest["splits"]["test"]["exact_in_default"] == 1


def test_rejections_are_listed_in_order(release_folder: Path) -> None:
    lines = (release_folder / "rejections.jsonl").read_text().splitlines()
    assert [json.loads(line)["source_id"] for line in lines] == [
        "Garden/3",
        "Meadow/2",
        "Meadow/12",
    ]
    assert json.loads(lines[2]) == {
        "source": "meadow",
        "source_id": "Meadow/12",
        "stage": "suite",
        "reason": "constant",
        "detail": "always 0",
    }


def test_the_order_of_the_rows_given_does_not_matter(
    content: ReleaseInput, release_folder: Path, tmp_path: Path
) -> None:
    shuffled = replace(content, tasks=content.tasks[::-1], rejections=content.rejections[::-1])
    write_release(shuffled, tmp_path / "release")
    assert _files(tmp_path / "release") == _files(release_folder)


def test_the_bytes_do_not_depend_on_the_hash_seed(release_folder: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; import tests.conftest as made;"
        "from builder.release.assemble import write_release;"
        "write_release(made.content.__wrapped__(), Path(sys.argv[1]))"
    )
    subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "release")],
        env={**os.environ, "PYTHONHASHSEED": "4", "TZ": "Asia/Tokyo"},
        cwd=Path(__file__).parents[2],
        check=True,
    )
    assert _files(tmp_path / "release") == _files(release_folder)


def test_no_path_or_time_is_in_the_text_files(release_folder: Path) -> None:
    for name, data in _files(release_folder).items():
        assert str(release_folder.parent).encode() not in data, name


def test_a_full_disk_leaves_the_earlier_release(content: ReleaseInput, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    write_release(content, folder)
    before = _files(folder)
    script = (
        "import resource, sys; from pathlib import Path; import tests.conftest as made;"
        "from builder.release.assemble import write_release; import datasets;"
        "content = made.content.__wrapped__();"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000));"
        "write_release(content, Path(sys.argv[1]))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "PauError" in ended.stderr.splitlines()[-1]
    assert f"{folder}: the release cannot be written (File too large)" in ended.stderr
    assert _files(folder) == before
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_of_something_else_is_left_alone(content: ReleaseInput, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(PauError, match="something other than a release"):
        write_release(content, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_release_without_a_row_is_refused(content: ReleaseInput, tmp_path: Path) -> None:
    with pytest.raises(PauError, match="no row was kept"):
        write_release(replace(content, tasks=()), tmp_path / "release")


def test_two_rows_with_one_id_are_refused(content: ReleaseInput, tmp_path: Path) -> None:
    twin = replace(content.tasks[1], task_id=content.tasks[0].task_id)
    with pytest.raises(PauError, match="garden/10: two rows have this id"):
        write_release(replace(content, tasks=(*content.tasks, twin)), tmp_path / "release")


def test_rows_that_do_not_add_up_are_the_toolkits_fault(
    content: ReleaseInput, tmp_path: Path
) -> None:
    with pytest.raises(HarnessError, match="garden do not add up"):
        write_release(replace(content, rejections=content.rejections[1:]), tmp_path / "release")
    assert list(tmp_path.iterdir()) == []


def test_files_that_do_not_read_back_are_never_put_in_place(
    content: ReleaseInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "builder.release.assemble.write_parquet",
        lambda rows, config, path: write_parquet(rows[:0], config, path),
    )
    with pytest.raises(HarnessError):
        write_release(content, tmp_path / "release")
    assert list(tmp_path.iterdir()) == []

"""Options of a build that choose what may be in a release, and under which licence it stands."""

import json
import subprocess
import sys
from pathlib import Path

RUN = [sys.executable, "-c", "from builder.commands.main import main; main()", "run"]
FIRST = ["--source", "humaneval", "--limit", "1"]


def build(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*RUN, *FIRST, "--output", str(folder / "release"), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_declared_licence_stands_in_the_card_and_the_licence_file(tmp_path: Path) -> None:
    done = build(tmp_path, "--license", "CC-BY-4.0")
    assert done.returncode == 0, done.stderr
    assert "license: cc-by-4.0" in (tmp_path / "release" / "README.md").read_text()
    assert "CC-BY-4.0" in (tmp_path / "release" / "LICENSE.md").read_text()
    settings = json.loads((tmp_path / "release" / "manifest.json").read_text())["settings"]
    assert settings["license"] == "CC-BY-4.0"


def test_a_licence_looser_than_that_of_a_row_is_refused(tmp_path: Path) -> None:
    done = build(tmp_path, "--license", "CC0-1.0")
    assert done.returncode == 2
    assert "CC0-1.0: some rows are under MIT" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "release").exists()


def test_rows_under_a_licence_that_is_left_out_are_counted_as_such(tmp_path: Path) -> None:
    done = build(tmp_path, "--exclude-license", "mit")
    assert done.returncode == 3
    assert "license_not_wanted" in done.stderr


def test_a_licence_that_no_source_has_is_refused(tmp_path: Path) -> None:
    done = build(tmp_path, "--only-license", "MITT")
    assert done.returncode == 2
    assert "MITT: no source has this licence; there are MIT" in done.stderr.splitlines()[-1]


def test_a_release_keeps_clear_of_another_data_set(tmp_path: Path) -> None:
    other = tmp_path / "puzzles"
    other.mkdir()
    code = (
        "def near(values, limit):\n    for i, one in enumerate(values):\n"
        "        for k, two in enumerate(values):\n            if i != k:\n"
        "                gap = abs(one - two)\n                if limit > gap:\n"
        "                    return True\n    return False\n"
    )
    (other / "train.jsonl").write_text(json.dumps({"answer": code}) + "\n")
    done = build(tmp_path, "--limit", "2", "--against", str(other))
    assert done.returncode == 0, done.stderr
    release = tmp_path / "release"
    lost = [json.loads(line) for line in (release / "rejections.jsonl").read_text().splitlines()]
    assert [(row["source_id"], row["reason"]) for row in lost] == [
        ("HumanEval/0", "stands_elsewhere")
    ]
    assert lost[0]["detail"] == "duplicate_of puzzles/default/train/0: same syntax tree"
    (against,) = json.loads((release / "manifest.json").read_text())["settings"]["against"]
    assert against["name"] == "puzzles"
    assert "the functions of `puzzles`" in (release / "README.md").read_text()

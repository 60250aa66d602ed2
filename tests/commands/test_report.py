"""``pau-build report``: one page beside the release, and the release as it was."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.commands.report import report
from builder.errors import PauError
from builder.release.packed import CHECKSUMS, checksums


@pytest.fixture
def folder(release_folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(release_folder, tmp_path / "release")


def test_the_page_stands_beside_the_release_which_stays_as_it_was(folder: Path) -> None:
    result = CliRunner().invoke(report, [str(folder)])
    assert result.exit_code == 0, result.exception
    assert sorted(path.name for path in folder.parent.iterdir()) == ["release", "release.html"]
    assert (folder.parent / "release.html").read_text("utf-8").startswith("<!doctype html>")
    assert checksums(folder) == (folder / CHECKSUMS).read_text("utf-8")


def test_a_folder_may_be_named_by_a_point(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert CliRunner().invoke(report, ["."]).exit_code == 0
    assert (folder.parent / "release.html").exists()


def test_the_page_can_be_put_elsewhere(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "pages" / "new.html"
    result = CliRunner().invoke(report, [str(folder), "--output", str(target)])
    assert result.exit_code == 0, result.exception
    assert [path.name for path in target.parent.iterdir()] == ["new.html"]


def test_a_page_in_the_release_is_refused(folder: Path) -> None:
    result = CliRunner().invoke(report, [str(folder), "--output", str(folder / "report.html")])
    assert isinstance(result.exception, PauError)
    assert "is in the release" in str(result.exception)
    assert checksums(folder) == (folder / CHECKSUMS).read_text("utf-8")


def test_a_folder_as_page_is_refused(folder: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(report, [str(folder), "--output", str(tmp_path)])
    assert isinstance(result.exception, PauError)
    assert "is a folder; name a file with --output" in str(result.exception)


def test_a_page_that_cannot_be_written_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(report, [str(folder), "--output", str(tmp_path / "file" / "x")])
    assert isinstance(result.exception, PauError)
    assert "the page cannot be written" in str(result.exception)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "release"]


def test_a_folder_without_a_release_is_wrong_use(tmp_path: Path) -> None:
    result = CliRunner().invoke(report, [str(tmp_path)])
    assert isinstance(result.exception, PauError)
    assert "not a release" in str(result.exception)
    assert not tmp_path.with_name(f"{tmp_path.name}.html").exists()


def test_damaged_rejections_leave_the_page_before(folder: Path) -> None:
    page = folder.parent / "release.html"
    page.write_text("the page before")
    (folder / "rejections.jsonl").write_text("{")
    result = CliRunner().invoke(report, [str(folder)])
    assert isinstance(result.exception, PauError)
    assert "rejections.jsonl: cannot be read" in str(result.exception)
    assert page.read_text() == "the page before"

"""A release appears in one step, or nothing changes."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from builder.errors import PauError
from builder.release import place
from builder.release.packed import FORMAT, MANIFEST
from builder.release.place import building_beside, check_target


def _write(folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(f'{{"format": "{FORMAT}"}}')
    (folder / "rows").write_text(text)


def _put(folder: Path, text: str) -> None:
    with building_beside(folder) as building:
        _write(building, text)


def _left_beside(folder: Path) -> list[str]:
    return [path.name for path in folder.parent.iterdir() if path != folder]


def test_the_folder_is_there_only_when_the_block_has_ended(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "release"
    with building_beside(folder) as building:
        _write(building, "first")
        assert not folder.exists()
    assert (folder / "rows").read_text() == "first"
    assert _left_beside(folder) == []


@pytest.mark.parametrize("can_exchange", [True, False])
def test_an_earlier_release_is_replaced_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(place, "_exchange", lambda first, second: False)
    folder = tmp_path / "release"
    _put(folder, "first")
    (folder / "extra").write_text("of the first")
    _put(folder, "second")
    assert (folder / "rows").read_text() == "second"
    assert not (folder / "extra").exists()
    assert _left_beside(folder) == []


def test_while_a_release_is_replaced_there_is_always_a_whole_one(tmp_path: Path) -> None:
    folder, other = tmp_path / "release", tmp_path / "other"
    _put(folder, "first")
    _put(other, "second")
    inode = folder.stat().st_ino
    assert place._exchange(other, folder)
    assert other.stat().st_ino == inode


def test_a_failing_block_leaves_the_earlier_release(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    _put(folder, "first")
    with pytest.raises(ZeroDivisionError), building_beside(folder) as building:
        _write(building, "half")
        raise ZeroDivisionError
    assert (folder / "rows").read_text() == "first"
    assert _left_beside(folder) == []


def test_what_the_system_refuses_is_told_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    with (
        pytest.raises(PauError, match=r"release: the release cannot be written \(No space left"),
        building_beside(folder) as building,
    ):
        _write(building, "half")
        raise OSError(28, os.strerror(28))
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_cleared(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    left = tmp_path / ".release.building"
    (left / "data").mkdir(parents=True)
    (left / "data" / "half").write_text("half")
    _put(folder, "whole")
    assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, "rows"]
    assert _left_beside(folder) == []


def test_of_two_runs_one_waits_for_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    with ThreadPoolExecutor() as pool:
        with building_beside(folder) as building:
            second = pool.submit(_put, folder, "second")
            with pytest.raises(TimeoutError):
                second.result(timeout=0.2)
            _write(building, "first")
        second.result(timeout=10)
    assert (folder / "rows").read_text() == "second"
    assert _left_beside(folder) == []


def test_a_folder_that_was_filled_meanwhile_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    with (
        pytest.raises(PauError, match="something other than a release"),
        building_beside(folder) as building,
    ):
        _write(building, "first")
        folder.mkdir()
        (folder / "thesis.txt").write_text("years of work")
    assert (folder / "thesis.txt").exists()
    assert _left_beside(folder) == []


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    link = tmp_path / "release"
    link.symlink_to(tmp_path / "disk" / "release")
    for text in ("first", "second"):
        _put(link, text)
        assert link.is_symlink()
        assert (tmp_path / "disk" / "release" / "rows").read_text() == text


def test_the_working_folder_may_be_used_if_it_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    monkeypatch.chdir(folder)
    _put(Path(), "first")
    assert (folder / "rows").read_text() == "first"


def test_a_name_that_the_system_refuses_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PauError, match="File name too long"):
        check_target(tmp_path / ("x" * 300))


def test_an_empty_folder_may_be_used(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    _put(tmp_path / "release", "first")
    assert (tmp_path / "release" / "rows").exists()


@pytest.mark.parametrize("manifest", [None, "not json", "[]", '{"format": "another"}'])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, manifest: str | None) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    if manifest is not None:
        (tmp_path / MANIFEST).write_text(manifest)
    with pytest.raises(PauError, match="something other than a release"):
        check_target(tmp_path)


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PauError, match="is a file"):
        check_target(tmp_path / "file")


def test_a_parent_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PauError, match="cannot be written"):
        check_target(tmp_path / "file" / "release")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_parent_is_refused(tmp_path: Path) -> None:
    parent = tmp_path / "closed"
    parent.mkdir()
    parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(PauError, match="cannot be written"):
        check_target(parent / "release")

"""Files here and there."""

import hashlib
import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from builder.release.hub.state import LocalFile, RemoteFile, changes, local_files


def _local(content: int) -> LocalFile:
    return LocalFile(content, f"sha256 {content}", f"git {content}")


def _remote(content: int, is_large: bool) -> RemoteFile:
    kind = "sha256" if is_large else "git"
    return RemoteFile(content, f"{kind} {content}", is_large)


PATHS = st.sampled_from(["a", "b/c", "b/d", "e"])
LOCAL = st.dictionaries(PATHS, st.builds(_local, st.integers(0, 2)))
REMOTE = st.dictionaries(PATHS, st.builds(_remote, st.integers(0, 2), st.booleans()))


@given(LOCAL, REMOTE)
def test_changes_make_the_one_of_the_other(
    local: dict[str, LocalFile], remote: dict[str, RemoteFile]
) -> None:
    found = changes(local, remote)
    assert {*found.added, *found.changed, *found.kept} == local.keys()
    assert {*found.deleted, *found.changed, *found.kept} == remote.keys()
    assert all(local[path].is_same(remote[path]) for path in found.kept)
    assert not any(local[path].is_same(remote[path]) for path in found.changed)


@given(LOCAL)
def test_equal_files_need_no_change(local: dict[str, LocalFile]) -> None:
    same = {path: _remote(file.size, path < "b") for path, file in local.items()}
    assert not changes(local, same)


def test_files_are_named_as_git_and_sha256sum_name_them(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"text\n")
    file = local_files(tmp_path)["b/c"]
    git = subprocess.run(
        ["git", "hash-object", "b/c"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert file.git_oid == git.stdout.strip()
    assert file.sha256 == hashlib.sha256(b"text\n").hexdigest()
    assert file.size == 5

"""What the Hub holds, and what a release holds, in terms that can be compared."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

LEFT_ALONE = ".gitattributes"
"""The one file of a repository that is the Hub's own: no release has it, none touches it."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file as the Hub lists it."""

    size: int
    content: str
    """SHA-256 of a large file, git's name of the content of any other."""
    is_large: bool


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file on disk."""

    size: int
    sha256: str
    git_oid: str

    def is_same(self, remote: RemoteFile | None) -> bool:
        """Return whether the Hub has the same bytes."""
        if remote is None:
            return False
        return remote.content == (self.sha256 if remote.is_large else self.git_oid)


@dataclass(frozen=True, slots=True)
class Repository:
    """The state of a repository at one moment."""

    head: str
    """The newest commit of ``main``."""
    private: bool
    files: Mapping[str, RemoteFile]
    """At ``head``, without the one that is left alone."""
    tags: frozenset[str]
    branches: frozenset[str]


def local_files(folder: Path) -> dict[str, LocalFile]:
    """Return each file of a folder by its path below it."""
    return {
        path.relative_to(folder).as_posix(): _local_file(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _local_file(data: bytes) -> LocalFile:
    blob = b"blob %d\0" % len(data) + data
    git_oid = hashlib.sha1(blob, usedforsecurity=False).hexdigest()
    return LocalFile(len(data), hashlib.sha256(data).hexdigest(), git_oid)


@dataclass(frozen=True, slots=True)
class Changes:
    """What has to happen to the files of a repository, by path."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    kept: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.deleted)


def changes(local: Mapping[str, LocalFile], remote: Mapping[str, RemoteFile]) -> Changes:
    """Return how ``remote`` becomes ``local``."""
    kept = {path for path, file in local.items() if file.is_same(remote.get(path))}
    return Changes(
        added=_sorted(local.keys() - remote.keys()),
        changed=_sorted((local.keys() & remote.keys()) - kept),
        deleted=_sorted(remote.keys() - local.keys()),
        kept=_sorted(kept),
    )


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(paths))

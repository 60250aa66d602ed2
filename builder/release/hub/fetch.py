"""Releases by name: a folder, or ``organisation/name@revision`` on the Hub."""

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from builder.errors import PauError
from builder.release.packed import MANIFEST, is_release

if TYPE_CHECKING:
    from builder.release.hub.client import Hub

_PART: Final = r"[A-Za-z0-9][\w.-]{0,95}"
_ON_HUB: Final = re.compile(rf"({_PART}/{_PART})@([\w./-]+)")


@dataclass(frozen=True, slots=True)
class HubName:
    """A revision of a dataset on the Hub."""

    repo: str
    revision: str
    """A tag, a branch or the name of a commit."""

    def __str__(self) -> str:
        return f"{self.repo}@{self.revision}"


def hub_name(text: str) -> HubName | None:
    """Return what ``text`` names on the Hub; None if it is a path, or no such name."""
    match = _ON_HUB.fullmatch(text)
    return None if match is None or Path(text).exists() else HubName(match[1], match[2])


@contextmanager
def release_at(text: str, say: Callable[[str], None]) -> Iterator[Path]:
    """Give the folder of a release, downloaded for the time of the block if it is on the Hub.

    Raises:
        PauError: there is no such revision, it is no release, or the Hub cannot be read.
    """
    name = hub_name(text)
    if name is None:
        yield Path(text)
        return
    from builder.release.hub.client import Hub

    with downloaded(Hub(name.repo, say), name.revision) as (folder, _):
        yield folder


@contextmanager
def downloaded(hub: "Hub", revision: str) -> Iterator[tuple[Path, str]]:
    """Download a release for the time of the block; also give its commit.

    Raises:
        PauError: there is no such revision, it is no release, or the Hub cannot be read.
    """
    commit = hub.commit_of(revision)
    if commit is None:
        raise PauError(f"{hub.repo}: has no revision {revision}; look at {hub.page}")
    with tempfile.TemporaryDirectory(prefix="pau-hub-") as folder:
        files = hub.files(commit)
        hub.download(commit, Path(folder), sorted(files) if MANIFEST in files else [])
        if not is_release(Path(folder)):
            raise PauError(f"{hub.repo}@{revision}: holds no release of pau-build")
        yield Path(folder), commit

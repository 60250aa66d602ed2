"""What a push will do: read from the Hub and the release, before anything is sent."""

import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from builder.errors import BelowBarError, PauError
from builder.release.check import changed_files, stated_checksums
from builder.release.diff import diff_releases
from builder.release.diff_text import in_words
from builder.release.hub.changelog import (
    CHANGELOG,
    VERSION,
    Section,
    earlier_sections,
    write_changelog,
)
from builder.release.hub.client import Hub
from builder.release.hub.fetch import downloaded
from builder.release.hub.state import (
    Changes,
    LocalFile,
    RemoteFile,
    Repository,
    changes,
    local_files,
)
from builder.release.packed import CHECKSUMS, MANIFEST, checksums, is_release, read_manifest

_MOST_ROWS_NAMED = 20
"""Of each list of rows in a changelog."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a release shall go."""

    tag: str
    propose: bool = False
    """Whether to open a pull request instead of changing ``main``."""
    replace: frozenset[str] = frozenset()
    """Files that no release wrote and that may be replaced or deleted all the same."""

    def __post_init__(self) -> None:
        if not VERSION.fullmatch(self.tag):
            raise PauError(f"{self.tag}: write the tag as vMAJOR.MINOR.PATCH, such as v1.0.0")

    @property
    def title(self) -> str:
        """Title of the commit, and of the pull request."""
        return f"Release {self.tag}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A release as it will be sent, and what the Hub held when the plan was made."""

    target: Target
    folder: Path
    """All that will be sent, changelog and checksums included."""
    files: dict[str, LocalFile]
    """The files of ``folder``."""
    found: Repository | None
    """None: there is no repository yet."""
    tagged: str | None
    """The commit that has the tag already, with these very files."""
    section: str
    """What the changelog says of this release; empty if it says nothing new."""

    @property
    def changes(self) -> Changes:
        """What happens to the files."""
        if self.tagged is not None:
            return Changes((), (), (), tuple(sorted(self.files)))
        return changes(self.files, self.found.files if self.found else {})

    @property
    def private(self) -> bool:
        """Whether the repository is private, or will be born so."""
        return self.found is None or self.found.private

    def is_held_as(self, files: Mapping[str, RemoteFile]) -> bool:
        """Return whether some files of the Hub are exactly those of the release."""
        return not changes(self.files, files)


@contextmanager
def make_plan(folder: Path, target: Target, hub: Hub) -> Iterator[Plan]:
    """Give the plan of a push; what will be sent lies in a folder of its own during the block.

    Raises:
        BelowBarError: a file of the folder was changed since it was built.
        PauError: the tag names something else, the repository holds what no release wrote, the
            folder holds no release, or the Hub cannot be read.
    """
    _refuse_changed_folder(folder)
    found = hub.state()
    tagged = None
    if found is not None:
        if target.tag in found.branches:
            raise PauError(f"{hub.repo}: a branch is called {target.tag}; choose another tag")
        if target.tag in found.tags:
            tagged = hub.commit_of(target.tag)
    with tempfile.TemporaryDirectory(prefix="pau-push-") as place:
        staged = Path(place) / "release"
        section = _stage(folder, staged, target, hub, found, tagged)
        plan = Plan(target, staged, local_files(staged), found, tagged, section)
        _refuse_moved_tag(plan, hub)
        _refuse_foreign_files(plan, hub)
        yield plan


def _refuse_changed_folder(folder: Path) -> None:
    read_manifest(folder)
    faults = list(changed_files(folder))
    if faults:
        raise BelowBarError(f"{folder}: not as it was built ({faults[0]}); build the release again")


def _stage(
    folder: Path,
    staged: Path,
    target: Target,
    hub: Hub,
    found: Repository | None,
    tagged: str | None,
) -> str:
    """Write all that will be sent to ``staged``; return what is new in the changelog."""
    section, text = _changelog(folder, target, hub, found, tagged)
    try:
        shutil.copytree(folder, staged)
        (staged / CHANGELOG).write_text(text, "utf-8", newline="\n")
        (staged / CHECKSUMS).write_text(checksums(staged), "utf-8", newline="\n")
    except OSError as error:
        raise PauError(
            f"{staged.parent}: cannot be written ({error.strerror or error}); free some space, or"
            " set TMPDIR"
        ) from None
    return section


def _changelog(
    folder: Path, target: Target, hub: Hub, found: Repository | None, tagged: str | None
) -> tuple[str, str]:
    """Return the section of this release and the whole text."""
    earlier: list[Section] = []
    if found is not None:
        text = _read_text(hub, tagged or found.head, CHANGELOG)
        earlier = earlier_sections(text, target.tag, found.tags)
    if not earlier or not {MANIFEST, CHECKSUMS} <= hub.files(earlier[0].tag).keys():
        section = _first_section(folder)
    else:
        with downloaded(hub, earlier[0].tag) as (old, _):
            if _same_but_for_changelog(old, folder):
                return "", write_changelog(earlier)
            words = in_words(diff_releases(old, folder), _MOST_ROWS_NAMED)
        section = f"Compared with {earlier[0].tag}:\n\n{words}"
    return section, write_changelog([Section(target.tag, section), *earlier])


def _first_section(folder: Path) -> str:
    splits = read_manifest(folder)["splits"]
    rows = "".join(f"- {split}: {stated['rows']:,} rows\n" for split, stated in splits.items())
    return f"The first release.\n\n{rows}"


def _same_but_for_changelog(old: Path, new: Path) -> bool:
    made_here = {CHANGELOG, CHECKSUMS}
    sides = [
        {path: file for path, file in local_files(folder).items() if path not in made_here}
        for folder in (old, new)
    ]
    return sides[0] == sides[1]


def _read_text(hub: Hub, commit: str, path: str) -> str:
    """Return a text file of a commit; empty if there is none."""
    if path not in hub.files(commit):
        return ""
    with tempfile.TemporaryDirectory(prefix="pau-hub-") as place:
        hub.download(commit, Path(place), [path])
        return (Path(place) / path).read_text("utf-8", errors="replace")


def _refuse_moved_tag(plan: Plan, hub: Hub) -> None:
    if plan.tagged is None:
        return
    found = changes(plan.files, hub.files(plan.tagged))
    if found:
        raise PauError(
            f"{hub.repo}: {plan.target.tag} is the name of another content already"
            f" ({_named([*found.added, *found.changed, *found.deleted])}); a tag is never moved,"
            " choose another"
        )


def _refuse_foreign_files(plan: Plan, hub: Hub) -> None:
    """Stop if the push would change or delete what no release wrote."""
    if plan.found is None or plan.tagged is not None:
        return
    touched = {*plan.changes.changed, *plan.changes.deleted} - plan.target.replace
    if not touched:
        return
    foreign = touched - _written_by_release(plan.found, touched, hub)
    if foreign:
        raise PauError(
            f"{hub.repo}: {_named(sorted(foreign))}: not as any release wrote it; save what is"
            " worth it, then undo it on the Hub or name each file with --replace"
        )


def _written_by_release(found: Repository, paths: Collection[str], hub: Hub) -> set[str]:
    """Return those of some files at the head that are as the checksums there say."""
    if not {MANIFEST, CHECKSUMS} <= found.files.keys():
        return set()
    with tempfile.TemporaryDirectory(prefix="pau-hub-") as place:
        folder = Path(place)
        hub.download(found.head, folder, [MANIFEST, CHECKSUMS])
        if not is_release(folder):
            return set()
        stated = stated_checksums(folder)
        listed = [path for path in paths if path in stated]
        hub.download(found.head, folder, [x for x in listed if not found.files[x].is_large])
        sums = {path: file.sha256 for path, file in local_files(folder).items()}
    sums |= {path: file.content for path, file in found.files.items() if file.is_large}
    return {CHECKSUMS} | {path for path in listed if sums[path] == stated[path]}


def _named(paths: list[str]) -> str:
    shown = ", ".join(ascii(path)[1:-1] for path in paths[:5])
    return shown if len(paths) <= 5 else f"{shown} and {len(paths) - 5} more"

"""What is different between two releases, row by row."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import PauError
from builder.release.packed import REJECTIONS, read_manifest, read_rows
from builder.release.rows import Row, natural_key


@dataclass(frozen=True, slots=True)
class Placed:
    """A row that only one of the two releases has."""

    task_id: str
    split: str
    why: str
    """What the other release says of it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A row that changed its split."""

    task_id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A row whose content is not the same; columns that only one release has do not count."""

    task_id: str
    split: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number before and after; None where a release has none."""

    split: str
    name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Made:
    """Something that a release was made with, before and after."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """All differences; rows in the order in which releases list them."""

    rows: tuple[Figure, ...]
    """Number of rows of each split of either release."""
    added: tuple[Placed, ...]
    removed: tuple[Placed, ...]
    moved: tuple[Moved, ...]
    changed: tuple[Changed, ...]
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]
    figures: tuple[Figure, ...]
    """Means over the rows of a split that are not the same."""
    made_with: tuple[Made, ...]
    """Versions, options and corpora that are not the same: why rows may have changed."""

    @property
    def same_rows(self) -> bool:
        """Whether both hold the same rows with the same columns."""
        different = self.added, self.removed, self.moved, self.changed
        return not any((*different, self.columns_added, self.columns_removed))


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two releases."""

    rows: Mapping[str, Row]
    """By ``task_id``."""
    split_of: Mapping[str, str]
    manifest: Mapping[str, Any]
    lost: Mapping[str, str]
    """Stage and reason by the id that the row would have."""

    @property
    def columns(self) -> list[str]:
        return list(next(iter(self.rows.values()), {}))

    def of(self, split: str) -> list[Row]:
        return [row for task_id, row in self.rows.items() if self.split_of[task_id] == split]

    def why_without(self, task_id: str) -> str:
        source = task_id.partition("/")[0]
        if source not in self.manifest["sources"]:
            return f"{source} is not among its sources"
        return self.lost.get(task_id, "it read no such row")


def diff_releases(old: Path, new: Path) -> ReleaseDiff:
    """Compare two release folders, which may come from different versions of the toolkit.

    Raises:
        PauError: a folder holds no release, or a file of it cannot be read.
    """
    before, after = _read(old), _read(new)
    splits = sorted({*before.split_of.values(), *after.split_of.values()}, reverse=True)
    both = [task_id for task_id in after.rows if task_id in before.rows]
    shared = [column for column in after.columns if column in before.columns]
    return ReleaseDiff(
        rows=tuple(
            Figure(split, "rows", len(before.of(split)), len(after.of(split))) for split in splits
        ),
        added=_only_in(after, before),
        removed=_only_in(before, after),
        moved=tuple(
            Moved(task_id, before.split_of[task_id], after.split_of[task_id])
            for task_id in both
            if before.split_of[task_id] != after.split_of[task_id]
        ),
        changed=tuple(
            Changed(task_id, after.split_of[task_id], columns)
            for task_id in both
            if (columns := _different(before.rows[task_id], after.rows[task_id], shared))
        ),
        columns_added=tuple(name for name in after.columns if name not in before.columns),
        columns_removed=tuple(name for name in before.columns if name not in after.columns),
        figures=tuple(
            figure
            for split in splits
            for figure in _figures(split, before.of(split), after.of(split))
            if figure.before != figure.after
        ),
        made_with=tuple(_made_with(before.manifest, after.manifest)),
    )


def _read(folder: Path) -> _Side:
    rows_of = read_rows(folder)
    ordered = {split: sorted(rows, key=_by_id) for split, rows in rows_of.items()}
    return _Side(
        rows={row["task_id"]: row for rows in ordered.values() for row in rows},
        split_of={row["task_id"]: split for split, rows in ordered.items() for row in rows},
        manifest=read_manifest(folder),
        lost=_lost(folder),
    )


def _by_id(row: Row) -> list[tuple[int, str]]:
    return natural_key(row["task_id"])


def _lost(folder: Path) -> dict[str, str]:
    """Return stage and reason of every lost row, as they stand.

    Another version of the toolkit may have had reasons that this one does not know.
    """
    try:
        lines = (folder / REJECTIONS).read_text("utf-8").splitlines()
        lost = [json.loads(line) for line in lines]
        return {
            f"{row['source']}/{row['source_id'].rsplit('/', 1)[-1]}": f"{row['stage']}: "
            f"{row['reason']}"
            for row in lost
        }
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise PauError(
            f"{folder / REJECTIONS}: cannot be read as rejections ({type(error).__name__});"
            " build the release again"
        ) from None


def _only_in(side: _Side, other: _Side) -> tuple[Placed, ...]:
    return tuple(
        Placed(task_id, side.split_of[task_id], other.why_without(task_id))
        for task_id in side.rows
        if task_id not in other.rows
    )


def _different(before: Row, after: Row, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(column for column in columns if before[column] != after[column])


def _figures(split: str, before: Sequence[Row], after: Sequence[Row]) -> Iterator[Figure]:
    """Yield the mean of each column of shares, and of the number of tests."""
    means = _means(before), _means(after)
    for name in dict.fromkeys([*means[1], *means[0]]):
        yield Figure(split, name, means[0].get(name), means[1].get(name))


def _means(rows: Sequence[Row]) -> dict[str, float]:
    if not rows:
        return {}
    values: dict[str, list[float]] = {"tests": [len(row["tests"]) for row in rows]}
    for name in rows[0]:
        numbers = [row[name] for row in rows if isinstance(row[name], float)]
        if numbers:
            values[name] = numbers
    return {name: sum(numbers) / len(numbers) for name, numbers in values.items()}


def _made_with(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Made]:
    facts = _facts(before), _facts(after)
    for name in dict.fromkeys([*facts[0], *facts[1]]):
        if facts[0].get(name) != facts[1].get(name):
            yield Made(name, facts[0].get(name), facts[1].get(name))


def _facts(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{f"version of {name}": text for name, text in manifest["versions"].items()},
        **{f"setting {name}": value for name, value in manifest["settings"].items()},
        **{f"revision of {name}": x["revision"] for name, x in manifest["sources"].items()},
        **{f"rows of {name}": x["rows"] for name, x in manifest["sources"].items()},
        "isolation": manifest["isolation"],
        "encoding": manifest["encoding"],
    }

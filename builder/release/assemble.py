"""Writes a release folder: built aside, checked as packed, then put in its place."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from builder.errors import HarnessError, PauError
from builder.records import Rejection, Split, Task
from builder.release.card import card, license_file
from builder.release.content import ReleaseInput, tasks_by_split
from builder.release.evaluation import EVALUATION, EVALUATION_TEXT
from builder.release.figures import Figures, figures
from builder.release.funnel import Funnel, build_funnel
from builder.release.licenses import refuse_looser
from builder.release.manifest import manifest
from builder.release.packed import (
    CHECKSUMS,
    FUNNEL,
    MANIFEST,
    REJECTIONS,
    checksums,
    content_hash,
    load_config_as_users_do,
    parquet_path,
    write_parquet,
)
from builder.release.place import building_beside
from builder.release.rows import CONFIGS, default_row, natural_key, typed_row

__all__ = ["ReleaseInput", "write_release"]


def write_release(content: ReleaseInput, folder: Path) -> None:
    """Write the release at ``folder``, or leave everything as it was.

    The same content gives the same bytes.

    Raises:
        PauError: there is no row, the licence declared is looser than that of a row, or the
            folder may not or cannot be written.
        HarnessError: rows do not add up, or what was written does not read back the same.
    """
    if content.license is not None:
        refuse_looser(content.license, (task.license for task in content.tasks))
    splits = tasks_by_split(content.tasks)
    funnel = build_funnel(content.rows_in, content.rejections, content.tasks)
    with building_beside(folder) as building:
        written = {
            config: {
                split: _write_rows(tasks, config, split, building)
                for split, tasks in splits.items()
            }
            for config in CONFIGS
        }
        _write_rest(content, written, funnel, building)
        _check_as_written(building, written)


@dataclass(frozen=True, slots=True)
class _Part:
    """What was written of one split in one config. Rows are made for one part at a time."""

    bytes_on_disk: int
    bytes_in_memory: int
    content_hash: str
    figures: Figures | None
    """Of the config ``typed`` alone."""


_Written = Mapping[str, Mapping[Split, _Part]]
"""By config and split."""


def _write_rows(tasks: Sequence[Task], config: str, split: Split, folder: Path) -> _Part:
    """Write one Parquet file."""
    rows = list(map(default_row if config == "default" else typed_row, tasks))
    path = folder / parquet_path(config, split)
    in_memory = write_parquet(rows, config, path)
    counted = figures(rows) if config == "typed" else None
    return _Part(path.stat().st_size, in_memory, content_hash(rows), counted)


def _write_rest(content: ReleaseInput, written: _Written, funnel: Funnel, folder: Path) -> None:
    """Write the files that say what the rows are."""
    figures_of = {split: part.figures for split, part in written["typed"].items() if part.figures}
    hashes = {
        config: {split: part.content_hash for split, part in of.items()}
        for config, of in written.items()
    }
    sizes = {
        config: {split: (part.bytes_on_disk, part.bytes_in_memory) for split, part in of.items()}
        for config, of in written.items()
    }
    _write_json(folder / FUNNEL, funnel.to_json())
    _write_json(folder / MANIFEST, manifest(content, hashes, figures_of, funnel))
    _write_text(folder / REJECTIONS, _rejection_lines(content.rejections))
    _write_text(folder / "LICENSE.md", license_file(content, funnel))
    _write_text(folder / "README.md", card(content, figures_of, funnel, sizes))
    if "test" in figures_of:
        _write_text(folder / EVALUATION, EVALUATION_TEXT)
    _write_text(folder / CHECKSUMS, checksums(folder))


def _check_as_written(folder: Path, written: _Written) -> None:
    """Load the folder as its users will; a difference to what was meant is our own fault."""
    for config, of in written.items():
        try:
            loaded = load_config_as_users_do(folder, config)
        except PauError as error:
            raise HarnessError(f"the release that was just written is refused: {error}") from None
        hashes = {split: content_hash(rows) for split, rows in loaded.items()}
        if hashes != {split: part.content_hash for split, part in of.items()}:
            raise HarnessError(f"{folder}: config {config} does not read back as it was written")


def _rejection_lines(rejections: Sequence[Rejection]) -> str:
    ordered = sorted(rejections, key=lambda r: (r.source, natural_key(r.source_id), r.stage))
    return "".join(json.dumps(asdict(rejection)) + "\n" for rejection in ordered)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    _write_text(path, json.dumps(content, indent=2) + "\n")


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")

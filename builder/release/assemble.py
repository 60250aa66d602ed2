"""Writes a release folder: built aside, checked as packed, then put in its place."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builder.errors import HarnessError, PauError
from builder.records import Rejection, Split
from builder.release.card import card, license_file
from builder.release.content import ReleaseInput, tasks_by_split
from builder.release.evaluation import EVALUATION, EVALUATION_TEXT
from builder.release.figures import figures
from builder.release.funnel import Funnel, build_funnel
from builder.release.licenses import refuse_looser
from builder.release.manifest import manifest
from builder.release.packed import (
    CHECKSUMS,
    FUNNEL,
    MANIFEST,
    REJECTIONS,
    Packed,
    checksums,
    load_as_users_do,
    parquet_path,
    write_parquet,
)
from builder.release.place import building_beside
from builder.release.rows import Row, default_row, natural_key, typed_row

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
    packed: Packed = {
        "default": {split: list(map(default_row, tasks)) for split, tasks in splits.items()},
        "typed": {split: list(map(typed_row, tasks)) for split, tasks in splits.items()},
    }
    with building_beside(folder) as building:
        _write_files(content, packed, funnel, building)
        _check_as_packed(building, packed)


def _write_files(content: ReleaseInput, packed: Packed, funnel: Funnel, folder: Path) -> None:
    sizes = {
        config: {split: _write_rows(rows, config, split, folder) for split, rows in rows_of.items()}
        for config, rows_of in packed.items()
    }
    figures_of = {split: figures(rows) for split, rows in packed["typed"].items()}
    _write_json(folder / FUNNEL, funnel.to_json())
    _write_json(folder / MANIFEST, manifest(content, packed, figures_of, funnel))
    _write_text(folder / REJECTIONS, _rejection_lines(content.rejections))
    _write_text(folder / "LICENSE.md", license_file(content, funnel))
    _write_text(folder / "README.md", card(content, figures_of, funnel, sizes))
    if "test" in figures_of:
        _write_text(folder / EVALUATION, EVALUATION_TEXT)
    _write_text(folder / CHECKSUMS, checksums(folder))


def _write_rows(rows: Sequence[Row], config: str, split: Split, folder: Path) -> tuple[int, int]:
    """Write one Parquet file; return its size and that of its rows in memory."""
    path = folder / parquet_path(config, split)
    in_memory = write_parquet(rows, config, path)
    return path.stat().st_size, in_memory


def _check_as_packed(folder: Path, packed: Packed) -> None:
    """Load the folder as its users will; a difference to what was meant is our own fault."""
    try:
        loaded = load_as_users_do(folder)
    except PauError as error:
        raise HarnessError(f"the release that was just written is refused: {error}") from None
    for config, rows_of in packed.items():
        if {split: list(rows) for split, rows in rows_of.items()} != loaded[config]:
            raise HarnessError(f"{folder}: config {config} does not read back as it was written")


def _rejection_lines(rejections: Sequence[Rejection]) -> str:
    ordered = sorted(rejections, key=lambda r: (r.source, natural_key(r.source_id), r.stage))
    return "".join(json.dumps(asdict(rejection)) + "\n" for rejection in ordered)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    _write_text(path, json.dumps(content, indent=2) + "\n")


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")

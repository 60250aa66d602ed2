"""The files of a release: their names, how rows are written to them and read back."""

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from builder.errors import PauError
from builder.records import Rejection, Split, Task
from builder.release.funnel import Funnel
from builder.release.rows import CONFIGS, SPLITS, Row, features, task_from_row

MANIFEST: Final = "manifest.json"
CHECKSUMS: Final = "SHA256SUMS"
FUNNEL: Final = "funnel.json"
REJECTIONS: Final = "rejections.jsonl"
FORMAT: Final = "pau-release-1"
"""Value of ``format`` in the manifest: by it a folder is known as a release of ours."""

_REJECTION = TypeAdapter(Rejection)
_FOLDER_OF: Final = {"default": "data", "typed": "typed"}

Packed = Mapping[str, Mapping[Split, Sequence[Row]]]
"""Rows by config and split."""


def parquet_path(config: str, split: str) -> str:
    """Return where the rows of a split stand, relative to the release folder."""
    return f"{_FOLDER_OF[config]}/{split}-00000-of-00001.parquet"


def is_release(folder: Path) -> bool:
    """Return whether ``folder`` holds a release that this toolkit wrote."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("format") == FORMAT


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a release.

    Raises:
        PauError: the folder holds no release.
    """
    if not is_release(folder):
        raise PauError(f"{folder}: not a release; name a folder that pau-build has written")
    manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
    return manifest


def _pyarrow() -> Any:
    """Import pyarrow, which comes with datasets, whose storage it is."""
    import pyarrow
    import pyarrow.parquet

    # Its own pool keeps more for each thread than the rows of a release need.
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    return pyarrow


def write_parquet(rows: Sequence[Row], config: str, path: Path) -> int:
    """Write rows as one Parquet file whose bytes depend on the rows alone.

    Returns:
        The size of the rows in memory, in bytes.
    """
    pyarrow = _pyarrow()
    table = pyarrow.Table.from_pylist(list(rows), schema=features(config).arrow_schema)
    path.parent.mkdir(exist_ok=True)
    pyarrow.parquet.write_table(table, path, compression="zstd", write_page_index=True)
    return int(table.nbytes)


def read_rows(folder: Path) -> dict[Split, list[Row]]:
    """Return the rows of the config ``typed``, by split, train first.

    Raises:
        PauError: the folder holds no release, or a file of it cannot be read.
    """
    pyarrow = _pyarrow()
    rows: dict[Split, list[Row]] = {}
    for split in read_manifest(folder)["splits"]:
        path = folder / parquet_path("typed", split)
        try:
            table = pyarrow.parquet.read_table(path)
        except (OSError, pyarrow.ArrowException) as error:
            raise PauError(
                f"{path}: cannot be read as rows of a release ({type(error).__name__});"
                " build the release again"
            ) from None
        if missing := sorted(set(features("typed")) - set(table.column_names)):
            raise PauError(
                f"{path}: has no column {missing[0]}: another version of the toolkit wrote it;"
                " build the release again"
            )
        rows[split] = table.to_pylist()
    return rows


def read_tasks(folder: Path) -> list[Task]:
    """Return the tasks of a release, in the order of its files, train first.

    Raises:
        PauError: the folder holds no release, or a file of it cannot be read.
    """
    return [task_from_row(row, split) for split, rows in read_rows(folder).items() for row in rows]


def read_rejections(folder: Path) -> list[Rejection]:
    """Return the rows that were lost.

    Raises:
        PauError: they cannot be read.
    """
    path = folder / REJECTIONS
    try:
        lines = path.read_text("utf-8").splitlines()
        return [_REJECTION.validate_json(line) for line in lines]
    except (OSError, ValueError) as error:
        raise PauError(
            f"{path}: cannot be read as rejections ({type(error).__name__});"
            " build the release again"
        ) from None


def read_funnel(folder: Path) -> Funnel:
    """Return the funnel.

    Raises:
        PauError: it cannot be read.
    """
    path = folder / FUNNEL
    try:
        return Funnel.from_json(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise PauError(
            f"{path}: cannot be read as a funnel ({type(error).__name__}); build the release again"
        ) from None


def load_as_users_do(place: Path | str, revision: str | None = None) -> Packed:
    """Load both configs with ``datasets``, past every cache.

    Args:
        place: a folder, or the name of a dataset on the Hub.
        revision: which revision on the Hub; None for a folder.

    Raises:
        PauError: ``datasets`` refuses the place, or its columns are not those of a release.
    """
    return {config: load_config_as_users_do(place, config, revision) for config in CONFIGS}


def load_config_as_users_do(
    place: Path | str, config: str, revision: str | None = None
) -> dict[Split, list[Row]]:
    """Load one config; see ``load_as_users_do``."""
    import datasets

    _pyarrow()
    bars = datasets.is_progress_bar_enabled()
    datasets.disable_progress_bars()
    try:
        with tempfile.TemporaryDirectory(prefix="pau-load-") as cache:
            return _load(str(place), config, revision, cache)
    finally:
        if bars:
            datasets.enable_progress_bars()


def _load(place: str, config: str, revision: str | None, cache: str) -> dict[Split, list[Row]]:
    import datasets

    try:
        loaded = datasets.load_dataset(
            place,
            config,
            revision=revision,
            cache_dir=cache,
            download_mode="force_redownload",
        )
    except Exception as error:  # datasets and pyarrow share no parent of their errors
        raise PauError(
            f"{place}: datasets cannot load the config {config}"
            f" ({type(error).__name__}: {error}); build the release again"
        ) from None
    for split, part in loaded.items():
        if part.features != features(config):
            raise PauError(f"{place}: the columns of {config}/{split} are not those of a release")
    return {split: loaded[split].to_list() for split in SPLITS if split in loaded}


def checksums(folder: Path) -> str:
    """Return the text of ``SHA256SUMS``: one line for each other file, sorted by path."""
    files = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    return "".join(
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in files
        if name != CHECKSUMS
    )


def content_hash(rows: Sequence[Row]) -> str:
    """Return the SHA-256 of rows as JSON lines: the same whatever library wrote the files."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(row, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()

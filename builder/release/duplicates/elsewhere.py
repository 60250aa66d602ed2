"""Functions of other data sets, of which a release has to keep clear."""

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from builder.errors import PauError
from builder.release.duplicates.function import Function, function_of
from builder.release.duplicates.texts import functions_in
from builder.release.packed import is_release, read_tasks

_REPOSITORY = re.compile(r"(?P<name>[\w.-]+(/[\w.-]+)?)(@(?P<revision>[\w./-]+))?")


@dataclass(frozen=True, slots=True)
class OtherDataset:
    """A data set that may share no function with the release."""

    name: str
    """Name of the folder, or of the repository with its revision if one was given."""
    functions: tuple[Function, ...]

    @property
    def sha256(self) -> str:
        """Hash of the functions: what the release depends on."""
        plain = [[f.name, f.code, [asdict(test) for test in f.tests]] for f in self.functions]
        return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


def read_dataset(place: str) -> OtherDataset:
    """Read the functions of a release, or of any data set whose rows hold Python code.

    Args:
        place: a folder; else a repository of the Hub, ``NAME`` or ``NAME@REVISION``.

    Raises:
        PauError: it cannot be read, or holds no function.
    """
    folder = Path(place)
    if is_release(folder):
        name = folder.resolve().name
        functions = [function_of(task) for task in read_tasks(folder)]
    elif folder.is_dir():
        name = folder.resolve().name
        functions = list(_functions(name, str(folder), None))
    else:
        match = _REPOSITORY.fullmatch(place)
        if match is None:
            raise PauError(f"--against {place}: no such folder, and no name of a repository")
        name = place
        functions = list(_functions(name, match["name"], match["revision"]))
    if not functions:
        raise PauError(f"--against {place}: no row of it holds a Python function; name another")
    return OtherDataset(name, tuple(functions))


def _functions(name: str, path: str, revision: str | None) -> Iterator[Function]:
    seen: set[tuple[str, str]] = set()
    for split, rows in _splits(name, path, revision):
        for number, row in enumerate(rows):
            for function in functions_in(row, f"{name}/{split}/{number}"):
                if (function.code, function.entry_point) not in seen:
                    seen.add((function.code, function.entry_point))
                    yield function


def _splits(
    name: str, path: str, revision: str | None
) -> Iterator[tuple[str, Sequence[dict[str, Any]]]]:
    """Yield every split of every configuration with its rows."""
    # Imported here because it takes seconds, which no other build need spend.
    import datasets

    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory(prefix="pau-against-") as cache:
        try:
            configurations = datasets.get_dataset_config_names(path, revision=revision)
            for configuration in configurations:
                loaded = datasets.load_dataset(
                    path, configuration, revision=revision, cache_dir=cache
                )
                for split, rows in loaded.items():
                    yield f"{configuration}/{split}", rows
        except Exception as error:  # datasets has no common class for all that can go wrong
            words = str(error).partition("\n")[0]
            raise PauError(
                f"--against {name}: cannot be read as a data set ({type(error).__name__}: {words});"
                " name a folder of Parquet or JSON files, or a repository of the Hub"
            ) from None

"""Functions of other data sets, of which a release has to keep clear."""

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from builder.errors import PauError
from builder.release.duplicates.function import Function, function_of
from builder.release.duplicates.texts import functions_in
from builder.release.packed import is_release, read_tasks

_ON_HUB: Final = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")
_SHOWN: Final = 12
"""Characters of a commit's name that tell it from others."""


@dataclass(frozen=True, slots=True)
class OtherDataset:
    """A data set that may share no function with the release."""

    name: str
    """Name of the folder, or of the repository with its commit."""
    functions: tuple[Function, ...]

    @property
    def sha256(self) -> str:
        """Hash of the functions: what the release depends on."""
        plain = [[f.name, f.code, [asdict(test) for test in f.tests]] for f in self.functions]
        return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


def read_dataset(place: str, say: Callable[[str], None]) -> OtherDataset:
    """Read the functions of a release, or of any data set whose rows hold Python code.

    Args:
        place: a folder, else a repository of the Hub: ``OWNER/NAME`` or ``OWNER/NAME@REVISION``.
        say: told of each wait for the Hub.

    Raises:
        PauError: it cannot be read, or holds no function.
    """
    with _folder(place, say) as (folder, name):
        if is_release(folder):
            functions = tuple(map(function_of, read_tasks(folder)))
        else:
            functions = tuple(_functions(folder, name))
    if not functions:
        raise PauError(f"--against {place}: no row of it holds a Python function; name another")
    return OtherDataset(name, functions)


@contextmanager
def _folder(place: str, say: Callable[[str], None]) -> Iterator[tuple[Path, str]]:
    """Give the folder and the name of a data set, downloaded for the time of the block."""
    if Path(place).is_dir():
        yield Path(place), Path(place).resolve().name
        return
    match = _ON_HUB.fullmatch(place)
    if match is None:
        raise PauError(f"--against {place}: no such folder, and no OWNER/NAME of a repository")
    # Imported here because it takes seconds, which no other build need spend.
    from builder.release.hub.client import Hub

    hub, revision = Hub(match[1], say), match[2] or "main"
    commit = hub.commit_of(revision)
    if commit is None:
        raise PauError(f"--against {place}: the repository has no revision {revision}")
    with tempfile.TemporaryDirectory(prefix="pau-against-") as folder:
        hub.download(commit, Path(folder), sorted(hub.files(commit)))
        yield Path(folder), f"{match[1]}@{commit[:_SHOWN]}"


def _functions(folder: Path, name: str) -> Iterator[Function]:
    """Find every function in the rows of a data set, each once."""
    seen: set[tuple[str, str]] = set()
    for split, rows in _splits(folder, name):
        for number, row in enumerate(rows):
            for function in functions_in(row, f"{name}/{split}/{number}"):
                if (function.code, function.entry_point) not in seen:
                    seen.add((function.code, function.entry_point))
                    yield function


def _splits(folder: Path, name: str) -> Iterator[tuple[str, Sequence[dict[str, Any]]]]:
    """Yield every split of every configuration with its rows."""
    # Imported here because it takes seconds, which no other build need spend.
    import datasets

    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory(prefix="pau-against-") as cache:
        try:
            for configuration in datasets.get_dataset_config_names(str(folder)):
                loaded = datasets.load_dataset(str(folder), configuration, cache_dir=cache)
                for split, rows in loaded.items():
                    yield f"{configuration}/{split}", rows
        except Exception as error:  # datasets has no common class for all that can go wrong
            words = str(error).partition("\n")[0]
            raise PauError(
                f"--against {name}: cannot be read as a data set ({type(error).__name__}: {words});"
                " name a folder of Parquet or JSON files, or a repository of the Hub"
            ) from None

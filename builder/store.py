"""Finished rows on disk: resume, incremental rebuild and cache at once.

A result is stored under the hash of all that determines it: the candidate, the settings, the
isolation level, and the toolkit itself (its own source files, Python, coverage.py, Hypothesis).
So a stored row is never stale, and running again is resuming.
"""

import hashlib
import json
import platform
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter

from builder.config import Settings
from builder.errors import PauError
from builder.model.settings import ModelSettings
from builder.records import Candidate, Rejection, Task
from prompts.loader import FOLDER as _PROMPTS

Result = Task | Rejection

_TASK = TypeAdapter(Task)
_REJECTION = TypeAdapter(Rejection)
_PACKAGE = Path(__file__).parent
_STAGES = ("intake", "sandbox", "synthesis", "suite", "describe", "model")


@cache
def toolkit_fingerprint() -> str:
    """Return the hash of everything in the toolkit that can change a row."""
    digest = hashlib.sha256()
    files = [*_PACKAGE.glob("*.py"), *_PROMPTS.glob("*.py"), *_PROMPTS.glob("*.jinja")]
    for stage in _STAGES:
        files += (_PACKAGE / stage).rglob("*.py")
    for file in sorted(files):
        name = f"{file.parent.name}/{file.name}"
        digest.update(name.encode() + b"\0" + file.read_bytes())
    parts = [platform.python_version(), version("coverage"), version("hypothesis")]
    digest.update("\0".join(parts).encode())
    return digest.hexdigest()


def result_key(
    candidate: Candidate, settings: Settings, level: str, models: ModelSettings | None = None
) -> str:
    """Return the key under which the result for ``candidate`` is stored."""
    asked = models and models.to_json()
    parts = [asdict(candidate), settings.to_json(), level, asked, toolkit_fingerprint()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class Store:
    """Results by key in one SQLite file, each written as soon as it is there."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> Result | None:
        """Return the result stored under ``key``, if any."""
        row = self._connection.execute(
            "SELECT kind, value FROM results WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        kind, value = row
        return (_TASK if kind == "task" else _REJECTION).validate_json(value)

    def put(self, key: str, result: Result) -> None:
        """Store a result; it is on disk when this returns."""
        if isinstance(result, Task):
            kind, value = "task", _TASK.dump_json(result)
        else:
            kind, value = "rejection", _REJECTION.dump_json(result)
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, kind, value.decode())
            )

    def forget(self, keys: Iterable[str]) -> None:
        """Drop what is stored under ``keys`` by ``put``."""
        with self._connection:
            self._connection.executemany(
                "DELETE FROM results WHERE key = ?", ((key,) for key in keys)
            )

    def get_bytes(self, key: str) -> bytes | None:
        """Return what was put under ``key`` by ``put_bytes``, if anything."""
        row = self._connection.execute("SELECT value FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def put_bytes(self, key: str, value: bytes) -> None:
        """Store what functions answered; it is on disk when this returns."""
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, value))


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """Open the store at ``path``, making it if needed.

    Raises:
        PauError: the file cannot be opened, is not a store, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=30)
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from None
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS results"
                " (key TEXT PRIMARY KEY, kind TEXT NOT NULL, value TEXT NOT NULL)"
            )
            connection.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value BLOB NOT NULL)"
            )
        yield Store(connection)
    except sqlite3.Error as error:
        raise _unusable(path, error) from None
    finally:
        connection.close()


def _unusable(path: Path, error: Exception) -> PauError:
    return PauError(
        f"{path}: the store of finished rows cannot be used ({error});"
        " free some space, make its folder writable, or delete the file to start afresh"
    )

"""What was asked of models and what came back: one SQLite file, JSON inside.

A reply is kept under the hash of all that determines it, so running again is resuming. Several
threads and several processes may use one file at the same time.
"""

import fcntl
import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from builder.errors import PauError
from builder.model.request import Ending, Record

_TABLES = """
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger (
    run TEXT NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL, ending TEXT NOT NULL,
    calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
    nanodollars INTEGER NOT NULL, PRIMARY KEY (run, task, model, ending)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS waiting (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, batch TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (
    token TEXT PRIMARY KEY, id TEXT, run TEXT NOT NULL, model TEXT NOT NULL
) WITHOUT ROWID;
"""
_BUSY_SECONDS = 60


class Store:
    """Records by key. Every method may be called from any thread.

    The table ``ledger`` belongs to the budget, ``waiting`` and ``batches`` to the batches.
    """

    def __init__(self, path: Path) -> None:
        """Open the file at ``path``, making it if needed.

        Raises:
            PauError: it cannot be opened, is not a store, or cannot be written.
        """
        self.path = path
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_TABLES)
            self._claims = _Claims(path.with_name(path.name + ".lock"))
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
            self._claims.close()

    def get(self, key: str) -> Record | None:
        """Return the record kept under ``key``, if any."""
        rows = self.read("SELECT record FROM replies WHERE key = ?", key)
        return Record.from_json(json.loads(rows[0][0])) if rows else None

    def put(self, record: Record) -> None:
        """Keep a record in place of any earlier one; it is on disk when this returns."""
        key = record.request.key
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, json.dumps(record.to_json()))
            )
            if record.ending.arrived:
                connection.execute("DELETE FROM waiting WHERE key = ?", (key,))

    def judge(self, record: Record) -> bool:
        """Replace the record of an answer by one that says what is wrong with it.

        Returns:
            Whether it was still the record of an answer.
        """
        key = record.request.key
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE replies SET record = ?"
                " WHERE key = ? AND json_extract(record, '$.ending') = ?",
                (json.dumps(record.to_json()), key, Ending.ANSWERED),
            )
        return changed.rowcount == 1

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        Raises:
            PauError: the file cannot be used any more.
        """
        with self._lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise self._unusable(error) from None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the file alone for some statements; they are kept together or not at all.

        Raises:
            PauError: the file cannot be used any more.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise self._unusable(error) from None

    def claim(self, key: str) -> bool:
        """Try to become the one process that asks for ``key``.

        A process has at most one open store on a file: closing another one ends its claims.
        """
        return self._claims.take(key)

    def release(self, key: str) -> None:
        """Let other processes ask for ``key``."""
        self._claims.give_back(key)

    def export_jsonl(self, path: Path) -> int:
        """Write every record as one line of JSON; equal stores give equal files.

        Returns:
            How many there were.

        Raises:
            PauError: the file cannot be written.
        """
        keys = [key for (key,) in self.read("SELECT key FROM replies ORDER BY key")]
        try:
            with path.open("w", encoding="utf-8") as file:
                for key in keys:
                    ((record,),) = self.read("SELECT record FROM replies WHERE key = ?", key)
                    file.write(record + "\n")
        except OSError as error:
            raise PauError(f"{path}: cannot be written ({error.strerror})") from None
        return len(keys)

    def import_jsonl(self, path: Path) -> int:
        """Take in what ``export_jsonl`` wrote; a reply that is here already stays.

        Returns:
            How many records were taken.

        Raises:
            PauError: the file cannot be read, or a line is not a record.
        """
        count = 0
        try:
            with path.open(encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    record = _from_line(line, f"{path}:{number}")
                    kept = self.get(record.request.key)
                    if kept is None or (record.ending.arrived and not kept.ending.arrived):
                        self.put(record)
                        count += 1
        except (OSError, UnicodeDecodeError) as error:
            raise PauError(f"{path}: cannot be read ({error})") from None
        return count

    def _unusable(self, error: Exception) -> PauError:
        return PauError(
            f"{self.path}: the store of model replies cannot be used ({error});"
            " free some space, make its folder writable, or delete the file to start afresh"
        )


class _Claims:
    """Locks on single bytes of a file: the system drops them when their process ends."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def take(self, key: str) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
        except (BlockingIOError, PermissionError):
            return False
        return True

    def give_back(self, key: str) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(key))

    def close(self) -> None:
        os.close(self._file)


def _place(key: str) -> int:
    return int(key[:15], 16)


def _from_line(line: str, place: str) -> Record:
    try:
        return Record.from_json(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PauError(
            f"{place}: not a line of an exported model store"
            f" ({type(error).__name__}: {error}); export it again"
        ) from None

"""Reads a corpus file: JSON or JSON lines, either gzipped, or Parquet."""

import gzip
import io
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import PauError


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a file held."""

    data: bytes
    """The bytes on disk."""
    rows: list[tuple[str, Any]]
    """Place (``mbpp.jsonl, line 12``) and value of each row."""


def read_file(path: Path, source_name: str) -> FileContent:
    """Read every row of a file; its format is told by its name.

    Raises:
        PauError: the file is missing, cut off, empty, wrongly encoded or of another format.
    """
    try:
        return _read(path)
    except PauError as error:
        raise PauError(f"--corpus {source_name}={path}: {error}") from error


def _read(path: Path) -> FileContent:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise PauError("there is no such file; check the path") from None
    except IsADirectoryError:
        raise PauError("is a folder; name the file in it") from None
    except OSError as error:
        raise PauError(f"cannot be read: {error.strerror}") from error
    if not data:
        raise PauError("the file is empty; fetch it again")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    content = data
    if suffixes and suffixes[-1] == ".gz":
        content = _unzip(data)
        suffixes.pop()
    match suffixes[-1:]:
        case [".parquet"]:
            rows = _parquet(path.name, content)
        case [".jsonl" | ".ndjson"]:
            rows = _json_lines(path.name, _text(content))
        case [".json"]:
            rows = _json(path.name, _text(content))
        case _:
            raise PauError(
                "unknown format; the name must end in .json, .jsonl, .json.gz, "
                ".jsonl.gz or .parquet"
            )
    if not rows:
        raise PauError("holds no rows; fetch it again")
    return FileContent(data, rows)


def _unzip(data: bytes) -> bytes:
    try:
        return gzip.decompress(data)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise PauError(f"cut off or not gzip ({error}); fetch it again") from error


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PauError(f"line {line}: not UTF-8 (byte {error.start}); convert it") from error


def _json_lines(name: str, text: str) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                rows.append((f"{name}, line {number}", json.loads(line)))
            except (ValueError, RecursionError) as error:
                raise PauError(
                    f"line {number}: not JSON ({error}); the file may be cut off: fetch it again"
                ) from error
    return rows


def _json(name: str, text: str) -> list[tuple[str, Any]]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PauError(f"not JSON ({error}); the file may be cut off: fetch it again") from error
    if type(values) is not list:
        raise PauError("holds no list of rows; if it has one object a line, call it .jsonl")
    return [(f"{name}, row {number}", value) for number, value in enumerate(values, start=1)]


def _parquet(name: str, data: bytes) -> list[tuple[str, Any]]:
    # Imported here because few corpora need it and it is slow to load.
    import pyarrow
    import pyarrow.parquet

    try:
        values = pyarrow.parquet.read_table(io.BytesIO(data)).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise PauError(f"cut off or not Parquet ({reason}); fetch it again") from error
    return [(f"{name}, row {number}", value) for number, value in enumerate(values, start=1)]

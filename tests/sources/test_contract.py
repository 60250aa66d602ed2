"""What every registered source has to keep to, whoever wrote it."""

import re

import pytest

from builder.intake.errata import read_errata
from builder.records import Candidate, Rejection
from sources.contract import HubPart, Row, Source
from sources.mining import parse
from sources.registry import all_sources
from tests.corpora import real_candidates, real_corpus, real_results

every_source = pytest.mark.parametrize("source", all_sources().values(), ids=lambda s: s.name)


@every_source
def test_the_header_is_complete(source: Source) -> None:
    assert source.name == source.file.stem
    assert source.home.startswith("https://")
    assert re.fullmatch(r"[A-Za-z0-9.+-]+", source.license)
    assert re.fullmatch(r"[0-9a-f]{40}", source.revision), "a commit, since a branch moves"
    assert source.hub_parts
    assert source.title and source.citation
    assert source.split in ("train", "test")


@every_source
def test_every_row_becomes_one_candidate_or_one_rejection(source: Source) -> None:
    results = real_results(source.name)

    assert len(results) == len(real_corpus(source.name).rows)
    assert all(isinstance(item, Candidate | Rejection) for item in results)


@every_source
def test_candidates_carry_what_a_row_has_to_say_of_its_origin(source: Source) -> None:
    for candidate in real_candidates(source.name).values():
        assert candidate.source == source.name
        assert candidate.license == source.license
        assert candidate.revision == real_corpus(source.name).revision
        assert candidate.link == source.home
        assert candidate.split == source.split


@every_source
def test_ids_of_tasks_are_unique(source: Source) -> None:
    candidates = real_candidates(source.name).values()

    assert len({candidate.task_id for candidate in candidates}) == len(candidates)


@every_source
def test_code_and_drivers_have_unix_line_ends_and_drivers_parse(source: Source) -> None:
    for candidate in real_candidates(source.name).values():
        assert "\r" not in candidate.code + "".join(candidate.drivers)
        assert len(set(candidate.drivers)) == len(candidate.drivers)
        assert all(parse(driver) for driver in candidate.drivers), candidate.source_id


@every_source
def test_an_entry_point_is_defined_in_the_code(source: Source) -> None:
    for candidate in real_candidates(source.name).values():
        if candidate.entry_point is not None:
            assert f"def {candidate.entry_point}" in candidate.code


@every_source
def test_every_erratum_still_applies(source: Source) -> None:
    rows = {row.id: row for row in real_corpus(source.name).rows}

    for erratum in read_errata(source.errata_file).values():
        candidate = source.convert(rows[erratum.id])
        assert isinstance(candidate, Candidate)
        assert erratum.applies(candidate), erratum.id
        assert erratum.reference.startswith("https://")


def _row(**fields: object) -> Row:
    source = Source(
        name="own",
        title="Own",
        home="https://example.org",
        license="MIT",
        citation="Us.",
        split="train",
        hub_id="owner/own",
        revision="0" * 40,
        hub_parts=(HubPart(None, "train"),),
        columns={"code": str, "note": str},
        convert=lambda row: row.candidate(code=row.fields["code"], entry_point=None),
    )
    return Row(source, 0, "own.json, row 1", {"code": "", "note": "", **fields}, "1")


def test_a_row_without_an_id_column_is_named_by_its_content() -> None:
    assert _row(code="x = 1").id == _row(code="x = 1", unknown=3).id
    assert _row(code="x = 1").id != _row(code="x = 2").id


def test_a_candidate_has_unix_line_ends_and_each_driver_once() -> None:
    candidate = _row().candidate(
        code="a\r\nb\rc", entry_point=None, drivers=["f(1)\r\n", "f(1)\n"], description="x\r\ny"
    )

    assert candidate.code == "a\nb\nc"
    assert candidate.drivers == ("f(1)\n",)
    assert candidate.description == "x\ny"

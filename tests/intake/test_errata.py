"""Known faults of rows: what is done about them, and while they last."""

from pathlib import Path

import pytest

from builder.errors import PauError
from builder.intake.errata import read_errata
from builder.reasons import Reason
from builder.records import Candidate, Rejection
from tests.factories import candidate

DROP = """
[[row]]
id = "own/0"
action = "drop"
seen = "below"
reason = "It is above."
reference = "https://example.org/1"
"""
REPLACE = DROP.replace('"drop"', '"description"') + 'description = "Look above."\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "own.toml"


def test_a_source_without_a_file_has_no_errata(file: Path) -> None:
    assert read_errata(file) == {}


def test_a_row_is_dropped_with_the_reason(file: Path) -> None:
    file.write_text(DROP)

    rejection = read_errata(file)["own/0"].apply(candidate())

    assert isinstance(rejection, Rejection)
    assert (rejection.reason, rejection.detail) == (Reason.ERRATUM, "It is above.")


def test_a_description_is_replaced_and_says_so(file: Path) -> None:
    file.write_text(REPLACE)

    mended = read_errata(file)["own/0"].apply(candidate(description="Look below."))

    assert isinstance(mended, Candidate)
    assert (mended.description, mended.description_origin) == ("Look above.", "errata")


def test_an_erratum_applies_only_while_the_row_shows_the_fault(file: Path) -> None:
    file.write_text(REPLACE)
    erratum = read_errata(file)["own/0"]

    assert erratum.applies(candidate(description="Look below."))
    assert erratum.applies(candidate(code="below = 1"))
    assert not erratum.applies(candidate(description="Look above.", code="x = 1"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("row = ", "not a list of .*TOML"),
        ("[rows]", "not a list of .*TOML"),
        (DROP.replace("reason", "because"), "row 1: .*because"),
        (DROP.replace('seen = "below"', ""), "row 1: .*seen"),
        (DROP.replace('"drop"', '"ignore"'), "own/0: action must be one of drop, description"),
        (DROP + 'description = "x"', "own/0: give a description with that action only"),
        (DROP + DROP, "own/0 is listed twice"),
    ],
)
def test_a_faulty_file_is_named(file: Path, text: str, fault: str) -> None:
    file.write_text(text)

    with pytest.raises(PauError, match=rf"own\.toml: {fault}"):
        read_errata(file)

"""What a release may be called follows from the licences of its rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import PauError
from builder.release.licenses import TERMS, LicenseChoice, Terms, refuse_looser, release_license

LICENSES = st.sampled_from(sorted(TERMS))


def test_one_licence_is_named_as_the_hub_names_it() -> None:
    assert release_license(["MIT", "MIT"]) == {"license": "mit"}


def test_several_licences_are_other_and_point_to_the_file() -> None:
    assert release_license(["MIT", "CC-BY-NC-4.0", "CC-BY-4.0", "MIT"]) == {
        "license": "other",
        "license_name": "cc-by-4.0-and-cc-by-nc-4.0-and-mit",
        "license_link": "LICENSE.md",
    }


@pytest.mark.parametrize(
    ("declared", "row"),
    [
        ("MIT", "CC-BY-4.0"),
        ("MIT", "CC-BY-NC-4.0"),
        ("CC-BY-4.0", "CC-BY-NC-4.0"),
        ("CC0-1.0", "MIT"),
        ("CC-BY-NC-SA-4.0", "CC-BY-SA-4.0"),
        ("MIT", "LicenseRef-unknown"),
    ],
)
def test_a_looser_licence_is_refused(declared: str, row: str) -> None:
    with pytest.raises(PauError, match=f"{declared}: some rows are under {row}"):
        refuse_looser(declared, [declared, row])


@pytest.mark.parametrize(
    ("declared", "row"),
    [
        ("CC-BY-4.0", "MIT"),
        ("CC-BY-NC-4.0", "CC-BY-4.0"),
        ("CC-BY-SA-4.0", "CC-BY-4.0"),
        ("Apache-2.0", "MIT"),
        ("LicenseRef-unknown", "LicenseRef-unknown"),
    ],
)
def test_a_licence_that_asks_as_much_is_accepted(declared: str, row: str) -> None:
    refuse_looser(declared, [row])


@given(LICENSES, LICENSES)
def test_no_accepted_licence_drops_a_term(declared: str, row: str) -> None:
    try:
        refuse_looser(declared, [row])
    except PauError:
        return
    assert TERMS[row] & ~TERMS[declared] == Terms.NONE


def test_unnamed_licences_are_all_wanted() -> None:
    assert LicenseChoice().allows("MIT")


def test_only_and_exclude_choose_licences_in_any_case_of_letters() -> None:
    choice = LicenseChoice(only=("mit", "CC-BY-4.0"), exclude=("cc-by-4.0",))
    assert choice.allows("MIT")
    assert not choice.allows("CC-BY-4.0")
    assert not choice.allows("CC-BY-NC-4.0")

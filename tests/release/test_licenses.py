"""The licence that the card states is computed from those of the rows."""

from builder.release.licenses import release_license


def test_one_licence_is_named_as_the_hub_names_it() -> None:
    assert release_license(["MIT", "MIT"]) == {"license": "mit"}


def test_several_licences_are_other_and_point_to_the_file() -> None:
    assert release_license(["MIT", "CC-BY-NC-4.0", "CC-BY-4.0", "MIT"]) == {
        "license": "other",
        "license_name": "cc-by-4.0-and-cc-by-nc-4.0-and-mit",
        "license_link": "LICENSE.md",
    }

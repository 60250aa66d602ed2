"""Licences: of each row, and of the release that holds them all."""

from collections.abc import Iterable


def spdx_page(license_id: str) -> str:
    """Return the address of the text of a licence, given its SPDX identifier."""
    return f"https://spdx.org/licenses/{license_id}.html"


def release_license(row_licenses: Iterable[str]) -> dict[str, str]:
    """Return the licence fields of the dataset card.

    One licence for all rows is named as the Hub names it. Several licences have no name there:
    the release is ``other``, its name lists them, and its file ``LICENSE.md`` says which row
    has which.
    """
    licenses = sorted(set(row_licenses), key=str.lower)
    if len(licenses) == 1:
        return {"license": licenses[0].lower()}
    return {
        "license": "other",
        "license_name": "-and-".join(licenses).lower(),
        "license_link": "LICENSE.md",
    }

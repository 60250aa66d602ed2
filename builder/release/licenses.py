"""Licences: which rows are wanted, and what a release that holds them may be called."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

from builder.errors import PauError


class Terms(Flag):
    """What a licence asks of whoever passes a work on."""

    NONE = 0
    NOTICE = auto()
    """Keep the notice."""
    CHANGES = auto()
    """Say what was changed."""
    CREDIT = auto()
    """Name the authors, in every copy of data too."""
    SHARE_ALIKE = auto()
    """Pass it on under this very licence."""
    NON_COMMERCIAL = auto()
    NO_DERIVATIVES = auto()


_CC_BY = Terms.NOTICE | Terms.CHANGES | Terms.CREDIT

TERMS: Final = {
    "CC0-1.0": Terms.NONE,
    "Unlicense": Terms.NONE,
    "0BSD": Terms.NONE,
    "MIT-0": Terms.NONE,
    "MIT": Terms.NOTICE,
    "ISC": Terms.NOTICE,
    "BSD-2-Clause": Terms.NOTICE,
    "BSD-3-Clause": Terms.NOTICE,
    "Apache-2.0": Terms.NOTICE | Terms.CHANGES,
    "CC-BY-4.0": _CC_BY,
    "CC-BY-SA-4.0": _CC_BY | Terms.SHARE_ALIKE,
    "CC-BY-NC-4.0": _CC_BY | Terms.NON_COMMERCIAL,
    "CC-BY-NC-SA-4.0": _CC_BY | Terms.NON_COMMERCIAL | Terms.SHARE_ALIKE,
    "CC-BY-ND-4.0": _CC_BY | Terms.NO_DERIVATIVES,
    "CC-BY-NC-ND-4.0": _CC_BY | Terms.NON_COMMERCIAL | Terms.NO_DERIVATIVES,
}
"""Terms by SPDX identifier. A licence that is not here can stand for itself alone."""


@dataclass(frozen=True, slots=True)
class LicenseChoice:
    """Which licences a user wants in a release; identifiers in any case of letters."""

    only: tuple[str, ...] = ()
    """Empty: every licence."""
    exclude: tuple[str, ...] = ()

    def allows(self, license_id: str) -> bool:
        """Return whether rows under a licence are wanted."""
        name = license_id.lower()
        wanted = not self.only or name in map(str.lower, self.only)
        return wanted and name not in map(str.lower, self.exclude)

    def check(self, known: Iterable[str]) -> None:
        """Refuse a name that is no licence of any row: most likely it is misspelt.

        Raises:
            PauError: names it, and the licences that there are.
        """
        licenses = sorted(set(known), key=str.lower)
        for name in (*self.only, *self.exclude):
            if name.lower() not in map(str.lower, licenses):
                raise PauError(
                    f"{name}: no source has this licence; there are {', '.join(licenses)}"
                )


def refuse_looser(declared: str, row_licenses: Iterable[str]) -> None:
    """Refuse to call a release by a licence that asks less than one of its rows does.

    Raises:
        PauError: names the licences that ask more.
    """
    stricter = sorted({row for row in row_licenses if not _covers(declared, row)})
    if stricter:
        raise PauError(
            f"{declared}: some rows are under {', '.join(stricter)}, which asks for more;"
            " leave those rows out, or let the licence of the release be computed"
        )


def _covers(declared: str, row: str) -> bool:
    if declared == row:
        return True
    if declared not in TERMS or row not in TERMS:
        return False
    bound_to_itself = Terms.SHARE_ALIKE | Terms.NO_DERIVATIVES
    return not TERMS[row] & bound_to_itself and TERMS[row] & TERMS[declared] == TERMS[row]


def spdx_page(license_id: str) -> str:
    """Return the address of the text of a licence, given its SPDX identifier."""
    return f"https://spdx.org/licenses/{license_id}.html"


def release_license(row_licenses: Iterable[str], declared: str | None = None) -> dict[str, str]:
    """Return the licence fields of the dataset card.

    One licence for all rows is named as the Hub names it. Several licences have no name there:
    the release is ``other``, its name lists them, and its file ``LICENSE.md`` says which row
    has which. That is, unless the release is declared to be under one that covers them all.
    """
    licenses = [declared] if declared else sorted(set(row_licenses), key=str.lower)
    if len(licenses) == 1:
        return {"license": licenses[0].lower()}
    return {
        "license": "other",
        "license_name": "-and-".join(licenses).lower(),
        "license_link": "LICENSE.md",
    }

"""Known faults of single rows, as data: what to do, why, and who found it."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from builder.errors import PauError
from builder.reasons import Reason, Stage
from builder.records import Candidate, Rejection

ACTIONS: Final = ("drop", "description")


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """One fault of one row."""

    id: str
    action: str
    """``drop`` the row, or replace its ``description``."""
    reason: str
    reference: str
    """Public page that reports the fault."""
    seen: str
    """Piece of the row's description or code that shows the fault: without it, it is mended."""
    description: str | None = None
    """The text to use, for the action of that name only."""

    def applies(self, candidate: Candidate) -> bool:
        """Tell whether the row still has this fault."""
        return self.seen in candidate.code or self.seen in (candidate.description or "")

    def apply(self, candidate: Candidate) -> Candidate | Rejection:
        """Mend or reject a row that has this fault."""
        if self.action == "drop":
            return Rejection(
                candidate.source, candidate.source_id, Stage.INGEST, Reason.ERRATUM, self.reason
            )
        return replace(candidate, description=self.description, description_origin="errata")


def read_errata(path: Path) -> dict[str, Erratum]:
    """Read an errata file, by id of the row; a missing file has none.

    Raises:
        PauError: the file is not as ``Erratum`` says.
    """
    if not path.exists():
        return {}
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["row"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as error:
        raise PauError(f"{path}: not a list of [[row]] tables in TOML: {error}") from error
    errata: dict[str, Erratum] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            erratum = Erratum(**entry)
        except TypeError as error:
            raise PauError(f"{path}: row {number}: {error}") from error
        if erratum.action not in ACTIONS:
            raise PauError(f"{path}: {erratum.id}: action must be one of {', '.join(ACTIONS)}")
        if (erratum.description is not None) != (erratum.action == "description"):
            raise PauError(f"{path}: {erratum.id}: give a description with that action only")
        if erratum.id in errata:
            raise PauError(f"{path}: {erratum.id} is listed twice; join the two")
        errata[erratum.id] = erratum
    return errata

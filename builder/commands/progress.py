"""What a run shows while it works: notes, and one bar a source with live counts."""

import sys
from collections import Counter
from types import TracebackType
from typing import NoReturn, Self

from tqdm import tqdm

from builder.model.client import WaitingForModelError
from builder.records import Rejection, Task


class Progress:
    """Bars on the error stream; they are sparse where that is not a terminal."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm[NoReturn]] = {}
        self._totals: dict[str, int] = {}
        self._counts: dict[str, Counter[type]] = {}
        self._interval = 0.2 if sys.stderr.isatty() else 15.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for bar in self._bars.values():
            bar.close()

    def note(self, line: str) -> None:
        """Show one line above the bars."""
        tqdm.write(line, file=sys.stderr)

    def start(self, source: str, rows: int) -> None:
        """Learn how many rows a source has; its bar, and its clock, start with the first."""
        self._totals[source] = rows
        self._counts[source] = Counter()

    def advance(self, source: str, result: Task | Rejection | WaitingForModelError) -> None:
        """Count one row that is finished, or has to wait."""
        counts = self._counts[source]
        counts[type(result)] += 1
        bar = self._bars.get(source) or self._open(source)
        words = f"kept {counts[Task]}, rejected {counts[Rejection]}"
        if counts[WaitingForModelError]:
            words += f", waiting {counts[WaitingForModelError]}"
        bar.set_postfix_str(words, refresh=False)
        bar.update()

    def _open(self, source: str) -> "tqdm[NoReturn]":
        self._bars[source] = tqdm(
            total=self._totals[source],
            desc=source,
            unit="row",
            position=len(self._bars),
            mininterval=self._interval,
            file=sys.stderr,
        )
        return self._bars[source]

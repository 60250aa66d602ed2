"""Who is told how a build goes on, and how far."""

from typing import Protocol

from builder.model.client import WaitingForModelError
from builder.records import Rejection, Task


class Watcher(Protocol):
    """What is told how a build goes on."""

    def note(self, line: str) -> None:
        """Take one line for the reader."""

    def start(self, source: str, rows: int) -> None:
        """Learn that ``rows`` rows of ``source`` will be worked on."""

    def advance(self, source: str, result: Task | Rejection | WaitingForModelError) -> None:
        """Learn that one row is finished, or has to wait for a model."""


class NotesOnly:
    """Passes notes on and keeps rows to itself: for rows that were counted already."""

    def __init__(self, watcher: Watcher) -> None:
        self.note = watcher.note

    def start(self, source: str, rows: int) -> None:
        """See ``Watcher``."""

    def advance(self, source: str, result: Task | Rejection | WaitingForModelError) -> None:
        """See ``Watcher``."""

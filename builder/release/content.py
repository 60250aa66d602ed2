"""What a release is made of."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from builder.errors import PauError
from builder.intake.corpus import Corpus
from builder.records import Rejection, Split, Task
from builder.release.rows import SPLITS, natural_key
from builder.sandbox.protocol import Level


@dataclass(frozen=True, slots=True)
class ReleaseInput:
    """All that determines the bytes of a release."""

    tasks: tuple[Task, ...]
    rejections: tuple[Rejection, ...]
    corpora: tuple[Corpus, ...]
    settings: Mapping[str, Any]
    """The options that determine the result, as plain JSON values."""
    level: Level
    """How strongly the code was isolated when its outputs were observed."""
    versions: Mapping[str, str]
    """Versions of the toolkit, of Python and of the packages that shape the result."""
    license: str | None = None
    """SPDX identifier that the release as a whole is declared to be under; None: computed."""

    @property
    def rows_in(self) -> dict[str, int]:
        """Number of rows read, by corpus."""
        return {corpus.source.name: len(corpus.rows) for corpus in self.corpora}


def tasks_by_split(tasks: tuple[Task, ...]) -> dict[Split, list[Task]]:
    """Return the tasks of each split that has any, in the order in which they are published.

    Raises:
        PauError: there is no task, or two tasks have the same id.
    """
    if not tasks:
        raise PauError("no row was kept, so there is nothing to release")
    twice = [task_id for task_id, n in Counter(task.task_id for task in tasks).items() if n > 1]
    if twice:
        raise PauError(
            f"{min(twice)}: two rows have this id; the ids of a source must differ after their"
            " last slash"
        )
    ordered = sorted(tasks, key=lambda task: natural_key(task.task_id))
    splits: dict[Split, list[Task]] = {
        split: [task for task in ordered if task.split == split] for split in SPLITS
    }
    return {split: members for split, members in splits.items() if members}

"""One result for each candidate: from the store, else built now."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from builder.config import Settings
from builder.errors import BelowBarError
from builder.model.client import Mode, WaitingForModelError
from builder.model.settings import ModelSettings, collect_batches, submit_batches
from builder.records import Candidate
from builder.sandbox.protocol import Level
from builder.store import Result, Store, result_key
from builder.watcher import Watcher
from builder.workers import build_rows


class RowsWaitError(BelowBarError):
    """Some rows need answers of a model that are not there yet."""


@dataclass(frozen=True, slots=True)
class Work:
    """What determines the results."""

    candidates: Sequence[Candidate]
    settings: Settings
    models: ModelSettings | None
    level: Level
    fresh: bool
    """Whether to build every row anew, as always where the models are to be asked anew."""

    @property
    def mode(self) -> Mode:
        """What is done with the replies of models; without any, they might as well be kept."""
        return self.models.mode if self.models else Mode.RECORD

    @property
    def reads_store(self) -> bool:
        """Whether a row that was finished before counts."""
        return not self.fresh and self.mode not in (Mode.REFRESH, Mode.OFF)

    @property
    def replaces_replies(self) -> bool:
        """Whether rows that were finished before will be others than their replies give."""
        return self.models is not None and self.mode is Mode.REFRESH and not self.models.estimate

    @property
    def batches(self) -> ModelSettings | None:
        """The models, where what rows wait for is handed in to batches."""
        return (
            self.models if self.models and self.models.batch and not self.models.estimate else None
        )

    def keys(self) -> list[str]:
        """Return the key of each candidate's result in the store."""
        return [
            result_key(candidate, self.settings, self.level, self.models)
            for candidate in self.candidates
        ]


def obtain_results(
    work: Work, store: Store, watcher: Watcher, allow: Level, workers: int
) -> list[Result]:
    """Return one result for each candidate.

    Args:
        work: what is wanted.
        store: finished rows; every one is put there as soon as it is, unless its replies are
            not kept.
        watcher: is told of every row.
        allow: weakest isolation level that is good enough.
        workers: number of processes.

    Raises:
        RowsWaitError: some rows wait for a model; all others are in the store.
        BudgetReachedError: as much was spent as may be; what was finished is in the store.
        PauError: as ``build_rows``.
    """
    if work.batches is not None:
        for line in collect_batches(work.batches):
            watcher.note(line)
    keys = work.keys()
    if work.replaces_replies:
        store.forget(keys)
    found: dict[str, Result] = {}
    missing: dict[str, Candidate] = {}
    for key, candidate in zip(keys, work.candidates, strict=True):
        kept = store.get(key) if work.reads_store else None
        if kept is None:
            missing[key] = candidate
        else:
            found[key] = kept
            watcher.advance(candidate.source, kept)
    key_of = {candidate.task_id: key for key, candidate in missing.items()}
    waiting: list[WaitingForModelError] = []
    for candidate, result in build_rows(
        missing.values(), work.settings, allow, workers, work.models
    ):
        watcher.advance(candidate.source, result)
        if isinstance(result, WaitingForModelError):
            waiting.append(result)
        else:
            key = key_of[candidate.task_id]
            found[key] = result
            if work.mode is not Mode.OFF:
                store.put(key, result)
    if waiting:
        _wait(work, waiting, watcher)
    return [found[key] for key in keys]


def _wait(work: Work, waiting: Sequence[WaitingForModelError], watcher: Watcher) -> None:
    if work.batches is not None:
        for line in submit_batches(work.batches):
            watcher.note(line)
    ((reason, _),) = Counter(map(str, waiting)).most_common(1)
    raise RowsWaitError(
        f"{len(waiting)} of {len(work.candidates)} rows wait for a model ({reason}), so no release"
        " was written; everything else is kept: run the same command again later"
    )

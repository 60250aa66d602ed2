"""What a user says about models, and the model of a run made from it."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from builder.errors import PauError
from builder.model.batch import Batch, BatchDesk
from builder.model.budget import Budget, Limits, Spending
from builder.model.client import ATTEMPTS, BackEnd, Mode, Model, Replay
from builder.model.endpoint import Endpoint
from builder.model.estimate import Estimate
from builder.model.live import Live, Patience
from builder.model.prices import Prices
from builder.model.request import Json
from builder.model.store import Store

TASKS = ("describe", "propose", "constrain", "write_code", "judge")
BATCH_SHARE = 0.5
"""What part of the price a batch costs."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything about the models of one run; the same in all its processes."""

    models: Mapping[str, str]
    """From task to the name of its model."""
    store: Path
    """File of the replies."""
    endpoint: Endpoint | None = None
    """None: nothing may be sent (replay and estimate)."""
    mode: Mode = Mode.RECORD
    limits: Limits = field(default_factory=Limits)
    own_prices: Mapping[str, Any] = field(default_factory=dict)
    most_tokens: int | None = None
    """Of an answer: for models with a small window, or that ramble; None: as each prompt says."""
    attempts: int = ATTEMPTS
    """How often a question is put while the answers are no use."""
    concurrency: int = 16
    """Most calls at a time in one process."""
    patience: Patience = field(default_factory=Patience)
    batch: bool = False
    """Put questions off to a batch instead of asking now."""
    estimate: bool = False
    """Ask nothing: only find out what would be asked first."""
    started: float = field(default_factory=time.time)
    """Start of the run, in seconds since the epoch; with the store it names the run."""

    @property
    def run(self) -> str:
        """Name of the run in the ledger."""
        return f"{self.started:.6f}"

    def to_json(self) -> Json:
        """Return what determines the answers, beside the prompts, as plain JSON values."""
        return {
            "models": dict(self.models),
            "most_tokens": self.most_tokens,
            "attempts": self.attempts,
        }

    @property
    def kept_since(self) -> float | None:
        """How new a stored reply must be to count; None: none counts."""
        if self.mode is Mode.OFF:
            return None
        return self.started if self.mode is Mode.REFRESH else 0.0


def models_by_task(default: str | None, own: Mapping[str, str]) -> dict[str, str]:
    """Return the model of each task: its own, else the default, else none.

    Raises:
        PauError: a task is not one.
    """
    for task in own:
        if task not in TASKS:
            raise PauError(f"--model {task}=...: no such task; there are {', '.join(TASKS)}")
    chosen = {task: own.get(task, default) for task in TASKS}
    return {task: name for task, name in chosen.items() if name}


def check_settings(settings: ModelSettings) -> None:
    """Make sure that what is asked for can be done; nothing is opened.

    Raises:
        PauError: the cost is limited but a price is not known, a price is none, or what is wanted
            of the store makes no sense with batches.
    """
    if settings.batch and settings.mode is not Mode.RECORD:
        raise PauError(
            f"--batch: answers come in a later run, and mode {settings.mode} would not ask or not"
            " look at them; use --replies record"
        )
    prices = _prices(settings)
    if settings.limits.cost is not None:
        prices.check(settings.models.values())


def open_model(
    settings: ModelSettings, meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext
) -> Model:
    """Make the model of a run, in one of its processes.

    Args:
        settings: those of the run.
        meanwhile: what surrounds the waiting for a reply.

    Raises:
        PauError: as ``check_settings``, or the store cannot be opened.
    """
    check_settings(settings)
    store = Store(settings.store)
    budget = _budget(settings, store, settings.run)
    back_end = _back_end(settings, store, budget)
    return Model(
        settings.models,
        store,
        budget,
        back_end,
        settings.kept_since,
        settings.most_tokens,
        settings.attempts,
        meanwhile,
    )


def spending(settings: ModelSettings) -> list[Spending]:
    """Return the ledger of the run, over all its processes."""
    with Store(settings.store) as store:
        return _budget(settings, store, settings.run).spending()


def collect_batches(settings: ModelSettings) -> list[str]:
    """Take in the answers of batches handed in earlier; return one line for each.

    To be called once, before the rows are built.

    Raises:
        PauError: the vendor cannot be reached, or refuses.
    """
    with _desk(settings) as desk:
        return desk.collect()


def submit_batches(settings: ModelSettings) -> list[str]:
    """Hand in the questions that rows wait for; return one line for each batch.

    To be called once, after the rows are built.

    Raises:
        BudgetReachedError: not everything could be handed in.
        PauError: the vendor cannot be reached, or refuses.
    """
    with _desk(settings) as desk:
        return desk.submit(settings.run)


@contextmanager
def _desk(settings: ModelSettings) -> Iterator[BatchDesk]:
    if settings.endpoint is None:
        raise PauError("--batch: there is no endpoint to hand a batch in to")
    with Store(settings.store) as store:
        desk = BatchDesk(store, settings.endpoint, partial(_budget, settings, store))
        try:
            yield desk
        finally:
            desk.close()


def _budget(settings: ModelSettings, store: Store, run: str) -> Budget:
    return Budget(store, run, settings.limits, _prices(settings))


def _prices(settings: ModelSettings) -> Prices:
    return Prices(settings.own_prices, BATCH_SHARE if settings.batch else 1.0)


def _back_end(settings: ModelSettings, store: Store, budget: Budget) -> BackEnd:
    if settings.estimate:
        return Estimate(budget)
    if settings.mode is Mode.REPLAY or settings.endpoint is None:
        return Replay()
    if settings.batch:
        return Batch(store)
    return Live(
        store,
        budget,
        settings.endpoint,
        concurrency=settings.concurrency,
        patience=settings.patience,
        kept_since=settings.kept_since or 0.0,
        keep=settings.mode is not Mode.OFF,
    )

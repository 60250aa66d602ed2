"""Mapping candidates over worker processes, each with a sandbox of its own.

One pipe a worker: it ends when the other side is gone, whichever side was killed, and tells
exactly which candidates were in flight. A worker that dies is replaced and its candidates are
tried once more. Without a model a worker has one candidate at a time; with one it has several,
which take turns: while one waits for a reply, another one is worked on.
"""

import contextlib
import multiprocessing
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

from builder.config import Settings
from builder.errors import HarnessError, PauError
from builder.model.client import Model, WaitingForModelError
from builder.model.settings import ModelSettings, open_model
from builder.pipeline import build_row
from builder.records import Candidate, Rejection, Task
from builder.sandbox.protocol import Level
from builder.sandbox.supervisor import Sandbox

Result = Task | Rejection
_MOST_TRIES = 2


def build_rows(
    candidates: Iterable[Candidate],
    settings: Settings,
    allow: Level,
    workers: int,
    models: ModelSettings | None = None,
) -> Iterator[tuple[Candidate, Result | WaitingForModelError]]:
    """Yield every candidate with its result, in the order in which they are finished.

    Args:
        candidates: what to build; drawn lazily.
        settings: what determines a row.
        allow: weakest isolation level that is good enough.
        workers: number of processes; each uses one core.
        models: who is asked for what no corpus has; None: nobody.

    Yields:
        Instead of a result the error that tells why a row waits for a model.

    Raises:
        HarnessError: the toolkit failed on a candidate, or a worker died twice on the same one.
        PauError: a worker met a condition that the user has to mend, or the end of a budget;
            raised once the candidates in flight are finished.
    """
    pool = [
        _Worker(_Plan(settings, allow, models and replace(models, concurrency=share)))
        for share in shares(models.concurrency if models else workers, workers)
    ]
    try:
        yield from _map(iter(candidates), pool)
    finally:
        for worker in pool:
            worker.stop()


def _map(
    waiting: Iterator[Candidate], pool: "list[_Worker]"
) -> Iterator[tuple[Candidate, Result | WaitingForModelError]]:
    problem: PauError | None = None
    for worker in pool:
        worker.fill(waiting)
    while busy := [worker for worker in pool if worker.in_flight]:
        ready = wait([worker.pipe for worker in busy])
        for worker in [worker for worker in busy if worker.pipe in ready]:
            for candidate, answer in worker.finished():
                if isinstance(answer, PauError) and not isinstance(answer, WaitingForModelError):
                    problem = problem or answer
                else:
                    yield candidate, answer
            if problem is None:
                worker.fill(waiting)
    if problem is not None:
        raise problem


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a worker needs to know."""

    settings: Settings
    allow: Level
    models: ModelSettings | None

    @property
    def rows(self) -> int:
        """Most candidates in flight."""
        return self.models.concurrency if self.models else 1


def shares(calls: int, workers: int) -> list[int]:
    """Divide calls at a time among workers as evenly as can be; each gets at least one."""
    each, more = divmod(calls, workers)
    return [max(1, each + (number < more)) for number in range(workers)]


@dataclass(slots=True)
class _Flight:
    """A candidate that a worker was given."""

    candidate: Candidate
    tries: int = 1


class _Worker:
    """The parent's side of one worker process."""

    pipe: "Connection[Any, Any]"

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self.in_flight: dict[str, _Flight] = {}
        """By task id."""
        self._launch()

    def _launch(self) -> None:
        # Spawn, so that a worker inherits neither the store's connection nor the other pipes.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._plan), daemon=True)
        self._process.start()
        theirs.close()

    def fill(self, waiting: Iterator[Candidate]) -> None:
        """Send as many of the next candidates as the worker can take."""
        while len(self.in_flight) < self._plan.rows:
            candidate = next(waiting, None)
            if candidate is None:
                return
            self.in_flight[candidate.task_id] = _Flight(candidate)
            self._send(candidate)

    def _send(self, candidate: Candidate) -> None:
        # If it died, ``finished`` sees the end of the pipe and replaces it.
        with contextlib.suppress(OSError):
            self.pipe.send(candidate)

    def finished(self) -> list[tuple[Candidate, Result | PauError]]:
        """Receive an answer; none if the worker died and its candidates were sent again."""
        try:
            task_id, answer = self.pipe.recv()
        except (EOFError, OSError):
            self._replace()
            return []
        if isinstance(answer, HarnessError):
            raise answer
        return [(self.in_flight.pop(task_id).candidate, answer)]

    def _replace(self) -> None:
        """Start another process in place of one that died."""
        if any(flight.tries >= _MOST_TRIES for flight in self.in_flight.values()):
            names = ", ".join(self.in_flight)
            rows = "on this row" if len(self.in_flight) == 1 else "on one of these rows"
            raise HarnessError(f"{names}: the worker process died twice {rows}")
        self.stop()
        self._launch()
        for flight in self.in_flight.values():
            flight.tries += 1
            self._send(flight.candidate)

    def stop(self) -> None:
        """End the process; its sandbox ends with it."""
        self.pipe.close()
        self._process.terminate()
        self._process.join(timeout=5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _serve(pipe: "Connection[Any, Any]", plan: _Plan) -> None:
    """Build rows until the parent closes its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    turn = threading.Lock()
    try:
        with (
            Sandbox(allow=plan.allow) as sandbox,
            _model(plan.models, partial(_given_up, turn)) as model,
        ):
            build = partial(_build, settings=plan.settings, sandbox=sandbox, model=model)
            _take_turns(pipe, build, turn, plan.rows)
    except PauError as error:  # the store of replies cannot be used
        problem = error
        _take_turns(pipe, lambda _: problem, turn, plan.rows)


def _take_turns(
    pipe: "Connection[Any, Any]",
    build: Callable[[Candidate], Result | PauError | HarnessError],
    turn: threading.Lock,
    rows: int,
) -> None:
    """Answer every candidate that comes through the pipe; ``rows`` of them take turns."""
    candidates = queue.SimpleQueue[Candidate]()

    def work() -> None:
        # All threads live as long as the process: the kernel ends a child with the thread
        # that started it.
        while True:
            candidate = candidates.get()
            with turn:
                answer = build(candidate)
                with contextlib.suppress(OSError):  # the parent is gone, and so is the reader
                    pipe.send((candidate.task_id, answer))

    for _ in range(rows):
        threading.Thread(target=work, daemon=True).start()
    while True:
        try:
            candidates.put(pipe.recv())
        except (EOFError, OSError):
            return


@contextmanager
def _given_up(turn: threading.Lock) -> Iterator[None]:
    """Let others work meanwhile."""
    turn.release()
    try:
        yield
    finally:
        turn.acquire()


def _model(models: ModelSettings | None, meanwhile: Any) -> AbstractContextManager[Model | None]:
    return nullcontext() if models is None else open_model(models, meanwhile)


def _build(
    candidate: Candidate, settings: Settings, sandbox: Sandbox, model: Model | None
) -> Result | PauError | HarnessError:
    try:
        return build_row(candidate, settings, sandbox, model)
    except PauError as error:
        return error
    except Exception as error:  # whatever it is, it must name the row
        return HarnessError(f"{candidate.task_id}: {type(error).__name__}: {error}")


def _leave() -> None:
    raise SystemExit(0)

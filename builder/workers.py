"""Mapping candidates over worker processes, each with a sandbox of its own.

One pipe a worker: it ends when the other side is gone, whichever side was killed, and tells
exactly which candidate was in flight. A worker that dies is replaced and its candidate tried
once more.
"""

import contextlib
import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from builder.config import Settings
from builder.errors import HarnessError, PauError
from builder.pipeline import build_row
from builder.records import Candidate, Rejection, Task
from builder.sandbox.protocol import Level
from builder.sandbox.supervisor import Sandbox

Result = Task | Rejection
_MOST_TRIES = 2


def build_rows(
    candidates: Iterable[Candidate], settings: Settings, allow: Level, workers: int
) -> Iterator[tuple[Candidate, Result]]:
    """Yield every candidate with its result, in the order in which they are finished.

    Args:
        candidates: what to build; drawn lazily.
        settings: what determines a row.
        allow: weakest isolation level that is good enough.
        workers: number of processes; each uses one core.

    Raises:
        HarnessError: the toolkit failed on a candidate, or a worker died twice on the same one.
        PauError: a worker met a condition that the user has to mend.
    """
    waiting = iter(candidates)
    pool = [_Worker(settings, allow) for _ in range(workers)]
    try:
        busy = [worker for worker in pool if worker.start_next(waiting)]
        while busy:
            ready = wait([worker.pipe for worker in busy])
            for worker in [worker for worker in busy if worker.pipe in ready]:
                finished = worker.finish()
                if finished is not None:
                    yield finished
                    if not worker.start_next(waiting):
                        busy.remove(worker)
    finally:
        for worker in pool:
            worker.stop()


class _Worker:
    """The parent's side of one worker process."""

    candidate: Candidate | None = None
    pipe: "Connection[Any, Any]"
    _tries = 0

    def __init__(self, settings: Settings, allow: Level) -> None:
        self._arguments = (settings, allow)
        self._launch()

    def _launch(self) -> None:
        # Spawn, so that a worker inherits neither the store's connection nor the other pipes.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, *self._arguments), daemon=True)
        self._process.start()
        theirs.close()

    def start_next(self, waiting: Iterator[Candidate]) -> bool:
        """Send the next candidate, if there is one."""
        self.candidate = next(waiting, None)
        self._tries = 0
        if self.candidate is not None:
            self._send()
        return self.candidate is not None

    def _send(self) -> None:
        self._tries += 1
        # If it died, ``finish`` sees the end of the pipe and replaces it.
        with contextlib.suppress(OSError):
            self.pipe.send(self.candidate)

    def finish(self) -> tuple[Candidate, Result] | None:
        """Receive the answer; None if the worker died and the candidate was sent again."""
        assert self.candidate is not None
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            if self._tries >= _MOST_TRIES:
                raise HarnessError(
                    f"{self.candidate.task_id}: the worker process died twice on this row"
                ) from None
            self.stop()
            self._launch()
            self._send()
            return None
        if isinstance(answer, PauError | HarnessError):
            raise answer
        candidate, self.candidate = self.candidate, None
        return candidate, answer

    def stop(self) -> None:
        """End the process; its sandbox ends with it."""
        self.pipe.close()
        self._process.terminate()
        self._process.join(timeout=5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _serve(pipe: "Connection[Any, Any]", settings: Settings, allow: Level) -> None:
    """Build rows until the parent closes its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    with Sandbox(allow=allow) as sandbox:
        while True:
            try:
                candidate: Candidate = pipe.recv()
            except (EOFError, OSError):
                return
            answer: object
            try:
                answer = build_row(candidate, settings, sandbox)
            except PauError as error:
                answer = error
            except Exception as error:  # whatever it is, it must name the row
                answer = HarnessError(f"{candidate.task_id}: {type(error).__name__}: {error}")
            try:
                pipe.send(answer)
            except OSError:
                return


def _leave() -> None:
    raise SystemExit(0)

"""The one place that has foreign code run: jobs in, reports out."""

import os
import signal
from types import TracebackType
from typing import Any, Final

from builder.errors import HarnessError
from builder.literals import LiteralError, canonical
from builder.sandbox import records, worker, zygote
from builder.sandbox.protocol import Call, Job, Level, Limits, Outcome, Report, Verdict
from builder.sandbox.server import Ending, NoProcessError, Server, ServerDiedError

MEMORY_STEP: Final = 96 * 1024 * 1024
"""By how much the memory limit of the second surroundings is wider."""


class Sandbox:
    """Runs jobs, one after the other, each in child processes of its own.

    Owns up to four fork servers, started when first needed and again when they die. Not for
    several threads at once; any number of sandboxes may live in different processes.
    """

    def __init__(self, limits: Limits = Limits(), allow: Level = Level.STRONG) -> None:
        """Find out how strong the isolation is.

        Raises:
            PauError: it is weaker than ``allow``.
        """
        self.limits = limits
        self.level = Level.PROCESS_ONLY
        self._servers: dict[tuple[int, bool], Server] = {}

    def run(self, job: Job, surroundings: int = 0) -> Report:
        """Run one job.

        Args:
            job: what to run.
            surroundings: 0 or 1; the second differs in hash seed, clock, time zone, locale,
                memory limit and stack depth.

        Raises:
            HarnessError: the sandbox itself failed.
        """
        return _Run(self, job, surroundings).report()

    def close(self) -> None:
        """End all servers."""
        for server in self._servers.values():
            server.close()
        self._servers.clear()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _run_child(self, request: dict[str, Any], surroundings: int, measures: bool) -> Ending:
        """Have one child made; a server that died is started again, once."""
        key = (surroundings, measures)
        for _ in range(2):
            server = self._servers.get(key)
            if server is None:
                server = self._servers[key] = Server(surroundings, measures)
            try:
                return server.run(request)
            except ServerDiedError:
                self._servers.pop(key).close()
            except NoProcessError:
                raise HarnessError(
                    "the system has no process left for the sandbox: close programs or raise "
                    "the limit (ulimit -u)"
                ) from None
        raise HarnessError("the sandbox's server died twice on the same job")


class _Run:
    """One job, over as many children as it takes."""

    def __init__(self, sandbox: Sandbox, job: Job, surroundings: int) -> None:
        self.sandbox, self.job, self.surroundings = sandbox, job, surroundings
        self.loaded: Outcome | None = None
        self.outcomes: list[Outcome] = []
        self.recorded: list[tuple[str, str]] = []
        self.drivers_done = 0
        self.lines: set[int] = set()
        self.arcs: set[tuple[int, int]] = set()
        self.failures = 0

    def report(self) -> Report:
        """Make children until everything that was asked is answered."""
        finished = False
        while not finished:
            progress = self._progress()
            ending = self.sandbox._run_child(self._request(), self.surroundings, self.job.coverage)
            self._read(ending.records)
            finished = ending.done or self._account_for(ending, self._progress() > progress)
        assert self.loaded is not None
        return Report(
            self.loaded,
            tuple(self.outcomes),
            self._recorded_calls(),
            tuple(sorted(self.lines)),
            tuple(sorted(self.arcs)),
        )

    def _progress(self) -> int:
        return (
            (self.loaded is not None) + len(self.outcomes) + len(self.recorded) + self.drivers_done
        )

    def _request(self) -> dict[str, Any]:
        job, limits = self.job, self.sandbox.limits
        calls = job.calls[len(self.outcomes) :]
        return {
            "code": job.code,
            "entry_point": job.entry_point,
            "calls": [(call.arguments, call.keywords) for call in calls],
            "drivers": job.drivers[self.drivers_done :],
            "recorded": tuple(self.recorded),
            "repeat": job.repeat,
            "probe": job.probe and (job.probe.hit, job.probe.tick, job.probe.budget),
            "call_seconds": limits.call_seconds,
            "load_seconds": limits.load_seconds,
            "wall_seconds": limits.wall_seconds,
            "memory_bytes": limits.memory_bytes + MEMORY_STEP * self.surroundings,
            "value_characters": limits.value_characters,
            "printed_characters": limits.printed_characters,
        }

    def _read(self, board: bytes) -> None:
        """Take over what the child committed."""
        for record in records.read(board):
            if record.kind == worker.LOADED:
                self.loaded = self.loaded or record.outcome
            elif record.kind == worker.OUTCOME and len(self.outcomes) < len(self.job.calls):
                self.outcomes.append(record.outcome)
            elif record.kind == worker.RECORDED:
                call = (record.outcome.value, record.outcome.arguments_after or "{}")
                if call not in self.recorded and len(self.recorded) < worker.MAX_RECORDED:
                    self.recorded.append(call)
            elif record.kind == worker.DRIVER_ENDED:
                self.drivers_done = min(self.drivers_done + 1, len(self.job.drivers))
            elif record.kind == worker.LINES_AND_ARCS:
                self.lines.update(record.lines)
                self.arcs.update(record.arcs)

    def _account_for(self, ending: Ending, progressed: bool) -> bool:
        """Blame the end of a child on what it was doing; True if nothing is left to do."""
        code = os.waitstatus_to_exitcode(ending.status)
        if code == zygote.EXIT_HARNESS:
            raise HarnessError("a child of the sandbox failed before it ran the candidate")
        if code == zygote.EXIT_BOARD_FULL and progressed:
            return False
        outcome = Outcome(self._verdict(ending, code), cpu_seconds=ending.cpu_seconds)
        if self.loaded is None:
            self.loaded = outcome
            return True
        self.failures += 1
        if self.drivers_done < len(self.job.drivers):
            self.drivers_done += 1
        elif len(self.outcomes) < len(self.job.calls):
            self.outcomes.append(outcome)
            if self.failures >= self.sandbox.limits.late_calls:
                missing = len(self.job.calls) - len(self.outcomes)
                self.outcomes += [Outcome(outcome.verdict)] * missing
        return self.drivers_done == len(self.job.drivers) and len(self.outcomes) == len(
            self.job.calls
        )

    @staticmethod
    def _verdict(ending: Ending, code: int) -> Verdict:
        if ending.ended_by or code == -signal.SIGXCPU:
            return Verdict.TIMEOUT
        if code == -signal.SIGSYS:
            return Verdict.FORBIDDEN
        return Verdict.CRASH

    def _recorded_calls(self) -> tuple[Call, ...]:
        calls = []
        for arguments, keywords in self.recorded:
            try:
                calls.append(Call(canonical(arguments), canonical(keywords)))
            except LiteralError:
                continue
        return tuple(calls)

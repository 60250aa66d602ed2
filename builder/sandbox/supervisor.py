"""The one place that has foreign code run: jobs in, reports out."""

import os
import signal
from collections.abc import Sequence
from dataclasses import astuple
from operator import attrgetter
from types import TracebackType
from typing import Any, Final

from builder.errors import HarnessError, PauError
from builder.literals import LiteralError, canonical
from builder.sandbox import arguments, board, probe, records, wire, worker
from builder.sandbox.protocol import Call, Job, Level, Limits, Outcome, Report, Verdict
from builder.sandbox.server import Ending, Server

MEMORY_STEP: Final = 96 * 1024 * 1024
"""By how much the memory limit of the second surroundings is wider."""
DEFAULT_LIMITS: Final = Limits()

_arguments_of, _keywords_of = attrgetter("arguments"), attrgetter("keywords")


class Sandbox:
    """Runs jobs, one after the other, each in child processes of its own.

    Owns up to four fork servers, started when first needed and again when they die. Not for
    several threads at once, and to be made by a thread that lives as long as it (the kernel
    ends the servers with the thread that started them); any number of sandboxes may live in
    different processes.
    """

    def __init__(self, limits: Limits = DEFAULT_LIMITS, allow: Level = Level.STRONG) -> None:
        """Find out how strong the isolation is.

        Raises:
            PauError: it is weaker than ``allow``.
        """
        self.limits = limits
        self._isolation = probe.isolation()
        self._servers: dict[tuple[int, bool], Server] = {}
        if probe.is_weaker(self.level, allow):
            raise PauError(
                f"{self._isolation.line} Run `pau-build doctor` to see how to mend it, or allow "
                f"it with --isolation {self.level}."
            )

    @property
    def level(self) -> Level:
        """How strong the isolation of this system is."""
        return self._isolation.level

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
        while self._servers:
            self._servers.popitem()[1].close()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def run_child(self, request: dict[str, Any], surroundings: int, measures: bool) -> Ending:
        """Have one child made; a server that died is started again, once.

        Raises:
            HarnessError: it died again, or the system has no process left.
        """
        key, words = (surroundings, measures), ""
        for _ in range(2):
            server = self._servers.get(key)
            if server is None:
                server = Server(surroundings, measures, self._isolation.held)
                self._servers[key] = server
            try:
                return server.run(request)
            except wire.SilenceError:
                words = self._servers.pop(key).close()
            except BaseException:  # interrupted: the answer, when it comes, would be a wrong one
                self._servers.pop(key).close()
                raise
        raise HarnessError(f"the sandbox's server died twice on the same job. {words}".rstrip())


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
        """Calls that were late or ended their process."""
        self.confirmed = False
        """Whether a timeout of this job was seen twice; the later ones are believed."""
        self.killed_at = -1
        """How far the job was when something else killed its process."""

    def report(self) -> Report:
        """Make children until everything that was asked is answered."""
        while not self._is_done():
            before = self._progress()
            ending = self._run_child(self._request())
            first_new = len(self.outcomes)
            self._read(ending.records)
            if ending.state != board.DONE:
                self._account_for(ending, self._progress() > before)
            self._confirm_timeouts(first_new)
            if self.loaded and self.loaded.verdict is Verdict.TIMEOUT and not self.confirmed:
                self.loaded, self.confirmed = None, True
        assert self.loaded is not None
        if self.loaded.verdict is not Verdict.OK:
            return Report(self.loaded)
        missing = len(self.job.calls) - len(self.outcomes)
        if missing:
            self.outcomes += [Outcome(self.outcomes[-1].verdict)] * missing
        return Report(
            self.loaded,
            tuple(self.outcomes),
            self._recorded_calls(),
            tuple(sorted(self.lines)),
            tuple(sorted(self.arcs)),
        )

    def _is_done(self) -> bool:
        if self.loaded is None:
            return False
        if self.loaded.verdict is not Verdict.OK:
            return True
        if self.drivers_done < len(self.job.drivers):
            return False
        return (
            len(self.outcomes) == len(self.job.calls)
            or self.failures >= self.sandbox.limits.late_calls
        )

    def _progress(self) -> int:
        loaded = self.loaded is not None
        return loaded + len(self.outcomes) + len(self.recorded) + self.drivers_done

    def _run_child(self, request: dict[str, Any]) -> Ending:
        return self.sandbox.run_child(request, self.surroundings, self.job.coverage)

    def _request(self) -> dict[str, Any]:
        job, limits = self.job, self.sandbox.limits
        calls = job.calls[len(self.outcomes) :]
        drivers = job.drivers[self.drivers_done :]
        seconds = limits.load_seconds * (1 + len(drivers))
        seconds += limits.call_seconds * len(calls) * (2 if job.repeat else 1)
        return {
            "code": job.code,
            "entry_point": job.entry_point,
            "calls": _pack(calls),
            "drivers": drivers,
            "recorded": tuple(self.recorded),
            "repeat": job.repeat,
            "probe": job.probe and astuple(job.probe),
            "patience": limits.late_calls - self.failures,
            "call_seconds": limits.call_seconds,
            "load_seconds": limits.load_seconds,
            "wall_seconds": limits.wall_seconds,
            "cpu_seconds": int(1.5 * seconds) + 2,
            "memory_bytes": limits.memory_bytes + MEMORY_STEP * self.surroundings,
            "value_characters": limits.value_characters,
            "printed_characters": limits.printed_characters,
        }

    def _read(self, written: bytes) -> None:
        """Take over what a child committed."""
        outcomes, others = records.read(written)
        del outcomes[len(self.job.calls) - len(self.outcomes) :]
        self.outcomes += outcomes
        self.failures += len(_late(outcomes))
        for kind, outcome in others:
            if kind == board.LOADED:
                self.loaded = self.loaded or outcome
            elif kind == board.RECORDED:
                call = (outcome.value, outcome.arguments_after or "{}")
                if call not in self.recorded and len(self.recorded) < worker.MAX_RECORDED:
                    self.recorded.append(call)
            elif kind == board.DRIVER_ENDED:
                self.drivers_done = min(self.drivers_done + 1, len(self.job.drivers))
            elif kind == board.LINES_AND_ARCS:
                lines, arcs = records.read_coverage(outcome)
                self.lines.update(lines)
                self.arcs.update(arcs)

    def _account_for(self, ending: Ending, progressed: bool) -> None:
        """Blame the early end of a child on what it was doing."""
        code = os.waitstatus_to_exitcode(ending.status)
        if ending.state < board.SEALED and code >= 0:
            reason = self.loaded.exception if self.loaded else f"exit code {code}"
            raise HarnessError(f"a child of the sandbox could not be sealed: {reason}")
        if code == wire.EXIT_BOARD_FULL and progressed:
            return
        if code == -signal.SIGKILL and not ending.ended_by and self.killed_at != self._progress():
            self.killed_at = self._progress()  # not our doing: try again, once
            return
        outcome = Outcome(_verdict(ending, code), cpu_seconds=ending.cpu_seconds)
        if self.loaded is None:
            self.loaded = outcome
        elif self.drivers_done < len(self.job.drivers):
            self.drivers_done += 1
        elif len(self.outcomes) < len(self.job.calls):
            self.outcomes.append(outcome)
            self.failures += 1

    def _confirm_timeouts(self, first: int) -> None:
        """Make the first late call of the job again, alone; a timeout seen twice is one.

        Calls that ran out of loop budget are not repeated: they do so on every machine.
        """
        for position in _late(self.outcomes[first:]):
            position += first
            late = self.outcomes[position]
            budget_spent = self.job.probe and late.cpu_seconds < self.sandbox.limits.call_seconds
            if budget_spent or self.confirmed:
                continue
            call = self.job.calls[position]
            alone = {"calls": _pack((call,)), "drivers": (), "patience": 1}
            ending = self._run_child({**self._request(), **alone})
            again, _ = records.read(ending.records)
            self.confirmed = not again or again[0].verdict is Verdict.TIMEOUT
            if not self.confirmed:
                self.outcomes[position] = again[0]
                self.failures -= 1

    def _recorded_calls(self) -> tuple[Call, ...]:
        calls = []
        for positional, keywords in self.recorded:
            try:
                calls.append(Call(canonical(positional), canonical(keywords)))
            except LiteralError:
                continue
        return tuple(calls)


def _pack(calls: Sequence[Call]) -> arguments.Batches:
    return arguments.pack(list(map(_arguments_of, calls)), list(map(_keywords_of, calls)))


def _late(outcomes: list[Outcome]) -> list[int]:
    """Places of those that are timeouts."""
    late = Verdict.TIMEOUT
    return [place for place, outcome in enumerate(outcomes) if outcome.verdict is late]


def _verdict(ending: Ending, code: int) -> Verdict:
    if ending.forbidden or code == -signal.SIGSYS:
        return Verdict.FORBIDDEN
    if ending.ended_by or code == -signal.SIGXCPU:
        return Verdict.TIMEOUT
    return Verdict.CRASH

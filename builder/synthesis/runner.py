"""Runs one method with probes on many inputs, and remembers every outcome."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from builder.reasons import Reason
from builder.records import Method
from builder.sandbox.protocol import Call, Job, Limits, Outcome, Probe, Report, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.shared_values import shared_value
from builder.synthesis.constants import mine
from builder.synthesis.probes import insert_probes

ENTRY_POINT = "test_func"
LOOP_BUDGET = 50_000
"""Turns of loops and entries of functions in one call, and what its builtins work on, weighed.
What needs more is no example. Every machine counts alike, so this limit and no clock decides."""
CALL_SECONDS = 0.5
"""CPU time of a call during the search, many times what the budget takes: for the few things that
no weight foresees, such as a regular expression that tries everything."""
PATIENT_SECONDS, PATIENT_BUDGET = 10.0, 1_000_000
"""The same where nothing but a late call shows what a method can do, and wherever a call is made
again that the count has admitted."""
OUTPUT_CHARACTERS = 4_000
LATE_CALLS = 20
"""Late calls that end a job; the next job goes on behind them."""
FEW_LATE_CALLS = 3
"""The same where no call should be late: one that was fast once and is so slow now is hostile."""
MOST_LATE_CALLS = 100
"""Late calls after which nothing more is run and all that is left counts as late."""

REFUSALS = {
    Verdict.FORBIDDEN: Reason.FORBIDDEN,
    Verdict.STATEFUL: Reason.STATEFUL,
    Verdict.NONDETERMINISTIC: Reason.NONDETERMINISTIC,
}
"""What one call is enough for to reject a method."""


_COSTLY = {
    Verdict.TIMEOUT: Reason.TOO_SLOW,
    Verdict.UNSERIALISABLE: Reason.UNSERIALISABLE,
    Verdict.TOO_LARGE: Reason.TOO_LARGE,
    Verdict.CRASH: Reason.CRASHES,
}


class RefusedError(Exception):
    """The method cannot become a row."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


@contextmanager
def search_limits(sandbox: Sandbox) -> Iterator[None]:
    """Let the sandbox be strict while inputs are looked for."""
    limits = replace(
        sandbox.limits,
        call_seconds=min(CALL_SECONDS, sandbox.limits.call_seconds),
        late_calls=LATE_CALLS,
        value_characters=min(OUTPUT_CHARACTERS, sandbox.limits.value_characters),
    )
    with limited(sandbox, limits):
        yield


@contextmanager
def patience(sandbox: Sandbox) -> Iterator[None]:
    """Let the sandbox wait for calls that the count of turns has admitted, on any machine."""
    limits = replace(sandbox.limits, call_seconds=PATIENT_SECONDS, late_calls=FEW_LATE_CALLS)
    with limited(sandbox, limits):
        yield


@contextmanager
def limited(sandbox: Sandbox, limits: Limits) -> Iterator[None]:
    """Give the sandbox other limits for a while."""
    before, sandbox.limits = sandbox.limits, limits
    try:
        yield
    finally:
        sandbox.limits = before


class Runner:
    """The outcomes of a method on inputs, each run once."""

    def __init__(self, method: Method, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.method = method
        probed = insert_probes(method.code)
        self.constants = mine(method.code)
        self.arcs = probed.arcs
        self.decisions = probed.decisions
        self.code = probed.code
        self.probe: Probe = replace(probed.probe, budget=LOOP_BUDGET)
        self.outcomes: dict[str, Outcome] = {}
        """By canonical literal of the argument tuple, in the order in which they were run."""
        self._late = 0
        self.reached: set[int] = set()
        """Arcs that a call that returned has taken."""

    def run(self, inputs: Iterable[str]) -> list[str]:
        """Run what is new among the inputs, in one job.

        Returns:
            The new inputs.

        Raises:
            RefusedError: the module does not load, or a call does what no method may.
        """
        new = [text for text in dict.fromkeys(inputs) if text not in self.outcomes]
        if not new:
            return []
        rest = new
        while rest and self._late < MOST_LATE_CALLS:
            rest = rest[self._run_some(rest) :]
        self.outcomes.update(dict.fromkeys(rest, Outcome(Verdict.TIMEOUT)))
        return new

    def _run_some(self, inputs: list[str]) -> int:
        """Run inputs until too many calls of the job are late; tell how many were run."""
        calls = tuple(Call(text) for text in inputs)
        report = self.sandbox.run(Job(self.code, ENTRY_POINT, calls, probe=self.probe))
        check(report, inputs)
        made = len(inputs)
        while made > 1 and not report.outcomes[made - 1].cpu_seconds:
            made -= 1  # not run, but given up by the sandbox
        for text, outcome in zip(inputs[:made], report.outcomes, strict=False):
            self.outcomes[text] = outcome
            self._late += outcome.verdict is Verdict.TIMEOUT
            if outcome.verdict is Verdict.OK:
                self.reached.update(outcome.hits)
        return made

    def run_patiently(self, inputs: Iterable[str]) -> None:
        """Run inputs that were late again, with more time and a larger loop budget."""
        late = [text for text in inputs if self.outcomes[text].verdict is Verdict.TIMEOUT]
        for text in late:
            del self.outcomes[text]
        probe = self.probe
        self.probe, self._late = replace(probe, budget=PATIENT_BUDGET), 0
        try:
            with patience(self.sandbox):
                self.run(late)
        finally:
            self.probe = probe

    def arguments(self, text: str) -> tuple[Any, ...]:
        """Value of an input. It is shared: never change it in place."""
        value: tuple[Any, ...] = shared_value(text)
        return value

    def valid(self) -> list[str]:
        """Inputs on which the method returned a value, in the order in which they were run."""
        return [text for text, seen in self.outcomes.items() if seen.verdict is Verdict.OK]

    def ways_to_missing(self) -> set[int]:
        """Arcs that were taken where another way out of the same decision was not."""
        return {
            arc
            for decision in self.decisions
            if not self.reached.issuperset(decision)
            for arc in self.reached.intersection(decision)
        }

    def why_too_few(self, found: int) -> tuple[Reason, str]:
        """Say why no more than ``found`` inputs are examples: what cost most of the inputs."""
        verdicts = [outcome.verdict for outcome in self.outcomes.values()]
        for verdict, reason in _COSTLY.items():
            if verdicts.count(verdict) > len(verdicts) / 2:
                return reason, f"on {verdicts.count(verdict)} of {len(verdicts)} inputs"
        if Verdict.OK not in verdicts:
            return Reason.NO_VALID_INPUT, f"none of {len(verdicts)} inputs"
        return Reason.TOO_FEW_INPUTS, f"{found} of {len(verdicts)} inputs are valid"

    def why_only_none(self) -> tuple[Reason, str]:
        """Say why every example gives None."""
        verdicts = [outcome.verdict for outcome in self.outcomes.values()]
        lost = verdicts.count(Verdict.UNSERIALISABLE)
        if lost:
            return Reason.UNSERIALISABLE, f"where it is not None, on {lost} inputs"
        return Reason.ONLY_NONE, f"on {verdicts.count(Verdict.OK)} inputs"


def check(report: Report, inputs: Iterable[str]) -> None:
    """Refuse the method if the module did not load or a call did what no method may.

    Raises:
        RefusedError: as said.
    """
    loaded = report.loaded
    if loaded.verdict is not Verdict.OK:
        reason = REFUSALS.get(loaded.verdict, Reason.DOES_NOT_LOAD)
        raise RefusedError(reason, loaded.exception or loaded.verdict)
    for text, outcome in zip(inputs, report.outcomes, strict=True):
        if outcome.verdict in REFUSALS:
            raise RefusedError(REFUSALS[outcome.verdict], f"test_func{text[:200]}")

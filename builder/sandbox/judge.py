"""One call, judged with everything the sandbox has: two surroundings, many repetitions."""

from typing import Final

from builder.sandbox.protocol import Call, Job, Outcome, Report, Verdict
from builder.sandbox.supervisor import Sandbox

REPETITIONS: Final = 8
"""Calls in each surroundings; a fair coin agrees with itself so often once in 32,768 times."""
QUICK_SECONDS: Final = 0.1
"""A call that takes longer is repeated only once."""

_FINAL: Final = frozenset({Verdict.FORBIDDEN, Verdict.TIMEOUT, Verdict.MEMORY, Verdict.CRASH})
"""Verdicts that one run is enough for."""


def judge(sandbox: Sandbox, code: str, call: Call, entry_point: str) -> Outcome:
    """Find the one verdict on a call.

    The worst cause counts: forbidden, then timeout, memory and crash, nondeterministic, stateful,
    and only then what the call answered.
    """
    outcome = _only(sandbox.run(Job(code, entry_point, (call,))))
    if outcome.verdict in _FINAL:
        return outcome
    times = REPETITIONS if outcome.cpu_seconds < QUICK_SECONDS else 2
    job = Job(code, entry_point, (call,) * times)
    here, there = sandbox.run(job, 0), sandbox.run(job, 1)
    for report in (here, there):
        for seen in (report.loaded, *report.outcomes):
            if seen.verdict in _FINAL:
                return seen
    if _answers(here) != _answers(there):
        return Outcome(Verdict.NONDETERMINISTIC)
    if len(set(_answers(here))) > 1:
        return Outcome(Verdict.STATEFUL)
    return _only(here)


def _only(report: Report) -> Outcome:
    return report.outcomes[0] if report.outcomes else report.loaded


def _answers(report: Report) -> list[tuple[str, str, str, str | None]]:
    return [outcome.comparable for outcome in (report.outcomes or (report.loaded,))]

"""Which inputs may be examples: their answers are exact, robust and the same wherever they run."""

from collections.abc import Sequence

from builder.reasons import Reason
from builder.sandbox.protocol import Call, Job, Verdict
from builder.synthesis.floats import agree, is_inexact, neighbours
from builder.synthesis.runner import ENTRY_POINT, RefusedError, Runner, check, patience

_LIMITS = ("RecursionError", "MemoryError")
"""Exceptions that depend on how deep the stack is, or the memory, where the call is made."""


def is_sound(runner: Runner, text: str) -> bool:
    """Whether an input on which the method returned stays where floats are exact."""
    return not is_inexact(text, runner.outcomes[text].value)


def confirm(runner: Runner, inputs: Sequence[str]) -> list[str]:
    """Drop what may not be an example among inputs on which the method returned.

    The unprobed code is run in other surroundings, each call twice; all has to agree.

    Raises:
        RefusedError: two runs disagree, or a call does what no method may.
    """
    kept = _without_flipping(runner, inputs)
    calls = tuple(Call(text) for text in kept)
    job = Job(runner.method.code, ENTRY_POINT, calls, repeat=True)
    with patience(runner.sandbox):
        report = runner.sandbox.run(job, surroundings=1)
    check(report, kept)
    confirmed = []
    for text, second in zip(kept, report.outcomes, strict=True):
        if second.verdict not in (Verdict.OK, Verdict.ERROR) or second.exception in _LIMITS:
            continue  # at the edge of a limit: no example, but no contradiction
        if second.comparable != runner.outcomes[text].comparable:
            raise RefusedError(Reason.NONDETERMINISTIC, f"test_func{text[:200]}")
        confirmed.append(text)
    return confirmed


def _without_flipping(runner: Runner, inputs: Sequence[str]) -> list[str]:
    """Drop inputs whose answer changes when a float in them moves by a few ulps."""
    near = {text: neighbours(text) for text in inputs}
    runner.run(other for others in near.values() for other in others)
    outcomes = runner.outcomes
    return [
        text
        for text in inputs
        if all(
            outcomes[other].verdict is Verdict.OK
            and agree(outcomes[other].value, outcomes[text].value)
            for other in near[text]
        )
    ]

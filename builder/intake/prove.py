"""Proves by running: the anonymised function does what the original did, and does it again."""

from collections.abc import Sequence
from typing import Final

from builder.intake.names import TARGET
from builder.literals import dumps, loads
from builder.reasons import Reason
from builder.records import Method
from builder.sandbox.protocol import Call, Job, Outcome, Report, Verdict
from builder.sandbox.supervisor import Sandbox

_OF_THE_MACHINE: Final = (Verdict.TIMEOUT, Verdict.MEMORY)
"""Verdicts that say something of the limits, not of the meaning."""
_REASONS: Final = {
    Verdict.ERROR: Reason.DOES_NOT_LOAD,
    Verdict.TIMEOUT: Reason.TOO_SLOW,
    Verdict.MEMORY: Reason.TOO_LARGE,
    Verdict.TOO_LARGE: Reason.TOO_LARGE,
    Verdict.FORBIDDEN: Reason.FORBIDDEN,
    Verdict.NONDETERMINISTIC: Reason.NONDETERMINISTIC,
    Verdict.STATEFUL: Reason.STATEFUL,
    Verdict.UNSERIALISABLE: Reason.UNSERIALISABLE,
    Verdict.CRASH: Reason.CRASHES,
}
_DECISIVE: Final = (
    Verdict.FORBIDDEN,
    Verdict.CRASH,
    Verdict.NONDETERMINISTIC,
    Verdict.STATEFUL,
)
"""Verdicts of which one is enough to lose the row, worst first."""
_BY_ALL: Final = (
    Verdict.TIMEOUT,
    Verdict.MEMORY,
    Verdict.UNSERIALISABLE,
    Verdict.TOO_LARGE,
)
"""Verdicts that lose the row when no call ends better."""

Finding = tuple[Reason, str]


def original_call(method: Method, arguments: str) -> Call:
    """Return how the original takes an argument tuple: keyword-only parameters by name.

    Args:
        method: the anonymised method.
        arguments: canonical literal of the argument tuple.
    """
    if not method.keyword_only:
        return Call(arguments)
    values = loads(arguments)
    by_position, by_name = [], {}
    for parameter, value in zip(method.parameters, values, strict=False):
        if parameter.original_name in method.keyword_only:
            by_name[parameter.original_name] = value
        else:
            by_position.append(value)
    return Call(dumps(tuple(by_position)), dumps(by_name))


def prove_equal(method: Method, inputs: Sequence[str], sandbox: Sandbox) -> str | None:
    """Run original and anonymised function on the same inputs and compare what is seen.

    Value with type, type of an exception, and what happened to the arguments have to agree. A
    call that ran into a limit on one side proves nothing and is passed over.

    Args:
        method: the anonymised method with its original.
        inputs: canonical literals of argument tuples.
        sandbox: where both run.

    Returns:
        None if they agree on every input, else one line that names the call that differs.
    """
    calls = tuple(original_call(method, text) for text in inputs)
    original = sandbox.run(Job(method.original, method.original_entry_point, calls))
    anonymised = sandbox.run(Job(method.code, TARGET, tuple(Call(text) for text in inputs)))
    if original.loaded.verdict is not Verdict.OK or anonymised.loaded.verdict is not Verdict.OK:
        return _difference("loading", original.loaded, anonymised.loaded)
    for text, call, before, after in zip(
        inputs, calls, original.outcomes, anonymised.outcomes, strict=True
    ):
        if before.verdict in _OF_THE_MACHINE or after.verdict in _OF_THE_MACHINE:
            continue
        same_arguments = _arguments_after(call, before) == _positional_after(text, call, after)
        if before.comparable[:3] != after.comparable[:3] or not same_arguments:
            return _difference(text, before, after)
    return None


def _difference(what: str, before: Outcome, after: Outcome) -> str | None:
    if before.comparable == after.comparable:
        return None
    return f"{_short(what)}: {_said(before)} became {_said(after)}"


def _said(outcome: Outcome) -> str:
    text = _short(outcome.value or outcome.exception or outcome.verdict)
    changed = outcome.arguments_after
    return text if changed is None else f"{text} with arguments {_short(changed)}"


def _arguments_after(call: Call, outcome: Outcome) -> str:
    return outcome.arguments_after or call.arguments


def _positional_after(text: str, call: Call, outcome: Outcome) -> str:
    """The arguments afterwards, of those that the original takes by position."""
    after = outcome.arguments_after or text
    if call.keywords == "{}":
        return after
    return dumps(loads(after)[: len(loads(call.arguments))])


def check_repeatable(code: str, inputs: Sequence[str], sandbox: Sandbox) -> Finding | None:
    """Run an anonymised module in two surroundings, each call twice with fresh arguments.

    Args:
        code: a module that defines ``test_func``.
        inputs: canonical literals of argument tuples.
        sandbox: where it runs.

    Returns:
        Why the row cannot be kept, with the call at fault; None if every call that ends gives
        the same again. Too slow, too large and unserialisable count when no call does better.
    """
    job = Job(code, TARGET, tuple(Call(text) for text in inputs), repeat=True)
    first, second = sandbox.run(job, 0), sandbox.run(job, 1)
    for report in (first, second):
        if (finding := loading_problem(report)) is not None:
            return finding
    for verdict in _DECISIVE:
        for text, *outcomes in zip(inputs, first.outcomes, second.outcomes, strict=True):
            if any(outcome.verdict is verdict for outcome in outcomes):
                return _REASONS[verdict], _short(text)
    for text, one, other in zip(inputs, first.outcomes, second.outcomes, strict=True):
        limited = one.verdict in _OF_THE_MACHINE or other.verdict in _OF_THE_MACHINE
        if not limited and one.comparable != other.comparable:
            return Reason.NONDETERMINISTIC, f"{_short(text)}: {_said(one)} or {_said(other)}"
    verdicts = {outcome.verdict for outcome in first.outcomes}
    if verdicts and verdicts.issubset(_BY_ALL):
        worst = next(verdict for verdict in _BY_ALL if verdict in verdicts)
        return _REASONS[worst], _short(inputs[0])
    return None


def loading_problem(report: Report) -> Finding | None:
    """Return why a module could not be loaded, or None."""
    loaded = report.loaded
    if loaded.verdict is Verdict.OK:
        return None
    return _REASONS[loaded.verdict], loaded.exception


def _short(text: str, width: int = 80) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."

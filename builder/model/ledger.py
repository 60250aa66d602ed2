"""What the model stage came to, for a reader."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from builder.model.budget import Spending
from builder.model.request import Ending

_FAILURES = frozenset(Ending) - {Ending.ANSWERED}


def summary(spending: Sequence[Spending]) -> list[str]:
    """Return one line for each task and model, then one for each kind of failure."""
    by_task: dict[tuple[str, str], list[Spending]] = defaultdict(list)
    failures: Counter[Ending] = Counter()
    for line in spending:
        by_task[line.task, line.model].append(line)
        if line.ending in _FAILURES:
            failures[Ending(line.ending)] += line.calls
    lines = [_task_line(task, model, found) for (task, model), found in sorted(by_task.items())]
    told = (
        f"{_times(failures[ending])}: {ending.sentence}" for ending in Ending if failures[ending]
    )
    return [*lines, *told]


def _task_line(task: str, model: str, found: Sequence[Spending]) -> str:
    parts = []
    for words, lines in (
        ("calls,", [line for line in found if line.sent]),
        ("calls to begin with, at most", [line for line in found if line.foreseen]),
    ):
        if lines:
            parts.append(f"{sum(line.calls for line in lines)} {words} {_amount(lines)}")
    stored = sum(line.calls for line in found if not line.sent and not line.foreseen)
    if stored:
        parts.append(f"{stored} answers from the store")
    return f"{task} by {model}: {'; '.join(parts)}"


def _amount(lines: Sequence[Spending]) -> str:
    prompt = sum(line.usage.prompt_tokens for line in lines)
    completion = sum(line.usage.completion_tokens for line in lines)
    dollars = sum(line.nanodollars for line in lines) / 1e9
    return f"{prompt} tokens in, {completion} out" + (f", ${dollars:.4f}" if dollars else "")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")

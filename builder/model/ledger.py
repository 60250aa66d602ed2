"""What the model stage came to, for a reader."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from builder.model.budget import Spending
from builder.model.request import Ending


def summary(spending: Sequence[Spending]) -> list[str]:
    """Return one line for each task and model, then one for each kind of failure."""
    by_task: dict[tuple[str, str], list[Spending]] = defaultdict(list)
    by_failure: dict[Ending, int] = defaultdict(int)
    for line in spending:
        by_task[line.task, line.model].append(line)
        if not line.from_store and line.ending in list(Ending) and line.ending != Ending.ANSWERED:
            by_failure[Ending(line.ending)] += line.calls
    lines = [_task_line(task, model, found) for (task, model), found in sorted(by_task.items())]
    return lines + [
        f"{_times(by_failure[ending])}: {ending.sentence}"
        for ending in Ending
        if by_failure[ending]
    ]


def _task_line(task: str, model: str, found: Iterable[Spending]) -> str:
    found = list(found)
    sent = [line for line in found if not line.from_store]
    stored = sum(line.calls for line in found if line.from_store)
    prompt = sum(line.usage.prompt_tokens for line in sent)
    completion = sum(line.usage.completion_tokens for line in sent)
    cost = sum(line.nanodollars for line in sent)
    money = f", ${cost / 1e9:.4f}" if cost else ""
    return (
        f"{task} by {model}: {sum(line.calls for line in sent)} calls, {stored} answers from the"
        f" store, {prompt} tokens in, {completion} out{money}"
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")

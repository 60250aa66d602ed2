"""Keeps one of each function: who stays, who goes, and how hard those that stay are to tell."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from builder.reasons import Reason, Stage
from builder.records import Rejection, Task
from builder.release.duplicates.find import Comparison, Evidence, Finding
from builder.release.duplicates.function import Function, function_of

Compare = Callable[[Sequence[Function], int], Comparison]


@dataclass(frozen=True, slots=True)
class Distinct:
    """What is left when every function stands once."""

    tasks: tuple[Task, ...]
    """Those that stay, in their order, with their rivals counted."""
    dropped: tuple[Rejection, ...]
    telling: Mapping[str, tuple[str, ...]]
    """By task id, inputs on which a task differs from others that pass all its tests."""


def drop_duplicates(
    tasks: Sequence[Task], elsewhere: Sequence[Function], compare: Compare
) -> Distinct:
    """Keep one of each function, and none that stands elsewhere.

    Test rows win over train rows, so that nothing of the test split can be learned from the
    other. Within a split a row with a description wins over one without, else the first wins.

    Args:
        tasks: the rows.
        elsewhere: functions of other data sets; they win over all rows.
        compare: see ``find.compare``.
    """
    ranked = sorted(tasks, key=lambda task: (task.split != "test", task.description is None))
    comparison = compare([*elsewhere, *map(function_of, ranked)], len(elsewhere))
    fates = {
        task.task_id: _fate(task, number, ranked, elsewhere, comparison)
        for number, task in enumerate(ranked, start=len(elsewhere))
    }
    ordered = [fates[task.task_id] for task in tasks]
    return Distinct(
        tuple(fate for fate in ordered if isinstance(fate, Task)),
        tuple(fate for fate in ordered if isinstance(fate, Rejection)),
        {
            ranked[number - len(elsewhere)].task_id: texts
            for number, texts in comparison.telling.items()
        },
    )


def _fate(
    task: Task,
    number: int,
    ranked: Sequence[Task],
    elsewhere: Sequence[Function],
    comparison: Comparison,
) -> Task | Rejection:
    finding = comparison.findings.get(number)
    if finding is None:
        return with_rivals(task, *comparison.rivals[number])
    twin = _last_twin(finding, comparison.findings)
    if twin < len(elsewhere):
        name, reason = elsewhere[twin].name, Reason.STANDS_ELSEWHERE
    else:
        other = ranked[twin - len(elsewhere)]
        leaks = task.split == "train" and other.split == "test"
        name = other.task_id
        reason = Reason.LEAKS_INTO_TEST if leaks else Reason.DUPLICATE_METHOD
    detail = f"duplicate_of {name}: {_words(finding.evidence)}"
    return Rejection(task.source, task.source_id, Stage.RELEASE, reason, detail)


def _last_twin(finding: Finding, findings: Mapping[int, Finding]) -> int:
    """Return the function that stays, at the end of a chain of those that give way."""
    while finding.twin in findings:
        finding = findings[finding.twin]
    return finding.twin


def _words(evidence: Evidence) -> str:
    return "; ".join(
        f"{measure} ({figures})" if figures else measure.value
        for measure, figures in evidence.items()
    )


def with_rivals(task: Task, rivals: int, agreeing: int) -> Task:
    """Write down how many rivals a row has, where its difficulty was measured."""
    if task.difficulty is None:
        return task
    difficulty = replace(task.difficulty, rivals=rivals, agreeing_rivals=agreeing)
    return replace(task, difficulty=difficulty)

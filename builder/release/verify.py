"""Checks a release as anyone can who has nothing but its folder."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from builder.errors import PauError
from builder.records import Example, Task
from builder.release.check import (
    changed_files,
    input_faults,
    unlike_manifest,
    wrong_funnel,
    wrong_rows,
)
from builder.release.packed import load_as_users_do, read_manifest
from builder.release.rows import task_from_row
from builder.sandbox.protocol import Call, Job, Outcome, Verdict
from builder.sandbox.supervisor import Sandbox

TARGET = "test_func"
_LONGEST = 80
"""Most characters of a literal that a line shows."""


def verify_folder(
    folder: Path, sandbox: Sandbox, progress: Callable[[Sequence[Task]], Iterable[Task]] = iter
) -> Iterator[str]:
    """Yield a line for each difference between a release and what it promises.

    The files are those of ``SHA256SUMS``; ``datasets`` loads both configs from disk; every row
    keeps the rules of the format; and every method gives exactly the stored output for every
    stored input, in a fresh child with another hash seed than when it was built, both alone and
    behind its validator.

    Args:
        folder: the release.
        sandbox: where the methods are run.
        progress: wraps the tasks while they are replayed one after the other.

    Raises:
        PauError: the folder holds no release.
        HarnessError: the sandbox failed.
    """
    manifest = read_manifest(folder)
    yield from changed_files(folder)
    try:
        packed = load_as_users_do(folder)
    except PauError as error:
        yield str(error)
        return
    yield from unlike_manifest(manifest, packed)
    yield from wrong_rows(packed)
    tasks = [task_from_row(row, split) for split, rows in packed["typed"].items() for row in rows]
    validated = [row["test_func_validated"] for rows in packed["default"].values() for row in rows]
    yield from wrong_funnel(folder, manifest, tasks)
    for task, code in zip(progress(tasks), validated, strict=False):
        if not any(any(input_faults(e.input)) for e in task.suite.context + task.suite.tests):
            yield from replay(task, code, sandbox)


def replay(task: Task, validated: str, sandbox: Sandbox) -> Iterator[str]:
    """Yield a line for each example of ``task`` that its code does not give again.

    Args:
        task: what is replayed.
        validated: the code with its validator, replayed if the code alone keeps its promises.
        sandbox: where it is run.
    """
    lines = list(_replay(task, task.code, sandbox))
    lines = lines or [f"behind its validator, {x}" for x in _replay(task, validated, sandbox)]
    yield from (f"{task.task_id}: {line}" for line in lines)


def _replay(task: Task, code: str, sandbox: Sandbox) -> Iterator[str]:
    examples = task.suite.context + task.suite.tests
    calls = tuple(Call(example.input) for example in examples)
    report = sandbox.run(Job(code, TARGET, calls), surroundings=1)
    if report.loaded.verdict is not Verdict.OK:
        yield f"the code does not load: {_ending(report.loaded)}"
        return
    for example, outcome in zip(examples, report.outcomes, strict=True):
        seen = (outcome.verdict, outcome.value, outcome.arguments_after is not None)
        if seen != (Verdict.OK, example.output, example.mutates):
            yield _difference(example, outcome)


def _difference(example: Example, outcome: Outcome) -> str:
    call = f"{TARGET}{_short(example.input)}"
    if outcome.verdict is not Verdict.OK:
        return f"{call} ends with {_ending(outcome)}"
    if outcome.value != example.output:
        return f"{call} gives {_short(outcome.value)}, not {_short(example.output)}"
    return f"{call} {'leaves' if example.mutates else 'changes'} its arguments, unlike before"


def _ending(outcome: Outcome) -> str:
    return outcome.exception or outcome.verdict.value


def _short(literal: str) -> str:
    return literal if len(literal) <= _LONGEST else literal[: _LONGEST - 4] + " ..."

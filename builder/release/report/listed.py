"""What the page knows of every row from the beginning: it lists, sorts, filters and searches it."""

import re
from typing import Any

from builder.records import Rejection, Task

_TWIN = re.compile(r"duplicate_of (\S+): |same code as (\S+)$")


def listed_row(task: Task) -> dict[str, Any]:
    """Return what is listed of a row of the release, as plain JSON values."""
    coverage, strength, hard = task.suite.coverage, task.suite.strength, task.difficulty
    examples = task.suite.context + task.suite.tests
    return {
        "id": task.task_id,
        "split": task.split,
        "source": task.source,
        "license": task.license,
        "header": task.header,
        "code": task.code,
        "description": task.description,
        "descriptionOrigin": task.description_origin,
        "arity": task.arity,
        "lines": len(task.code.rstrip().split("\n")),
        "tests": len(task.suite.tests),
        "statementCoverage": coverage.statement_coverage,
        "branchCoverage": coverage.branch_coverage,
        "missedArcs": len(coverage.missing_arcs),
        "deadArcs": len(coverage.dead_arcs),
        "mutants": strength.mutants,
        "mutationScore": strength.mutation_score,
        "contextScore": strength.context_mutation_score,
        "survivors": len(strength.survivors),
        "gaps": sum(not survivor.why_equivalent for survivor in strength.survivors),
        "descriptionMatch": task.description_code_match,
        "mutates": any(example.mutates for example in examples),
        "entropy": hard.outcome_entropy if hard else None,
        "rarest": hard.rarest_branch_rate if hard else None,
        "agreeingRivals": hard.agreeing_rivals if hard else None,
    }


def listed_rejection(lost: Rejection) -> dict[str, Any]:
    """Return what is listed of a row that was lost, as plain JSON values.

    ``twin`` is the id of the row that it repeats, None where it repeats none.
    """
    return {
        "id": _task_id(lost.source, lost.source_id),
        "source": lost.source,
        "sourceId": lost.source_id,
        "stage": lost.stage,
        "reason": lost.reason,
        "detail": lost.detail,
        "twin": _twin(lost),
    }


def _twin(lost: Rejection) -> str | None:
    match = _TWIN.match(lost.detail)
    if match is None:
        return None
    return match[1] or _task_id(lost.source, match[2])


def _task_id(source: str, source_id: str) -> str:
    return f"{source}/{source_id.rsplit('/', 1)[-1]}"

"""What only the view of one row shows."""

import json
from dataclasses import asdict
from typing import Any

from builder.records import Example, Task
from builder.suite.measure import code_map
from builder.synthesis.domain import Domain


def detailed_row(task: Task) -> dict[str, Any]:
    """Return what the view of a row shows beside what is listed of it, as plain JSON values.

    Arcs are ``[start, end, state]``, where the state is ``taken``, ``missed`` or ``dead``.
    """
    coverage, strength = task.suite.coverage, task.suite.strength
    statements, arcs = _to_cover(task.code)
    return {
        "validator": task.validator,
        "accepts": _accepts(task.domain),
        "context": [_example(example) for example in task.suite.context],
        "tests": [_example(example) for example in task.suite.tests],
        "statements": {
            "all": coverage.statements,
            "live": coverage.live_statements,
            "covered": coverage.statements_covered,
        },
        "arcs": {
            "all": coverage.arcs,
            "live": coverage.live_arcs,
            "covered": coverage.arcs_covered,
            "reached": task.suite.arcs_reached,
        },
        "runLines": sorted(statements - set(coverage.missing_lines)),
        "missingLines": coverage.missing_lines,
        "deadLines": coverage.dead_lines,
        "branches": [
            [*arc, _state(arc, task)] for arc in sorted(arcs.union(coverage.missing_arcs))
        ],
        "whyDead": coverage.why_dead,
        "killable": strength.killable,
        "killed": strength.killed,
        "killedByContext": strength.killed_by_context,
        "survivors": [asdict(survivor) for survivor in strength.survivors],
        "difficulty": asdict(task.difficulty) if task.difficulty else None,
        "descriptionCodeMatch": task.description_code_match,
        "sourceId": task.source_id,
        "revision": task.source_revision,
        "variant": task.source_variant,
        "link": task.link if task.link.startswith(("https://", "http://")) else None,
    }


def _to_cover(code: str) -> tuple[set[int], set[tuple[int, int]]]:
    try:
        there_is = code_map(code)
    except SyntaxError:  # of a newer Python than this one: the release alone says what is missed
        return set(), set()
    return set(there_is.statements), set(there_is.arcs)


def _state(arc: tuple[int, int], task: Task) -> str:
    coverage = task.suite.coverage
    if arc in coverage.dead_arcs:
        return "dead"
    return "missed" if arc in coverage.missing_arcs else "taken"


def _accepts(domain: str) -> list[str]:
    """Return what each argument may be, in words."""
    if not domain:
        return []
    read = Domain.from_json(json.loads(domain))
    words = [f"arg{index}: {kind}" for index, kind in enumerate(read.parameters)]
    return [*words, f"any further: {read.variadic}"] if read.variadic else words


def _example(example: Example) -> list[Any]:
    return [example.input, example.output, example.origin, example.mutates]

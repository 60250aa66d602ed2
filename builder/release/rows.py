"""The two forms of a published row, and the way back.

``typed`` is the real one: every value a canonical literal, every figure a column.
``default`` has the eight columns of the published benchmark, so that code written for it runs
unchanged; row n of a split is the same task in both.
"""

import ast
import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from builder.literals import MAX_DECIMAL_BITS, loads
from builder.records import (
    Coverage,
    Difficulty,
    Example,
    Split,
    Strength,
    Suite,
    Survivor,
    Task,
)
from builder.suite.validator import validated_code
from prompts.loader import render

if TYPE_CHECKING:
    from datasets import Features

Row = dict[str, Any]

SPLITS: Final[tuple[Split, ...]] = ("train", "test")
CONFIGS: Final = ("default", "typed")
ENCODING: Final = "pylit-1"
"""Name of the form of the literals, for readers of the rows."""
CANARY: Final = (
    "PAU benchmark data: keep it out of training corpora."
    " canary 99342e7f-b1a0-4eef-97dd-3cc2814f14f4"
)
"""The same text in every release of the toolkit, so that it can be searched for."""

_CALL = re.compile(r"[A-Za-z_]\(")


def features(config: str) -> "Features":
    """Return the explicit column types of a config."""
    from datasets import Features, List, Value

    text, number, share, yes_or_no = (
        Value("string"),
        Value("int32"),
        Value("float64"),
        Value("bool"),
    )
    if config == "default":
        return Features(dict.fromkeys(DEFAULT_COLUMNS, text))
    example = {"input": text, "output": text, "origin": text, "mutates": yes_or_no}
    arc = {"start": number, "end": number}
    return Features(
        {
            "task_id": text,
            "header": text,
            "code": text,
            "validator": text,
            "description": text,
            "description_origin": text,
            "description_code_match": share,
            "context": List(dict(example)),
            "tests": List(dict(example)),
            "arity": number,
            "domain": text,
            "statements": number,
            "statements_live": number,
            "statements_covered": number,
            "statement_coverage": share,
            "branch_arcs": number,
            "branch_arcs_live": number,
            "branch_arcs_covered": number,
            "branch_arcs_reached": number,
            "branch_coverage": share,
            "missing_lines": List(number),
            "missing_arcs": List(dict(arc)),
            "dead_lines": List(number),
            "dead_arcs": List(dict(arc)),
            "why_dead": text,
            "mutants": number,
            "mutants_killable": number,
            "mutants_killed": number,
            "mutants_killed_by_context": number,
            "mutation_score": share,
            "context_mutation_score": share,
            "survivors": List(
                {"line": number, "operator": text, "difference": text, "why_equivalent": text}
            ),
            "difficulty": {
                "rarest_branch_rate": share,
                "outcome_entropy": share,
                "rivals": number,
                "agreeing_rivals": number,
            },
            "exact_in_default": yes_or_no,
            "source": text,
            "source_id": text,
            "source_revision": text,
            "source_variant": text,
            "license": text,
            "link": text,
            "encoding": text,
            "canary": text,
        }
    )


DEFAULT_COLUMNS: Final = (
    "test_func_validated",
    "description",
    "train_examples",
    "test_examples",
    "all_examples",
    "direct_prompt",
    "interactive_starting_prompt",
    "header",
)


def typed_row(task: Task) -> Row:
    """Return the row of ``task`` in the config ``typed``."""
    suite, coverage, strength = task.suite, task.suite.coverage, task.suite.strength
    return {
        "task_id": task.task_id,
        "header": task.header,
        "code": task.code,
        "validator": task.validator,
        "description": task.description,
        "description_origin": task.description_origin,
        "description_code_match": task.description_code_match,
        "context": [_example_row(example) for example in suite.context],
        "tests": [_example_row(example) for example in suite.tests],
        "arity": task.arity,
        "domain": task.domain,
        "statements": coverage.statements,
        "statements_live": coverage.live_statements,
        "statements_covered": coverage.statements_covered,
        "statement_coverage": coverage.statement_coverage,
        "branch_arcs": coverage.arcs,
        "branch_arcs_live": coverage.live_arcs,
        "branch_arcs_covered": coverage.arcs_covered,
        "branch_arcs_reached": suite.arcs_reached,
        "branch_coverage": coverage.branch_coverage,
        "missing_lines": list(coverage.missing_lines),
        "missing_arcs": [_arc_row(arc) for arc in coverage.missing_arcs],
        "dead_lines": list(coverage.dead_lines),
        "dead_arcs": [_arc_row(arc) for arc in coverage.dead_arcs],
        "why_dead": coverage.why_dead,
        "mutants": strength.mutants,
        "mutants_killable": strength.killable,
        "mutants_killed": strength.killed,
        "mutants_killed_by_context": strength.killed_by_context,
        "mutation_score": strength.mutation_score,
        "context_mutation_score": strength.context_mutation_score,
        "survivors": [asdict(survivor) for survivor in strength.survivors],
        "difficulty": asdict(task.difficulty) if task.difficulty else None,
        "exact_in_default": all(map(is_exact_in_default, suite.context + suite.tests)),
        "source": task.source,
        "source_id": task.source_id,
        "source_revision": task.source_revision,
        "source_variant": task.source_variant,
        "license": task.license,
        "link": task.link,
        "encoding": ENCODING,
        "canary": CANARY,
    }


def _example_row(example: Example) -> Row:
    return {
        "input": example.input,
        "output": example.output,
        "origin": example.origin,
        "mutates": example.mutates,
    }


def _arc_row(arc: tuple[int, int]) -> Row:
    start, end = arc
    return {"start": start, "end": end}


def default_row(task: Task) -> Row:
    """Return the row of ``task`` in the config ``default``."""
    context = [[example.input, _published_output(example)] for example in task.suite.context]
    tests = [[example.input, _published_output(example)] for example in task.suite.tests]
    shown = {"header": task.header, "examples": task.suite.context}
    return {
        "test_func_validated": validated_code(task.code, task.validator),
        "description": task.description,
        "train_examples": json.dumps(context),
        "test_examples": json.dumps(tests),
        "all_examples": json.dumps([[*pair, "None"] for pair in context]),
        "direct_prompt": render("direct", **shown),
        "interactive_starting_prompt": render("interactive_start", **shown),
        "header": task.header,
    }


def _published_output(example: Example) -> object:
    """Return the output as JSON holds it; where JSON cannot, the text of its literal."""
    value = loads(example.output)
    return value if _json_holds(value) else example.output


def is_exact_in_default(example: Example) -> bool:
    """Return whether readers of ``default`` get back both values of ``example`` exactly.

    They read inputs with ``ast.literal_eval`` and outputs with ``json.loads``.
    """
    return _is_plain_literal(example.input) and _json_holds(loads(example.output))


def _is_plain_literal(text: str) -> bool:
    if not _CALL.search(text):
        return True
    try:
        ast.literal_eval(text)
    except ValueError:
        return False
    return True


def _json_holds(value: Any) -> bool:
    """Return whether ``value`` survives JSON with its exact type."""
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return True
    if kind is int:
        return bool(value.bit_length() <= MAX_DECIMAL_BITS)
    if kind is float:
        return math.isfinite(value)
    if kind is list:
        return all(map(_json_holds, value))
    if kind is dict:
        return all(type(key) is str for key in value) and all(map(_json_holds, value.values()))
    return False


def task_from_row(row: Row, split: Split) -> Task:
    """Return the task that ``typed_row`` made ``row`` of."""
    coverage = Coverage(
        statements=row["statements"],
        statements_covered=row["statements_covered"],
        arcs=row["branch_arcs"],
        arcs_covered=row["branch_arcs_covered"],
        missing_lines=tuple(row["missing_lines"]),
        missing_arcs=_arcs(row["missing_arcs"]),
        dead_lines=tuple(row["dead_lines"]),
        dead_arcs=_arcs(row["dead_arcs"]),
        why_dead=row["why_dead"],
    )
    strength = Strength(
        mutants=row["mutants"],
        killed=row["mutants_killed"],
        killed_by_context=row["mutants_killed_by_context"],
        survivors=tuple(Survivor(**survivor) for survivor in row["survivors"]),
    )
    suite = Suite(
        context=tuple(Example(**example) for example in row["context"]),
        tests=tuple(Example(**example) for example in row["tests"]),
        coverage=coverage,
        arcs_reached=row["branch_arcs_reached"],
        strength=strength,
    )
    return Task(
        task_id=row["task_id"],
        split=split,
        header=row["header"],
        code=row["code"],
        validator=row["validator"],
        description=row["description"],
        description_origin=row["description_origin"],
        description_code_match=row["description_code_match"],
        suite=suite,
        arity=row["arity"],
        source=row["source"],
        source_id=row["source_id"],
        source_revision=row["source_revision"],
        source_variant=row["source_variant"],
        license=row["license"],
        link=row["link"],
        domain=row["domain"],
        difficulty=Difficulty(**row["difficulty"]) if row["difficulty"] else None,
    )


def _arcs(rows: Sequence[Row]) -> tuple[tuple[int, int], ...]:
    return tuple((arc["start"], arc["end"]) for arc in rows)


def natural_key(text: str) -> list[tuple[int, str]]:
    """Return a sort key under which ``mbpp/9`` comes before ``mbpp/10``."""
    parts = re.split(r"([0-9]+)", text)
    return [(int(part) if index % 2 else -1, part) for index, part in enumerate(parts)]

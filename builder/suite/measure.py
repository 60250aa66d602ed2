"""What coverage.py says of a set of inputs on the unchanged method.

Only the bodies of functions count: the lines that run when the module is loaded say nothing
about the inputs.
"""

import ast
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coverage.parser import PythonParser

from builder.reasons import Reason, Stage
from builder.records import Coverage, Example, Rejection
from builder.sandbox.protocol import Call, Job, Outcome, Report, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.runner import ENTRY_POINT, patience

Arc = tuple[int, int]
"""From line to line; a negative end is the way out of the function that starts there."""

ESCAPING_RAISE = r"^\s*raise\b"


@dataclass(frozen=True, slots=True)
class CodeMap:
    """What there is to cover in a module."""

    statements: frozenset[int]
    """First lines of the statements."""
    arcs: frozenset[Arc]
    """Branch arcs: those that leave a line which has several ways out."""


def code_map(code: str) -> CodeMap:
    """Find the statements and branch arcs in the bodies of a module's functions.

    coverage.py decides by its static analysis. A condition that is constant (``while True``) is
    no branch to it, and code behind a ``return`` no statement.
    """
    return _analyse(code)[0]


def measure(
    code: str, inputs: Sequence[str], sandbox: Sandbox
) -> tuple[Coverage, tuple[Outcome, ...]]:
    """Run a method on inputs under coverage.py, in a child of its own.

    Args:
        code: the module that defines ``test_func``.
        inputs: canonical literals of argument tuples.
        sandbox: where it is run.

    Returns:
        The figures of all inputs together, and the outcome of each.
    """
    calls = tuple(Call(literal) for literal in inputs)
    with patience(sandbox):  # under coverage.py a call takes many times as long
        report = sandbox.run(Job(code, ENTRY_POINT, calls, coverage=True))
    return coverage_of(code, report), report.outcomes


def coverage_of(code: str, report: Report) -> Coverage:
    """Compare what a run under coverage.py executed with what there is to cover."""
    there_is, parser = _analyse(code)
    statements = there_is.statements & parser.translate_lines(report.executed_lines)
    arcs = there_is.arcs & _branches_taken(parser, report.executed_arcs)
    return Coverage(
        statements=len(there_is.statements),
        statements_covered=len(statements),
        arcs=len(there_is.arcs),
        arcs_covered=len(arcs),
        missing_lines=tuple(sorted(there_is.statements - statements)),
        missing_arcs=tuple(sorted(there_is.arcs - arcs)),
    )


@lru_cache(maxsize=4)
def _analyse(code: str) -> tuple[CodeMap, PythonParser]:
    """Analyse a module.

    A ``raise`` that nothing in the module can catch ends the call without a value, so no example
    ever runs it: such lines are excluded, in coverage.py's own sense of the word.
    """
    tree = ast.parse(code)
    catches = any(isinstance(node, ast.Try | ast.TryStar | ast.With) for node in ast.walk(tree))
    parser = PythonParser(text=code, exclude=None if catches else ESCAPING_RAISE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # of the candidate's own making
        parser.parse_source()
    arcs, inside, exits = parser.arcs(), _body_lines(tree), parser.exit_counts()
    branches = (
        (start, end)
        for start, end in arcs
        if start in inside and exits.get(start, 0) > 1 and end not in parser.excluded
    )
    return CodeMap(frozenset(parser.statements & inside), frozenset(branches)), parser


def _body_lines(node: ast.AST) -> set[int]:
    """Collect the lines of the bodies of all functions below ``node``."""
    lines: set[int] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            lines.update(range(child.body[0].lineno, (child.end_lineno or child.lineno) + 1))
        else:
            lines |= _body_lines(child)
    return lines


def _branches_taken(parser: PythonParser, arcs: Iterable[Arc]) -> set[Arc]:
    """Express recorded arcs in first lines of statements, as coverage.py's own report does.

    A statement that is seen to jump to itself (it has several lines) is left by its only way.
    """
    ends: dict[int, set[int]] = {}
    for start, end in parser.arcs():
        ends.setdefault(start, set()).add(end)
    taken: set[Arc] = set()
    for start, end in parser.translate_arcs(arcs):
        if start != end:
            taken.add((start, end))
        elif len(ends.get(start, ())) == 1:
            taken.add((start, min(ends[start])))
    return parser.translate_arcs(taken)


def first_change(examples: Sequence[Example], outcomes: Sequence[Outcome]) -> Rejection | None:
    """Reject a method that answers otherwise under coverage.py than it did in the search."""
    for example, outcome in zip(examples, outcomes, strict=True):
        if outcome.verdict is Verdict.TIMEOUT:
            return Rejection("", "", Stage.PROVE, Reason.TOO_SLOW, example.input)
        seen = (outcome.verdict, outcome.value, outcome.arguments_after is not None)
        if seen != (Verdict.OK, example.output, example.mutates):
            return Rejection("", "", Stage.PROVE, Reason.NONDETERMINISTIC, example.input)
    return None

"""Tests that a suite has to hold as well, because another row of the release passes the others."""

from collections.abc import Sequence
from dataclasses import replace

from builder.reasons import Stage
from builder.records import Coverage, Example, Method, Rejection, Strength, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.kill import mutation_kills
from builder.suite.measure import first_change, measure
from builder.synthesis.observe import observe
from builder.synthesis.runner import RefusedError

ORIGIN = "rival"
"""Of inputs that come from another row."""


def with_tests(
    method: Method, suite: Suite, inputs: Sequence[str], maximum: int, sandbox: Sandbox
) -> Suite | Rejection:
    """Add inputs to E_test, as far as they may be examples and there is room.

    Args:
        method: the method.
        suite: its suite; the context stays.
        inputs: canonical literals of argument tuples inside the domain.
        maximum: most tests.
        sandbox: runs the calls.

    Returns:
        The suite with its figures measured anew, or a rejection without source and id where the
        method turns out to answer differently from run to run, or to be too slow to be measured.

    Raises:
        HarnessError: the sandbox failed.
    """
    known = {example.input for example in suite.context + suite.tests}
    unknown = [text for text in inputs if text not in known]
    try:
        seen = observe(method, unknown[: max(0, maximum - len(suite.tests))], sandbox, ORIGIN)
    except RefusedError as refused:
        return Rejection("", "", Stage.PROVE, refused.reason, refused.detail)
    new = [observation.example for observation in seen]
    if not new:
        return suite
    tests = (*suite.tests, *new)
    measured, outcomes = measure(method.code, [test.input for test in tests], sandbox)
    changed = first_change(tests, outcomes)
    if changed is not None:
        return changed
    coverage = _coverage(measured, suite.coverage)
    return replace(
        suite,
        tests=tests,
        coverage=coverage,
        arcs_reached=max(suite.arcs_reached, coverage.arcs_covered),
        strength=_strength(suite.strength, method, new, sandbox),
    )


def _coverage(measured: Coverage, before: Coverage) -> Coverage:
    """Keep what is still believed to be dead."""
    lines = tuple(line for line in before.dead_lines if line in measured.missing_lines)
    arcs = tuple(arc for arc in before.dead_arcs if arc in measured.missing_arcs)
    why = before.why_dead if lines or arcs else ""
    return replace(measured, dead_lines=lines, dead_arcs=arcs, why_dead=why)


def _strength(
    before: Strength, method: Method, new: Sequence[Example], sandbox: Sandbox
) -> Strength:
    """Count the survivors that the new tests kill."""
    if not before.survivors:
        return before
    matrix = mutation_kills(method, [example.input for example in new], sandbox)
    killed = {
        (mutant.line, mutant.operator, mutant.difference(method.code))
        for mutant, killers in zip(matrix.mutants, matrix.killers, strict=True)
        if killers
    }
    left = tuple(
        survivor
        for survivor in before.survivors
        if (survivor.line, survivor.operator, survivor.difference) not in killed
    )
    gained = len(before.survivors) - len(left)
    return replace(before, killed=before.killed + gained, survivors=left)

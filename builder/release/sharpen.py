"""Adds to a finished row what tells it from the other rows that pass all its tests."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from builder.records import Coverage, Example, Method, Strength, Task
from builder.sandbox.supervisor import Sandbox
from builder.store import Store, toolkit_fingerprint
from builder.suite.kill import mutation_kills
from builder.suite.measure import measure
from builder.synthesis.observe import observe
from builder.synthesis.runner import RefusedError

ORIGIN = "rival"
"""Of inputs that come from another row."""
_TASK = TypeAdapter(Task)


def sharpen_once(
    task: Task, inputs: Sequence[str], maximum: int, sandbox: Sandbox, store: Store
) -> Task:
    """Do as ``sharpen``, unless the very same was done before.

    Raises:
        HarnessError: the sandbox failed.
    """
    digest = hashlib.sha256(f"{toolkit_fingerprint()}{sandbox.level}{maximum}".encode())
    digest.update(Path(__file__).read_bytes() + _TASK.dump_json(task))
    digest.update("\0".join(inputs).encode())
    kept = store.get(digest.hexdigest())
    if isinstance(kept, Task):
        return kept
    sharper = sharpen(task, inputs, maximum, sandbox)
    store.put(digest.hexdigest(), sharper)
    return sharper


def sharpen(task: Task, inputs: Sequence[str], maximum: int, sandbox: Sandbox) -> Task:
    """Add inputs to E_test, as far as they may be examples and there is room.

    Args:
        task: the row; its context stays.
        inputs: canonical literals of argument tuples inside its domain, none an example of it.
        maximum: most tests.
        sandbox: runs the calls.

    Raises:
        HarnessError: the sandbox failed.
    """
    suite = task.suite
    method = Method(task.code, task.header, (), "", "")
    try:
        seen = observe(method, inputs[: max(0, maximum - len(suite.tests))], sandbox, ORIGIN)
    except RefusedError:
        return task
    new = [observation.example for observation in seen]
    tests = (*suite.tests, *new)
    measured, outcomes = measure(task.code, [test.input for test in tests], sandbox)
    if not new or [outcome.value for outcome in outcomes] != [test.output for test in tests]:
        return task
    coverage = _coverage(measured, suite.coverage)
    return replace(
        task,
        suite=replace(
            suite,
            tests=tests,
            coverage=coverage,
            arcs_reached=max(suite.arcs_reached, coverage.arcs_covered),
            strength=_strength(suite.strength, method, new, sandbox),
        ),
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

"""Calls a method on many inputs, under limits that are the same on every machine."""

from collections.abc import Sequence
from dataclasses import replace

from builder.sandbox.protocol import Call, Job, Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.probes import insert_probes
from builder.synthesis.runner import ENTRY_POINT, LOOP_BUDGET, search_limits


def call_all(
    code: str,
    inputs: Sequence[str],
    sandbox: Sandbox,
    entry_point: str = ENTRY_POINT,
    loop_budget: int = LOOP_BUDGET,
) -> list[Outcome]:
    """Call a method with each of some argument tuples, as the search for inputs does.

    Args:
        code: a module that parses.
        inputs: canonical literals of argument tuples.
        sandbox: runs the calls.
        entry_point: name of the function.
        loop_budget: turns of loops and entries of functions that one call may take.

    Returns:
        One outcome for each input, with the branch probes that the call hit. If the module does
        not load, that is the outcome of each.

    Raises:
        HarnessError: the sandbox failed.
    """
    if not inputs:
        return []
    probed = insert_probes(code)
    probe = replace(probed.probe, budget=loop_budget)
    with search_limits(sandbox):
        report = sandbox.run(Job(probed.code, entry_point, tuple(map(Call, inputs)), probe=probe))
    if report.loaded.verdict is not Verdict.OK:
        return [report.loaded] * len(inputs)
    return list(report.outcomes)

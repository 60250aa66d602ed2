"""Inputs led towards the arcs that none has taken, by how far each decision was from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from builder.literals import dumps, loads
from builder.sandbox import scales
from builder.sandbox.protocol import Call, Job, Verdict
from builder.synthesis.climb import ascent, distance, feedback, variables
from builder.synthesis.climb.probes import insert_distance_probes
from builder.synthesis.conditions import domain_test
from builder.synthesis.domain import Domain
from builder.synthesis.programs import program_text
from builder.synthesis.runner import ENTRY_POINT, Runner, limited

CLIMB_SECONDS = 10.0
"""CPU time; the count of inputs and loop turns ends it many times sooner."""
CLIMB_BYTES = 160 * 1024 * 1024
ANSWER_CHARACTERS = 100_000
STARTS_EACH = 6
"""Inputs that came to the decision of a missing arc, the shortest, from which the way is sought."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What leading inputs to missing arcs came to."""

    inputs: tuple[str, ...]
    """Canonical literals of argument tuples in the domain that take a missing arc."""
    tried: int
    """Inputs that were made and run for it."""


def reach_missing(runner: Runner, domain: Domain, valid: Sequence[str], seed: float) -> Reached:
    """Lead inputs to the arcs that none has taken, where an input came to their decision.

    Args:
        runner: has run the inputs.
        domain: what the arguments may be.
        valid: inputs inside it on which the method returned.
        seed: of the choices by chance.

    Raises:
        HarnessError: the sandbox failed.
    """
    missing = {
        arc: tuple(sorted(set(decision) - {arc}))
        for decision in runner.decisions
        for arc in decision
        if arc not in runner.reached
    }
    starts = _starts(runner, missing, valid)
    if not starts:
        return Reached((), 0)
    probed, near = insert_distance_probes(runner.method.code, frozenset(missing))
    values = {
        "SEED": repr(seed),
        "CODE": repr(probed.code),
        "HIT": repr(probed.probe.hit),
        "TICK": repr(probed.probe.tick),
        "WEIGH": repr(probed.probe.weigh),
        "NEAR": repr(near),
        "INPUTS": f"[{', '.join(starts)}]",
        "MISSING": repr(missing),
        "is_inside": f"lambda arguments: {domain_test(domain, 'arguments')}",
    }
    code = program_text((scales, distance, variables, feedback, ascent), values)
    limits = replace(
        runner.sandbox.limits,
        call_seconds=CLIMB_SECONDS,
        memory_bytes=min(CLIMB_BYTES, runner.sandbox.limits.memory_bytes),
        value_characters=ANSWER_CHARACTERS,
    )
    with limited(runner.sandbox, limits):
        report = runner.sandbox.run(Job(code, ENTRY_POINT, (Call("(None,)"),)))
    if not report.outcomes or report.outcomes[0].verdict is not Verdict.OK:
        return Reached((), 0)
    tried, found = loads(report.outcomes[0].value)
    texts = dict.fromkeys(dumps(each) for each in found if domain.contains(each))
    return Reached(tuple(texts), tried)


def _starts(runner: Runner, missing: dict[int, tuple[int, ...]], valid: Sequence[str]) -> list[str]:
    """Return the shortest inputs that came to the decisions of missing arcs."""
    short = sorted(valid, key=len)
    chosen: dict[str, None] = {}
    for others in missing.values():
        near = [text for text in short if not set(others).isdisjoint(runner.outcomes[text].hits)]
        chosen.update(dict.fromkeys(near[:STARTS_EACH]))
    return list(chosen)

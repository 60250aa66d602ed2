"""From all that was observed of a method to its suite, with the figures that are published."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from builder.config import Settings
from builder.reasons import Reason, Stage
from builder.records import Coverage, Method, Rejection, Strength, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.expose import select_exposing
from builder.suite.hunt import Prey, hunt_mutants
from builder.suite.kill import ALL_OF, KillMatrix, mutation_kills
from builder.suite.measure import first_change, measure
from builder.suite.readings import Reading
from builder.suite.select import Selection, promising
from builder.suite.strength import strength_of
from builder.synthesis.runner import RefusedError
from builder.synthesis.search import Exploration, Observation

LOWEST_BRANCH_COVERAGE = 0.9
"""Share of all live branch arcs that the tests have to take, reached or not."""
WEAK = 0.9
"""Share of mutants killed below which those that live are hunted longer, unless so many inputs
were tried on them that they are probably equivalent."""
LONG_EFFORT = 6
ENOUGH_DIRECTED = 100
"""Inputs directed at the arcs that none had taken, after which these are believed to be dead."""


def build_suite(
    method: Method,
    exploration: Exploration,
    sandbox: Sandbox,
    settings: Settings,
    readings: Sequence[Reading] = (),
) -> Suite | Rejection:
    """Choose E_context and E_test, and measure the tests on the unchanged method.

    Args:
        method: the method.
        exploration: what the search observed.
        sandbox: runs the calls.
        settings: size of the suite, and how good it has to be.
        readings: code that should not pass, where something observed tells it from the method.

    Returns:
        The suite, or why there is none; the caller knows the row and names it.
    """
    try:
        chosen = _choose(method, exploration, sandbox, settings, readings)
    except RefusedError as refused:
        return Rejection("", "", Stage.PROVE, refused.reason, refused.detail)
    if isinstance(chosen, Rejection):
        return chosen
    tests = chosen.selection.tests
    coverage, outcomes = measure(method.code, _inputs(tests), sandbox)
    changed = first_change([seen.example for seen in tests], outcomes)
    if changed is not None:
        return changed
    reached = coverage
    if coverage.missing_arcs:
        witnesses = _witnesses([*exploration.observations, *tests])
        reached, _ = measure(method.code, _inputs(witnesses), sandbox)
        coverage = _with_dead_arcs(coverage, reached, exploration.directed, chosen.hunted)
    low = _below_bar(coverage, reached, settings.min_branch_coverage)
    low = low or _weak(chosen.strength, settings.min_mutation_score)
    if low is not None:
        return low
    return Suite(
        context=tuple(seen.example for seen in chosen.selection.context),
        tests=tuple(seen.example for seen in tests),
        coverage=coverage,
        arcs_reached=max(reached.arcs_covered, coverage.arcs_covered),
        strength=chosen.strength,
    )


@dataclass(frozen=True, slots=True)
class _Chosen:
    selection: Selection
    strength: Strength
    hunted: int
    """Further inputs that were tried on mutants."""


def _choose(
    method: Method,
    exploration: Exploration,
    sandbox: Sandbox,
    settings: Settings,
    readings: Sequence[Reading],
) -> _Chosen | Rejection:
    """Find out which mutants live on what was observed, hunt those, and choose the suite."""
    observations = list(exploration.observations)
    inputs = promising(observations, settings.minimum_tests)
    if isinstance(inputs, Rejection):
        return inputs
    matrix = mutation_kills(method, inputs, sandbox)
    prey = _hunted(method, exploration, matrix, sandbox)
    observations += prey.observations
    matrix = matrix.joined(prey.kills)
    selection = select_exposing(
        method, exploration.domain, observations, matrix.kills(), readings, sandbox, settings
    )
    if isinstance(selection, Rejection):
        return selection
    matrix = _completed(method, matrix, selection, inputs[:ALL_OF], sandbox)
    strength = strength_of(
        method.code, matrix, _inputs(selection.tests), _inputs(selection.context), prey.equivalent
    )
    return _Chosen(selection, strength, prey.tried)


def _hunted(method: Method, exploration: Exploration, matrix: KillMatrix, sandbox: Sandbox) -> Prey:
    """Hunt the mutants that few inputs kill; longer where too many of them live."""
    domain, observations = exploration.domain, exploration.observations
    prey = hunt_mutants(method, domain, observations, matrix, sandbox)
    alive = [
        mutant
        for mutant in matrix.survivors
        if mutant not in prey.equivalent and not prey.kills.get(mutant)
    ]
    killable = len(matrix.mutants) - len(prey.equivalent)
    if len(alive) <= (1 - WEAK) * killable:
        return prey
    return hunt_mutants(method, domain, observations, matrix, sandbox, LONG_EFFORT)


def _completed(
    method: Method,
    matrix: KillMatrix,
    selection: Selection,
    known: Sequence[str],
    sandbox: Sandbox,
) -> KillMatrix:
    """Try mutants on those chosen inputs of which not everything is known that counts.

    A test that is not known to kill a mutant matters only if no other test does.
    """
    tests, context = _inputs(selection.tests), _inputs(selection.context)
    is_open = any(killers and killers.isdisjoint(tests) for killers in matrix.killers)
    rest = [text for text in context + tests * is_open if text not in known]
    if not rest:
        return matrix
    more = mutation_kills(method, rest, sandbox)
    return matrix.joined(dict(zip(more.mutants, more.killers, strict=True)))


def _inputs(observations: Sequence[Observation]) -> list[str]:
    return [observation.example.input for observation in observations]


def _witnesses(observations: Sequence[Observation]) -> list[Observation]:
    """Return one observation for each set of probes hit: no other takes an arc of its own."""
    first: dict[tuple[int, ...], Observation] = {}
    for observation in observations:
        first.setdefault(observation.hits, observation)
    return list(first.values())


def _with_dead_arcs(coverage: Coverage, reached: Coverage, directed: int, hunted: int) -> Coverage:
    """Name what no input reached, if enough of them were sent there."""
    if directed < ENOUGH_DIRECTED:
        return coverage
    return replace(
        coverage,
        dead_lines=reached.missing_lines,
        dead_arcs=reached.missing_arcs,
        why_dead=f"no call that returns goes there: {directed:,} inputs were directed at it"
        + (f", and {hunted:,} more were tried" if hunted else ""),
    )


def _below_bar(coverage: Coverage, reached: Coverage, bar: float) -> Rejection | None:
    """Reject tests that miss too many of the arcs reached, or of all live arcs."""
    enough = coverage.arcs_covered >= bar * reached.arcs_covered
    if enough and coverage.branch_coverage >= LOWEST_BRANCH_COVERAGE:
        return None
    detail = (
        f"the tests take {coverage.arcs_covered} of {coverage.live_arcs} arcs, "
        f"all inputs together {reached.arcs_covered}; missing: "
        + ", ".join(f"{start} to {end}" for start, end in coverage.missing_arcs)
    )
    return Rejection("", "", Stage.SUITE, Reason.LOW_BRANCH_COVERAGE, detail)


def _weak(strength: Strength, bar: float) -> Rejection | None:
    """Reject tests that let too many mutants pass."""
    if strength.mutation_score >= bar:
        return None
    detail = (
        f"the tests tell {strength.killed} of {strength.killable} mutants from the method"
        f" ({strength.mutation_score:.3f})"
    )
    return Rejection("", "", Stage.SUITE, Reason.LOW_MUTATION_SCORE, detail)

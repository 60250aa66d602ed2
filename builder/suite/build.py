"""From all that was observed of a method to its suite, with the figures that are published."""

from collections.abc import Sequence

from builder.config import Settings
from builder.reasons import Reason, Stage
from builder.records import Coverage, Method, Rejection, Suite
from builder.sandbox.protocol import Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.kill import mutation_kills
from builder.suite.measure import measure
from builder.suite.select import Selection, select
from builder.suite.simplicity import cost
from builder.synthesis.search import Exploration, Observation

LOWEST_BRANCH_COVERAGE = 0.9
"""Share of all branch arcs that the tests have to take, reachable or not."""


def build_suite(
    method: Method, exploration: Exploration, sandbox: Sandbox, settings: Settings
) -> Suite | Rejection:
    """Choose E_context and E_test, and measure the tests on the unchanged method.

    Returns:
        The suite, or why there is none; the caller knows the row and names it.
    """
    chosen = _choose(method, exploration.observations, sandbox, settings)
    if isinstance(chosen, Rejection):
        return chosen
    coverage, outcomes = measure(method.code, _inputs(chosen.tests), sandbox)
    changed = _first_change(chosen.tests, outcomes)
    if changed is not None:
        return changed
    reached = coverage
    if coverage.missing_arcs:
        witnesses = _witnesses(exploration.observations)
        reached, _ = measure(method.code, _inputs(witnesses), sandbox)
    low = _below_bar(coverage, reached, settings.min_branch_coverage)
    if low is not None:
        return low
    return Suite(
        context=tuple(seen.example for seen in chosen.context),
        tests=tuple(seen.example for seen in chosen.tests),
        coverage=coverage,
        arcs_reached=max(reached.arcs_covered, coverage.arcs_covered),
    )


def _choose(
    method: Method, observations: Sequence[Observation], sandbox: Sandbox, settings: Settings
) -> Selection | Rejection:
    """Choose by arcs and outcomes, find out which mutants live, and choose again to kill them."""
    bounds = (settings.minimum_tests, settings.maximum_tests)
    draft = select(observations, *bounds)
    if isinstance(draft, Rejection):
        return draft
    others = sorted(observations, key=lambda seen: (cost(seen.example), seen.example.input))
    promising = dict.fromkeys(_inputs([*draft.tests, *draft.context, *others]))
    matrix = mutation_kills(method, list(promising), sandbox)
    return select(observations, *bounds, matrix.kills())


def _inputs(observations: Sequence[Observation]) -> list[str]:
    return [observation.example.input for observation in observations]


def _witnesses(observations: Sequence[Observation]) -> list[Observation]:
    """Return one observation for each set of probes hit: no other takes an arc of its own."""
    first: dict[tuple[int, ...], Observation] = {}
    for observation in observations:
        first.setdefault(observation.hits, observation)
    return list(first.values())


def _first_change(
    observations: Sequence[Observation], outcomes: Sequence[Outcome]
) -> Rejection | None:
    """Reject a method that answers otherwise under coverage.py than it did in the search."""
    for observation, outcome in zip(observations, outcomes, strict=True):
        example = observation.example
        if outcome.verdict is Verdict.TIMEOUT:
            return Rejection("", "", Stage.PROVE, Reason.TOO_SLOW, example.input)
        seen = (outcome.verdict, outcome.value, outcome.arguments_after is not None)
        if seen != (Verdict.OK, example.output, example.mutates):
            return Rejection("", "", Stage.PROVE, Reason.NONDETERMINISTIC, example.input)
    return None


def _below_bar(coverage: Coverage, reached: Coverage, bar: float) -> Rejection | None:
    """Reject tests that miss too many of the arcs reached, or of all arcs."""
    enough = coverage.arcs_covered >= bar * reached.arcs_covered
    if enough and coverage.branch_coverage >= LOWEST_BRANCH_COVERAGE:
        return None
    detail = (
        f"the tests take {coverage.arcs_covered} of {coverage.arcs} arcs, "
        f"all inputs together {reached.arcs_covered}; missing: "
        + ", ".join(f"{start} to {end}" for start, end in coverage.missing_arcs)
    )
    return Rejection("", "", Stage.SUITE, Reason.LOW_BRANCH_COVERAGE, detail)

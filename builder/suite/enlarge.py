"""Asking a model for inputs where a suite leaves something open."""

from builder.config import Settings
from builder.model.client import Model
from builder.reasons import Reason
from builder.records import Method, Rejection, Suite, Survivor
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.synthesis.adopt import adopt
from builder.synthesis.propose import Change, propose
from builder.synthesis.search import Exploration

_MENDABLE = frozenset(
    {
        Reason.TOO_FEW_INPUTS,
        Reason.CONSTANT,
        Reason.ONLY_NONE,
        Reason.LOW_BRANCH_COVERAGE,
        Reason.LOW_MUTATION_SCORE,
    }
)
"""Reasons that further inputs can do away with."""


def enlarge(
    method: Method,
    exploration: Exploration,
    suite: Suite | Rejection,
    model: Model,
    sandbox: Sandbox,
    settings: Settings,
) -> tuple[Exploration, Suite | Rejection]:
    """Ask for inputs that show what the suite does not, and build it again with them.

    Nothing is asked where every line is run and every mutant killed.

    Args:
        method: the method.
        exploration: what the search found.
        suite: what came of it, or why there is none.
        model: has a model for ``propose``.
        sandbox: runs the calls.
        settings: those of the suite.

    Returns:
        What is observed with the new inputs, and the new suite; or both old ones where nothing
        that was proposed adds to the suite.

    Raises:
        WaitingForModelError, PauError: as ``Model.ask``.
        HarnessError: the sandbox failed.
    """
    if isinstance(suite, Rejection):
        if suite.reason not in _MENDABLE:
            return exploration, suite
        lines: tuple[int, ...] = ()
        changes: list[Change] = []
    else:
        lines = suite.coverage.missing_lines
        changes = changes_of(suite)
        if not (lines or changes or suite.coverage.missing_arcs):
            return exploration, suite
    known = [seen.example.input for seen in exploration.observations]
    proposals = propose(
        method, exploration.domain, model, known=known, lines=lines, changes=changes
    )
    grown = adopt(method, exploration, proposals, sandbox)
    if isinstance(grown, Rejection):
        return exploration, grown
    if len(grown.observations) == len(exploration.observations):
        return exploration, suite
    larger = build_suite(method, grown, sandbox, settings)
    if isinstance(larger, Rejection):
        return exploration, suite if larger.reason in _MENDABLE else larger
    if isinstance(suite, Rejection) or _adds(larger, suite):
        return grown, larger
    return exploration, suite


def _adds(larger: Suite, suite: Suite) -> bool:
    """Whether a suite takes an arc or kills a mutant more than another one."""
    more_arcs = larger.coverage.arcs_covered > suite.coverage.arcs_covered
    return more_arcs or larger.strength.killed > suite.strength.killed


def changes_of(suite: Suite) -> list[Change]:
    """Return the mutants that pass a suite as a prompt shows them, the likeliest gaps first."""
    survivors = sorted(suite.strength.survivors, key=lambda each: bool(each.why_equivalent))
    return [_change_of(survivor) for survivor in survivors]


def _change_of(survivor: Survivor) -> Change:
    lines = survivor.difference.splitlines()
    old, new = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return Change(survivor.line, old, new)

"""Proposed inputs join what the search has observed, after the same checks."""

from dataclasses import replace

from builder.reasons import Stage
from builder.records import Method, Rejection
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.observe import observe
from builder.synthesis.propose import Proposals
from builder.synthesis.runner import RefusedError
from builder.synthesis.search import Exploration


def adopt(
    method: Method, exploration: Exploration, proposals: Proposals, sandbox: Sandbox
) -> Exploration | Rejection:
    """Run proposed inputs and add those that may be examples to an exploration.

    Which of them a suite takes, the suite decides: only what adds something.

    Args:
        method: the method.
        exploration: what the search found for it.
        proposals: new inputs inside its domain.
        sandbox: runs the calls.

    Returns:
        The larger exploration, or a rejection without source and id where a proposal shows that
        the method answers differently from run to run.

    Raises:
        HarnessError: the sandbox failed.
    """
    known = {observation.example.input for observation in exploration.observations}
    new = [text for text in proposals.inputs if text not in known]
    if not new:
        return exploration
    try:
        found = observe(method, new, sandbox, proposals.origin)
    except RefusedError as refused:
        return Rejection("", "", Stage.PROVE, refused.reason, refused.detail)
    return replace(
        exploration,
        observations=(*exploration.observations, *found),
        tried=exploration.tried + len(new),
        failed=exploration.failed + len(new) - len(found),
    )

"""New inputs become observations after the same checks as those of the search."""

from collections.abc import Sequence

from builder.records import Example, Method
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.confirm import confirm, is_sound
from builder.synthesis.runner import Runner, search_limits
from builder.synthesis.search import Observation


def observe(
    method: Method, inputs: Sequence[str], sandbox: Sandbox, origin: str
) -> list[Observation]:
    """Return what is observed on those inputs that may be examples.

    Args:
        method: the method.
        inputs: canonical literals of argument tuples inside its domain.
        sandbox: runs the calls.
        origin: which spring they come from.

    Raises:
        RefusedError: the method answers differently from run to run.
        HarnessError: the sandbox failed.
    """
    if not inputs:
        return []
    with search_limits(sandbox):
        runner = Runner(method, sandbox)
        runner.run(inputs)
        sound = [text for text in runner.valid() if is_sound(runner, text)]
        confirmed = confirm(runner, sound) if sound else []
    outcomes = [(text, runner.outcomes[text]) for text in confirmed]
    return [
        Observation(Example(text, seen.value, origin, seen.arguments_after is not None), seen.hits)
        for text, seen in outcomes
    ]

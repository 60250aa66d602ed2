"""Wrong readings: what a model wrote from words, passing all tests without being the method."""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.sandbox.protocol import Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.calls import call_all
from builder.synthesis.search import Observation


@dataclass(frozen=True, slots=True)
class Reading:
    """What somebody took a method for."""

    code: str
    """A module that defines ``test_func``; foreign."""


def misread(
    readings: Sequence[Reading], observations: Sequence[Observation], sandbox: Sandbox
) -> dict[str, frozenset[Reading]]:
    """Return for each input the readings that do not give its output.

    Raises:
        HarnessError: the sandbox failed.
    """
    found: dict[str, set[Reading]] = {}
    examples = [observation.example for observation in observations]
    for reading in readings:
        outcomes = call_all(reading.code, [example.input for example in examples], sandbox)
        for example, outcome in zip(examples, outcomes, strict=True):
            if outcome.verdict is not Verdict.OK or outcome.value != example.output:
                found.setdefault(example.input, set()).add(reading)
    return {text: frozenset(wrong) for text, wrong in found.items()}

"""Chooses a suite that nobody passes who overlooks something, or takes the method for another."""

from collections.abc import Mapping, Sequence

from builder.config import Settings
from builder.records import Method, Rejection
from builder.sandbox.supervisor import Sandbox
from builder.suite.blind import Blind, blind_to_parts, passing_blind, unmask
from builder.suite.readings import Reading, misread
from builder.suite.select import Selection, select
from builder.synthesis.domain import Domain
from builder.synthesis.search import Observation

_AGAIN = 5
"""Times that a suite is chosen anew because somebody passes it who overlooks a whole argument."""


def select_exposing(
    method: Method,
    domain: Domain,
    observations: Sequence[Observation],
    kills: Mapping[str, frozenset[int]],
    readings: Sequence[Reading],
    sandbox: Sandbox,
    settings: Settings,
) -> Selection | Rejection:
    """Choose a suite of what was observed, and of new inputs that unmask impostors.

    Args:
        method: the method.
        domain: what its arguments may be.
        observations: what was observed of it.
        kills: which mutants an input kills, as far as it is known.
        readings: what others took the method for.
        sandbox: runs the calls.
        settings: how large a suite may be.

    Raises:
        RefusedError: the method answers differently from run to run.
        HarnessError: the sandbox failed.
    """
    seen = list(observations)
    unmasked: dict[str, frozenset[Blind | Reading]] = {}
    unmasked.update(misread(readings, seen, sandbox))
    bounds = settings.minimum_tests, settings.maximum_tests
    known: set[Blind] = set()
    impostors = blind_to_parts(domain)
    for _ in range(_AGAIN):
        found = unmask(method, domain, seen, impostors, sandbox)
        seen += found.observations
        for text, told in found.unmasked.items():
            unmasked[text] = unmasked.get(text, frozenset()) | told
        selection = select(seen, *bounds, kills, unmasked)
        if isinstance(selection, Rejection):
            break
        tests = [each.example for each in selection.tests]
        impostors = [
            impostor for impostor in passing_blind(method, tests, sandbox) if impostor not in known
        ]
        if not impostors:
            break
        known.update(impostors)
    return selection

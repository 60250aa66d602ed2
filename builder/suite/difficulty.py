"""How hard a method is to guess, seen from calls with random arguments of its domain."""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from builder.literals import dumps
from builder.records import Difficulty, Example
from builder.sandbox.protocol import Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.calls import call_all
from builder.synthesis.compose import compose
from builder.synthesis.domain import Domain

RANDOM_INPUTS: Final = 100
"""Argument tuples drawn; those on which the method does not return count for nothing."""


def measure_difficulty(
    code: str, domain: Domain, tests: Sequence[Example], sandbox: Sandbox
) -> Difficulty:
    """Call the method with random arguments, and see what they reach and what comes out.

    The arguments depend on the code and the domain alone.

    Raises:
        HarnessError: the sandbox failed.
    """
    digest = hashlib.sha256(code.encode()).hexdigest()
    source = random.Random(f"difficulty:{digest}")
    drawn = [dumps(_draw(domain, source)) for _ in range(RANDOM_INPUTS)]
    distinct = list(dict.fromkeys([*(test.input for test in tests), *drawn]))
    outcome_of = dict(zip(distinct, call_all(code, distinct, sandbox), strict=True))
    outcomes = [outcome_of[text] for text in drawn if outcome_of[text].verdict is Verdict.OK]
    reached = {hit for test in tests for hit in outcome_of[test.input].hits}
    return Difficulty(
        rarest_branch_rate=_rarest(reached, outcomes),
        outcome_entropy=_entropy([outcome.value for outcome in outcomes]),
    )


def _draw(domain: Domain, source: random.Random) -> tuple[Any, ...]:
    most = len(domain.parameters)
    if domain.variadic is not None:
        most += source.randint(1, 4)
    count = most if source.random() < 0.6 else source.randint(domain.required, most)
    return compose([domain.kind_at(index) for index in range(count)], source)


def _rarest(arcs: set[int], outcomes: Sequence[Outcome]) -> float:
    """Return the share of outcomes that hit the arc which the fewest hit."""
    if not arcs:
        return 1.0
    times = Counter(hit for outcome in outcomes for hit in outcome.hits)
    return min(times[arc] for arc in arcs) / len(outcomes) if outcomes else 0.0


def _entropy(values: Sequence[str]) -> float:
    """Return the Shannon entropy of the values, in bits."""
    shares = [times / len(values) for times in Counter(values).values()]
    # fsum, and no sign on zero: the same bits whatever the order.
    return max(0.0, -math.fsum(share * math.log2(share) for share in shares))

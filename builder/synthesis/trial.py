"""Trial calls: of several guesses at the kinds of the arguments, keep those that work."""

import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.literals import dumps
from builder.sandbox.protocol import Outcome, Verdict
from builder.synthesis.compose import compose
from builder.synthesis.domain import Kind
from builder.synthesis.runner import Runner

Guess = tuple[Kind, float]
"""A kind and the weight of the evidence for it."""
Combination = tuple[Guess, ...]

FIRST_COMBINATIONS = 12
MORE_COMBINATIONS = 60
CALLS_EACH = 6
GOOD_SHARE = 0.8
"""A first guess that returns something on this share of its calls is taken at once."""


@dataclass(frozen=True, slots=True)
class _Score:
    useful: float
    """Share of the calls that returned something other than None."""
    total: float


def choose_kinds(
    guesses: Sequence[Sequence[Guess]], runner: Runner, source: random.Random
) -> tuple[Kind, ...] | None:
    """Choose one kind for each argument.

    Args:
        guesses: for each argument, likeliest first.
        runner: makes the calls.
        source: of the choice of inputs.

    Returns:
        The kinds of the best combination; None if nothing was returned for any.

    Raises:
        RefusedError: see ``Runner.run``.
    """
    ordered = list(_best_first(guesses, FIRST_COMBINATIONS + MORE_COMBINATIONS))
    if len(ordered) == 1:
        return _kinds(ordered[0])
    first = _try(ordered[:FIRST_COMBINATIONS], runner, source)
    best = max(first, key=lambda combination: first[combination].total)
    if first[best].useful < GOOD_SHARE:
        first |= _try(ordered[FIRST_COMBINATIONS:], runner, source)
        best = max(first, key=lambda combination: first[combination].total)
    return _kinds(best) if first[best].total > -100 else None


def _kinds(combination: Combination) -> tuple[Kind, ...]:
    return tuple(kind for kind, _ in combination)


def _best_first(guesses: Sequence[Sequence[Guess]], most: int) -> Iterator[Combination]:
    """Combinations by falling sum of weights."""

    def entry(places: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
        weight = sum(guesses[index][place][1] for index, place in enumerate(places))
        return (-weight, places)

    start = (0,) * len(guesses)
    waiting, seen = [entry(start)], {start}
    while waiting and most:
        _, places = heapq.heappop(waiting)
        yield tuple(guesses[index][place] for index, place in enumerate(places))
        most -= 1
        for index, place in enumerate(places):
            following = (*places[:index], place + 1, *places[index + 1 :])
            if place + 1 < len(guesses[index]) and following not in seen:
                seen.add(following)
                heapq.heappush(waiting, entry(following))


def _try(
    combinations: Sequence[Combination], runner: Runner, source: random.Random
) -> dict[Combination, _Score]:
    inputs = {each: _inputs(_kinds(each), source) for each in combinations}
    runner.run(text for texts in inputs.values() for text in texts)
    return {
        each: _score(each, [runner.outcomes[text] for text in texts], runner.arcs)
        for each, texts in inputs.items()
    }


def _inputs(kinds: tuple[Kind, ...], source: random.Random) -> list[str]:
    return [dumps(compose(kinds, source)) for _ in range(CALLS_EACH)]


def _score(combination: Combination, outcomes: list[Outcome], arcs: int) -> _Score:
    returned = [outcome for outcome in outcomes if outcome.verdict is Verdict.OK]
    if not returned:
        return _Score(0, -1000)
    useful = [outcome for outcome in returned if outcome.value != "None"]
    reached = {hit for outcome in returned for hit in outcome.hits}
    share = len(useful) / len(outcomes)
    weight = sum(weight for _, weight in combination) / len(combination)
    diversity = len({outcome.value for outcome in returned}) / len(outcomes)
    total = (
        3 * share
        + 0.5 * len(returned) / len(outcomes)
        + 1.5 * len(reached) / max(arcs, 1)
        + 0.5 * diversity
        + 0.5 * weight
    )
    return _Score(share, total)

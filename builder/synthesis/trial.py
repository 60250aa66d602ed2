"""Trial calls: of several guesses at the kinds of the arguments, keep those that work."""

import heapq
import random
from collections.abc import Callable, Iterator, Sequence
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
CALLS_EACH = 8
ENOUGH_SHARE = 0.4
"""Where this share of the calls returns something, more says little: the rest is luck."""
GOOD_SHARE = 0.8
"""A first guess that returns something on this share of its calls is taken at once."""


@dataclass(frozen=True, slots=True)
class _Score:
    useful: float
    """Share of the calls that returned something other than None."""
    total: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One kind for each argument, and how well they did."""

    kinds: tuple[Kind, ...]
    useful: float
    """Share of the trial calls that returned something other than None; 1 if none was needed."""


def choose_kinds(
    guesses: Sequence[Sequence[Guess]],
    fit: Callable[[Sequence[Kind]], float],
    runner: Runner,
    source: random.Random,
) -> Choice:
    """Choose one kind for each argument.

    Args:
        guesses: for each argument, likeliest first; at least one.
        fit: how well the kinds go together, as a weight.
        runner: makes the calls.
        source: of the choice of inputs.

    Raises:
        RefusedError: see ``Runner.run``.
    """
    combinations = list(_best_first(guesses, FIRST_COMBINATIONS + MORE_COMBINATIONS))
    if len(combinations) == 1:
        return Choice(_kinds(combinations[0]), useful=1)

    def weight(combination: Combination) -> float:
        together = sum(weight for _, weight in combination) + fit(_kinds(combination))
        return together / len(combination)

    combinations.sort(key=weight, reverse=True)
    scores = {}
    for some in (combinations[:FIRST_COMBINATIONS], combinations[FIRST_COMBINATIONS:]):
        for combination, outcomes in _try(some, runner, source).items():
            scores[combination] = _score(weight(combination), outcomes, runner.arcs)
        best = max(scores, key=lambda combination: scores[combination].total)
        if scores[best].useful >= GOOD_SHARE:
            break
    return Choice(_kinds(best), scores[best].useful)


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
) -> dict[Combination, list[Outcome]]:
    inputs = {each: _inputs(_kinds(each), source) for each in combinations}
    runner.run(text for texts in inputs.values() for text in texts)
    return {each: [runner.outcomes[text] for text in texts] for each, texts in inputs.items()}


def _inputs(kinds: tuple[Kind, ...], source: random.Random) -> list[str]:
    return [dumps(compose(kinds, source, lean=3)) for _ in range(CALLS_EACH)]


def _score(weight: float, outcomes: list[Outcome], arcs: int) -> _Score:
    returned = [outcome for outcome in outcomes if outcome.verdict is Verdict.OK]
    if not returned:
        return _Score(0, -1000)
    useful = [outcome for outcome in returned if outcome.value != "None"]
    reached = {hit for outcome in returned for hit in outcome.hits}
    share = len(useful) / len(outcomes)
    diversity = len({outcome.value for outcome in returned}) / len(outcomes)
    total = (
        3 * min(share / ENOUGH_SHARE, 1)
        + 3 * len(reached) / max(arcs, 1)
        + 0.5 * diversity
        + 1.5 * weight
    )
    return _Score(share, total)

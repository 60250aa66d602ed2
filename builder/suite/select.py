"""Choose E_context and E_test among all that was observed.

Every probe number, outcome class, killed mutant and unmasked impostor that some observation shows
is a *feature*.
The tests alone have to show every feature; the two context examples have to leave some open.
Features are held as bits of ints, since a suite is chosen among many hundred observations.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from builder.reasons import Reason, Stage
from builder.records import Example, Rejection
from builder.shared_values import shared_value
from builder.suite.blind import Blind
from builder.suite.categories import Category, categories
from builder.suite.impostors import IMPOSTORS, Impostor, passing
from builder.suite.readings import Reading
from builder.suite.simplicity import context_cost, cost, outcome_class
from builder.synthesis.search import Observation

TYPICAL_TESTS = 12
"""A suite is filled up to so many tests as long as they bring something new."""
_PAIRED = 3
"""Most tests more for a category together with an outcome that no test has in this category."""
_LONG = 32
"""Inputs of more characters are all of one size."""
_RANK_COST, _ALIKE_COST, _UNTOLD_COST = 4, 14, 20
"""What a rarer behaviour, a look-alike, and no mutant killed cost a pair of context examples, in
characters."""
_READY_COST = 40
"""An example of no cost is worth as much as one of this cost that shows twice as much."""
_CONTEXT_EACH, _CONTEXT_CANDIDATES = 8, 48
_TELLING = 15
_FEW, _SOME = 3, 8
"""Examples on which impostors are tried first, and on which those that are left are."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The observations chosen, simplest first."""

    context: tuple[Observation, Observation]
    tests: tuple[Observation, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """An observation and what it shows."""

    observation: Observation
    arcs: int
    """Bits of the probe numbers hit."""
    kills: int
    """Bits of the mutants killed."""
    others: int
    """Those too, and bits of the outcome class and the impostors unmasked."""
    outcome: str
    cost: int
    context_cost: int

    @property
    def input(self) -> str:
        return self.observation.example.input

    @property
    def output(self) -> str:
        return self.observation.example.output

    @property
    def behaviour(self) -> tuple[int, str]:
        return (self.arcs, self.outcome)


def promising(observations: Sequence[Observation], minimum: int) -> list[str] | Rejection:
    """Order the inputs by how likely they are to be chosen.

    First come those that together show every arc and outcome, then those that could be context,
    then the simplest.

    Returns:
        The distinct inputs; or why no suite of ``minimum`` tests can be made of them.
    """
    candidates = _candidates(observations, {}, [], {})
    refused = _refusal(candidates, minimum)
    if refused is not None:
        return refused
    first = _without_redundant(_cover(candidates, len(candidates)))
    telling = sorted(candidates, key=_most_telling)[:_TELLING]
    return list(dict.fromkeys(each.input for each in [*first, *telling, *candidates]))


def select(
    observations: Sequence[Observation],
    minimum: int,
    maximum: int,
    kills: Mapping[str, frozenset[int]] | None = None,
    unmasked: Mapping[str, frozenset[Blind | Reading]] | None = None,
) -> Selection | Rejection:
    """Choose exactly two context examples, and between ``minimum`` and ``maximum`` tests.

    Args:
        observations: all inputs on which the method returned; repeated inputs count once.
        minimum: fewest tests.
        maximum: most tests; what more of them would show is given up, mutants first.
        kills: which mutants an input kills, as far as it is known.
        unmasked: which impostors made for this method an input unmasks, as far as it is known.
    """
    impostors = _plausible_impostors([seen.example for seen in observations])
    candidates = _candidates(observations, kills or {}, impostors, unmasked or {})
    refused = _refusal(candidates, minimum)
    if refused is not None:
        return refused
    context = _choose_context(candidates, Counter(candidate.output for candidate in candidates))
    rest = [candidate for candidate in candidates if candidate not in context]
    if len({candidate.output for candidate in rest}) == 1:
        detail = "too few inputs have another output for context and tests"
        return Rejection("", "", Stage.SUITE, Reason.CONSTANT, detail)
    tests = _without_redundant(_cover(rest, maximum))
    _expose_impostors(tests, rest, maximum)
    falling_into = {each.input: categories(shared_value(each.input)) for each in rest}
    _show_all(falling_into, tests, rest, maximum)
    typical = min(maximum, max(minimum, TYPICAL_TESTS))
    _show_twice(tests, rest, typical)
    _show_all(_with_outcomes(falling_into, rest), tests, rest, min(maximum, typical + _PAIRED))
    _fill(tests, rest, minimum, typical)
    first, second = (candidate.observation for candidate in context)
    tests.sort(key=_simplest)
    return Selection((first, second), tuple(candidate.observation for candidate in tests))


def _refusal(candidates: Sequence[_Candidate], minimum: int) -> Rejection | None:
    if len(candidates) < minimum + 2:
        detail = f"{len(candidates)} inputs, {minimum + 2} needed"
        return Rejection("", "", Stage.SUITE, Reason.TOO_FEW_INPUTS, detail)
    if len({candidate.output for candidate in candidates}) == 1:
        return Rejection("", "", Stage.SUITE, Reason.CONSTANT, f"{len(candidates)} inputs")
    return None


def _simplest(candidate: _Candidate) -> tuple[int, str]:
    return (candidate.cost, candidate.input)


def _candidates(
    observations: Sequence[Observation],
    kills: Mapping[str, frozenset[int]],
    impostors: Sequence[Impostor],
    unmasked_by: Mapping[str, frozenset[Blind | Reading]],
) -> list[_Candidate]:
    """Number the features and return the distinct inputs, simplest first."""
    bits: dict[object, int] = {}

    def mask(features: Iterable[object]) -> int:
        result = 0
        for feature in features:
            result |= 1 << bits.setdefault(feature, len(bits))
        return result

    examples = {seen.example.input: seen for seen in reversed(observations)}
    found: list[_Candidate] = []
    for text, observation in examples.items():
        example = observation.example
        outcome = outcome_class(example)
        right = passing(impostors, example)
        killed = mask(("kill", number) for number in sorted(kills.get(text, ())))
        unmasked = mask(("unmask", n) for n, each in enumerate(impostors) if each not in right)
        unmasked |= mask(sorted(unmasked_by.get(text, ()), key=repr))
        found.append(
            _Candidate(
                observation,
                arcs=mask(("hit", number) for number in observation.hits),
                kills=killed,
                others=killed | unmasked | mask([("outcome", outcome)]),
                outcome=outcome,
                cost=cost(example),
                context_cost=context_cost(example),
            )
        )
    return sorted(found, key=_simplest)


def _plausible_impostors(examples: Sequence[Example]) -> list[Impostor]:
    """Return the impostors that are right on most of some examples."""
    ordered = sorted(examples, key=lambda example: (len(example.input), example.input))
    few, some = (ordered[:: max(1, len(ordered) // count)] for count in (_FEW, _SOME))
    right = {impostor for example in few for impostor in passing(IMPOSTORS, example)}
    left = [impostor for impostor in IMPOSTORS if impostor in right]
    times = Counter(impostor for example in some for impostor in passing(left, example))
    return [impostor for impostor in left if 2 * times[impostor] >= len(some)]


def _choose_context(
    candidates: Sequence[_Candidate], outputs: Counter[str]
) -> tuple[_Candidate, _Candidate]:
    """Choose the two examples that everybody would give first.

    A pair must differ in output. Then, in this order: the tests have to keep two outputs, every
    arc and every other feature; something should be left open; and the two should show common
    behaviours, be easy to read and not look alike.
    """
    every_arc = every_other = every_kill = 0
    for candidate in candidates:
        every_arc |= candidate.arcs
        every_other |= candidate.others
        every_kill |= candidate.kills
    mutants = max(1, every_kill.bit_count())
    arcs_once, arcs_twice = _rare_bits([candidate.arcs for candidate in candidates])
    others_once, others_twice = _rare_bits([candidate.others for candidate in candidates])

    def faults(one: tuple[int, _Candidate], two: tuple[int, _Candidate]) -> tuple[int, ...]:
        (rank_one, a), (rank_two, b) = one, two
        only_here = sum(outputs[candidate.output] == 1 for candidate in (a, b))
        arcs_lost = (a.arcs | b.arcs) & arcs_once | a.arcs & b.arcs & arcs_twice
        others_lost = (a.others | b.others) & others_once | a.others & b.others & others_twice
        is_open = (a.arcs | b.arcs) != every_arc or (a.others | b.others) != every_other
        return (
            len(outputs) - only_here < 2,
            arcs_lost.bit_count(),
            others_lost.bit_count(),
            not is_open,
            (rank_one + rank_two) * _RANK_COST
            + a.context_cost
            + b.context_cost
            + _ALIKE_COST * _look_alike(a.input, b.input)
            - _UNTOLD_COST * (a.kills | b.kills).bit_count() // mutants,
        )

    pairs = (
        (faults(one, two), one[1], two[1])
        for one, two in combinations(_typical(candidates, outputs), 2)
        if one[1].output != two[1].output
    )
    _, first, second = min(pairs, key=lambda pair: pair[0])
    return (first, second) if _simplest(first) <= _simplest(second) else (second, first)


def _look_alike(one: str, other: str) -> bool:
    """Whether two inputs have the greater part in common, read from the left."""
    shortest = min(len(one), len(other))
    pairs = enumerate(zip(one, other, strict=False))
    shared = next((place for place, (a, b) in pairs if a != b), shortest)
    return 2 * shared > shortest


def _rare_bits(masks: Sequence[int]) -> tuple[int, int]:
    """Return the bits that stand in one mask only, and those that stand in exactly two."""
    once = twice = more = 0
    for mask in masks:
        more |= twice & mask
        twice = (twice | once & mask) & ~more
        once = (once | mask) & ~(twice | more)
    return once, twice


def _typical(
    candidates: Sequence[_Candidate], outputs: Counter[str]
) -> list[tuple[int, _Candidate]]:
    """Return the simplest examples of the commonest behaviours, each with its behaviour's rank.

    Those that the corpus itself shows come first. If all of them have one output, the simplest
    example with another one joins them.
    """
    groups: dict[tuple[int, str], list[_Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.behaviour, []).append(candidate)
    commonest = sorted(
        groups.values(),
        key=lambda group: (
            not any(each.observation.example.origin == "corpus" for each in group),
            -len(group),
            _simplest(group[0]),
        ),
    )
    each = len(candidates) if len(candidates) <= _CONTEXT_CANDIDATES else _CONTEXT_EACH
    ranked = [
        (rank, candidate)
        for rank, group in enumerate(commonest[:_CONTEXT_CANDIDATES])
        for candidate in sorted(group, key=_most_telling)[:each]
    ][:_CONTEXT_CANDIDATES]
    shown = {candidate.output for _, candidate in ranked}
    if len(shown) == 1:
        ranked += [(len(groups), other) for other in candidates if other.output not in shown][:1]
    return ranked


def _most_telling(candidate: _Candidate) -> tuple[int, str]:
    return (candidate.context_cost, candidate.input)


def _cover(candidates: Sequence[_Candidate], maximum: int) -> list[_Candidate]:
    """Take greedily what shows most that is new, arcs before all else, for its cost."""
    chosen: list[_Candidate] = []
    arcs = others = 0
    while len(chosen) < maximum:
        best = max(
            candidates,
            key=lambda each: (
                _worth((each.arcs & ~arcs).bit_count(), each),
                _worth((each.others & ~others).bit_count(), each),
            ),
        )
        if not best.arcs & ~arcs and not best.others & ~others:
            break
        chosen.append(best)
        arcs |= best.arcs
        others |= best.others
    return chosen


def _worth(shown: int, candidate: _Candidate) -> float:
    return shown / (_READY_COST + max(0, candidate.cost))


def _without_redundant(chosen: list[_Candidate]) -> list[_Candidate]:
    """Drop what the later choices made superfluous, the least simple first."""
    kept = sorted(chosen, key=_simplest)
    for candidate in reversed(kept.copy()):
        arcs = others = 0
        for other in kept:
            if other is not candidate:
                arcs |= other.arcs
                others |= other.others
        if not candidate.arcs & ~arcs and not candidate.others & ~others:
            kept.remove(candidate)
    return kept


def _expose_impostors(
    tests: list[_Candidate], candidates: Sequence[_Candidate], maximum: int
) -> None:
    """Add tests that cheap functions fail which pass the others, where there are any."""
    left: Sequence[Impostor] = IMPOSTORS
    for test in tests:
        left = passing(left, test.observation.example)
    for candidate in candidates:
        if not left or len(tests) >= maximum:
            return
        still = passing(left, candidate.observation.example)
        if len(still) < len(left):
            tests.append(candidate)
            left = still


def _show_all(
    features: Mapping[str, frozenset[Hashable]],
    tests: list[_Candidate],
    candidates: Sequence[_Candidate],
    target: int,
) -> None:
    """Add tests that show what no test shows yet, up to ``target`` tests.

    Args:
        features: what each input shows.
        tests: those so far.
        candidates: those to choose from, the simplest first.
        target: number of tests.
    """
    left = frozenset[Hashable]().union(*features.values())
    for test in tests:
        left -= features[test.input]
    while left and len(tests) < target:
        best = max(candidates, key=lambda each: _worth(len(features[each.input] & left), each))
        tests.append(best)
        left -= features[best.input]


def _with_outcomes(
    falling_into: Mapping[str, frozenset[Category]], candidates: Sequence[_Candidate]
) -> dict[str, frozenset[Hashable]]:
    """Pair the categories of each input with the sort of its outcome."""
    return {
        each.input: frozenset((category, each.outcome) for category in falling_into[each.input])
        for each in candidates
    }


def _show_twice(tests: list[_Candidate], candidates: Sequence[_Candidate], target: int) -> None:
    """Add tests for mutants that only one test kills, up to ``target`` tests.

    A mutant that two tests kill is the surer sign that what is wrong in a similar way, and that
    nobody thought of, is killed too.
    """
    once = twice = 0
    for test in tests:
        twice |= once & test.kills
        once |= test.kills
    left = [candidate for candidate in candidates if candidate not in tests]
    while left and len(tests) < target:
        best = max(left, key=lambda each: _worth((each.kills & ~twice).bit_count(), each))
        if not best.kills & ~twice:
            return
        tests.append(best)
        left.remove(best)
        twice |= best.kills


def _fill(
    tests: list[_Candidate], candidates: Sequence[_Candidate], minimum: int, target: int
) -> None:
    """Add diverse tests up to ``target``, and any up to ``minimum``.

    The next test is one of a behaviour and a rough size of which there are fewest yet, and of
    those one whose output is rarest. None of its three marks new and its output as frequent as
    any other: then it is a look-alike.
    """
    left = [candidate for candidate in candidates if candidate not in tests]
    while left and len(tests) < target:
        sorts = Counter(map(_sort, tests))
        outputs = Counter(test.output for test in tests)
        best = min(left, key=lambda each: (sorts[_sort(each)], outputs[each.output]))
        is_look_alike = sorts[_sort(best)] and outputs[best.output] == max(outputs.values())
        if is_look_alike and len(tests) >= minimum:
            return
        tests.append(best)
        left.remove(best)


def _sort(candidate: _Candidate) -> tuple[int, int]:
    return (candidate.arcs, min(_LONG, len(candidate.input)).bit_length())

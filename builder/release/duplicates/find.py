"""Which functions are the same, by four measures.

Functions are looked at in an order of rank. One that is the same as another of higher rank
gives way to it. What the cheapest measure has found is not compared by the others.
"""

import ast
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Final

from builder.literals import loads
from builder.release.duplicates.behaviour import (
    NO_ANSWER,
    Agreement,
    Ask,
    CrossRun,
    Pool,
    digest,
)
from builder.release.duplicates.function import Function
from builder.release.duplicates.near import Shingles, shingles, similar_pairs
from builder.release.duplicates.normal_form import normal_tree
from builder.release.duplicates.trivial import trivial_name

ENOUGH_INPUTS: Final = 8
"""Inputs on which functions have to agree before they count as the same."""
ENOUGH_TESTS: Final = 3
"""Of the tests of each, so many have to lie in the domain of the other."""
ENOUGH_TO_GUESS: Final = 30
"""Inputs that are needed where less is asked of a pair: one side takes whatever it can (a builtin,
a function whose domain is not known), or they need not agree on all. On few inputs much looks
alike: to sort two elements by some key may be to reverse them."""
NEAR_ON_POOL: Final = 0.95
NEAR_ON_TESTS: Final = 0.9
"""Shares of inputs on which functions with nearly the same tree have to agree."""

Rivals = tuple[Sequence[int], Sequence[int]]
"""See ``Pool.rivals``."""
Pair = tuple[int, int]
"""Positions of two functions, that of higher rank first."""


class Measure(StrEnum):
    """What shows that two functions are the same."""

    TREE = "same syntax tree"
    NEAR_TREE = "nearly the same syntax tree"
    BEHAVIOUR = "same behaviour"
    TRIVIAL = "same builtin"


Evidence = Mapping[Measure, str]
"""The measures by which two functions are the same, each with its figures for a reader."""


@dataclass(frozen=True, slots=True)
class Finding:
    """That a function gives way to one of higher rank."""

    twin: int
    """Position of the other, which itself may give way."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing functions."""

    findings: Mapping[int, Finding]
    """By position of the functions that give way."""
    rivals: Mapping[int, tuple[int, int]]
    """For each row that stays: how many others that stay take both inputs of its context, and
    how many of those give both outputs."""
    telling: Mapping[int, tuple[str, ...]]
    """For some rows that stay, inputs that tell them from others that pass all their tests."""


def compare(functions: Sequence[Function], elsewhere: int, ask: Ask) -> Comparison:
    """Compare functions with each other.

    Args:
        functions: the highest rank first.
        elsewhere: how many of the first stand elsewhere: they are not compared among themselves,
            and are nobody's rivals.
        ask: calls functions in the sandbox.

    Raises:
        SyntaxError: a function does not parse.
    """
    forms = [_Form.of(function.code) for function in functions]
    findings = dict(_same_tree(forms))
    left = [number for number in range(len(functions)) if number not in findings]
    first_row = bisect_left(left, elsewhere)
    pool = Pool([functions[number] for number in left], ask)
    rivals = {number: pool.rivals(number) for number in range(first_row, len(left))}
    near = _near_pairs([forms[number] for number in left])
    pairs = dict.fromkeys(chain(near, _agreeing_pairs(rivals)))
    evidence = _evidence(pool, [pair for pair in pairs if pair[1] >= first_row], near, ask)
    giving_way = dict(_giving_way(len(left), evidence))
    for number, finding in giving_way.items():
        findings[left[number]] = Finding(left[finding.twin], finding.evidence)
    staying = rivals.keys() - giving_way.keys()
    return Comparison(
        findings,
        {
            left[number]: (len(staying.intersection(taking)), len(staying.intersection(agreeing)))
            for number, (taking, agreeing) in rivals.items()
            if number in staying
        },
        {
            left[number]: tuple(texts)
            for number, texts in _telling(pool, rivals, frozenset(staying), ask).items()
        },
    )


def _telling(
    pool: Pool, rivals: Mapping[int, Rivals], staying: frozenset[int], ask: Ask
) -> dict[int, list[str]]:
    """Find for each row that stays what tells it from the others that pass all its tests."""
    pairs = [
        (number, other)
        for number in sorted(staying)
        for other in rivals[number][1]
        if other in staying
    ]
    runs = CrossRun(pool.functions, pairs, ask)
    found: dict[int, list[str]] = {}
    for number, other in pairs:
        if runs.agreement(other, number).share == 1:
            texts = runs.differing(number, other) + pool.differing(number, other)
            if texts:
                shortest = min(texts, key=lambda text: (len(text), text))
                found.setdefault(number, []).append(shortest)
    return {number: list(dict.fromkeys(texts)) for number, texts in found.items()}


@dataclass(frozen=True, slots=True)
class _Form:
    """What counts of a tree, which itself would need several times the memory."""

    text: str
    shingles: Shingles

    @classmethod
    def of(cls, code: str) -> "_Form":
        tree = normal_tree(code)
        return cls(ast.dump(tree), shingles(tree))


def _same_tree(forms: Sequence[_Form]) -> Iterator[tuple[int, Finding]]:
    first: dict[str, int] = {}
    for number, form in enumerate(forms):
        twin = first.setdefault(form.text, number)
        if twin != number:
            yield number, Finding(twin, {Measure.TREE: ""})


def _near_pairs(forms: Sequence[_Form]) -> dict[Pair, float]:
    """Return the similarity of functions whose trees are nearly the same."""
    pairs = similar_pairs([form.shingles for form in forms])
    return {(high, low): similarity for high, low, similarity in pairs}


def _giving_way(count: int, evidence: Mapping[Pair, Evidence]) -> Iterator[tuple[int, Finding]]:
    """Let each function give way to the first that stays and is the same."""
    twins: dict[int, list[int]] = {}
    for high, low in sorted(evidence):
        twins.setdefault(low, []).append(high)
    gone: set[int] = set()
    for number in range(count):
        twin = next((each for each in twins.get(number, []) if each not in gone), None)
        if twin is not None:
            gone.add(number)
            yield number, Finding(twin, evidence[twin, number])


def _evidence(
    pool: Pool, pairs: Sequence[Pair], near: Mapping[Pair, float], ask: Ask
) -> dict[Pair, dict[Measure, str]]:
    """Return by which measures functions are the same, other than by their tree.

    Args:
        pool: the functions and what they answered.
        pairs: which of them to compare.
        near: how alike the trees are of those that are nearly the same.
        ask: calls functions in the sandbox.
    """
    found: dict[Pair, dict[Measure, str]] = {}
    functions = pool.functions
    on_pool = {pair: pool.agreement(*pair) for pair in pairs}
    candidates = [pair for pair, seen in on_pool.items() if seen.share >= NEAR_ON_POOL]
    runs = CrossRun(functions, candidates, ask)
    for pair in candidates:
        on_tests = [runs.agreement(*pair), runs.agreement(*pair[::-1])]
        if not _is_within_reach(functions, pair, on_tests):
            continue
        seen = (on_pool[pair], *on_tests)
        tried, figures = sum(each.tried for each in seen), _figures(on_pool[pair], on_tests)
        is_guess = not all(functions[number].domain_is_known for number in pair)
        agrees_mostly = min(each.share for each in on_tests) >= NEAR_ON_TESTS
        if pair in near and agrees_mostly and tried >= ENOUGH_TO_GUESS:
            found.setdefault(pair, {})[Measure.NEAR_TREE] = f"{near[pair]:.2f} alike, {figures}"
        enough = ENOUGH_TO_GUESS if is_guess else ENOUGH_INPUTS
        if all(each.share == 1 for each in seen) and tried >= enough:
            found.setdefault(pair, {})[Measure.BEHAVIOUR] = figures
    for pair, name in _trivial_pairs(functions, pool):
        found.setdefault(pair, {})[Measure.TRIVIAL] = name
    return found


def _agreeing_pairs(rivals: Mapping[int, Rivals]) -> Iterator[Pair]:
    """Yield the pairs of which one gives the outputs of the other's context."""
    for number, (_, agreeing) in rivals.items():
        for other in agreeing:
            yield (number, other) if number < other else (other, number)


def _is_within_reach(
    functions: Sequence[Function], pair: Pair, on_tests: Sequence[Agreement]
) -> bool:
    """Return whether enough of the tests of each, if it has any, could be tried on the other."""
    return all(
        seen.tried >= ENOUGH_TESTS
        for seen, number in zip(on_tests, pair[::-1], strict=True)
        if functions[number].tests
    )


def _figures(on_pool: Agreement, on_tests: Sequence[Agreement]) -> str:
    agreed, tried = (sum(seen.agreed for seen in on_tests), sum(seen.tried for seen in on_tests))
    return (
        f"agrees on {agreed} of {tried} tests of both"
        f" and {on_pool.agreed} of {on_pool.tried} other inputs"
    )


def _trivial_pairs(functions: Sequence[Function], pool: Pool) -> Iterator[tuple[Pair, str]]:
    """Yield the functions that do what the same builtin does.

    They take as many arguments, but maybe of other types.
    """
    members: dict[tuple[str, int], list[int]] = {}
    for number, function in enumerate(functions):
        examples = [(loads(each.input), digest(each.output)) for each in function.tests]
        examples += [
            (pool.values[text], answer)
            for text, answer in pool.answers[number].items()
            if answer != NO_ANSWER
        ]
        name = trivial_name(examples) if len(examples) >= ENOUGH_TO_GUESS else None
        if name is not None:
            earlier = members.setdefault((name, len(function.domain.parameters)), [])
            yield from (((other, number), name) for other in earlier)
            earlier.append(number)

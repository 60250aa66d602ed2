"""Which functions are the same, by four measures.

Functions are looked at in an order of rank. One that is the same as another of higher rank
gives way to it. What the cheapest measure has found is not compared by the others.
"""

import ast
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
from builder.release.duplicates.near import shingles, similar_pairs
from builder.release.duplicates.normal_form import normal_tree
from builder.release.duplicates.trivial import trivial_name

ENOUGH_INPUTS: Final = 8
"""Inputs on which functions have to agree before they count as the same."""
ENOUGH_TESTS: Final = 3
"""Of the tests of each, so many have to lie in the domain of the other."""
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
    """For each that stays: how many others that stay take both inputs of its context, and how
    many of those give both outputs."""


def compare(functions: Sequence[Function], ask: Ask) -> Comparison:
    """Compare functions with each other.

    Args:
        functions: the highest rank first.
        ask: calls a function in the sandbox.

    Raises:
        SyntaxError: a function does not parse.
    """
    trees = [normal_tree(function.code) for function in functions]
    findings = dict(_same_tree(trees))
    left = [number for number in range(len(functions)) if number not in findings]
    chosen = [functions[number] for number in left]
    pool = Pool(chosen, ask)
    rivals = [pool.rivals(number) for number in range(len(chosen))]
    evidence = _evidence(pool, rivals, _near_pairs([trees[number] for number in left]), ask)
    giving_way = dict(_giving_way(len(chosen), evidence))
    for number, finding in giving_way.items():
        findings[left[number]] = Finding(left[finding.twin], finding.evidence)
    staying = set(range(len(chosen))) - giving_way.keys()
    return Comparison(
        findings,
        {
            left[number]: (len(staying.intersection(taking)), len(staying.intersection(agreeing)))
            for number, (taking, agreeing) in enumerate(rivals)
            if number in staying
        },
    )


def _same_tree(trees: Sequence[ast.Module]) -> Iterator[tuple[int, Finding]]:
    first: dict[str, int] = {}
    for number, tree in enumerate(trees):
        twin = first.setdefault(ast.dump(tree), number)
        if twin != number:
            yield number, Finding(twin, {Measure.TREE: ""})


def _near_pairs(trees: Sequence[ast.Module]) -> dict[Pair, float]:
    """Return the similarity of functions whose trees are nearly the same."""
    pairs = similar_pairs([shingles(tree) for tree in trees])
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
    pool: Pool, rivals: Sequence[Rivals], near: Mapping[Pair, float], ask: Ask
) -> dict[Pair, dict[Measure, str]]:
    """Return by which measures the pairs are the same that are, other than by tree."""
    found: dict[Pair, dict[Measure, str]] = {}
    functions = pool.functions
    pairs = dict.fromkeys(chain(near, _agreeing_pairs(rivals)))
    on_pool = {pair: pool.agreement(*pair) for pair in pairs}
    candidates = [pair for pair, seen in on_pool.items() if seen.share >= NEAR_ON_POOL]
    runs = CrossRun(functions, candidates, ask)
    for pair in candidates:
        on_tests = [runs.agreement(*pair), runs.agreement(*pair[::-1])]
        if not _is_enough(functions, pair, on_pool[pair], on_tests):
            continue
        figures = _figures(on_pool[pair], on_tests)
        if pair in near and min(seen.share for seen in on_tests) >= NEAR_ON_TESTS:
            found.setdefault(pair, {})[Measure.NEAR_TREE] = f"{near[pair]:.2f} alike, {figures}"
        if all(seen.share == 1 for seen in (on_pool[pair], *on_tests)):
            found.setdefault(pair, {})[Measure.BEHAVIOUR] = figures
    for pair, name in _trivial_pairs(functions, pool):
        found.setdefault(pair, {})[Measure.TRIVIAL] = name
    return found


def _agreeing_pairs(rivals: Sequence[Rivals]) -> Iterator[Pair]:
    """Yield the pairs of which one gives the outputs of the other's context."""
    for number, (_, agreeing) in enumerate(rivals):
        for other in agreeing:
            yield (number, other) if number < other else (other, number)


def _is_enough(
    functions: Sequence[Function], pair: Pair, on_pool: Agreement, on_tests: Sequence[Agreement]
) -> bool:
    """Return whether two functions were compared on inputs enough to say anything."""
    has_tests = [bool(functions[number].tests) for number in pair[::-1]]
    reached = all(
        seen.tried >= ENOUGH_TESTS for seen, has in zip(on_tests, has_tests, strict=True) if has
    )
    return reached and on_pool.tried + sum(seen.tried for seen in on_tests) >= ENOUGH_INPUTS


def _figures(on_pool: Agreement, on_tests: Sequence[Agreement]) -> str:
    agreed, tried = (sum(seen.agreed for seen in on_tests), sum(seen.tried for seen in on_tests))
    return (
        f"agrees on {agreed} of {tried} tests of both"
        f" and {on_pool.agreed} of {on_pool.tried} other inputs"
    )


def _trivial_pairs(functions: Sequence[Function], pool: Pool) -> Iterator[tuple[Pair, str]]:
    """Yield the first function that does what a builtin does, with each later one."""
    first: dict[str, int] = {}
    for number, function in enumerate(functions):
        examples = ((loads(each.input), digest(each.output)) for each in function.tests)
        others = (
            (pool.values[text], answer)
            for text, answer in pool.answers[number].items()
            if answer != NO_ANSWER
        )
        name = trivial_name(chain(examples, others))
        if name is not None and first.setdefault(name, number) != number:
            yield (first[name], number), name

"""Probes that tell distances: the arcs, values and exceptions stay as they were."""

import contextlib
from typing import Any

import pytest

from builder.sandbox.scales import Scales
from builder.synthesis.climb.distance import holds, ways
from builder.synthesis.climb.probes import insert_distance_probes
from builder.synthesis.probes import Probed, insert_probes

FORMS = [
    "return 1 if arg0 > 1 else 2",
    "if 0 <= arg0 < arg1:\n        return 1\n    return 2",
    "if 0 <= arg0 < 6 // arg1:\n        return 1\n    return 2",
    "if not (arg0 and arg1 == 2) or arg0 in [1, 5]:\n        return 1\n    return 2",
    "while arg0 > arg1:\n        arg0 -= 1\n    return arg0",
    "return [x for x in range(arg0) if x % 2 == arg1]",
    "return str(arg0).startswith('1') and str(arg1).isdigit()",
    "return arg0 == arg1 or arg0 is None",
    "if str(arg0).endswith(('2', '3')):\n        return 1\n    return 2",
    "if arg1:\n        return 6 // arg0\n    return 2",
    "rest = iter(range(9))\n    if arg0 in rest:\n        return list(rest)\n    return 2",
]


def run(probed: Probed, near: str, *arguments: Any) -> tuple[Any, set[int], dict[int, float]]:
    """Run one of our own functions; give its answer, its arcs, and the least distances."""
    hits: set[int] = set()
    nearest: dict[int, float] = {}

    def measure(arc: int, operations: tuple[str, ...], *operands: Any) -> Any:
        value = holds(operations, operands)
        with contextlib.suppress(TypeError):
            for way, distance in enumerate(ways(operations, operands), arc):
                nearest[way] = min(distance, nearest.get(way, distance))
        return value

    names: dict[str, Any] = {probed.probe.hit: hits.add, near: measure}
    names[probed.probe.tick] = lambda: None
    names[probed.probe.weigh] = Scales().weigh
    exec(probed.code, names)
    try:
        return names["test_func"](*arguments), hits, nearest
    except ZeroDivisionError as error:
        return repr(error), hits, nearest


@pytest.mark.parametrize("body", FORMS)
def test_arcs_values_and_exceptions_stay_as_they_were(body: str) -> None:
    code = f"def test_func(arg0, arg1):\n    {body}\n"
    plain = insert_probes(code)
    probed, near = insert_distance_probes(code, frozenset(range(plain.arcs)))
    assert (probed.arcs, probed.decisions) == (plain.arcs, plain.decisions)
    for first in range(-2, 7):
        for second in range(-1, 4):
            assert run(probed, near, first, second)[:2] == run(plain, near, first, second)[:2]


def test_the_least_distance_of_a_call_is_told_for_both_ways() -> None:
    code = "def test_func(arg0):\n    return [x for x in arg0 if x > 10]\n"
    probed, near = insert_distance_probes(code, {0})
    assert run(probed, near, [3, 7, 5])[2] == {0: 4, 1: 0}


def test_only_decisions_with_a_missing_way_are_measured() -> None:
    code = "def test_func(arg0):\n    if arg0 > 3:\n        return arg0 > 5 and arg0 < 9\n"
    probed, near = insert_distance_probes(code, {3})
    assert set(run(probed, near, 4)[2]) == {2, 3}

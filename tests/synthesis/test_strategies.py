"""Pools of values: inside their kind, short, and the same wherever they are drawn."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from builder.literals import canonical, loads
from builder.synthesis.domain import Dict, Float, Int, Kind, List, Set, Str
from builder.synthesis.strategies import pool
from tests.synthesis.kinds import KINDS

PRINT_POOLS = """
import sys
if sys.argv[1] == "late":
    import json, decimal, builder.literals, builder.sandbox.protocol  # more modules to look into
    from builder.synthesis.strategies import pool
    from builder.synthesis.domain import Float
    pool(Float())
from builder.synthesis.domain import Dict, Int, List, Set, Str, Union
from builder.synthesis.strategies import pool
for kind in (Int(), List(element=Union((Int(), Str()))), Set(element=Str()),
             Dict(key=Str(), value=Int())):
    print(pool(kind))
"""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.nested_given])
@given(KINDS)
def test_a_pool_holds_distinct_canonical_values_of_its_kind(kind: Kind) -> None:
    texts = pool(kind)
    assert texts
    assert len(set(texts)) == len(texts)
    assert [text for text in texts if not kind.contains(loads(text))] == []
    assert [text for text in texts if canonical(text) != text] == []


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.nested_given])
@given(KINDS)
def test_no_value_of_a_pool_is_longer_than_a_page(kind: Kind) -> None:
    assert all(len(text) <= 2000 for text in pool(kind))


@pytest.mark.parametrize(
    "kind",
    [
        Int(),
        Float(),
        Str(),
        List(element=Int()),
        List(element=Str()),
        Set(element=Int()),
        List(element=List(element=Int())),
        Dict(key=Str(), value=Int()),
    ],
)
def test_most_values_of_an_everyday_kind_are_short(kind: Kind) -> None:
    lengths = sorted(map(len, pool(kind)))
    assert lengths[len(lengths) // 2] < 60


@pytest.mark.parametrize("kind", [Int(), Float(), Str(), List(element=Int())])
def test_a_pool_of_an_open_kind_has_many_values(kind: Kind) -> None:
    assert len(pool(kind)) >= 25


def test_a_kind_without_values_has_an_empty_pool() -> None:
    assert pool(Set(element=List(element=Int(), min_size=1), min_size=1)) == ()


def test_what_is_typical_comes_first() -> None:
    assert pool(Int())[:5] == ("0", "1", "2", "3", "5")
    assert "''" in pool(Str())[:5]


def test_pools_do_not_depend_on_the_process(tmp_path: Path) -> None:
    def pools(seed: str, order: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", PRINT_POOLS, order],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    assert pools("1", "early") == pools("2", "late")


def test_drawing_leaves_nothing_on_the_disk(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", PRINT_POOLS, "early"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
    )
    assert list(tmp_path.iterdir()) == []

"""Mutation and crossover keep types, change something, and depend on the seed alone."""

import copy
import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builder.literals import dumps, loads
from builder.synthesis.constants import Constants
from builder.synthesis.domain import Bool, Domain, Int, Kind, List, Str, Union
from builder.synthesis.mutate import Mutator
from builder.synthesis.strategies import pool
from tests.synthesis.kinds import KINDS

CONSTANTS = Constants((7, 8), (7.0,), ("txt", "."))
DOMAINS = st.lists(KINDS, min_size=1, max_size=3).map(
    lambda kinds: Domain(tuple(kinds), len(kinds))
)


def mutator(domain: Domain, seed: int = 0) -> Mutator:
    return Mutator(domain, CONSTANTS, random.Random(seed))


def open_kind(kind: Kind) -> Kind:
    """The kind without its bounds: what mutation has to keep."""
    match kind:
        case Int():
            return Int()
        case Str():
            return Str()
    return kind


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.nested_given])
@given(DOMAINS, st.integers(0, 9))
def test_mutation_changes_no_value_in_place(domain: Domain, seed: int) -> None:
    parent = tuple(loads(pool(kind)[-1]) for kind in domain.parameters)
    before = copy.deepcopy(parent)
    change = mutator(domain, seed)
    for _ in range(10):
        change.mutate(parent)
        change.cross(parent, parent)
    assert dumps(parent) == dumps(before)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.nested_given])
@given(DOMAINS, st.integers(0, 9))
def test_most_children_of_a_valid_parent_are_of_its_types(domain: Domain, seed: int) -> None:
    loose = Domain(tuple(map(open_kind, domain.parameters)), domain.required)
    parent = tuple(loads(pool(kind)[0]) for kind in domain.parameters)
    change = mutator(loose, seed)
    children = [change.mutate(parent) for _ in range(20)]
    assert sum(map(loose.contains, children)) >= 10


def test_children_differ_from_their_parent_and_from_each_other() -> None:
    change = mutator(Domain((List(element=Int()), Str()), 2))
    children = {dumps(change.mutate(([1, 2, 3], "word"))) for _ in range(50)}
    assert len(children) > 25


def test_the_same_seed_gives_the_same_children() -> None:
    domain = Domain((Union((Int(), Str())), List(element=Str())), 2)

    def children() -> list[str]:
        change = mutator(domain, 5)
        return [dumps(change.mutate((1, ["a", "b"]))) for _ in range(50)]

    assert children() == children()


def test_constants_of_the_code_come_up_in_every_kind_of_value() -> None:
    change = mutator(Domain((Int(), Str(), List(element=Str())), 3))
    children = [change.mutate((1, "word", ["word"])) for _ in range(300)]
    assert any(child[0] in (7, 8) for child in children)
    assert any("txt" in child[1] for child in children)
    assert any("txt" in word for child in children for word in child[2])


def test_every_constant_has_its_turn() -> None:
    change = mutator(Domain((Int(),), 1))
    assert {change.constant(Int()) for _ in range(10)} == {7, 8}


def test_arguments_take_over_from_each_other() -> None:
    change = mutator(Domain((List(element=Int()), Int()), 2))
    children = [change.mutate(([40, 50, 60], 1)) for _ in range(200)]
    assert any(child[1] in (40, 50, 60) for child in children)
    assert any(child[1] == 3 for child in children)


def test_arguments_with_defaults_come_and_go() -> None:
    change = mutator(Domain((Int(), Bool()), required=1))
    assert {len(change.mutate((1, True))) for _ in range(100)} == {1, 2}
    assert {len(change.mutate((1,))) for _ in range(100)} == {1, 2}


def test_the_number_of_variadic_arguments_is_free() -> None:
    change = mutator(Domain((), required=0, variadic=Int()))
    assert {len(change.mutate((1, 2))) for _ in range(100)} == {1, 2, 3}


def test_a_child_of_two_parents_is_made_of_both() -> None:
    change = mutator(Domain((List(element=Int()),), 1))
    children = [change.cross(([1, 2],), ([3, 4],))[0] for _ in range(50)]
    assert any(set(child) & {1, 2} and set(child) & {3, 4} for child in children)

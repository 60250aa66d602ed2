"""Kinds say what is valid by exact type, and survive JSON."""

import json
from collections import Counter
from typing import Any

import pytest

from builder.synthesis.domain import (
    AnyLiteral,
    Bool,
    Bytes,
    Complex,
    Dict,
    Domain,
    Float,
    FrozenSet,
    Int,
    Kind,
    List,
    NoneKind,
    Rare,
    Record,
    Set,
    Str,
    Tuple,
    Union,
    VariableTuple,
)

EVERY_KIND: tuple[tuple[Kind, Any], ...] = (
    (NoneKind(), None),
    (Bool(), True),
    (Int(0, 9), 3),
    (Float(-1.5, 1.5), 0.5),
    (Complex(), 1j),
    (Str(1, 5, "abc"), "cab"),
    (Bytes(), b"x"),
    (List(element=Int()), [1, 2]),
    (VariableTuple(element=Str(), min_size=1), ("a",)),
    (Set(element=Int()), {1}),
    (FrozenSet(element=Int()), frozenset({1})),
    (Dict(key=Str(), value=List(element=Int())), {"a": [1]}),
    (Tuple((Int(), Str())), (1, "a")),
    (Record((("name", Str()), ("age", Int()))), {"name": "a", "age": 1}),
    (Rare("Counter"), Counter("a")),
    (AnyLiteral(), [{"a": (1,)}]),
    (Union((Int(), Str())), "a"),
)


@pytest.mark.parametrize(("kind", "value"), EVERY_KIND, ids=lambda item: str(item))
def test_a_kind_holds_its_own_values(kind: Kind, value: Any) -> None:
    assert kind.violation(value) is None


@pytest.mark.parametrize(("kind", "value"), EVERY_KIND, ids=lambda item: str(item))
def test_a_kind_refuses_the_values_of_other_types(kind: Kind, value: Any) -> None:
    strangers = [other for _, other in EVERY_KIND if type(other) is not type(value)]
    if not isinstance(kind, AnyLiteral | Union):
        assert [other for other in strangers if kind.contains(other)] == []


@pytest.mark.parametrize(("kind", "value"), EVERY_KIND, ids=lambda item: str(item))
def test_a_domain_survives_json(kind: Kind, value: Any) -> None:
    domain = Domain((kind, Int()), 1, variadic=kind)
    assert Domain.from_json(json.loads(json.dumps(domain.to_json()))) == domain


@pytest.mark.parametrize(
    ("kind", "value", "sentence"),
    [
        (Int(), True, "arg0 must be int, not bool"),
        (Int(0), -1, "arg0 must be at least 0"),
        (Float(), float("nan"), "arg0 must not be nan"),
        (Float(), float("-inf"), "arg0 must be finite"),
        (Float(high=1.0), 1.5, "arg0 must be at most 1.0"),
        (Str(alphabet="01"), "012", "arg0 must hold no other characters than '01'"),
        (Str(min_size=1), "", "arg0 must have a length of at least 1"),
        (List(element=Int(), max_size=1), [1, 2], "arg0 must have a length of at most 1"),
        (List(element=Int()), [1, "a"], "an element of arg0 must be int, not str"),
        (List(element=Int()), (1,), "arg0 must be list, not tuple"),
        (Dict(key=Str(), value=Int()), {1: 1}, "a key of arg0 must be str, not int"),
        (Dict(key=Str(), value=Int()), {"a": ""}, "a value of arg0 must be int, not str"),
        (Tuple((Int(), Int())), (1,), "arg0 must have a length of 2"),
        (Tuple((Int(), Int())), (1, ""), "element 1 of arg0 must be int, not str"),
        (Record((("a", Int()),)), {"b": 1}, "arg0 must have the keys 'a'"),
        (Record((("a", Int()),)), {"a": ""}, "'a' of arg0 must be int, not str"),
        (AnyLiteral(), object(), "arg0 must be a value with a literal form"),
        (Union((Int(), NoneKind())), "", "arg0 must be int or None, not str"),
        (Union((Str(1), NoneKind())), "", "arg0 must have a length of at least 1"),
    ],
)
def test_a_violation_names_the_argument_and_the_fault(
    kind: Kind, value: Any, sentence: str
) -> None:
    assert Domain((kind,), 1).violation((value,)) == sentence


def test_a_domain_counts_arguments() -> None:
    domain = Domain((Int(), Int()), required=1)
    assert domain.contains((1,))
    assert domain.violation(()) == "at least 1 arguments are needed, not 0"
    assert domain.violation((1, 2, 3)) == "at most 2 arguments are taken, not 3"


def test_further_arguments_are_of_the_variadic_kind() -> None:
    domain = Domain((Str(),), required=1, variadic=Int())
    assert domain.contains(("a", 1, 2, 3))
    assert domain.violation(("a", 1, "b")) == "arg2 must be int, not str"

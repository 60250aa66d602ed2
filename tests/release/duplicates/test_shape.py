"""Domains have one shape if they hold the same types."""

import pytest

from builder.release.duplicates.shape import shape
from builder.synthesis.domain import (
    Bool,
    Dict,
    Domain,
    Float,
    Int,
    Kind,
    List,
    NoneKind,
    Record,
    Str,
    Tuple,
    Union,
    VariableTuple,
)


def of(*kinds: Kind) -> Domain:
    return Domain(kinds, len(kinds))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Int(), Int(low=0, high=9)),
        (Int(), Float()),
        (Str(), Str(min_size=1, alphabet="ab")),
        (List(element=Int()), List(element=Union((Int(), Float())), min_size=2)),
        (Tuple((Int(), Int())), VariableTuple(element=Int())),
        (Record((("a", Int()),)), Dict(key=Str(), value=Int())),
        (Union((Int(), Str())), Union((Str(), Int()))),
    ],
)
def test_bounds_sizes_and_order_do_not_matter(one: Kind, other: Kind) -> None:
    assert shape(of(one)) == shape(of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Int(), Bool()),
        (Int(), Union((Int(), NoneKind()))),
        (List(element=Int()), List(element=Str())),
        (List(element=Int()), VariableTuple(element=Int())),
        (List(element=Int()), List(element=List(element=Int()))),
    ],
)
def test_other_types_make_another_shape(one: Kind, other: Kind) -> None:
    assert shape(of(one)) != shape(of(other))


def test_the_number_of_arguments_counts() -> None:
    assert shape(of(Int())) != shape(of(Int(), Int()))

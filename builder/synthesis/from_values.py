"""The kind of values that were seen: what a corpus' own calls say of an argument."""

from collections.abc import Iterable, Sequence
from math import isinf, isnan
from typing import Any

from builder.synthesis.domain import (
    AnyLiteral,
    Bool,
    Bytes,
    Complex,
    Dict,
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

LONGEST_FIXED_TUPLE = 4
"""Longer tuples whose elements are all of one kind are taken for sequences of any length."""


def kind_of(values: Sequence[Any]) -> Kind:
    """Give the narrowest kind that holds all values and their like.

    Sizes and magnitudes are not bounded: a few values say little about them. The elements of
    what was only seen empty are ``AnyLiteral``.
    """
    by_type: dict[type, list[Any]] = {}
    for value in values:
        by_type.setdefault(type(value), []).append(value)
    return union(_kind_of_type(kind, group) for kind, group in by_type.items())


def union(kinds: Iterable[Kind]) -> Kind:
    """Join kinds into one, flat and without repetition; of no kinds: ``AnyLiteral``."""
    options: list[Kind] = []
    for kind in kinds:
        options += kind.options if isinstance(kind, Union) else (kind,)
    distinct = tuple(dict.fromkeys(options))
    if not distinct:
        return AnyLiteral()
    return distinct[0] if len(distinct) == 1 else Union(distinct)


def _kind_of_type(python_type: type, values: list[Any]) -> Kind:
    """Kind of values that are all of one type."""
    if python_type in _SCALARS:
        return _SCALARS[python_type]
    if python_type is float:
        return Float(allow_nan=any(map(isnan, values)), allow_infinity=any(map(isinf, values)))
    if python_type in _COLLECTIONS:
        return _COLLECTIONS[python_type](
            element=kind_of([item for value in values for item in value])
        )
    if python_type is tuple:
        return _kind_of_tuples(values)
    if python_type is dict:
        return _kind_of_dicts(values)
    return Rare(python_type.__name__)


_SCALARS: dict[type, Kind] = {
    type(None): NoneKind(),
    bool: Bool(),
    int: Int(),
    str: Str(),
    bytes: Bytes(),
    complex: Complex(),
}
_COLLECTIONS: dict[type, type[List] | type[Set] | type[FrozenSet]] = {
    list: List,
    set: Set,
    frozenset: FrozenSet,
}


def _kind_of_tuples(values: list[tuple[Any, ...]]) -> Kind:
    """Tuples are records when every one has the same short length, else sequences."""
    lengths = {len(value) for value in values}
    items = [item for value in values for item in value]
    if len(lengths) > 1:
        return VariableTuple(element=kind_of(items))
    length = lengths.pop()
    mixed = len({type(item) for item in items}) > 1
    repeated = len(values) > 1 and 1 < length <= LONGEST_FIXED_TUPLE
    if length and (mixed or repeated):
        return Tuple(tuple(kind_of(column) for column in zip(*values, strict=True)))
    return VariableTuple(element=kind_of(items))


def _kind_of_dicts(values: list[dict[Any, Any]]) -> Kind:
    """Dicts are records when several have the same few names, or one has values of all sorts."""
    keys = list(values[0])
    items = [item for value in values for item in value.values()]
    mixed = len({type(item) for item in items}) > 1
    named = bool(keys) and all(type(key) is str for key in keys)
    if named and all(list(value) == keys for value in values) and (mixed or len(values) > 2):
        return Record(tuple((key, kind_of([value[key] for value in values])) for key in keys))
    return Dict(key=kind_of([key for value in values for key in value]), value=kind_of(items))

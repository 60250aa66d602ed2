"""Kinds of values as JSON schemas, and JSON values back as values of the kind.

The schemas keep to what all endpoints with constrained answers take: every object closed and all
its properties required, no lengths of strings, no tuples. What JSON has no type for is asked for
as text: a Python literal, held to its form by a pattern where that is possible.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from builder.literals import LiteralError, loads
from builder.model.request import Json
from builder.synthesis.domain import (
    Bool,
    Collection,
    Dict,
    Domain,
    Float,
    Int,
    Kind,
    NoneKind,
    Record,
    Str,
    Tuple,
    Union,
)

Value = TypeVar("Value")

_MOST_ITEMS = 12
"""Longest list that is asked for, unless the kind demands more."""
_MORE = "more"
"""Property that holds the arguments of ``*args``."""
_DIGITS = "(0|[1-9][0-9]{0,5})"
_PATTERNS = {
    "bytes": r"^b'[ !#-&(-\[\]-~]*'$",
    "bytearray": r"^bytearray\(b'[ !#-&(-\[\]-~]*'\)$",
    "complex": rf"^complex\(-?{_DIGITS}(\.[0-9]{{1,6}})?, -?{_DIGITS}(\.[0-9]{{1,6}})?\)$",
    "range": rf"^range\(-?{_DIGITS}, -?{_DIGITS}, -?[1-9][0-9]{{0,2}}\)$",
    "Decimal": r"^Decimal\('-?[0-9]{1,9}(\.[0-9]{1,9})?'\)$",
    "Fraction": rf"^Fraction\(-?{_DIGITS}, [1-9][0-9]{{0,5}}\)$",
}
"""Forms of the literals of types without a type in JSON; the others are free text."""


class UndecodableError(ValueError):
    """A JSON value is not one of the kind; the text says why."""


def schema_of(kind: Kind) -> Json:
    """Return a JSON schema that a model can be held to; it may be wider than the kind."""
    match kind:
        case NoneKind():
            return {"type": "null"}
        case Bool():
            return {"type": "boolean"}
        case Int(low=low, high=high):
            return {"type": "integer", **_bounds(low, high)}
        case Float(low=least, high=most):
            return {"type": "number", **_bounds(least, most)}
        case Str(alphabet=alphabet):
            return {"type": "string", **_alphabet(alphabet)}
        case Collection(element=element):
            return _list(schema_of(element), kind.min_size, kind.max_size)
        case Dict(key=key, value=value):
            pair = _object({"key": schema_of(key), "value": schema_of(value)})
            return _list(pair, kind.min_size, kind.max_size)
        case Tuple(elements=elements):
            parts = {f"item{n}": schema_of(element) for n, element in enumerate(elements)}
            return _object(parts)
        case Record(items=items):
            return _object({key: schema_of(value) for key, value in items})
        case Union(options=options):
            return {"anyOf": [schema_of(option) for option in options]}
    name = str(kind)
    words = "a Python literal" if name not in _PATTERNS else f"a Python literal of type {name}"
    pattern = {"pattern": _PATTERNS[name]} if name in _PATTERNS else {}
    return {"type": "string", "description": words, **pattern}


def value_of(kind: Kind, plain: Any) -> Any:
    """Read a JSON value that an answer holds for a kind.

    Raises:
        UndecodableError: it cannot be read; whether what is read is inside the kind, the kind
            itself must say.
    """
    match kind:
        case Union(options=options):
            return _first_fitting(options, plain)
        case NoneKind() | Bool() | Int() | Str():
            return plain
        case Float():
            return float(plain) if type(plain) is int and abs(plain) < 2**53 else plain
        case Collection(element=element):
            items = [value_of(element, item) for item in _expect(plain, list)]
            return _hashed(kind.python_type, items)
        case Dict(key=key, value=value):
            pairs = [_expect(pair, dict) for pair in _expect(plain, list)]
            return _hashed(
                dict,
                [(value_of(key, _at(p, "key")), value_of(value, _at(p, "value"))) for p in pairs],
            )
        case Tuple(elements=elements):
            parts = _expect(plain, dict)
            return tuple(value_of(kind, _at(parts, f"item{n}")) for n, kind in enumerate(elements))
        case Record(items=items):
            kinds = dict(items)
            return {name: value_of(_at(kinds, name), part) for name, part in _pairs(plain)}
    try:
        return loads(_expect(plain, str))
    except LiteralError as error:
        raise UndecodableError(str(error)) from None


def schema_of_inputs(domain: Domain, count: int) -> Json:
    """Return the schema of an answer with ``count`` argument tuples of a domain."""
    forms = []
    for given in range(domain.required, len(domain.parameters) + 1):
        arguments = {f"arg{n}": schema_of(domain.parameters[n]) for n in range(given)}
        if domain.variadic is not None and given == len(domain.parameters):
            arguments[_MORE] = _list(schema_of(domain.variadic), 0, None)
        forms.append(_object(arguments))
    item = forms[0] if len(forms) == 1 else {"anyOf": forms[::-1]}
    inputs = {"type": "array", "items": item, "minItems": 1, "maxItems": count}
    return _object({"inputs": inputs})


def arguments_of(domain: Domain, plain: Any) -> tuple[Any, ...]:
    """Read one argument tuple of an answer.

    Raises:
        UndecodableError: it cannot be read.
    """
    parts = dict(_expect(plain, dict))
    more = _expect(parts.pop(_MORE, []), list)
    if more and domain.variadic is None:
        raise UndecodableError(f"there is no place for {_MORE}")
    if sorted(parts) != sorted(f"arg{n}" for n in range(len(parts))):
        raise UndecodableError(f"these are no arguments: {', '.join(sorted(parts))}")
    if len(parts) > len(domain.parameters):
        raise UndecodableError(f"these are too many arguments: {', '.join(sorted(parts))}")
    values = [value_of(domain.parameters[n], parts[f"arg{n}"]) for n in range(len(parts))]
    return (*values, *(value_of(domain.kind_at(len(domain.parameters)), item) for item in more))


def _bounds(low: float | None, high: float | None) -> Json:
    bounds = {"minimum": low, "maximum": high}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _alphabet(alphabet: str | None) -> Json:
    if not alphabet:
        return {}
    return {"pattern": f"^[{''.join(re.escape(sign) for sign in alphabet)}]*$"}


def _list(item: Json, least: int, most: int | None) -> Json:
    longest = max(least, _MOST_ITEMS) if most is None else most
    return {"type": "array", "items": item, "minItems": least, "maxItems": longest}


def _object(properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _expect(plain: Any, wanted: type) -> Any:
    if type(plain) is not wanted:
        raise UndecodableError(f"{type(plain).__name__} where {wanted.__name__} was asked for")
    return plain


def _pairs(plain: Any) -> Iterable[tuple[str, Any]]:
    items: Iterable[tuple[str, Any]] = _expect(plain, dict).items()
    return items


def _at(parts: Mapping[str, Value], name: str) -> Value:
    if name not in parts:
        raise UndecodableError(f"{name} is missing, or is not asked for")
    return parts[name]


def _hashed(python_type: Any, items: list[Any]) -> Any:
    try:
        return python_type(items)
    except TypeError as error:  # a list inside a set
        raise UndecodableError(str(error)) from None


def _first_fitting(options: tuple[Kind, ...], plain: Any) -> Any:
    """Read a value as the first option that holds it."""
    for option in options:
        try:
            value = value_of(option, plain)
        except UndecodableError:
            continue
        if option.contains(value):
            return value
    raise UndecodableError(f"{plain!r} is none of the kinds asked for"[:200])

"""The kind that an annotation names, read from its text; nothing is evaluated."""

import ast

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
    Set,
    Str,
    Tuple,
    VariableTuple,
)
from builder.synthesis.from_values import kind_of, union

_PLAIN: dict[str, Kind] = {
    "int": Int(),
    "float": Float(),
    "complex": Complex(),
    "bool": Bool(),
    "str": Str(),
    "string": Str(),
    "bytes": Bytes(),
    "None": NoneKind(),
    "Any": AnyLiteral(),
    "object": AnyLiteral(),
    "Number": union((Int(), Float())),
    "Counter": Rare("Counter"),
    "Decimal": Rare("Decimal"),
    "Fraction": Rare("Fraction"),
    "range": Rare("range"),
    "bytearray": Rare("bytearray"),
}
_LISTS = {"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Iterator"}
_SETS = {"set", "Set", "AbstractSet", "MutableSet"}
_FROZEN_SETS = {"frozenset", "FrozenSet"}
_TUPLES = {"tuple", "Tuple"}
_DICTS = {"dict", "Dict", "Mapping", "MutableMapping"}


def kind_of_annotation(text: str | None) -> Kind | None:
    """Read ``List[int]``, ``Optional[str]``, ``dict[str, int] | None`` and the like.

    Returns:
        The kind; ``AnyLiteral`` where a part is left open (``list``); None when there is no
        annotation or it names something that has no literal.
    """
    try:
        return _read(ast.parse(text or "", mode="eval").body)
    except SyntaxError:
        return None


def _read(node: ast.expr) -> Kind | None:
    match node:
        case ast.Constant(value=None):
            return NoneKind()
        case ast.Constant(value=str(text)):
            return kind_of_annotation(text)
        case ast.Name() | ast.Attribute():
            name = _name(node)
            return _PLAIN.get(name) or _parametrised(name, [])
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([left, right])
        case ast.Subscript(value=value, slice=ast.Tuple(elts=items)):
            return _parametrised(_name(value), items)
        case ast.Subscript(value=value, slice=item):
            return _parametrised(_name(value), [item])
        case ast.List(elts=[item]):  # ``[int]`` for a list of ints
            return _parametrised("list", [item])
    return None


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _union(items: list[ast.expr]) -> Kind | None:
    kinds = [_read(item) for item in items]
    known = [kind for kind in kinds if kind is not None]
    return union(known) if known else None


def _parametrised(name: str, items: list[ast.expr]) -> Kind | None:
    if name == "Optional":
        inner = _union(items)
        return None if inner is None else union((inner, NoneKind()))
    if name == "Union":
        return _union(items)
    if name == "Literal":
        return kind_of([item.value for item in items if isinstance(item, ast.Constant)])
    if name in _TUPLES:
        return _tuple(items)
    parts = [_read(item) for item in items]
    if None in parts:
        return None
    element, value = ([part for part in parts if part] + [AnyLiteral()] * 2)[:2]
    if name in _DICTS:
        return Dict(key=element, value=value)
    if name in _LISTS:
        return List(element=element)
    if name in _SETS:
        return Set(element=element)
    return FrozenSet(element=element) if name in _FROZEN_SETS else None


def _tuple(items: list[ast.expr]) -> Kind | None:
    match items:
        case []:
            return VariableTuple(element=AnyLiteral())
        case [item, ast.Constant(value=rest)] if rest is ...:
            element = _read(item)
            return None if element is None else VariableTuple(element=element)
    elements = [_read(item) for item in items]
    known = tuple(element for element in elements if element is not None)
    return Tuple(known) if len(known) == len(elements) else None

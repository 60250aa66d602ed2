"""Values as canonical Python literals: exact type, exact value, one text per value.

``dumps`` writes, ``loads`` reads by a whitelist walk of the syntax tree; nothing is ever
evaluated. The text depends on the value alone: set elements are sorted by their text, strings
are written in ASCII, the order of a dict is kept because it is part of the value. Two values
are the same exactly when their texts are: ``1``, ``1.0`` and ``True`` differ, nan equals nan.

The module has no imports of ours, so that the sandbox's child loads this very file. It decides
types by identity and looks nothing up in ``builtins`` at call time, because the code whose
values it writes may have patched them.
"""

import ast as _ast
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from operator import is_
from typing import Any, Final, TypeGuard

MAX_DEPTH: Final = 60
"""Deepest nesting of a value; three brackets a level stay below the limit of Python's parser."""
MAX_DECIMAL_BITS: Final = 8192
"""Larger ints are written in hexadecimal, since Python limits the digits of decimal ones."""

_SMALL_FROM: Final = -(1 << 30)
_SMALL_TO: Final = 1 << 30
"""Ints between are written without a look at their size, which is most of the work."""
_WORTH_ONE_STEP: Final = 4
_ONE_STEP_CHARACTERS: Final = MAX_DECIMAL_BITS // 4
"""No int in a text of this length has bits enough to be written in hexadecimal."""

# Captured now, because a candidate can replace them in ``builtins`` or in the types' modules.
_type, _len, _id, _sorted, _ascii, _hex, _iter = type, len, id, sorted, ascii, hex, iter
_int, _float, _complex, _str, _bytes, _bool = int, float, complex, str, bytes, bool
_list, _tuple, _dict, _set, _frozenset, _bytearray = list, tuple, dict, set, frozenset, bytearray
_range, _none_type = range, type(None)
_all, _map, _max, _sum, _is, _repeat, _ValueError = all, map, max, sum, is_, repeat, ValueError
_counter, _ordered_dict, _defaultdict, _deque = Counter, OrderedDict, defaultdict, deque
_decimal, _fraction = Decimal, Fraction
_int_repr, _float_repr, _bytes_repr, _decimal_str = (
    int.__repr__,
    float.__repr__,
    bytes.__repr__,
    Decimal.__str__,
)
_bit_length, _join, _append = int.bit_length, str.join, list.append
_dict_items, _ordered_items = dict.items, OrderedDict.items
_int_type = int
_FACTORIES: Final = (
    (int, "int"),
    (list, "list"),
    (dict, "dict"),
    (set, "set"),
    (str, "str"),
    (float, "float"),
)


class LiteralError(ValueError):
    """A value has no literal form, or a text is not one."""


class LiteralTooLargeError(LiteralError):
    """A literal is longer than the limit that was given."""


_Error, _TooLarge = LiteralError, LiteralTooLargeError


def dumps(value: object, limit: int = 10_000_000) -> str:
    """Write ``value`` as its canonical literal.

    Args:
        value: a value built from None, bool, int, float, complex, str, bytes, bytearray, list,
            tuple, dict, set, frozenset, range, Counter, OrderedDict, defaultdict, deque,
            Decimal and Fraction, each of exactly that type.
        limit: most characters that the text may have.

    Raises:
        LiteralError: the value or a part of it has another type, refers to itself, or is nested
            deeper than ``MAX_DEPTH``.
        LiteralTooLargeError: the text would be longer than ``limit``.
    """
    return _write(value, 0, [limit])


def _spend(text: str, budget: list[int]) -> str:
    budget[0] -= _len(text)
    if budget[0] < 0:
        raise _TooLarge("the literal is longer than its limit")
    return text


def _write(value: Any, depth: int, budget: list[int]) -> str:
    """Write a value; ``budget`` holds the number of characters left."""
    kind = _type(value)
    if kind is _int:
        text = _int_repr(value) if _SMALL_FROM < value < _SMALL_TO else _large_int(value, budget)
    elif kind is _str:
        if _len(value) > budget[0]:
            raise _TooLarge("the literal is longer than its limit")
        text = _ascii(value)
    elif kind is _list or kind is _tuple:
        return _write_row(kind, value, depth, budget)
    elif kind is _float:
        text = _float_repr(value)
        if "n" in text:  # nan, inf and -inf
            text = "float('" + text + "')"
    elif value is None or kind is _bool:
        text = "None" if value is None else "True" if value else "False"
    else:
        return _write_container(kind, value, depth, budget)
    budget[0] -= _len(text)
    if budget[0] < 0:
        raise _TooLarge("the literal is longer than its limit")
    return text


def _write_row(kind: type, value: Any, depth: int, budget: list[int]) -> str:
    if depth >= MAX_DEPTH:
        raise _Error("the value is nested too deeply or refers to itself")
    inner = _write_items(value, depth, budget)
    if kind is _list:
        return "[" + inner + "]"
    return "(" + inner + (",)" if _len(value) == 1 else ")")


def _write_container(kind: type, value: Any, depth: int, budget: list[int]) -> str:
    if depth >= MAX_DEPTH:
        raise _Error("the value is nested too deeply or refers to itself")
    if kind is _dict:
        return "{" + _write_pairs(_dict_items(value), depth, budget) + "}"
    if kind is _set:
        return _write_set(value, depth, budget) if value else _spend("set()", budget)
    return _write_rare(kind, value, depth, budget)


def _write_rare(kind: type, value: Any, depth: int, budget: list[int]) -> str:
    if kind is _frozenset:
        return "frozenset(" + (_write_set(value, depth, budget) if value else "") + ")"
    if kind is _bytes:
        return _spend(_bytes_repr(value), budget)
    if kind is _bytearray:
        return "bytearray(" + _spend(_bytes_repr(_bytes(value)), budget) + ")"
    if kind is _complex:
        parts = (value.real, value.imag)
        return "complex(" + _write_items(parts, depth, budget) + ")"
    if kind is _range:
        bounds = (value.start, value.stop, value.step)
        return "range(" + _write_items(bounds, depth, budget) + ")"
    if kind is _counter:
        return "Counter({" + _write_pairs(_dict_items(value), depth, budget) + "})"
    if kind is _ordered_dict:
        pairs = _list(_ordered_items(value))
        return "OrderedDict(" + _write(pairs, depth + 1, budget) + ")"
    if kind is _defaultdict:
        factory = _factory_name(value.default_factory)
        pairs_text = _write_pairs(_dict_items(value), depth, budget)
        return "defaultdict(" + factory + ", {" + pairs_text + "})"
    if kind is _deque:
        inner = "deque([" + _write_items(value, depth, budget) + "]"
        return inner + (")" if value.maxlen is None else ", " + _int_repr(value.maxlen) + ")")
    if kind is _decimal:
        return _spend("Decimal('" + _decimal_str(value) + "')", budget)
    if kind is _fraction:
        terms = (value.numerator, value.denominator)
        return "Fraction(" + _write_items(terms, depth, budget) + ")"
    raise _Error("a value of this type has no literal form")


def _large_int(value: int, budget: list[int]) -> str:
    bits = _bit_length(value)
    if bits <= MAX_DECIMAL_BITS:
        return _int_repr(value)
    if bits // 4 > budget[0]:
        raise _TooLarge("the literal is longer than its limit")
    return _hex(value)


def _write_items(values: Any, depth: int, budget: list[int]) -> str:
    if _len(values) >= _WORTH_ONE_STEP:
        text = _write_in_one_step(values, budget)
        if text is not None:
            return text
    parts: list[str] = []
    for item in _iter(values):
        if _type(item) is _int and _SMALL_FROM < item < _SMALL_TO:
            text = _int_repr(item)
            budget[0] -= _len(text)
            if budget[0] < 0:
                raise _TooLarge("the literal is longer than its limit")
            _append(parts, text)
        else:
            _append(parts, _write(item, depth + 1, budget))
    return _spend_joined(parts, budget)


def _write_in_one_step(values: Any, budget: list[int]) -> str | None:
    """Write a list or tuple of nothing but ints, strings or floats at the speed of C.

    None where that could give another text than writing item by item.
    """
    container, kind = _type(values), _type(values[0])
    if not (container is _list or container is _tuple):
        return None
    if not (kind is _int or kind is _str or kind is _float):
        return None
    if not _all(_map(_is, _map(_type, values), _repeat(kind))):
        return None
    least = _sum(_map(_len, values)) if kind is _str else 3 * _len(values)
    if least > budget[0]:
        return None
    try:
        text = _ascii(values)
    except _ValueError:  # an int with too many digits
        return None
    if kind is _int and _len(text) > _ONE_STEP_CHARACTERS:
        if _max(_map(_bit_length, values)) > MAX_DECIMAL_BITS:
            return None
    elif kind is _float and "n" in text:  # nan or inf
        return None
    budget[0] -= _len(text) + 2
    if budget[0] < 0:
        raise _TooLarge("the literal is longer than its limit")
    return text[1:-1]


def _write_set(values: Any, depth: int, budget: list[int]) -> str:
    parts = [_write(item, depth + 1, budget) for item in _iter(values)]
    return "{" + _spend_joined(_sorted(parts), budget) + "}"


def _write_pairs(items: Any, depth: int, budget: list[int]) -> str:
    parts: list[str] = []
    for key, item in _iter(items):
        key_text = _write(key, depth + 1, budget)
        _append(parts, key_text + ": " + _write(item, depth + 1, budget))
    return _spend_joined(parts, budget)


def _spend_joined(parts: list[str], budget: list[int]) -> str:
    budget[0] -= 2 * _len(parts) + 2
    if budget[0] < 0:
        raise _TooLarge("the literal is longer than its limit")
    return _join(", ", parts)


def _factory_name(factory: object) -> str:
    if factory is None:
        return "None"
    for kind, name in _FACTORIES:
        if factory is kind:
            return name
    raise _Error("a defaultdict with this factory has no literal form")


NAMESPACE: Final[dict[str, Any]] = {
    "float": float,
    "complex": complex,
    "set": set,
    "frozenset": frozenset,
    "bytearray": bytearray,
    "range": range,
    "Counter": Counter,
    "OrderedDict": OrderedDict,
    "defaultdict": defaultdict,
    "deque": deque,
    "Decimal": Decimal,
    "Fraction": Fraction,
    "int": int,
    "list": list,
    "dict": dict,
    "str": str,
}
"""What the names in a canonical literal mean."""

_CONSTRUCTORS: Final = frozenset(NAMESPACE) - {"int", "list", "dict", "str"}


def loads(text: str) -> Any:
    """Read a literal, canonical or not, into a fresh value.

    Raises:
        LiteralError: the text is not a literal of the family that ``dumps`` writes.
    """
    try:
        tree = _ast.parse(text.strip(), mode="eval")
        return _read(tree.body)
    except LiteralError:
        raise
    except (
        SyntaxError,
        ValueError,
        TypeError,
        ArithmeticError,
        MemoryError,
        RecursionError,
    ) as error:
        raise LiteralError(f"not a literal: {_shorten(text)} ({type(error).__name__})") from None


def canonical(text: str) -> str:
    """Rewrite a literal in its canonical form.

    Raises:
        LiteralError: as ``loads`` and ``dumps``.
    """
    return dumps(loads(text))


def _read(node: _ast.expr) -> Any:
    match node:
        case _ast.Constant(value=value) if value is not ...:
            return value
        case _ast.Tuple(elts=items):
            return tuple(_read(item) for item in items)
        case _ast.List(elts=items):
            return [_read(item) for item in items]
        case _ast.Set(elts=items):
            return {_read(item) for item in items}
        case _ast.Dict(keys=keys, values=values):
            return {_read_key(key): _read(value) for key, value in zip(keys, values, strict=True)}
        case _ast.UnaryOp(op=_ast.USub(), operand=_ast.Constant(value=value)) if _is_number(value):
            return -value
        case _ast.UnaryOp(op=_ast.UAdd(), operand=_ast.Constant(value=value)) if _is_number(value):
            return value
        case _ast.BinOp(op=_ast.Add() | _ast.Sub(), left=left, right=right):
            return _read_complex(node, left, right)
        case _ast.Call(func=_ast.Name(id=name), args=arguments, keywords=[]):
            return _read_call(name, arguments)
    raise LiteralError(f"not a literal: {_shorten(_ast.unparse(node))}")


def _is_number(value: object) -> TypeGuard[int | float | complex]:
    return type(value) in (int, float, complex)


def _read_key(node: _ast.expr | None) -> Any:
    if node is None:
        raise LiteralError("not a literal: ** in a dict")
    return _read(node)


def _read_complex(node: _ast.expr, left: _ast.expr, right: _ast.expr) -> complex:
    real, imaginary = _read(left), _read(right)
    if type(real) in (int, float) and type(imaginary) is complex and imaginary.real == 0:
        is_sum = isinstance(node, _ast.BinOp) and isinstance(node.op, _ast.Add)
        return complex(real + imaginary if is_sum else real - imaginary)
    raise LiteralError(f"not a literal: {_shorten(_ast.unparse(node))}")


def _read_call(name: str, arguments: list[_ast.expr]) -> Any:
    if name not in _CONSTRUCTORS:
        raise LiteralError(f"not a literal: a call of {name}")
    if name == "defaultdict":
        factory, *rest = arguments
        return defaultdict(_read_factory(factory), *(_read(item) for item in rest))
    return NAMESPACE[name](*(_read(item) for item in arguments))


def _read_factory(node: _ast.expr) -> Any:
    match node:
        case _ast.Constant(value=None):
            return None
        case _ast.Name(id=name):
            for kind, known in _FACTORIES:
                if name == known:
                    return kind
    raise LiteralError(f"not a literal: the factory {_shorten(_ast.unparse(node))}")


def _shorten(text: str, width: int = 60) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."

"""The first-order operators: how an expression can be slightly wrong.

Each function below takes a node and yields pairs of the operator's name and the new text of the
whole node, which can stand wherever an operand can. Texts of parts are slices of the source, in
brackets where they need them, so nothing is printed anew. The
comparison operators are the three that make all others superfluous; what a condition or an
operand contributes at all is asked by leaving it out.
"""

import ast
from collections.abc import Callable, Iterator

Change = tuple[str, str]
Source = Callable[[ast.expr | ast.keyword], str]
"""Gives the text of a part, in brackets where it needs them."""

_COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", "!="),
    ast.LtE: ("<", "=="),
    ast.Gt: (">=", "!="),
    ast.GtE: (">", "=="),
    ast.Eq: ("!=", "<=", ">="),
    ast.NotEq: ("==", "<", ">"),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}
_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_SAME_AT_LOWEST = {(ast.Eq, "<="), (ast.NotEq, ">"), (ast.Gt, "!="), (ast.LtE, "==")}
"""Changes that change nothing where the right side is the lowest value of the left one."""
ARITHMETIC: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("-",),
    ast.Sub: ("+",),
    ast.Mult: ("+", "//"),
    ast.Div: ("*", "//"),
    ast.FloorDiv: ("*", "/"),
    ast.Mod: ("*", "//", "-"),
    ast.Pow: ("*",),
    ast.BitAnd: ("|", "^"),
    ast.BitOr: ("&", "^"),
    ast.BitXor: ("|", "&"),
    ast.LShift: (">>",),
    ast.RShift: ("<<",),
}
_WITH_SMALL: dict[type[ast.operator], str] = {ast.Add: "|", ast.Sub: "^", ast.Mult: "**"}
"""What is the same on every other number, or on a few, where the right side is a small constant."""
_NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_SWAPS = {
    "min": "max",
    "any": "all",
    "startswith": "endswith",
    "append": "extend",
    "add": "discard",
    "find": "rfind",
    "index": "rindex",
    "upper": "lower",
    "isupper": "islower",
    "isdigit": "isalpha",
    "isalnum": "isalpha",
    "capitalize": "title",
    "split": "rsplit",
    "strip": "lstrip",
    "rstrip": "lstrip",
    "removeprefix": "removesuffix",
    "ljust": "rjust",
    "partition": "rpartition",
    "keys": "values",
    "floor": "ceil",
    "union": "intersection",
    "combinations": "combinations_with_replacement",
    "bisect_left": "bisect_right",
}
_SWAPPED = {**_SWAPS, **{new: old for old, new in _SWAPS.items() if old != "strip"}}
AS_IT_IS = (
    ast.Attribute,
    ast.Call,
    ast.Constant,
    ast.Dict,
    ast.JoinedStr,
    ast.List,
    ast.ListComp,
    ast.Name,
    ast.Set,
    ast.Starred,
    ast.Subscript,
    ast.keyword,
)
"""What needs no brackets around it."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PASS_THROUGH = _names(
    "abs bool float frozenset int list reversed round set sorted str tuple",
)
"""Functions of one argument that are wrong in an instructive way when they are left out."""
_SAME_TYPE = _names(
    "capitalize center copy ljust lower lstrip removeprefix removesuffix replace rjust rstrip "
    "strip swapcase title upper zfill"
)
"""Methods whose value is like their owner, so that the owner can stand for it."""
_OPTIONAL = _names(
    "count enumerate find get index int lstrip max min next pop replace round rsplit rstrip sort "
    "sorted split strip sum zip"
)
"""What can be called with an argument less."""


def changes(node: ast.expr, text: Source) -> Iterator[Change]:
    """Yield the changes of one expression, its parts left as they are."""
    match node:
        case ast.Compare():
            yield from _comparison(node, text)
        case ast.BoolOp():
            yield from _logic(node, text)
        case ast.UnaryOp(operand=operand):
            yield "dropped operator", text(operand)
        case ast.BinOp():
            yield from _arithmetic(node, text)
        case ast.Constant(value=value):
            yield from (("constant", new) for new in constants(value))
        case ast.JoinedStr():
            yield "constant", "''"
        case ast.IfExp(body=body, orelse=orelse):
            yield "condition", text(body)
            yield "condition", text(orelse)
        case ast.Call():
            yield from _call(node, text)
        case ast.Subscript(slice=ast.Slice() as bounds):
            yield from _slice(node, bounds, text)
        case ast.Subscript(value=value, slice=index) if not isinstance(
            index, ast.Constant | ast.Tuple | ast.UnaryOp
        ):
            yield "index", f"{text(value)}[{text(index)} + 1]"
            yield "index", f"{text(value)}[{text(index)} - 1]"
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            yield from _collection(node, text)


def constants(value: object) -> Iterator[str]:
    """Yield the texts of constants near ``value``."""
    match value:
        case bool():
            yield repr(not value)
        case int():
            near = [value + 1, value - 1, 0] if value > 1 else [value + 1, value - 1]
            yield from (str(number) if number >= 0 else f"({number})" for number in near)
        case float():
            yield from (f"({number})" for number in (value + 1.0, value - 1.0))
        case str() if value:
            yield "''"
            yield repr(value + "x")
        case str():
            yield "'x'"


def _comparison(node: ast.Compare, text: Source) -> Iterator[Change]:
    operands = [text(operand) for operand in (node.left, *node.comparators)]
    symbols = [_SYMBOLS[type(op)] for op in node.ops]
    at_lowest = len(node.ops) == 1 and _lowest(node.left) == operands[1]
    for place, op in enumerate(node.ops):
        for new in _COMPARISONS[type(op)]:
            if at_lowest and (type(op), new) in _SAME_AT_LOWEST:
                continue
            changed = [*symbols[:place], new, *symbols[place + 1 :]]
            pairs = zip(changed, operands[1:], strict=True)
            rest = "".join(f" {symbol} {operand}" for symbol, operand in pairs)
            yield "comparison", f"({operands[0]}{rest})"


def _lowest(node: ast.expr) -> str:
    """Return the text of the lowest value that an expression can have, as far as that is plain."""
    match node:
        case ast.Call(func=ast.Name(id="len" | "abs" | "ord") | ast.Attribute(attr="count")):
            return "0"
        case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=int())):
            return "0"
        case ast.Call(func=ast.Attribute(attr="find" | "rfind")):
            return "(-1)"
    return ""


def _logic(node: ast.BoolOp, text: Source) -> Iterator[Change]:
    word, other = (" and ", " or ") if isinstance(node.op, ast.And) else (" or ", " and ")
    operands = [text(operand) for operand in node.values]
    yield "logic", f"({other.join(operands)})"
    for place in range(len(operands)):
        kept = operands[:place] + operands[place + 1 :]
        yield "dropped operand", kept[0] if len(kept) == 1 else f"({word.join(kept)})"


def _arithmetic(node: ast.BinOp, text: Source) -> Iterator[Change]:
    left, right = text(node.left), text(node.right)
    is_format = isinstance(node.op, ast.Mod) and _is_text(node.left)
    if not is_format:
        for new in ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", f"({left} {new} {right})"
        if type(node.op) in _WITH_SMALL and _is_small(node.right):
            yield "arithmetic", f"({left} {_WITH_SMALL[type(node.op)]} {right})"
        if isinstance(node.op, _NOT_COMMUTATIVE):
            symbol = "**" if isinstance(node.op, ast.Pow) else _symbol(node.op)
            yield "swapped operands", f"({right} {symbol} {left})"
    yield "dropped operand", left
    yield "dropped operand", right


def _symbol(op: ast.operator) -> str:
    return {ast.Sub: "-", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}[type(op)]


def _is_small(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and 0 < node.value < 4


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _call(node: ast.Call, text: Source) -> Iterator[Change]:
    match node.func:
        case ast.Name(id="range"):
            yield from _range(node, text)
            return
        case ast.Name(id=name):
            function = name
            swapped = _SWAPPED.get(name)
            if name in _PASS_THROUGH and len(node.args) == 1 and not _is_star(node.args[0]):
                yield "dropped call", text(node.args[0])
        case ast.Attribute(value=owner, attr=name):
            function = f"{text(owner)}.{name}"
            swapped = _SWAPPED.get(name) and f"{text(owner)}.{_SWAPPED[name]}"
            if name in _SAME_TYPE:
                yield "dropped call", text(owner)
        case _:
            return
    parts = [*map(text, node.args), *map(text, node.keywords)]
    if swapped and not (name.endswith("split") and len(parts) < 2):  # both ends give the same
        yield "swapped call", f"{swapped}({', '.join(parts)})"
    first_droppable = len(node.args) - (name in _OPTIONAL)
    for place in range(max(0, first_droppable), len(parts)):
        fewer = parts[:place] + parts[place + 1 :]
        yield "dropped argument", f"{function}({', '.join(fewer)})"


def _is_star(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


def _range(node: ast.Call, text: Source) -> Iterator[Change]:
    bounds = [text(bound) for bound in node.args]
    if node.keywords or any(map(_is_star, node.args)) or not bounds:
        return
    start, rest = (["0", *bounds] if len(bounds) == 1 else bounds)[:2], bounds[2:]
    for low, high in (("", " + 1"), ("", " - 1"), (" + 1", ""), (" - 1", "")):
        parts = [start[0] + low, start[1] + high, *rest]
        yield "range", f"range({', '.join(parts)})"
    if rest:
        yield "range", f"range({', '.join(start)})"


def _slice(node: ast.Subscript, bounds: ast.Slice, text: Source) -> Iterator[Change]:
    value = text(node.value)
    low, high, step = (
        "" if part is None else text(part) for part in (bounds.lower, bounds.upper, bounds.step)
    )
    tail = f":{step}" if step else ""
    if step:
        yield "slice", f"{value}[{low}:{high}]"
    if low:
        yield "slice", f"{value}[:{high}{tail}]"
    if high:
        yield "slice", f"{value}[{low}:{tail}]"
    if step.strip("()") in ("", "1"):
        yield "slice", f"{value}[{low or '0'} + 1:{high}{tail}]"
        yield "slice", f"{value}[{low}:{high} - 1{tail}]" if high else f"{value}[{low}:-1{tail}]"
    if low:
        yield "slice", f"{value}[{low} - 1:{high}{tail}]"
    if high:
        yield "slice", f"{value}[{low}:{high} + 1{tail}]"


def _collection(node: ast.List | ast.Tuple | ast.Set | ast.Dict, text: Source) -> Iterator[Change]:
    if isinstance(node, ast.Dict):
        items = [
            f"**{text(value)}" if key is None else f"{text(key)}: {text(value)}"
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        brackets = "{}"
    else:
        items = [text(item) for item in node.elts]
        brackets = {ast.List: "[]", ast.Tuple: "()", ast.Set: "{}"}[type(node)]
    if isinstance(node, ast.List) and not items:
        yield "collection", "[None]"
    for place in sorted({0, len(items) - 1} if items else set()):
        kept = items[:place] + items[place + 1 :]
        comma = "," if isinstance(node, ast.Tuple) and len(kept) == 1 else ""
        empty = "set()" if isinstance(node, ast.Set) else brackets
        inner = ", ".join(kept) + comma
        yield "collection", brackets[0] + inner + brackets[1] if kept else empty

"""Weights: work that builtins do counts like turns of a loop.

One call of ``sorted`` or one slice may take as long as ten thousand turns. A clock would see that,
but differently on every machine and every day; so what such an operation is given, and what it
gives, is put on scales (``builder.sandbox.scales``), which take turns from the budget of the call
for its size. What an operation costs is known within a factor of some ten, and that is enough: the
clock, which still ends what no weight foresees, waits many times as long.
"""

import ast
from collections.abc import Iterable, Iterator, Set

from builder.sandbox.scales import COPIED, EACH, LOOKED_UP, SCANNED

_FREE_NAMES = """
    abs bool callable chr complex delattr divmod float format getattr hasattr hash id int
    isinstance issubclass iter len locals next ord range round setattr slice super type vars
    add append appendleft as_integer_ratio bit_count bit_length clear discard endswith extend get
    group is_integer isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric
    isspace istitle isupper items keys pop popitem popleft setdefault startswith values
    acos asin atan atan2 ceil cos degrees exp fabs floor fmod hypot isclose isfinite isinf isnan
    isqrt log log10 log2 radians sin sqrt tan trunc
    heappop heappush bisect bisect_left bisect_right
"""
"""Functions and methods that take the same short time whatever they are given, or nearly so."""
_FREE = frozenset(_FREE_NAMES.split())
_TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith("_"))
_DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_GROWING = (ast.Mult, ast.Pow, ast.LShift)
"""Operations after which an int may be much longer."""
_WEIGHED = (ast.Add, ast.Sub, ast.BitOr, ast.BitAnd, ast.BitXor, *_GROWING)
_SMALL = (
    ast.Constant,
    ast.JoinedStr,
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Lambda,
    ast.GeneratorExp,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
)
"""Operands whose size is known, or was paid for in turns when they were made."""


def insert_weights(tree: ast.Module, weigh: str, probes: Iterable[str] = ()) -> None:
    """Put what may be large on the scales, everywhere in a module, in place.

    ``weigh(value, shift)`` has to return the value. Operations keep their order and meaning.

    Args:
        tree: the module.
        weigh: name under which it finds the scales.
        probes: names of functions that are not its own, and cost nothing.
    """
    _Weigher(weigh, heavy_values(tree, probes)).visit(tree)
    ast.fix_missing_locations(tree)


def heavy_values(tree: ast.Module, probes: Iterable[str] = ()) -> dict[ast.expr, int]:
    """Return the expressions to be weighed, and by which shift.

    Args:
        tree: the module.
        probes: names of functions that are not its own, and cost nothing.
    """
    own = {node.name for node in ast.walk(tree) if isinstance(node, _DEFINITION)}
    free = _FREE.union(own, probes)
    found: dict[ast.expr, int] = {}
    for node in ast.walk(tree):
        for value, shift in _heavy(node, free):
            if not isinstance(value, _SMALL):
                found[value] = min(shift, found.get(value, shift))
    return found


def grown_name(statement: ast.AST) -> str | None:
    """Return the name whose value a statement may make much longer; it is weighed before that."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=operation):
            return name if isinstance(operation, _GROWING) else None
    return None


def _heavy(node: ast.AST, free: Set[str]) -> Iterator[tuple[ast.expr, int]]:
    """Yield what is to be weighed of one node: itself, or its parts."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name not in free:
            yield from _heavy_call(node, name, EACH)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name not in free:
            shift = SCANNED if name in _TEXT_METHODS else EACH
            yield owner, shift
            yield from _heavy_call(node, name, shift)
        case ast.BinOp(op=operation) if isinstance(operation, _WEIGHED) and not _is_short(node):
            yield node, COPIED
        case ast.Subscript(slice=ast.Slice(), ctx=ast.Load()):
            yield node, COPIED
        case ast.Compare(ops=comparisons, comparators=others):
            for comparison, other in zip(comparisons, others, strict=True):
                if isinstance(comparison, ast.In | ast.NotIn):
                    yield other, LOOKED_UP


def _heavy_call(call: ast.Call, name: str, shift: int) -> Iterator[tuple[ast.expr, int]]:
    if not name.endswith(("Error", "Exception")):
        yield call, shift
        for argument in call.args:
            yield argument.value if isinstance(argument, ast.Starred) else argument, shift


def _is_short(node: ast.BinOp) -> bool:
    """Whether an operation with a number that stands in the code cannot give much more."""
    match node.op:
        case ast.Pow():
            return False
        case ast.LShift():
            return _is_number(node.right)
        case _:
            return _is_number(node.left) or _is_number(node.right)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


class _Weigher(ast.NodeTransformer):
    def __init__(self, weigh: str, heavy: dict[ast.expr, int]) -> None:
        self.weigh = weigh
        self.heavy = heavy

    def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
        self.generic_visit(node)
        if isinstance(node, ast.expr) and node in self.heavy:
            return self._weighed(node, self.heavy[node])
        name = grown_name(node)
        if name is not None:
            return [ast.Expr(self._weighed(ast.Name(name, ast.Load()), COPIED)), node]
        return node

    def _weighed(self, value: ast.expr, shift: int) -> ast.expr:
        return ast.Call(ast.Name(self.weigh, ast.Load()), [value, ast.Constant(shift)], [])

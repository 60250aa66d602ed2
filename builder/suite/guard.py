"""Which code a model may put into a row: a function that tests its arguments and does nothing else.

A validator runs in the process of whoever uses the release, so it is held to a small part of
Python: no imports, no loops without an end, no names but its own and harmless builtins.
"""

import ast
from collections.abc import Iterator

ALLOWED_NAMES = frozenset(
    {
        "type", "len", "isinstance", "int", "float", "complex", "bool", "str",
        "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset", "range",
        "object", "TypeError", "ValueError", "all", "any", "sum", "min", "max",
        "abs", "sorted", "reversed", "enumerate", "zip", "map", "filter", "iter",
        "next", "round", "divmod", "ord", "chr", "repr",
    }
)  # fmt: skip
_REFUSED = (
    ast.Import | ast.ImportFrom | ast.While | ast.Global | ast.Nonlocal | ast.ClassDef
    | ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await | ast.Yield | ast.YieldFrom
    | ast.With | ast.Delete
)  # fmt: skip
_FORMATS = ("format", "format_map")
"""Methods of texts that reach attributes by their names."""


def objection(code: str, name: str, parameters: str) -> str | None:
    """Say why code may not stand in a row as the guard of a method; None: it may.

    Args:
        code: the module, which parses.
        name: of the one function that it has to define.
        parameters: text of the parameters of the guarded function.
    """
    module = ast.parse(code)
    if len(module.body) != 1 or not isinstance(module.body[0], ast.FunctionDef):
        return f"it must define {name} and hold nothing else"
    function = module.body[0]
    if function.name != name or function.decorator_list:
        return f"it must define {name}, without decorators"
    if ast.unparse(function.args) != parameters:
        return f"its parameters must be ({parameters})"
    own = set(_bound_names(function)) - {name}
    for node in ast.walk(function):
        if wrong := _objection(node, own):
            return f"line {getattr(node, 'lineno', 1)}: {wrong}"
    return None


def _bound_names(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def _objection(node: ast.AST, own: set[str]) -> str | None:
    if isinstance(node, _REFUSED):
        return f"{type(node).__name__.lower()} is not allowed"
    if isinstance(node, ast.Name) and node.id not in own | ALLOWED_NAMES:
        return f"{node.id} is not allowed"
    if isinstance(node, ast.Attribute):
        if (node.attr.startswith("_") and node.attr != "__name__") or node.attr in _FORMATS:
            return f"the attribute {node.attr} is not allowed"
        if isinstance(node.ctx, ast.Store):
            return "no attribute may be set"
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return "no element may be set"
    return None

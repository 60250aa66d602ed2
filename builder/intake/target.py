"""Parses a candidate and finds the function in it that the row is about."""

import ast
import warnings
from collections.abc import Iterable, Sequence

from builder.intake.nesting import is_too_deep
from builder.intake.unfit import UnfitError
from builder.reasons import Reason, Stage
from builder.records import Candidate

GRAMMAR = (3, 11)
"""The oldest Python that has to read a row; younger syntax would tie the release to a version."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def parse(code: str) -> ast.Module:
    """Parse a module; a lambda with a name at the top level becomes the function it stands for.

    Raises:
        UnfitError: the text is not Python, or nested too deeply.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a text is no concern of the user's
            tree = ast.parse(code, feature_version=GRAMMAR)
            compile(code, "<row>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        detail = f"{getattr(error, 'msg', None) or error}" + (f", line {line}" if line else "")
        raise UnfitError(Stage.SCREEN, Reason.NOT_PYTHON, detail) from None
    if is_too_deep(tree):
        raise UnfitError(Stage.SCREEN, Reason.TOO_DEEP, "")
    if any(getattr(node, "type_params", None) for node in ast.walk(tree)):
        raise UnfitError(Stage.SCREEN, Reason.NOT_PYTHON, "it has type parameters (Python 3.12)")
    tree.body = [_named_lambda(statement) for statement in tree.body]
    return tree


def find_target(tree: ast.Module, candidate: Candidate) -> FunctionNode:
    """Find the target: the entry point, else the one function that no other one uses.

    Of several such functions it is the one that the driver code calls. A function without
    parameters that calls the others is driver code itself (``main``).

    Raises:
        UnfitError: there is no such function, several, or it belongs to a class.
    """
    functions = {node.name: node for node in tree.body if isinstance(node, FunctionNode)}
    if candidate.entry_point is not None:
        if candidate.entry_point in functions:
            return functions[candidate.entry_point]
        raise _no_function(tree, candidate.entry_point)
    if not functions:
        raise _no_function(tree, None)
    with_parameters = {name: node for name, node in functions.items() if _has_parameters(node)}
    roots = _unused(with_parameters or functions, tree)
    if len(roots) > 1:
        driven = _names([*_statements(tree), *_parsed(candidate.drivers)])
        roots = [name for name in roots if name in driven]
    if len(roots) != 1:
        detail = "candidates: " + ", ".join(sorted(roots or functions))
        raise UnfitError(Stage.SCREEN, Reason.AMBIGUOUS_TARGET, detail)
    return functions[roots[0]]


def is_main_guard(statement: ast.stmt) -> bool:
    """Tell whether a statement is ``if __name__ == "__main__":``."""
    return isinstance(statement, ast.If) and "__name__" in _names([statement.test])


def _named_lambda(statement: ast.stmt) -> ast.stmt:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=arguments, body=body)):
            function = ast.FunctionDef(
                name=name,
                args=arguments,
                body=[ast.copy_location(ast.Return(value=body), body)],
                decorator_list=[],
                returns=None,
                type_comment=None,
            )
            if "type_params" in ast.FunctionDef._fields:
                function.type_params = []  # type: ignore[attr-defined,unused-ignore]
            return ast.copy_location(function, statement)
    return statement


def _no_function(tree: ast.Module, name: str | None) -> UnfitError:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in classes:
        names = {part.name for part in ast.walk(node) if isinstance(part, FunctionNode)}
        if name is None or name == node.name or name in names:
            return UnfitError(Stage.SCREEN, Reason.CLASS_TARGET, f"class {node.name}")
    detail = "" if name is None else f"no function {name} at the top level"
    return UnfitError(Stage.SCREEN, Reason.NO_FUNCTION, detail)


def _has_parameters(node: FunctionNode) -> bool:
    arguments = node.args
    return bool(arguments.posonlyargs or arguments.args or arguments.vararg or arguments.kwonlyargs)


def _unused(functions: dict[str, FunctionNode], tree: ast.Module) -> list[str]:
    """Names of the functions that no other function or class of the module mentions."""
    definitions = [node for node in tree.body if isinstance(node, FunctionNode | ast.ClassDef)]
    used = {
        name
        for node in definitions
        if not isinstance(node, FunctionNode) or node.name in functions
        for name in _names([node]) - {node.name}
    }
    return [name for name in functions if name not in used]


def _statements(tree: ast.Module) -> list[ast.stmt]:
    """What a module does beyond defining, functions without parameters included."""
    return [
        node
        for node in tree.body
        if not isinstance(node, FunctionNode | ast.ClassDef)
        or (isinstance(node, FunctionNode) and not _has_parameters(node))
    ]


def _parsed(drivers: Sequence[str]) -> list[ast.stmt]:
    statements: list[ast.stmt] = []
    for driver in drivers:
        tree = parse_quietly(driver)
        statements += tree.body if tree else []
    return statements


def parse_quietly(text: str) -> ast.Module | None:
    """Parse any text; None if it is not Python, or nested too deeply."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a text is no concern of the user's
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if is_too_deep(tree) else tree


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}

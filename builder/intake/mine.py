"""Records the calls that a corpus makes of its own function, as canonical argument tuples."""

import ast
from collections.abc import Iterator
from typing import Any

from builder.intake.extract import Extract
from builder.intake.imports import is_pure_import
from builder.intake.prove import loading_problem
from builder.intake.scopes import resolve
from builder.intake.target import FunctionNode, parse_quietly
from builder.intake.unfit import UnfitError
from builder.literals import LiteralError, dumps, loads
from builder.reasons import Stage
from builder.records import Method
from builder.sandbox.protocol import Call, Job
from builder.sandbox.supervisor import Sandbox


def mine(
    method: Method, extract: Extract, drivers: tuple[str, ...], sandbox: Sandbox
) -> tuple[str, ...]:
    """Run the driver texts, and the driver code of the module itself, and record the calls.

    Returns:
        Canonical literals of argument tuples in the order of the parameters, each once. A tuple
        is shorter than the header where the call left parameters to their defaults.

    Raises:
        UnfitError: the module cannot be loaded.
    """
    texts = tuple(_driver_texts(extract.leftovers, drivers))
    report = sandbox.run(Job(method.original, method.original_entry_point, drivers=texts))
    problem = loading_problem(report)
    if problem is not None:
        raise UnfitError(Stage.PROVE, *problem)
    tuples = (argument_tuple(method, call) for call in report.recorded)
    return tuple(dict.fromkeys(text for text in tuples if text is not None))


def _driver_texts(leftovers: tuple[ast.stmt, ...], drivers: tuple[str, ...]) -> Iterator[str]:
    """The rest of the module as one driver, then the drivers, with what they use before them."""
    usable = [s for s in leftovers if not _is_import(s) or is_pure_import(s)]
    if not all(isinstance(statement, FunctionNode | ast.ClassDef) for statement in usable):
        yield _join(usable)
    for driver in drivers:
        before = _used_by(driver, usable)
        if before:
            yield _join(before) + "\n" + driver
        yield driver


def _used_by(driver: str, statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that bind a name of the driver, or of one of themselves."""
    tree = parse_quietly(driver)
    open_ends: list[ast.AST] = [tree] if tree else []
    used: set[ast.stmt] = set()
    while open_ends:
        names = _loaded_names(open_ends.pop())
        more = {s for s in statements if s not in used and names & _bound_names(s)}
        used |= more
        open_ends += more
    return [statement for statement in statements if statement in used]


def argument_tuple(method: Method, call: Call) -> str | None:
    """Write a call of the original as the argument tuple of the anonymised function.

    Returns:
        The canonical literal, or None if the function cannot take the call by position.
    """
    values = list(loads(call.arguments))
    keywords: dict[str, Any] = loads(call.keywords)
    by_position = [p for p in method.parameters if p.original_name not in method.keyword_only]
    variadic = any(parameter.variadic for parameter in by_position)
    if len(values) > len(by_position) and not variadic:
        return None
    for parameter in method.parameters[len(values) :]:
        if parameter.variadic:
            continue
        if parameter.original_name in keywords:
            values.append(keywords.pop(parameter.original_name))
        elif parameter.default is None:
            return None
        elif keywords:
            try:
                values.append(loads(parameter.default))
            except LiteralError:
                return None
    return None if keywords else dumps(tuple(values))


def _join(statements: list[ast.stmt]) -> str:
    return "\n".join(ast.unparse(statement) for statement in statements)


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _loaded_names(tree: ast.AST) -> set[str]:
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}


def _bound_names(statement: ast.stmt) -> set[str]:
    return {binding.name for binding in resolve(_alone(statement)).module.bindings.values()}


def _alone(statement: ast.stmt) -> ast.Module:
    return ast.Module(body=[statement], type_ignores=[])

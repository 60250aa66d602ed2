"""Records the calls that a corpus makes of its own function, as canonical argument tuples."""

import ast
from collections.abc import Iterator
from typing import Any

from builder.intake.extract import Extract
from builder.intake.imports import is_pure_import
from builder.intake.target import FunctionNode, parse_quietly
from builder.literals import LiteralError, dumps, loads
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
    """
    texts = tuple(_driver_texts(extract.leftovers, drivers))
    if not texts:
        return ()
    job = Job(method.original, method.original_entry_point, drivers=texts)
    recorded = sandbox.run(job).recorded
    tuples = (argument_tuple(method, call) for call in recorded)
    return tuple(dict.fromkeys(text for text in tuples if text is not None))


def _driver_texts(leftovers: tuple[ast.stmt, ...], drivers: tuple[str, ...]) -> Iterator[str]:
    """Driver texts, each with the definitions of the module that it needs before it."""
    definitions = [
        statement
        for statement in leftovers
        if isinstance(statement, FunctionNode | ast.ClassDef) or is_pure_import(statement)
    ]
    if len(definitions) < len(leftovers):
        yield _join(s for s in leftovers if s in definitions or not _is_import(s))
    for driver in drivers:
        used = _identifiers(driver)
        before = [statement for statement in definitions if used & _bound_names(statement)]
        if before:
            yield _join(before) + "\n" + driver
        yield driver


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


def _join(statements: Iterator[ast.stmt] | list[ast.stmt]) -> str:
    return "\n".join(ast.unparse(statement) for statement in statements)


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _identifiers(text: str) -> set[str]:
    tree = parse_quietly(text)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else set()


def _bound_names(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    return {statement.name} if isinstance(statement, FunctionNode | ast.ClassDef) else set()

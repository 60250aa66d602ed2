"""Finds texts that call the target, for source files to offer as drivers. Parses, never runs."""

import ast
import inspect
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import Final

from builder.shown import expression, shown_calls

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parse(text: str) -> ast.Module | None:
    """Parse a module; None if it is not Python."""
    with warnings.catch_warnings(action="ignore"):  # odd escapes are the corpus' affair
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def python_part(text: str) -> str:
    """Return the Python of an answer: its one fenced block, or what comes before other words.

    A text is only cut before a line that is not indented, so never within a function.
    """
    fenced = re.findall(r"```(?:python|py)?\n(.*?)```", text, re.DOTALL)
    if len(fenced) == 1:
        text = fenced[0]
    if parse(text):
        return text
    lines = text.splitlines(keepends=True)
    for end in range(len(lines) - 1, 0, -1):
        if lines[end].strip() and not lines[end][0].isspace():
            part = "".join(lines[:end])
            if (tree := parse(part)) and functions(tree):
                return part
    return text


def functions(tree: ast.Module) -> list[Function]:
    """Return the functions that a module defines at its top level."""
    return [node for node in tree.body if isinstance(node, Function)]


def called_names(tree: ast.AST) -> list[str]:
    """Return the names that a tree calls, outer calls first, each once."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return list(dict.fromkeys(name.id for name in calls if isinstance(name, ast.Name)))


def same_code(one: str, other: str) -> bool:
    """Tell whether two modules differ in layout and comments at most."""
    first, second = parse(one), parse(other)
    return first is not None and second is not None and ast.dump(first) == ast.dump(second)


def docstring_of(code: str, entry_point: str) -> str:
    """Return the text that documents a function, even after its imports; empty if none does."""
    tree = parse(code)
    for function in functions(tree) if tree else []:
        if function.name == entry_point:
            for node in function.body:
                match node:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        return inspect.cleandoc(text)
    return ""


def with_setup(setup: Iterable[str], statements: Iterable[str]) -> list[str]:
    """Return each statement as one driver that first runs the set-up."""
    before = "".join(line + "\n" for line in setup if line.strip())
    return [before + statement for statement in statements]


def single_target(tree: ast.Module) -> Function | None:
    """Return the function that nothing else in the module uses, if there is just one.

    Of several such functions it is the one that the code at module level calls. Functions without
    parameters (``main``) are such code, unless there are no others.
    """
    by_name = {node.name: node for node in functions(tree) if takes_arguments(node)}
    by_name = by_name or {node.name: node for node in functions(tree)}
    definitions = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    used = {
        name for node in [*by_name.values(), *definitions] for name in _names(node) - {node.name}
    }
    roots = [name for name in by_name if name not in used]
    if len(roots) > 1:
        driven = {name for statement in _driver_statements(tree) for name in _names(statement)}
        roots = [name for name in roots if name in driven]
    return by_name[roots[0]] if len(roots) == 1 else None


def takes_arguments(function: Function) -> bool:
    """Tell whether a function can be given anything."""
    arguments = function.args
    return bool(arguments.posonlyargs or arguments.args or arguments.vararg or arguments.kwonlyargs)


def module_drivers(tree: ast.Module, target: str) -> list[str]:
    """Return the code at module level as one driver, and each call of the target as another.

    A lone call keeps only the assignments before it, so that it survives what fails elsewhere.
    """
    statements = _driver_statements(tree)
    if not any(target in _names(statement) for statement in statements):
        return []
    drivers = [_unparse(statements)]
    assignments: list[ast.stmt] = []
    for statement in statements:
        calls = [node for node in ast.walk(statement) if _calls(node, target)]
        drivers += [_unparse([*assignments, call]) for call in calls]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and not calls:
            assignments.append(statement)
    return drivers


def _calls(node: ast.AST, target: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == target


def _unparse(nodes: Sequence[ast.AST]) -> str:
    return "\n".join(ast.unparse(node) for node in nodes)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _driver_statements(tree: ast.Module) -> list[ast.stmt]:
    """Return what a module does beyond defining.

    The body of a main guard counts as such, and so does that of a function without parameters.
    """
    statements: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.If) and "__name__" in _names(node.test):
            statements += node.body
        elif isinstance(node, Function) and not takes_arguments(node):
            statements += [_outside(part) for part in node.body if not _leaves(part)]
        elif not isinstance(node, Function | ast.ClassDef | ast.Import | ast.ImportFrom):
            statements.append(node)
    return statements


def _outside(statement: ast.stmt) -> ast.stmt:
    """Return a statement of a function as it can stand at module level."""
    if isinstance(statement, ast.Return) and statement.value is not None:
        return ast.Expr(statement.value)
    return statement


def _leaves(statement: ast.stmt) -> bool:
    """Tell whether a statement can only stand in a function, though it is no plain return."""
    inside = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Nonlocal)
    if isinstance(statement, ast.Return) and statement.value is not None:
        return any(isinstance(node, inside) for node in ast.walk(statement.value))
    return any(isinstance(node, inside) for node in ast.walk(statement))


def docstring_calls(text: str, name: str) -> list[str]:
    """Return the calls of ``name`` that a text shows, as drivers."""
    return [shown.call for shown in shown_calls(text, name)]


_VALUE_NAMES: Final = frozenset(
    {"range", "list", "tuple", "set", "dict", "frozenset", "float", "complex", "bytes"}
)
"""Names that the text of a value may use; any other name marks plain words."""
_PAIR: Final = re.compile(r"\s*([A-Za-z_][\w ]*?)\s*[:=]\s*(.+)", re.DOTALL)
_PAIR_BREAK: Final = re.compile(r"(?:\n|;|,|\sand\s)\s*(?=[A-Za-z_][\w ]*\s*[:=])")


def input_calls(text: str, target: Function) -> list[str]:
    """Return calls of the target for each reading of ``text`` as its input.

    The text may be an argument list, pairs of a name and a value (``a = 3``, ``Width: 5``) that
    name the parameters or stand in their order, one value a line, or else plain words.
    """
    text = text.strip()
    parameters = [parameter.arg for parameter in target.args.posonlyargs + target.args.args]
    if not text or not parameters or re.search(r"\bdef ", text):
        return []
    readings = [[text]]
    pairs = [_PAIR.fullmatch(part) for part in _PAIR_BREAK.split(text)]
    if named := {match[1]: _value(match[2].strip()) for match in pairs if match}:
        in_order = [named[name] for name in parameters if name in named]
        readings = [in_order if len(in_order) == len(named) else list(named.values())]
    elif len(lines := [line for line in text.splitlines() if line.strip()]) > 1:
        readings.append([line.strip() for line in lines])
    calls = [f"{target.name}({', '.join(reading)})" for reading in readings]
    return [call for call in calls if _is_call_of_values(call)] or [f"{target.name}({text!r})"]


def _value(text: str) -> str:
    """Return the text of a value as it is, or plain words as the text of a string."""
    return text if _is_call_of_values(f"_({text})") else repr(text)


def _is_call_of_values(text: str) -> bool:
    """Tell whether a text is a call whose arguments are values, not words that look like code."""
    call = expression(text)
    if not isinstance(call, ast.Call) or call.keywords:
        return False
    return all(
        _names(argument) <= _VALUE_NAMES
        and not any(isinstance(node, ast.Attribute) for node in ast.walk(argument))
        for argument in call.args
    )

"""Static rules: reasons that a reader understands, for what running could not judge.

The rules make no claim to safety; the sandbox does that. They name what a row needs from outside
(files, input, clock, chance, the interpreter itself), and what the shape of its target rules out.
"""

import ast
from collections.abc import Iterator
from typing import Final

from builder.intake.imports import PURE_MODULES, words_of
from builder.intake.scopes import BUILTINS, Names, resolve
from builder.intake.target import FunctionNode
from builder.reasons import Reason

Finding = tuple[Reason, str]

_BUILTINS_NOT_ALLOWED: Final = {
    "open": Reason.TOUCHES_FILES,
    "input": Reason.TOUCHES_INPUT,
    "raw_input": Reason.TOUCHES_INPUT,
    "help": Reason.TOUCHES_INPUT,
    "breakpoint": Reason.TOUCHES_PROCESS,
    "exit": Reason.TOUCHES_PROCESS,
    "quit": Reason.TOUCHES_PROCESS,
    "eval": Reason.DYNAMIC_CODE,
    "exec": Reason.DYNAMIC_CODE,
    "compile": Reason.DYNAMIC_CODE,
    "__import__": Reason.DYNAMIC_CODE,
    "globals": Reason.INTROSPECTION,
    "locals": Reason.INTROSPECTION,
    "__builtins__": Reason.INTROSPECTION,
    "__doc__": Reason.INTROSPECTION,
    "__file__": Reason.INTROSPECTION,
    "__loader__": Reason.INTROSPECTION,
    "__spec__": Reason.INTROSPECTION,
}
_NAMESPACE_WITHOUT_ARGUMENT: Final = frozenset({"vars", "dir"})
_ATTRIBUTES_OF_THE_INTERPRETER: Final = words_of("""
    __annotations__ __builtins__ __closure__ __code__ __doc__ __globals__ __loader__ __mro__
    __subclasses__ ag_frame cr_code cr_frame f_back f_builtins f_code f_globals f_locals gi_code
    gi_frame tb_frame tb_next
""")
_MODULES_NOT_ALLOWED: Final = {
    module: reason
    for reason, modules in {
        Reason.TOUCHES_FILES: "fileinput glob os.path pathlib shutil sqlite3 tempfile zipfile",
        Reason.TOUCHES_INPUT: "cmd curses getpass tkinter turtle",
        Reason.TOUCHES_PROCESS: """asyncio concurrent ctypes ftplib http logging multiprocessing os
        platform psutil requests select signal smtplib socket ssl subprocess telnetlib threading
        urllib urllib3 webbrowser""",
        Reason.READS_CLOCK: "sched time timeit",
        Reason.RANDOMNESS: "secrets uuid",
        Reason.DYNAMIC_CODE: "code codeop importlib pickle runpy shelve",
        Reason.INTROSPECTION: "dis gc inspect traceback tracemalloc",
    }.items()
    for module in modules.split()
}
_CLOCK: Final = frozenset({"now", "today", "utcnow"})
_SYS: Final = {
    "argv": Reason.TOUCHES_PROCESS,
    "exit": Reason.TOUCHES_PROCESS,
    "stdin": Reason.TOUCHES_INPUT,
}
_PURE_SYS: Final = words_of("""
    byteorder float_info getrecursionlimit intern maxsize maxunicode setrecursionlimit stderr stdout
    set_int_max_str_digits
""")
_PURE_IO: Final = frozenset({"BytesIO", "StringIO", "TextIOWrapper"})
_SEEDED_RANDOM: Final = frozenset({"Random", "seed"})
_LEAVES: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_CACHES: Final = frozenset({"cache", "lru_cache"})
ANNOTATING_DECORATORS: Final = frozenset(
    {"final", "no_type_check", "override", "overload", "staticmethod"}
)


def screen(tree: ast.Module, target: FunctionNode) -> Finding | None:
    """Judge the part of a module that its target needs.

    Returns:
        The first reason to reject it with the name or line at fault, or None.
    """
    names = resolve(tree)
    for findings in (
        _shape(target, names),
        _outside(tree, names),
        _unknown(tree, names),
        _no_value(target),
    ):
        for finding in findings:
            return finding
    return None


def _shape(target: FunctionNode, names: Names) -> Iterator[Finding]:
    if isinstance(target, ast.AsyncFunctionDef):
        yield Reason.COROUTINE, f"async def {target.name}"
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(target)):
        yield Reason.GENERATOR, f"{target.name} yields"
    for decorator in target.decorator_list:
        if decorator_name(decorator) not in _CACHES | ANNOTATING_DECORATORS:
            yield Reason.DECORATED, f"@{ast.unparse(decorator)}"
    if not all(isinstance(item, FunctionNode) for item in names.of_node[target].binders):
        yield Reason.DECORATED, f"{target.name} is given another value later"
    yield from _signature(target.args)


def _signature(arguments: ast.arguments) -> Iterator[Finding]:
    by_position = [*arguments.posonlyargs, *arguments.args]
    if not (by_position or arguments.vararg or arguments.kwonlyargs):
        yield Reason.NO_ARGUMENT, ""
    if arguments.vararg and arguments.kwonlyargs:
        yield Reason.UNSUPPORTED_SIGNATURE, f"{arguments.kwonlyargs[0].arg} comes after *"
    optional = bool(arguments.defaults)
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is None and optional:
            yield Reason.UNSUPPORTED_SIGNATURE, f"{parameter.arg} is required and keyword-only"
        optional = optional or default is not None


def _outside(tree: ast.Module, names: Names) -> Iterator[Finding]:
    """What the code asks of anything but its arguments."""
    modules = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                for alias in node.names:
                    modules[alias.asname or alias.name.split(".")[0]] = alias.name
                    yield from _import(alias.name)
            case ast.ImportFrom():
                module = "." * node.level + (node.module or "")
                yield from _import(module)
                for alias in node.names:
                    yield from _member(module, alias.name, tree)
    imported = frozenset(modules.values()) | {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) if node.module
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
                yield from _member(modules[name], attribute, tree)
            case ast.Call(func=ast.Name(id=name), args=[]) if (
                name in _NAMESPACE_WITHOUT_ARGUMENT and name in names.free
            ):
                yield Reason.INTROSPECTION, f"{name}()"
        if isinstance(node, ast.Attribute):
            if node.attr in _ATTRIBUTES_OF_THE_INTERPRETER:
                yield Reason.INTROSPECTION, f".{node.attr}"
            if node.attr in _CLOCK and "datetime" in imported:
                yield Reason.READS_CLOCK, f".{node.attr}"
    for name in sorted(names.free):
        if name in _BUILTINS_NOT_ALLOWED:
            yield _BUILTINS_NOT_ALLOWED[name], name


def _import(module: str) -> Iterator[Finding]:
    if module in PURE_MODULES:
        return
    reason = _MODULES_NOT_ALLOWED.get(module, _MODULES_NOT_ALLOWED.get(module.split(".")[0]))
    yield reason or Reason.IMPORT_NOT_ALLOWED, module


def _member(module: str, member: str, tree: ast.Module) -> Iterator[Finding]:
    """Judge the use of a member of one of the modules that are only partly pure."""
    where = f"{module}.{member}"
    if member == "*":
        yield Reason.IMPORT_NOT_ALLOWED, f"everything from {module}"
    elif module == "sys" and member not in _PURE_SYS:
        yield _SYS.get(member, Reason.INTROSPECTION), where
    elif module == "io" and member not in _PURE_IO:
        yield Reason.TOUCHES_FILES, where
    elif module == "random" and member not in _SEEDED_RANDOM and not _seeds(tree):
        yield Reason.RANDOMNESS, where


def _seeds(tree: ast.Module) -> bool:
    """Tell whether the code gives the generator of random numbers a constant to start from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = decorator_name(node)
            if name in _SEEDED_RANDOM and node.args[0].value is not None:
                return True
    return False


def _unknown(tree: ast.Module, names: Names) -> Iterator[Finding]:
    unreachable = set(_unreachable(tree))
    free = {
        name
        for name, places in names.free.items()
        if not all(place.node in unreachable for place in places)
    }
    never_bound = {
        binding.name
        for binding in names.bindings
        if not binding.binders
        and not all(isinstance(place.node, ast.Global) for place in binding.places)
    }
    unknown = sorted((free - BUILTINS) | never_bound)
    if unknown:
        yield Reason.UNDEFINED_NAME, ", ".join(unknown)


def _unreachable(tree: ast.Module) -> Iterator[ast.AST]:
    """Walk what stands behind a statement that always leaves its block."""
    for node in ast.walk(tree):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list):
                leaves = [isinstance(item, _LEAVES) for item in block]
                if any(leaves):
                    for statement in block[leaves.index(True) + 1 :]:
                        yield from ast.walk(statement)


def _no_value(target: FunctionNode) -> Iterator[Finding]:
    for node in own_nodes(target):
        match node:
            case ast.Return(value=None) | ast.Return(value=ast.Constant(value=None)):
                continue
            case ast.Return():
                return
    yield Reason.NO_RETURN_VALUE, f"{target.name} has no return with a value"


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """Walk the body of a function without that of any function or class inside it."""
    open_ends: list[ast.AST] = list(reversed(function.body))
    while open_ends:
        node = open_ends.pop()
        yield node
        if not isinstance(node, FunctionNode | ast.Lambda | ast.ClassDef):
            open_ends += reversed(list(ast.iter_child_nodes(node)))


def decorator_name(node: ast.expr) -> str:
    """Return the last word of ``name``, ``module.name`` or a call of one."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")

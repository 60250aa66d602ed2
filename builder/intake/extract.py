"""Cuts a module down to its target and all that the target needs.

What stays is found by dependency: the statements that bind a name the target uses, or that change
the value of one, and so on from there. Driver code (statements that reach the target) goes.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from builder.intake.imports import complete_imports
from builder.intake.scopes import BUILTINS, Binding, Kind, Names, resolve
from builder.intake.target import FunctionNode, find_target, is_main_guard, parse
from builder.records import Candidate

_INTERPRETER_SETTINGS: Final = frozenset({"setrecursionlimit", "set_int_max_str_digits"})
"""Functions whose calls every later call feels."""
_EFFECTS_OF_MODULES: Final = _INTERPRETER_SETTINGS | {"seed"}
"""Functions of modules that are called for what they change."""
_ONLY_LOOK: Final = BUILTINS - {"delattr", "next", "setattr"}
"""Functions that leave their arguments as they are."""


@dataclass(frozen=True, slots=True)
class Extract:
    """The part of a candidate that matters."""

    tree: ast.Module
    """The statements that the target needs, in their order, in the corpus' names."""
    target: FunctionNode
    text: str
    """The same statements as the corpus writes them."""
    leftovers: tuple[ast.stmt, ...]
    """The other statements, in order: they may call the target, and define what drivers use."""


def extract(candidate: Candidate) -> Extract:
    """Find the target of a candidate and what it needs.

    Raises:
        UnfitError: the text is not Python, or has not exactly one target.
    """
    tree = parse(candidate.code)
    target = find_target(tree, candidate)
    complete_imports(tree)
    needed = _Needed(tree, target)
    module = needed.part()
    return Extract(
        tree=module,
        target=target,
        text=_text(candidate.code, module.body, resolve(module)),
        leftovers=tuple(needed.rest()),
    )


def needed_part(tree: ast.Module, target: FunctionNode) -> ast.Module:
    """Return a module with the statements of ``tree`` that ``target`` needs."""
    return _Needed(tree, target).part()


class _Needed:
    """Which top-level statements the target needs."""

    def __init__(self, tree: ast.Module, target: FunctionNode) -> None:
        self.tree = tree
        self.names = resolve(tree)
        self.target = target
        self.statements: set[ast.stmt] = set()
        self.bindings: set[Binding] = set()
        self._uses = {statement: set(self._mentioned(statement)) for statement in tree.body}
        self._binds = {statement: self._bound_by(statement) for statement in tree.body}
        self._changes = {statement: self._changed_by(statement) for statement in tree.body}
        self._close()

    def part(self) -> ast.Module:
        """The module without what is not needed."""
        parts = (self._part_of(statement) for statement in self.tree.body)
        return ast.Module(body=[part for part in parts if part is not None], type_ignores=[])

    def rest(self) -> Iterator[ast.stmt]:
        """What is not needed, in order; of a main guard its body."""
        for statement in self.tree.body:
            if statement not in self.statements:
                if isinstance(statement, ast.If) and is_main_guard(statement):
                    yield from statement.body
                else:
                    yield statement

    def _part_of(self, statement: ast.stmt) -> ast.stmt | None:
        """The needed part of a statement: all of it, some names of an import, or nothing."""
        if statement not in self.statements:
            return None
        if isinstance(statement, ast.Import | ast.ImportFrom):
            used = [alias for alias in statement.names if self._is_used(alias)]
            statement = ast.copy_location(
                type(statement)(**{**vars(statement), "names": used}), statement
            )
        return statement

    def _is_used(self, alias: ast.alias) -> bool:
        return alias.name == "*" or self.names.of_node[alias] in self.bindings

    def _close(self) -> None:
        """Add what is needed until nothing more is."""
        target_binding = self.names.of_node[self.target]
        self.statements.add(self.target)
        self.statements.update(filter(_sets_interpreter, self._uses))
        self.bindings.add(target_binding)
        drivers = {s for s in self._uses if self._is_driver(s, target_binding)}
        while True:
            for statement in self.statements:
                if not isinstance(statement, ast.Import | ast.ImportFrom):
                    self.bindings |= self._uses[statement] | self._binds[statement]
            more = {
                statement
                for statement in self._uses
                if statement not in self.statements
                and statement not in drivers
                and (self._gives_value(statement) or self._changes[statement] & self.bindings)
            }
            if not more:
                break
            self.statements |= more
        if self.names.free.keys() - BUILTINS:
            self.statements |= {s for s in self._uses if _is_star_import(s)}

    def _gives_value(self, statement: ast.stmt) -> bool:
        """Tell whether a statement binds a needed name and no later function replaces it."""
        for binding in self._binds[statement] & self.bindings:
            last = binding.binders[-1]
            is_replaced = isinstance(last, FunctionNode) and last in self._uses
            if last is statement or not (is_replaced and isinstance(statement, FunctionNode)):
                return True
        return False

    def _is_driver(self, statement: ast.stmt, target: Binding) -> bool:
        if isinstance(statement, FunctionNode | ast.ClassDef):
            return False
        if isinstance(statement, ast.Assign):
            calls = (part for part in _walk_now(statement) if isinstance(part, ast.Call))
            return any(self.names.of_node.get(call.func) is target for call in calls)
        return is_main_guard(statement) or target in self._reached(statement)

    def _mentioned(self, node: ast.AST) -> Iterator[Binding]:
        """Bindings at module level that a statement mentions, its functions included."""
        for part in ast.walk(node):
            for binding in (self.names.of_node.get(part), self.names.doubtful.get(part)):
                if binding is not None and binding.scope.kind is Kind.MODULE:
                    yield binding

    def _bound_by(self, statement: ast.stmt) -> set[Binding]:
        inside = set(_walk_now(statement))
        return {
            binding
            for binding in self._uses[statement]
            if any(binder in inside for binder in binding.binders)
        }

    def _reached(self, statement: ast.stmt) -> set[Binding]:
        """Bindings that a statement mentions, or the functions that it mentions do."""
        reached: set[Binding] = set()
        open_ends = list(self._uses[statement])
        while open_ends:
            binding = open_ends.pop()
            if binding not in reached:
                reached.add(binding)
                for binder in binding.binders:
                    if isinstance(binder, FunctionNode | ast.ClassDef):
                        open_ends += self._mentioned(binder)
        return reached

    def _changed_by(self, statement: ast.stmt) -> set[Binding]:
        """Variables whose value a statement may change when the module is loaded."""
        if isinstance(statement, FunctionNode | ast.ClassDef | ast.Import | ast.ImportFrom):
            return set()
        changed = set(self._changed_in(_walk_now(statement)))
        for binding in self._reached(statement):
            for binder in binding.binders:
                if isinstance(binder, FunctionNode):
                    changed.update(self._changed_in(ast.walk(binder)))
        return changed

    def _changed_in(self, nodes: Iterable[ast.AST]) -> Iterator[Binding]:
        for node in nodes:
            for name, is_method in _changed_names(node):
                binding = self.names.of_node.get(name)
                if binding is None or binding.scope.kind is not Kind.MODULE:
                    continue
                if _is_variable(binding) or not is_method:
                    yield binding


def _changed_names(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """Names whose value a node may change, and whether merely by calling one of their methods."""
    match node:
        case ast.Name(ctx=ast.Store() | ast.Del()):
            yield node, False
        case (
            ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del())
        ):
            yield _root(node), False
        case ast.Call(func=ast.Attribute(attr=attribute) as function):
            yield _root(function), attribute not in _EFFECTS_OF_MODULES
            yield from ((argument, True) for argument in node.args)
        case ast.Call(func=ast.Name(id=name)) if name in _ONLY_LOOK:
            return
        case ast.Call():
            yield from ((argument, True) for argument in node.args)


def _sets_interpreter(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
            return name in _INTERPRETER_SETTINGS
    return False


def _is_star_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


def _is_variable(binding: Binding) -> bool:
    return any(isinstance(binder, ast.Name) for binder in binding.binders)


def _walk_now(node: ast.AST) -> Iterator[ast.AST]:
    """Walk the part of a statement that runs with it, not the bodies of functions."""
    yield node
    if isinstance(node, FunctionNode | ast.Lambda):
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk_now(child)


def _text(code: str, statements: Iterable[ast.stmt], names: Names) -> str:
    """Write statements as the corpus has them; only imports are written anew."""
    lines = code.split("\n")
    parts = []
    if _has_unknown_annotation(statements, names):
        parts.append("from __future__ import annotations")
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            parts.append(ast.unparse(statement))
        else:
            parts.append(_source(lines, statement))
    return "\n".join(parts) + "\n"


def _source(lines: list[str], statement: ast.stmt) -> str:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    end = statement.end_lineno or statement.lineno
    after = lines[end - 1].encode()[statement.end_col_offset :].strip()
    if statement.col_offset > 0 or not (after == b"" or after.startswith(b"#")):
        return ast.unparse(statement)  # it shares its line with another statement
    return "\n".join(lines[first - 1 : end])


def _has_unknown_annotation(statements: Iterable[ast.stmt], names: Names) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id in names.free and part.id not in BUILTINS
        for statement in statements
        for node in ast.walk(statement)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if annotation is not None
        for part in ast.walk(annotation)
    )

"""Functions that are the same but for the names of their variables.

Normal form: the syntax tree with every name that the module itself binds replaced by a number,
in order of appearance. Names from outside (builtins, modules, attributes) keep their text.
"""

import ast
import symtable
from collections.abc import Sequence

from builder.reasons import Reason, Stage
from builder.records import Rejection, Task


def normal_form(code: str) -> str:
    """Return a text that is equal for functions which differ in the names of variables alone."""
    tree = ast.parse(code)
    bound = _bound_names(symtable.symtable(code, "method", "exec"))
    return ast.dump(_Numberer(bound).visit(tree))


def drop_train_rows_in_test(tasks: Sequence[Task]) -> tuple[list[Task], list[Rejection]]:
    """Keep the test split free of overlap: a train row whose function is in test is dropped.

    Returns:
        The tasks that stay, in their order, and a rejection for each that goes.
    """
    in_test: dict[str, str] = {}
    for task in tasks:
        if task.split == "test":
            in_test.setdefault(normal_form(task.code), task.task_id)
    kept: list[Task] = []
    dropped: list[Rejection] = []
    for task in tasks:
        twin = in_test.get(normal_form(task.code)) if task.split == "train" else None
        if twin is None:
            kept.append(task)
        else:
            dropped.append(
                Rejection(
                    task.source,
                    task.source_id,
                    Stage.RELEASE,
                    Reason.LEAKS_INTO_TEST,
                    f"the same function as {twin}",
                )
            )
    return kept, dropped


def _bound_names(table: symtable.SymbolTable) -> frozenset[str]:
    names = {symbol.get_name() for symbol in table.get_symbols() if _is_bound(symbol)}
    for inner in table.get_children():
        names |= _bound_names(inner)
    return frozenset(names)


def _is_bound(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_parameter() or symbol.is_namespace()


class _Numberer(ast.NodeTransformer):
    """Replaces bound names by numbers."""

    def __init__(self, bound: frozenset[str]) -> None:
        self._bound = bound
        self._numbers: dict[str, str] = {}

    def _number(self, name: str) -> str:
        if name not in self._bound:
            return name
        return self._numbers.setdefault(name, f"_{len(self._numbers)}")

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._number(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._number(node.arg))

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        value = self.visit(node.value)
        return ast.keyword(self._number(node.arg) if node.arg else None, value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._number(node.name)
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self._number(node.name) if node.name else None
        return self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        node.name = self._number(node.name) if node.name else None
        return self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> ast.AST:
        node.name = self._number(node.name) if node.name else None
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        return ast.Global([self._number(name) for name in node.names])

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.Nonlocal([self._number(name) for name in node.names])

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        node.rest = self._number(node.rest) if node.rest else None
        return self.generic_visit(node)

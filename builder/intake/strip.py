"""Takes away what tells a reader something and the interpreter nothing."""

import ast
from typing import Final

from builder.intake.screen import ANNOTATING_DECORATORS, decorator_name
from builder.intake.target import FunctionNode

_MEANINGFUL_ANNOTATIONS: Final = frozenset({"ClassVar", "InitVar", "KW_ONLY"})


def strip(tree: ast.Module) -> ast.Module:
    """Remove docstrings and other idle texts, annotations and decorators that only annotate.

    Comments are gone already. The annotations of a class stay as ``object``, because a dataclass
    is made from them. The tree is changed in place.
    """
    _Strip().visit(tree)
    tree.body = [s for s in tree.body if not _is_future(s)]
    return ast.fix_missing_locations(tree)


class _Strip(ast.NodeTransformer):
    def __init__(self) -> None:
        self.in_class = False

    def _visit_function(self, node: FunctionNode) -> FunctionNode:
        in_class, self.in_class = self.in_class, False
        self.generic_visit(node)
        self.in_class = in_class
        node.returns = None
        node.type_comment = None
        if not in_class:
            node.decorator_list = [
                item
                for item in node.decorator_list
                if decorator_name(item) not in ANNOTATING_DECORATORS
            ]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _visit_function  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        in_class, self.in_class = self.in_class, False
        self.generic_visit(node)
        self.in_class = in_class
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        in_class, self.in_class = self.in_class, True
        self.generic_visit(node)
        self.in_class = in_class
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        node.type_comment = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        self.generic_visit(node)
        if self.in_class:
            if not _words(node.annotation) & _MEANINGFUL_ANNOTATIONS:
                node.annotation = ast.Name(id="object", ctx=ast.Load())
            return node
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        self.generic_visit(node)
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            body = getattr(node, "body", None)
            if body == []:
                body.append(ast.Pass())
        if isinstance(node, ast.Try) and not (node.handlers or node.finalbody):
            node.finalbody.append(ast.Pass())
        return node


def _words(node: ast.AST) -> set[str]:
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"

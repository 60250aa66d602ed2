"""The normal form of a function: what is left of it when ways of writing are taken away.

Two texts have the same normal form if they differ in nothing but

- the names of variables, helpers and imports (``from math import sqrt`` or ``math.sqrt``);
- annotations, docstrings and ``pass``;
- ``else`` after a branch that leaves, and a bare ``return`` at the end;
- a variable that is assigned and returned at once, ``x = x + 1`` or ``x += 1``;
- the direction of a comparison (``a > b`` or ``b < a``), and ``not`` before one.

None of these changes what a function computes, so equal normal forms mean equal functions.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from builder.intake.scopes import Binding, Kind, Names, resolve

_MIRRORED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}
_NEGATED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
    ast.NotEq: ast.Eq,
    ast.NotIn: ast.In,
    ast.IsNot: ast.Is,
}
_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def normal_form(code: str) -> str:
    """Return a text that is equal for functions which differ in ways of writing alone.

    Raises:
        SyntaxError: the code does not parse.
    """
    return ast.dump(normal_tree(code))


def normal_tree(code: str) -> ast.Module:
    """Return the syntax tree of the normal form: variables are called ``_0``, ``_1`` ...

    Raises:
        SyntaxError: the code does not parse.
    """
    tree = ast.parse(code)
    _Simplifier(_shared_names(tree)).visit(tree)
    _number_names(tree)
    return tree


class _Simplifier(ast.NodeTransformer):
    """Writes every statement and expression in one of the ways that mean the same."""

    def __init__(self, shared: frozenset[str]) -> None:
        self._shared = shared

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                value[:] = self._joined(_flat(_without_documentation(value)))
        return node

    def _joined(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        """Return at once what is assigned to a variable and returned in the next statement."""
        result: list[ast.stmt] = []
        for statement in statements:
            match result[-1:], statement:
                case (
                    [ast.Assign(targets=[ast.Name(id=name)], value=value)],
                    ast.Return(value=ast.Name(id=returned)),
                ) if name == returned and name not in self._shared:
                    result[-1] = ast.Return(value)
                case _:
                    result.append(statement)
        return result

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        if node.body and isinstance(node.body[-1], ast.Return) and node.body[-1].value is None:
            del node.body[-1]
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else None

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name) as target],
                value=ast.BinOp(left=ast.Name(id=left), op=op, right=ast.Constant(value=number)),
            ) if name == left and type(number) in (int, float):
                return ast.AugAssign(target, op, ast.Constant(number))
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        self.generic_visit(node)
        if isinstance(node.value, ast.Constant) and node.value.value is None:
            node.value = None
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) > 1:
            return node
        left, op, right = node.left, node.ops[0], node.comparators[0]
        mirrored = _MIRRORED.get(type(op))
        if mirrored is not None and not (_calls(left) and _calls(right)):
            return ast.Compare(right, [mirrored()], [left])
        is_symmetric = isinstance(op, ast.Eq | ast.NotEq)
        if is_symmetric and isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
            return ast.Compare(right, [op], [left])
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [op], right)) if type(op) in _NEGATED:
                return ast.Compare(left, [_NEGATED[type(op)]()], right)
        return node


def _shared_names(tree: ast.Module) -> frozenset[str]:
    """Return the names that some function declares ``global`` or ``nonlocal``."""
    return frozenset(
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Global | ast.Nonlocal)
        for name in node.names
    )


def _calls(expression: ast.expr) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(expression))


def _without_documentation(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text and not isinstance(statement, ast.Pass):
            yield statement


def _flat(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Put what stands in ``else`` behind an ``if`` whose body leaves."""
    for statement in statements:
        yield statement
        # The body may be empty by now: it held nothing but a text or ``pass``.
        if isinstance(statement, ast.If) and any(
            isinstance(last, _LEAVES) for last in statement.body[-1:]
        ):
            yield from statement.orelse
            statement.orelse = []


def _number_names(tree: ast.Module) -> None:
    """Give every variable a number, in order of appearance, and every import its full name."""
    names = resolve(tree)
    full_names = _full_names(tree, names)
    numbers: dict[str, str] = {}
    for binding in names.bindings:
        if binding not in full_names and binding.scope.kind is not Kind.CLASS:
            number = f"_{len(numbers)}"
            numbers[binding.name] = number
            for place in binding.places:
                place.write(number)
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in numbers:
            node.arg = numbers[node.arg]
    _ImportSpeller(names, full_names).visit(tree)


def _full_names(tree: ast.Module, names: Names) -> dict[Binding, str]:
    """Return what each imported name stands for: ``math``, ``math.sqrt``."""
    module_of = {
        alias: f"{node.module}."
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    full_names: dict[Binding, str] = {}
    for binding in names.bindings:
        imported = [binder for binder in binding.binders if isinstance(binder, ast.alias)]
        if imported and len(imported) == len(binding.binders):
            alias = imported[-1]
            name = alias.name if alias.asname or alias in module_of else alias.name.split(".")[0]
            full_names[binding] = module_of.get(alias, "") + name
    return full_names


class _ImportSpeller(ast.NodeTransformer):
    """Writes imported names in full where they are used, and drops the imports."""

    def __init__(self, names: Names, full_names: dict[Binding, str]) -> None:
        self._spelled: dict[ast.AST, str] = {
            node: full_names[binding]
            for node, binding in names.of_node.items()
            if binding in full_names and isinstance(node, ast.Name)
        }

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._spelled.get(node, node.id), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        module = self._spelled.get(node.value)
        if module is not None:
            return ast.Name(f"{module}.{node.attr}", node.ctx)
        self.generic_visit(node)
        return node

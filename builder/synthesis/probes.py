"""Branch probes written into the syntax tree: which way did each decision of a call go?

Probes only choose inputs, they never state a published figure. Values, exceptions and the order
of evaluation stay as they were: a probe is a call that returns None, placed so that None is
either thrown away or gives way to the value. ``test`` as a condition becomes
``(test and not hit(0)) or hit(1)``.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from builder.sandbox.protocol import Probe
from builder.synthesis.weights import insert_weights

Node = TypeVar("Node", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef
TEXT_TESTS = frozenset(
    {
        "startswith",
        "endswith",
        "isalnum",
        "isalpha",
        "isascii",
        "isdecimal",
        "isdigit",
        "isidentifier",
        "islower",
        "isnumeric",
        "isspace",
        "isupper",
    }
)
"""Methods of texts that give True or False."""
_RICH_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


@dataclass(frozen=True, slots=True)
class Probed:
    """A module with probes, and how to serve them."""

    code: str
    probe: Probe
    arcs: int
    """The arcs are numbered from 0 up to, not including, this number."""
    decisions: tuple[tuple[int, ...], ...] = ()
    """Arcs that are the ways out of one decision; an arc without alternative is in none."""


Wrap = Callable[[ast.expr, int], ast.expr]
"""Puts something as true in the place of a test, given the arc that is taken if it is true; the
next number is that of the other."""


@lru_cache(maxsize=8)
def insert_probes(code: str, wrap: Wrap = lambda test, _: test) -> Probed:
    """Write probes into every function of a module.

    Arcs are: both ways out of each operand of a condition (``if``, ``while``, ternary,
    comprehension, guard), loop entered and loop run out, each ``match`` case and no case, each
    exception handler, both values of a comparison or test of a text that is returned, and of
    ``and`` and ``or`` used for their value each operand that was come to. Statements outside
    functions run when the module is loaded and get none.

    Args:
        code: the module.
        wrap: is asked for every test of two ways; its parts may still be without probes.

    Raises:
        SyntaxError: the code does not parse.
    """
    tree = ast.parse(code)
    writer = _ProbeWriter(unused("_hit", code), unused("_tick", code), wrap)
    writer.plain_comparisons = not any(isinstance(node, ast.ClassDef) for node in ast.walk(tree))
    writer.visit(tree)
    weigh = unused("_weigh", code)
    insert_weights(tree, weigh, (writer.hit, writer.tick))
    probe = Probe(hit=writer.hit, tick=writer.tick, weigh=weigh)
    return Probed(ast.unparse(tree), probe, writer.arcs, tuple(writer.decisions))


def unused(name: str, code: str) -> str:
    """Return a name like ``name`` that the code does not hold."""
    while name in code:
        name += "_"
    return name


class _ProbeWriter(ast.NodeTransformer):
    def __init__(self, hit: str, tick: str, wrap: Wrap) -> None:
        self.hit = hit
        self.tick = tick
        self.wrap = wrap
        self.arcs = 0
        self.decisions: list[tuple[int, ...]] = []
        self.plain_comparisons = True
        """Whether ``<`` and its like can only give bool: no class overloads them, or tests."""
        self._depth = 0
        """How many functions are around the node."""

    # Parts of probes

    def _hit(self) -> ast.expr:
        number = ast.Constant(self.arcs)
        self.arcs += 1
        return ast.Call(ast.Name(self.hit, ast.Load()), [number], [])

    def _two_ways(self) -> tuple[ast.expr, ast.expr]:
        """Probes for the two ways out of one decision."""
        self.decisions.append((self.arcs, self.arcs + 1))
        return self._hit(), self._hit()

    def _tick(self) -> ast.expr:
        return ast.Call(ast.Name(self.tick, ast.Load()), [], [])

    def _condition(self, test: ast.expr) -> ast.expr:
        """Mark the two ways out of an expression of which only the truth counts."""
        if isinstance(test, ast.BoolOp):
            return ast.BoolOp(test.op, [self._condition(operand) for operand in test.values])
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return ast.UnaryOp(ast.Not(), self._condition(test.operand))
        if isinstance(test, ast.Constant):
            return test
        first_arc = self.arcs
        true, false = self._two_ways()
        taken = ast.BoolOp(
            ast.And(), [self.visit(self.wrap(test, first_arc)), ast.UnaryOp(ast.Not(), true)]
        )
        return ast.BoolOp(ast.Or(), [taken, false])

    def _has_bool_value(self, node: ast.expr) -> bool:
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return True
            case ast.Compare(ops=ops) if not self.plain_comparisons:
                return not any(isinstance(operation, _RICH_COMPARISONS) for operation in ops)
            case ast.Compare():
                return True
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in TEXT_TESTS and self.plain_comparisons
        return False

    def _bool_value(self, node: ast.expr) -> ast.expr:
        """Mark the two ways out of an expression that is True or False, and keep which."""
        first_arc = self.arcs
        true, false = self._two_ways()
        falsity = ast.Compare(false, [ast.IsNot()], [ast.Constant(None)])
        return ast.IfExp(
            self.visit(self.wrap(node, first_arc)), ast.UnaryOp(ast.Not(), true), falsity
        )

    def _reached(self, node: ast.expr) -> ast.expr:
        """Mark that an expression was come to, and keep its value."""
        return ast.BoolOp(ast.Or(), [self._hit(), self.visit(node)])

    def _without_probes(self, node: Node) -> Node:
        self.generic_visit(node)  # a function may be defined further inside
        return node

    def _visit_all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(statement) for statement in statements]

    # Expressions

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if not self._depth:
            return self._without_probes(node)
        operands: list[ast.expr] = []
        marked = True  # the first operand is always come to
        for operand in node.values:
            if self._has_bool_value(operand):
                operands.append(self._bool_value(operand))
            else:
                operands.append(self.visit(operand) if marked else self._reached(operand))
            marked = self._has_bool_value(operand)
        return ast.BoolOp(node.op, operands)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if self._depth and isinstance(node.op, ast.Not) and isinstance(node.operand, ast.BoolOp):
            return ast.UnaryOp(node.op, self._condition(node.operand))
        self.generic_visit(node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if not self._depth:
            return self._without_probes(node)
        test = self._condition(node.test)
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        if not self._depth:
            return self._without_probes(node)
        node.iter = self.visit(node.iter)
        turn: ast.expr = ast.UnaryOp(ast.Not(), self._tick())
        node.ifs = [turn, *(self._condition(test) for test in node.ifs)]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        node.args = self.visit(node.args)
        self._depth += 1
        node.body = ast.BoolOp(ast.Or(), [self._tick(), self.visit(node.body)])
        self._depth -= 1
        return node

    # Statements

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return self._visit_function(node)

    def _visit_function(self, node: Function) -> ast.stmt:
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self._depth += 1
        documentation = 0 if ast.get_docstring(node, clean=False) is None else 1
        body = self._visit_all(node.body)
        node.body = [*body[:documentation], ast.Expr(self._tick()), *body[documentation:]]
        self._depth -= 1
        return node

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        if self._depth and node.value is not None and self._has_bool_value(node.value):
            node.value = self._bool_value(node.value)
            return node
        self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        if not self._depth:
            return self._without_probes(node)
        node.test = self._condition(node.test)
        node.body = self._visit_all(node.body)
        node.orelse = self._visit_all(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        if not self._depth:
            return self._without_probes(node)
        node.test = self._condition(node.test)
        node.body = [ast.Expr(self._tick()), *self._visit_all(node.body)]
        node.orelse = self._visit_all(node.orelse)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        return self._visit_for(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.stmt:
        return self._visit_for(node)

    def _visit_for(self, node: ast.For | ast.AsyncFor) -> ast.stmt:
        if not self._depth:
            return self._without_probes(node)
        node.iter = self.visit(node.iter)
        entered, run_out = self._two_ways()
        turn = [ast.Expr(self._tick()), ast.Expr(entered)]
        node.body = [*turn, *self._visit_all(node.body)]
        node.orelse = [ast.Expr(run_out), *self._visit_all(node.orelse)]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        if not self._depth:
            return self._without_probes(node)
        node.body = [ast.Expr(self._hit()), *self._visit_all(node.body)]
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        if not self._depth:
            return self._without_probes(node)
        node.subject = self.visit(node.subject)
        last = node.cases[-1]
        if last.guard is not None or not _matches_all(last.pattern):
            node.cases.append(ast.match_case(ast.MatchAs(), None, []))
        first = self.arcs
        probes = [ast.Expr(self._hit()) for _ in node.cases]
        self.decisions.append(tuple(range(first, self.arcs)))
        for case, probe in zip(node.cases, probes, strict=True):
            if case.guard is not None:
                case.guard = self._condition(case.guard)
            case.body = [probe, *self._visit_all(case.body)]
        return node


def _matches_all(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchAs(pattern=inner):
            return inner is None or _matches_all(inner)
        case ast.MatchOr(patterns=options):
            return _matches_all(options[-1])
    return False

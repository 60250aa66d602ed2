"""Goes through a method and finds every place where it can be slightly wrong."""

import ast
import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from builder.suite.mutation.operators import ARITHMETIC, AS_IT_IS, changes

_FEW_ITEMS = 6
"""In a longer table only some entries are changed."""
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
_LOOP = ast.For | ast.AsyncFor | ast.While
_LEAVES = ast.Return | ast.Raise | ast.Break | ast.Continue
_DELETABLE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Delete


@dataclass(frozen=True, slots=True)
class Mutant:
    """A method with one small fault."""

    start: int
    """Where the replaced text starts in the UTF-8 bytes of the code."""
    end: int
    text: str
    """What stands there instead."""
    operator: str
    """What kind of fault it is, in words."""
    line: int
    """Line of the code that is changed, from 1."""
    place: int
    """Line of a statement that a call comes to before the fault can matter; 0: every call does."""

    @property
    def span(self) -> tuple[int, int]:
        """Where the replaced text starts and ends."""
        return self.start, self.end

    def applied(self, code: str) -> str:
        """Return the text of the mutant."""
        data = code.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()

    def difference(self, code: str) -> str:
        """Return the lines removed (``-``) and added (``+``)."""
        before, after = code.splitlines(), self.applied(code).splitlines()
        lines = difflib.unified_diff(before, after, n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


class Finder:
    """Finds the mutants of one method.

    The code has one statement a line, as ``ast.unparse`` and the anonymiser write it.
    """

    def __init__(self, code: str) -> None:
        self.data = code.encode()
        self.mutants: list[Mutant] = []
        self.bodies: list[ast.stmt] = []
        """The first statement of each function and loop."""
        self.comprehended: list[int] = []
        """Where the values end that comprehensions go through, in bytes."""
        self._starts = [0]
        for line in self.data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._place = 0
        self._loops = 0
        self.tree = ast.parse(code)
        self._statements(self.tree.body, inside=False)
        self.mutants.sort(key=lambda mutant: (mutant.start, mutant.end))

    def line_start(self, line: int) -> int:
        """Return the offset of a line, in bytes."""
        return self._starts[line - 1]

    def indentation(self, line: int) -> str:
        """Return the blanks that a line starts with."""
        text = self.data[self._starts[line - 1] : self._starts[line]].decode()
        return text[: len(text) - len(text.lstrip(" "))]

    # Places and texts

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        """Return where a node starts and ends, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _text(self, node: ast.expr | ast.keyword) -> str:
        start, end = self.span(node)
        text = self.data[start:end].decode()
        return text if isinstance(node, AS_IT_IS) else f"({text})"

    def _add(self, start: int, end: int, text: str, operator: str, line: int) -> None:
        self.mutants.append(Mutant(start, end, text, operator, line, self._place))

    def _replace(self, node: ast.expr | ast.stmt, text: str, operator: str) -> None:
        self._add(*self.span(node), text, operator, node.lineno)

    # Statements

    def _statements(self, body: list[ast.stmt], inside: bool) -> None:
        """Go through a block; ``inside``: in a function, so that not every call runs it."""
        for statement in body:
            if inside and not self._is_elif(statement):
                self._place = statement.lineno
            self._statement(statement, inside)
            if not inside:
                self._place = 0

    def _is_elif(self, node: ast.stmt) -> bool:
        """Whether a statement is an ``elif``, which is come to by way of its ``if``."""
        return isinstance(node, ast.If) and self.data.startswith(b"elif", self.span(node)[0])

    def _statement(self, node: ast.stmt, inside: bool) -> None:
        if isinstance(node, _FUNCTION):
            self.bodies.append(node.body[0])
            loops, self._loops = self._loops, 0
            self._statements(node.body, inside=True)
            self._loops = loops
            return
        place, loops = self._place, self._loops
        self._fault_of_statement(node, inside)
        for expression in _own_expressions(node):
            self._expression(expression)
        if isinstance(node, _LOOP):
            self.bodies.append(node.body[0])
        for block in _blocks(node):
            self._place = place
            self._loops = loops + (isinstance(node, _LOOP) and block is node.body)
            self._statements(block, inside)
        self._loops = loops

    def _fault_of_statement(self, node: ast.stmt, inside: bool) -> None:
        match node:
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                self._replace(node, "return None", "return")
            case ast.Break():
                self._replace(node, "continue", "loop")
                self._replace(node, "pass", "loop")
            case ast.Continue():
                self._replace(node, "break", "loop")
                self._replace(node, "pass", "loop")
            case ast.If(test=test):
                self._condition(test)
                self._drop_else(node)
                if self._loops:  # the first one for the last one, or for all
                    self._break_after(node)
            case ast.While(test=test):
                self._replace(test, "False", "condition")
                if not isinstance(test, ast.Constant):
                    self._replace(test, f"not {self._text(test)}", "condition")
                self._break_after(node)
            case ast.For(iter=values):
                self._replace(values, "()", "loop")
                self._replace(values, f"list({self._text(values)})[::-1]", "loop")
                self._break_after(node)
        if isinstance(node, ast.AugAssign):
            self._augmented(node)
        if inside and isinstance(node, _DELETABLE) and not _is_idle(node):
            self._replace(node, "pass", "dropped statement")

    def _condition(self, test: ast.expr) -> None:
        """Let a condition always hold, never hold, and hold when it should not."""
        self._replace(test, "True", "condition")
        self._replace(test, "False", "condition")
        if not isinstance(test, ast.Compare):  # its own changes include the opposite
            self._replace(test, f"not {self._text(test)}", "condition")

    def _drop_else(self, node: ast.If) -> None:
        end_of_body, end = self.span(node.body[-1])[1], self.span(node)[1]
        if node.orelse:
            self._add(end_of_body, end, "", "dropped else", node.orelse[0].lineno)

    def _break_after(self, node: ast.For | ast.If | ast.While) -> None:
        last = node.body[-1]
        if not isinstance(last, _LEAVES):
            end = self.span(last)[1]
            text = f"\n{self.indentation(node.body[0].lineno)}break"
            self._add(end, end, text, "loop", last.lineno)

    def _augmented(self, node: ast.AugAssign) -> None:
        start, end = self.span(node.target)
        target, value = self.data[start:end].decode(), self._text(node.value)
        for symbol in ARITHMETIC.get(type(node.op), ()):
            self._replace(node, f"{target} {symbol}= {value}", "arithmetic")
        self._replace(node, f"{target} = {value}", "arithmetic")

    # Expressions

    def _expression(self, node: ast.expr) -> None:
        if not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(
            node, ast.Subscript
        ):
            for operator, text in changes(node, self._text):
                self._replace(node, text, operator)
        if isinstance(node, ast.IfExp):
            self._replace(node.test, f"(not {self._text(node.test)})", "condition")
        for child in _parts(node):
            if isinstance(child, ast.comprehension):
                self._comprehension(child)
            elif isinstance(child, ast.expr):
                self._expression(child)

    def _comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._replace(test, "(True)", "condition")
            if not isinstance(test, ast.Compare):
                self._replace(test, f"(not {self._text(test)})", "condition")
            self._expression(test)
        self._expression(node.iter)
        if isinstance(node.iter, AS_IT_IS):  # so no bracket stands behind it
            self.comprehended.append(self.span(node.iter)[1])


def _own_expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that a statement evaluates itself."""
    match node:
        case ast.AnnAssign(value=value):
            if value is not None:
                yield value
        case ast.With() | ast.AsyncWith():
            yield from (item.context_expr for item in node.items)
        case ast.Match():
            yield node.subject
            yield from (case.guard for case in node.cases if case.guard)
        case ast.ClassDef() | ast.Raise() | ast.Assert():
            return
        case _:
            yield from (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block
    for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
        yield part.body


def _parts(node: ast.expr) -> Iterable[ast.AST]:
    """Return what is inside an expression and can be changed by itself."""
    match node:
        case ast.JoinedStr():
            return ()  # its parts have no reliable places in the text before Python 3.12
        case ast.Subscript(value=value, slice=ast.Slice() as bounds):
            return [value, *ast.iter_child_nodes(bounds)]
        case ast.Lambda(body=body):
            return [body]
        case ast.Call():
            return [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return items if len(items) <= _FEW_ITEMS else [*items[:2], items[-1]]
        case ast.Dict(keys=keys, values=values):
            items = [key for key in keys if key] + values
            return items if len(items) <= 2 * _FEW_ITEMS else [keys[-1] or values[-1], values[0]]
    return ast.iter_child_nodes(node)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_idle(node: ast.stmt) -> bool:
    """Whether a statement only prints, or does nothing at all."""
    match node:
        case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="print"))):
            return True
        case ast.AnnAssign(value=None):
            return True
    return False

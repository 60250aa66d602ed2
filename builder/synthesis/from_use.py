"""What a function does with its parameters: evidence on their kinds, read from the syntax tree.

The reader walks the target in order, follows names through assignments, loops, unpacking and
calls of helpers, and notes every operation on the value behind a parameter. It is a guess, not
an analysis: the trial calls decide.
"""

import ast
from collections.abc import Mapping

from builder.synthesis.operations import (
    OPERATORS,
    constant_weights,
)
from builder.synthesis.read_calls import CallReader, Function
from builder.synthesis.use import (
    CHANGED_LIST,
    INDEX,
    INDEXED,
    ITERATED,
    MAPPING,
    NUMBER,
    REAL,
    SEQUENCE,
    TEXT,
    TRUTH,
    Use,
    Weights,
)


def read_uses(code: str, uses: Mapping[str, Use], entry_point: str = "test_func") -> None:
    """Add to the evidence on each parameter, by its name, what the code does with it.

    The use given for ``*args`` is that of one of its values.
    """
    tree = ast.parse(code)
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}
    target = functions[entry_point]
    every = dict(uses)
    if target.args.vararg:
        name = target.args.vararg.arg
        every[name] = Use(element=uses[name])
    _Reader(functions).read_function(target, every)


class _Reader(CallReader):
    """Walks a function."""

    def read_function(self, function: Function, names: dict[str, Use]) -> None:
        """See ``CallReader``."""
        outer, self.names = self.names, {**self.names, **names}
        self._entered.append(function.name)
        self._read_body(function.body)
        self._entered.pop()
        self.names = outer

    # Statements

    def _read_body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._read_statement(statement)

    def _read_statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value)
            case ast.AugAssign(target=target, op=operator, value=value):
                self._operate(target, operator, value)
            case ast.For(target=target, iter=iterable):
                self._bind(target, self.iterate(iterable))
                self._read_body(statement.body + statement.orelse)
            case ast.While(test=test) | ast.If(test=test):
                self._test(test)
                self._read_body(statement.body + statement.orelse)
            case ast.FunctionDef(name=name):
                self.functions = {**self.functions, name: statement}
                self._read_local(statement)
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Subscript):
                        self.mark(target.value, {"list": 1, "dict": 1, "str": -5, "tuple": -5})
            case _:
                self.read_parts(statement)

    def _read_local(self, function: Function) -> None:
        """A function inside: its own parameters hide names, the others are as outside."""
        own = {argument.arg for argument in function.args.args}
        outer, self.names = (
            self.names,
            {name: use for name, use in self.names.items() if name not in own},
        )
        self._read_body(function.body)
        self.names = outer

    def read_parts(self, node: ast.AST) -> None:
        """See ``CallReader``."""
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.stmt):
                self._read_statement(part)
            elif isinstance(part, ast.expr):
                self.use_of(part)
            else:
                self.read_parts(part)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if (
            isinstance(target, ast.Tuple | ast.List)
            and isinstance(value, ast.Tuple | ast.List)
            and len(target.elts) == len(value.elts)
        ):
            uses = [self.use_of(item) for item in value.elts]
            for item, use in zip(target.elts, uses, strict=True):
                self._bind(item, use)
            return
        self._bind(target, self.use_of(value))

    def _bind(self, target: ast.expr, use: Use | None) -> None:
        match target:
            case ast.Name(id=name) if use is None:
                self.names.pop(name, None)
            case ast.Name(id=name) if use is not None:
                self.names[name] = use
            case ast.Tuple(elts=items) | ast.List(elts=items):
                places = use.mark(ITERATED).get_places(len(items)) if use else [None] * len(items)
                if use and not use.fields:
                    use.mark({"tuple": 1.5, "str": -1})
                for item, place in zip(items, places, strict=True):
                    self._bind(item, place)
            case ast.Subscript(value=container, slice=index):
                self.mark(container, {"list": 1.5, "dict": 1, "str": -6, "tuple": -6, "int": -5})
                element = self._look_up(container, index)
                if use and element:
                    use.pair_with(element)
            case ast.Starred(value=inner):
                self._bind(inner, None)

    # Expressions

    def _test(self, node: ast.expr) -> None:
        self.mark(node, TRUTH)

    def use_of(self, node: ast.expr) -> Use | None:
        """See ``CallReader``."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Subscript(value=container, slice=index):
                return self._look_up(container, index)
            case ast.Call():
                return self.read_call(node)
            case ast.BinOp(left=left, op=operator, right=right):
                self._operate(left, operator, right)
                return None
            case ast.Compare():
                self._compare(node)
                return None
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._test(operand)
                return None
            case ast.UnaryOp(op=operator, operand=operand):
                self.mark(operand, INDEX if isinstance(operator, ast.Invert) else NUMBER)
                return None
            case ast.BoolOp(values=values):
                uses = [self.mark(value, TRUTH) for value in values]
                return next((use for use in uses if use), None)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self._test(test)
                first, second = self.use_of(body), self.use_of(orelse)
                return first or second
            case ast.NamedExpr(target=target, value=value):
                self._bind(target, self.use_of(value))
                return self.names.get(target.id)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehend(node)
            case ast.Starred(value=inner):
                self.iterate(inner)
                return None
            case ast.Lambda(args=arguments, body=body):
                self.call_lambda(arguments, body, [])
                return None
        self.read_parts(node)
        return None

    def _look_up(self, container: ast.expr, index: ast.expr) -> Use | None:
        use = self.use_of(container)
        if isinstance(index, ast.Slice):
            for bound in (index.lower, index.upper, index.step):
                if bound is not None:
                    self.mark(bound, INDEX)
            return use.mark(SEQUENCE) if use else None
        place = self.use_of(index)
        if use is None:
            if place:
                place.mark({"int": 0.6, "str": 0.3})
            return None
        match index:
            case ast.Constant(value=str(name)):
                return use.mark(MAPPING).get_field(name)
            case ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int())):
                return use.mark(INDEXED).get_element()
        if place:
            place.mark({"int": 0.6, "str": 0.2})
            if use.element is place:  # it is indexed by what iterating over it gives
                use.mark(MAPPING)
            if use.weights["dict"] > 1:
                use.get_key().pair_with(place)
                return use.get_value()
        return use.mark(INDEXED).get_element()

    def _operate(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> None:
        first, second = self.use_of(left), self.use_of(right)
        for use, other in ((first, right), (second, left)):
            if use:
                use.mark(self._operand_weights(operator, use is first, other))
        if first and second and isinstance(operator, ast.Add | ast.Sub | ast.Div):
            first.pair_with(second)

    def _operand_weights(self, operator: ast.operator, is_left: bool, other: ast.expr) -> Weights:
        constant = constant_weights(other)
        if isinstance(operator, ast.Add) and constant:
            return constant
        if isinstance(operator, ast.Mult) and constant in (TEXT, CHANGED_LIST):
            return INDEX
        if isinstance(operator, ast.Mod) and constant is TEXT and not is_left:
            return {}
        if constant is REAL:
            return {**OPERATORS.get(type(operator), NUMBER), "float": 2}
        return OPERATORS.get(type(operator), NUMBER)

    def _compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if isinstance(operator, ast.In | ast.NotIn):
                self._contains(left, right)
                continue
            if self._asks_for_type(left, right):
                continue
            first, second = self.use_of(left), self.use_of(right)
            for use, other in ((first, right), (second, left)):
                if use and isinstance(other, ast.Constant) and other.value is None:
                    use.tested.add("none")
                elif use:
                    use.mark(constant_weights(other) or {"int": 0.1})
            if first and second:
                first.pair_with(second)

    def _asks_for_type(self, left: ast.expr, right: ast.expr) -> bool:
        """``type(x) == int`` and the like."""
        match left:
            case ast.Call(func=ast.Name(id="type"), args=[argument]):
                self.note_type_test(argument, right)
                return True
        return False

    def _contains(self, item: ast.expr, container: ast.expr) -> None:
        inner, outer = self.use_of(item), self.use_of(container)
        constant = constant_weights(item)
        if outer:
            outer.mark({**ITERATED, "dict": 0.6, "set": 0.5})
            if constant:
                outer.get_element().mark(constant, 0.5)
            elif inner:
                inner.pair_with(outer.get_element())
        if inner and isinstance(container, ast.List | ast.Tuple | ast.Set) and container.elts:
            inner.mark(constant_weights(container.elts[0]) or {})
        if inner and isinstance(container, ast.Dict) and container.keys and container.keys[0]:
            inner.mark(constant_weights(container.keys[0]) or {})
        if inner and constant_weights(container) is TEXT:
            inner.mark(TEXT)

    def _comprehend(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> Use | None:
        outer, self.names = self.names, dict(self.names)
        for generator in node.generators:
            self._bind(generator.target, self.iterate(generator.iter))
            for test in generator.ifs:
                self._test(test)
        if isinstance(node, ast.DictComp):
            self.use_of(node.key)
            self.use_of(node.value)
            element = None
        else:
            element = self.use_of(node.elt)
        self.names = outer
        return Use(element=element) if element else None

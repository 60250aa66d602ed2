"""What a function does with its parameters: evidence on their kinds, read from the syntax tree.

The reader walks the target in order, follows names through assignments, loops, unpacking and
calls of helpers, and notes every operation on the value behind a parameter. It is a guess, not
an analysis: the trial calls decide.
"""

import ast
from collections.abc import Mapping

from builder.synthesis.operations import (
    DICT_METHODS,
    JOINING,
    METHODS,
    NUMBER_FUNCTIONS,
    OPERATORS,
    SAME_ELEMENTS,
    SAME_TEXT_METHODS,
    TEXT_METHODS,
    TYPES,
    WHOLE_FUNCTIONS,
    WHOLE_MATH,
    WIDTH_METHODS,
)
from builder.synthesis.use import (
    CHANGED_LIST,
    FLAG,
    INDEX,
    INDEXED,
    ITERATED,
    MAPPING,
    NUMBER,
    REAL,
    SEQUENCE,
    SIZED,
    TEXT,
    TRUTH,
    WHOLE,
    Use,
    Weights,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


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


def _constant_weights(node: ast.expr) -> Weights | None:
    """What a value must be, or is likely to be, that is compared with this constant."""
    match node:
        case ast.Constant(value=bool()):
            return FLAG
        case ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int())):
            return WHOLE
        case ast.Constant(value=float()) | ast.UnaryOp(operand=ast.Constant(value=float())):
            return REAL
        case ast.Constant(value=str()) | ast.JoinedStr():
            return TEXT
        case ast.List() | ast.ListComp():
            return CHANGED_LIST
        case ast.Tuple():
            return TYPES["tuple"]
        case ast.Dict() | ast.DictComp():
            return MAPPING
    return None


class _Reader:
    """Walks a function; ``names`` says which use stands behind each local name."""

    def __init__(self, functions: dict[str, Function]) -> None:
        self.functions = functions
        self.names: dict[str, Use] = {}
        self._entered: list[str] = []

    def read_function(self, function: Function, names: dict[str, Use]) -> None:
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
                self._bind(target, self._iterate(iterable))
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
                        self._mark(target.value, {"list": 1, "dict": 1, "str": -5, "tuple": -5})
            case _:
                self._read_parts(statement)

    def _read_local(self, function: Function) -> None:
        """A function inside: its own parameters hide names, the others are as outside."""
        own = {argument.arg for argument in function.args.args}
        outer, self.names = (
            self.names,
            {name: use for name, use in self.names.items() if name not in own},
        )
        self._read_body(function.body)
        self.names = outer

    def _read_parts(self, node: ast.AST) -> None:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.stmt):
                self._read_statement(part)
            elif isinstance(part, ast.expr):
                self.use_of(part)
            else:
                self._read_parts(part)

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
                self._mark(container, {"list": 1.5, "dict": 1, "str": -6, "tuple": -6, "int": -5})
                element = self._look_up(container, index)
                if use and element:
                    _pair(use, element)
            case ast.Starred(value=inner):
                self._bind(inner, None)

    # Expressions

    def _mark(self, node: ast.expr, weights: Weights, times: float = 1) -> Use | None:
        use = self.use_of(node)
        return use.mark(weights, times) if use else None

    def _iterate(self, node: ast.expr) -> Use | None:
        """Use of what iterating over the expression gives."""
        use = self._mark(node, ITERATED)
        return use.get_element() if use else None

    def _test(self, node: ast.expr) -> None:
        self._mark(node, TRUTH)

    def use_of(self, node: ast.expr) -> Use | None:
        """Note what the expression does; give the use of its value if it is a parameter's."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Subscript(value=container, slice=index):
                return self._look_up(container, index)
            case ast.Call():
                return self._call(node)
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
                self._mark(operand, INDEX if isinstance(operator, ast.Invert) else NUMBER)
                return None
            case ast.BoolOp(values=values):
                uses = [self._mark(value, TRUTH) for value in values]
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
                self._iterate(inner)
                return None
            case ast.Lambda(args=arguments, body=body):
                self._call_lambda(arguments, body, [])
                return None
        self._read_parts(node)
        return None

    def _look_up(self, container: ast.expr, index: ast.expr) -> Use | None:
        use = self.use_of(container)
        if isinstance(index, ast.Slice):
            for bound in (index.lower, index.upper, index.step):
                if bound is not None:
                    self._mark(bound, INDEX)
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
                _pair(use.get_key(), place)
                return use.get_value()
        return use.mark(INDEXED).get_element()

    def _operate(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> None:
        first, second = self.use_of(left), self.use_of(right)
        for use, other in ((first, right), (second, left)):
            if use:
                use.mark(self._operand_weights(operator, use is first, other))
        if first and second and isinstance(operator, ast.Add | ast.Sub | ast.Div):
            _pair(first, second)

    def _operand_weights(self, operator: ast.operator, is_left: bool, other: ast.expr) -> Weights:
        constant = _constant_weights(other)
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
                    use.mark(_constant_weights(other) or {"int": 0.1})
            if first and second:
                _pair(first, second)

    def _asks_for_type(self, left: ast.expr, right: ast.expr) -> bool:
        """``type(x) == int`` and the like."""
        match left:
            case ast.Call(func=ast.Name(id="type"), args=[argument]):
                self._is_instance(argument, right)
                return True
        return False

    def _contains(self, item: ast.expr, container: ast.expr) -> None:
        inner, outer = self.use_of(item), self.use_of(container)
        constant = _constant_weights(item)
        if outer:
            outer.mark({**ITERATED, "dict": 0.6, "set": 0.5})
            if constant:
                outer.get_element().mark(constant, 0.5)
            elif inner:
                _pair(inner, outer.get_element())
        if inner and isinstance(container, ast.List | ast.Tuple | ast.Set) and container.elts:
            inner.mark(_constant_weights(container.elts[0]) or {})
        if inner and isinstance(container, ast.Dict) and container.keys and container.keys[0]:
            inner.mark(_constant_weights(container.keys[0]) or {})
        if inner and _constant_weights(container) is TEXT:
            inner.mark(TEXT)

    def _comprehend(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> Use | None:
        outer, self.names = self.names, dict(self.names)
        for generator in node.generators:
            self._bind(generator.target, self._iterate(generator.iter))
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

    # Calls

    def _call(self, node: ast.Call) -> Use | None:
        match node.func:
            case ast.Attribute(value=ast.Name(id="math"), attr=name):
                weights = WHOLE if name in WHOLE_MATH else REAL
                for argument in node.args:
                    self._mark(argument, weights)
                return None
            case ast.Attribute(value=ast.Name(id="re"), attr=name):
                for argument in node.args:
                    self._mark(argument, TEXT)
                return None
            case ast.Attribute(value=owner, attr=name):
                return self._call_method(owner, name, node)
            case ast.Name(id=name) if name in self.functions:
                return self._call_helper(self.functions[name], node.args)
            case ast.Name(id=name):
                return self._call_builtin(name, node)
        self._read_parts(node)
        return None

    def _call_helper(self, function: Function, arguments: list[ast.expr]) -> Use | None:
        uses = [self.use_of(argument) for argument in arguments]
        if function.name not in self._entered and len(self._entered) < 6:
            pairs = zip(function.args.args, uses, strict=False)
            self.read_function(function, {name.arg: use for name, use in pairs if use})
        return None

    def _call_lambda(
        self, arguments: ast.arguments, body: ast.expr, uses: list[Use | None]
    ) -> Use | None:
        outer = self.names
        own = [argument.arg for argument in arguments.args]
        bound = {name: use for name, use in zip(own, uses, strict=False) if use}
        self.names = {
            **{name: use for name, use in outer.items() if name not in own},
            **bound,
        }
        result = self.use_of(body)
        self.names = outer
        return result

    def _apply(self, function: ast.expr, uses: list[Use | None]) -> Use | None:
        """A function given as an argument is called with the values behind ``uses``."""
        match function:
            case ast.Lambda(args=arguments, body=body):
                return self._call_lambda(arguments, body, uses)
            case ast.Name(id=name):
                for use in uses:
                    if use and name in ("int", "float"):
                        use.mark({"int": 0.5, "str": 0.5, "float": 0.3})
                    elif use and name == "len":
                        use.mark(SIZED)
        return None

    def _call_builtin(self, name: str, node: ast.Call) -> Use | None:
        arguments = node.args
        for keyword in node.keywords:
            if not isinstance(keyword.value, ast.Lambda):
                self.use_of(keyword.value)
        if not arguments:
            return None
        first = arguments[0]
        if name == "isinstance" and len(arguments) == 2:
            self._is_instance(first, arguments[1])
        elif name == "len":
            self._mark(first, SIZED)
        elif name in ("map", "filter", "reduce") and len(arguments) > 1:
            elements = [self._iterate(argument) for argument in arguments[1:]]
            result = self._apply(first, elements * 2 if name == "reduce" else elements)
            result = elements[0] if name == "filter" else result
            return Use(element=result) if result and name != "reduce" else None
        elif name in WHOLE_FUNCTIONS | NUMBER_FUNCTIONS:
            for argument in arguments:
                self._mark(argument, INDEX if name in WHOLE_FUNCTIONS else NUMBER)
        elif name in ("int", "float"):
            self._mark(first, {"int": 0.6, "float": 0.5, "str": 0.4, "list": -3, "dict": -3})
        elif name == "str":
            self._mark(first, {"int": 1.2})
        elif name == "ord":
            self._mark(first, TEXT)
        elif name == "zip":
            elements = [self._iterate(argument) for argument in arguments]
            return Use(element=Use(places=[element or Use() for element in elements]))
        elif name == "enumerate":
            element = self._iterate(first)
            return Use(element=Use(places=[Use(), element])) if element else None
        elif name in ("min", "max") and len(arguments) > 1:
            return self._join_numbers(arguments)
        elif name in SAME_ELEMENTS or name in JOINING:
            return self._consume(name, node)
        else:
            self._read_parts(node)
        return None

    def _join_numbers(self, arguments: list[ast.expr]) -> Use | None:
        uses = [self._mark(argument, {"int": 1, "float": 0.9}) for argument in arguments]
        return next((use for use in uses if use), None)

    def _consume(self, name: str, node: ast.Call) -> Use | None:
        """A function that takes one iterable, and gives its elements again or joins them."""
        element = self._iterate(node.args[0])
        if element is None:
            return None
        for keyword in node.keywords:
            self._apply(keyword.value, [element])
        if name == "sum":
            element.mark(NUMBER)
        if name in ("min", "max"):
            return element
        return Use(element=element) if name in SAME_ELEMENTS else None

    def _is_instance(self, node: ast.expr, types: ast.expr) -> None:
        named = types.elts if isinstance(types, ast.Tuple) else [types]
        for each in named:
            if isinstance(each, ast.Name) and each.id in TYPES:
                use = self.use_of(node)
                if use:
                    use.tested.add(each.id)

    def _call_method(self, owner: ast.expr, name: str, node: ast.Call) -> Use | None:
        arguments = node.args
        if name == "join" and arguments:
            self.use_of(owner)
            element = self._iterate(arguments[0])
            if element:
                element.mark(TEXT)
            return None
        use = self.use_of(owner)
        uses = [self.use_of(argument) for argument in arguments]
        for keyword in node.keywords:
            self._apply(keyword.value, [use.get_element() if use else None])
        if name in TEXT_METHODS:
            for argument in uses:
                if argument and name not in WIDTH_METHODS:
                    argument.mark(TEXT)
        if use is None:
            return None
        use.mark(METHODS.get(name, {}))
        first = uses[0] if uses else None
        if name in DICT_METHODS:
            return self._from_dict(use, name, arguments)
        if name in ("append", "remove", "count", "index", "add") and first:
            _pair(first, use.get_element())
        if name == "pop":
            return use.get_element()
        return use if name in SAME_TEXT_METHODS or name == "copy" else None

    def _from_dict(self, use: Use, name: str, arguments: list[ast.expr]) -> Use | None:
        if name == "items":
            return Use(element=Use(places=[use.get_key(), use.get_value()]))
        if name == "keys":
            return Use(element=use.get_key())
        if name == "values":
            return Use(element=use.get_value())
        if name == "get" and arguments and isinstance(arguments[0], ast.Constant):
            return use.get_field(str(arguments[0].value))
        return use.get_value()


def _pair(first: Use, second: Use) -> None:
    first.peers.append(second)
    second.peers.append(first)

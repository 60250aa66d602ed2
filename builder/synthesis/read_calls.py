"""Evidence from calls: of builtins, methods, helpers of the module and functions passed on."""

import ast
from abc import ABC, abstractmethod

from builder.synthesis.operations import (
    DICT_METHODS,
    JOINING,
    METHODS,
    NUMBER_FUNCTIONS,
    SAME_ELEMENTS,
    SAME_TEXT_METHODS,
    TEXT_METHODS,
    TYPES,
    WHOLE_FUNCTIONS,
    WHOLE_MATH,
    WIDTH_METHODS,
)
from builder.synthesis.use import INDEX, ITERATED, NUMBER, REAL, SIZED, TEXT, WHOLE, Use, Weights

Function = ast.FunctionDef | ast.AsyncFunctionDef


class CallReader(ABC):
    """Reads calls; ``names`` says which use stands behind each local name."""

    def __init__(self, functions: dict[str, Function]) -> None:
        self.functions = functions
        self.names: dict[str, Use] = {}
        self._entered: list[str] = []

    @abstractmethod
    def use_of(self, node: ast.expr) -> Use | None:
        """Note what an expression does; give the use of its value if it is a parameter's."""

    @abstractmethod
    def read_function(self, function: Function, names: dict[str, Use]) -> None:
        """Read a body in which ``names`` are bound."""

    @abstractmethod
    def read_parts(self, node: ast.AST) -> None:
        """Read all that is inside a node."""

    def mark(self, node: ast.expr, weights: Weights, times: float = 1) -> Use | None:
        """Add an event to the evidence on the value of an expression; give its use."""
        use = self.use_of(node)
        return use.mark(weights, times) if use else None

    def iterate(self, node: ast.expr) -> Use | None:
        """Use of what iterating over the expression gives."""
        use = self.mark(node, ITERATED)
        return use.get_element() if use else None

    def read_call(self, node: ast.Call) -> Use | None:
        """Note what a call does to its arguments; give the use of its value."""
        match node.func:
            case ast.Attribute(value=ast.Name(id="math"), attr=name):
                weights = WHOLE if name in WHOLE_MATH else REAL
                for argument in node.args:
                    self.mark(argument, weights)
                return None
            case ast.Attribute(value=ast.Name(id="re"), attr=name):
                for argument in node.args:
                    self.mark(argument, TEXT)
                return None
            case ast.Attribute(value=owner, attr=name):
                return self._call_method(owner, name, node)
            case ast.Name(id=name) if name in self.functions:
                return self._call_helper(self.functions[name], node.args)
            case ast.Name(id=name):
                return self._call_builtin(name, node)
        self.read_parts(node)
        return None

    def _call_helper(self, function: Function, arguments: list[ast.expr]) -> Use | None:
        uses = [self.use_of(argument) for argument in arguments]
        if function.name not in self._entered and len(self._entered) < 6:
            pairs = zip(function.args.args, uses, strict=False)
            self.read_function(function, {name.arg: use for name, use in pairs if use})
        return None

    def call_lambda(
        self, arguments: ast.arguments, body: ast.expr, uses: list[Use | None]
    ) -> Use | None:
        """Read a lambda whose parameters stand for the values behind ``uses``."""
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
                return self.call_lambda(arguments, body, uses)
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
            self.note_type_test(first, arguments[1])
        elif name == "len":
            self.mark(first, SIZED)
        elif name in ("map", "filter", "reduce") and len(arguments) > 1:
            elements = [self.iterate(argument) for argument in arguments[1:]]
            result = self._apply(first, elements * 2 if name == "reduce" else elements)
            result = elements[0] if name == "filter" else result
            return Use(element=result) if result and name != "reduce" else None
        elif name in WHOLE_FUNCTIONS | NUMBER_FUNCTIONS:
            for argument in arguments:
                self.mark(argument, INDEX if name in WHOLE_FUNCTIONS else NUMBER)
        elif name in ("int", "float"):
            self.mark(first, {"int": 0.6, "float": 0.5, "str": 0.4, "list": -3, "dict": -3})
        elif name == "str":
            self.mark(first, {"int": 1.2})
        elif name == "ord":
            self.mark(first, TEXT)
        elif name == "zip":
            elements = [self.iterate(argument) for argument in arguments]
            return Use(element=Use(places=[element or Use() for element in elements]))
        elif name == "enumerate":
            element = self.iterate(first)
            return Use(element=Use(places=[Use(), element])) if element else None
        elif name in ("min", "max") and len(arguments) > 1:
            return self._join_numbers(arguments)
        elif name in SAME_ELEMENTS or name in JOINING:
            return self._consume(name, node)
        else:
            self.read_parts(node)
        return None

    def _join_numbers(self, arguments: list[ast.expr]) -> Use | None:
        uses = [self.mark(argument, {"int": 1, "float": 0.9}) for argument in arguments]
        return next((use for use in uses if use), None)

    def _consume(self, name: str, node: ast.Call) -> Use | None:
        """A function that takes one iterable, and gives its elements again or joins them."""
        element = self.iterate(node.args[0])
        if element is None:
            return None
        for keyword in node.keywords:
            self._apply(keyword.value, [element])
        if name == "sum":
            element.mark(NUMBER)
        if name in ("min", "max"):
            return element
        return Use(element=element) if name in SAME_ELEMENTS else None

    def note_type_test(self, node: ast.expr, types: ast.expr) -> None:
        """Note that the code asks whether a value is of one of the types."""
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
            element = self.iterate(arguments[0])
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
            first.pair_with(use.get_element())
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

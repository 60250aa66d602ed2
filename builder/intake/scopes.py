"""Which binding each name of a module stands for, by Python's own scoping rules.

``resolve`` walks a module once and answers with every scope, every binding and every place where
the binding's name is written, so that a name can be replaced exactly where it means one thing.
"""

import ast
import builtins
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

BUILTINS: Final = frozenset(dir(builtins)) - {
    "copyright",
    "credits",
    "exit",
    "help",
    "license",
    "quit",
}
"""Names that every module has, without those that only an interactive Python adds."""

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Kind(Enum):
    """What opens a scope."""

    MODULE = auto()
    FUNCTION = auto()
    CLASS = auto()
    COMPREHENSION = auto()


@dataclass(eq=False, slots=True)
class Place:
    """One spot of the tree where a name is written."""

    node: ast.AST
    field: str
    index: int | None = None

    def write(self, name: str) -> None:
        """Put ``name`` there."""
        if self.index is None:
            setattr(self.node, self.field, name)
        else:
            getattr(self.node, self.field)[self.index] = name


@dataclass(eq=False, slots=True)
class Binding:
    """One variable: a name in one scope."""

    name: str
    scope: "Scope"
    places: list[Place] = field(default_factory=list)
    """Everywhere that the name is written, in the order of the walk."""
    binders: list[ast.AST] = field(default_factory=list)
    """The nodes among them that give it a value; none for a mere ``global`` declaration."""


@dataclass(eq=False, slots=True)
class Scope:
    """A region with names of its own."""

    kind: Kind
    node: ast.AST
    parent: "Scope | None"
    bindings: dict[str, Binding] = field(default_factory=dict)
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Names:
    """The answer of ``resolve``."""

    module: Scope
    scopes: list[Scope]
    free: dict[str, list[Place]]
    """Names that the module binds nowhere: builtins, or mistakes."""
    of_node: dict[ast.AST, Binding]
    """The binding that a Name, arg, alias, function, class, handler or pattern node stands for."""
    bindings: list[Binding]
    """All bindings, in the order in which they first appear."""
    doubtful: dict[ast.AST, Binding]
    """The variable of the module that a name in the body of a class also may mean: Python looks
    there while the class has not given the name a value."""


def resolve(tree: ast.Module) -> Names:
    """Resolve every name of a module."""
    walk = _Walk(tree)
    walk.visit(tree)
    return _link(walk)


@dataclass(slots=True)
class _Mention:
    name: str
    place: Place
    scope: Scope
    binds: bool


class _Walk(ast.NodeVisitor):
    """Collects the scopes and every mention of a name in them."""

    def __init__(self, tree: ast.Module) -> None:
        self.scope = Scope(Kind.MODULE, tree, None)
        self.scopes = [self.scope]
        self.mentions: list[_Mention] = []

    def _mention(
        self, name: str, place: Place, *, binds: bool = False, scope: Scope | None = None
    ) -> None:
        self.mentions.append(_Mention(name, place, scope or self.scope, binds))

    def _within(self, kind: Kind, node: ast.AST, *parts: ast.AST | None) -> None:
        outer = self.scope
        self.scope = Scope(kind, node, outer)
        self.scopes.append(self.scope)
        for part in parts:
            self._visit(part)
        self.scope = outer

    def _visit(self, *nodes: ast.AST | None) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self._mention(node.id, Place(node, "id"), binds=not isinstance(node.ctx, ast.Load))

    def visit_arg(self, node: ast.arg) -> None:
        self._mention(node.arg, Place(node, "arg"), binds=True)

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._mention(node.name, Place(node, "name"), binds=True)
        self._visit(*node.decorator_list, *_evaluated_outside(node.args), node.returns)
        self._within(Kind.FUNCTION, node, *parameters(node.args), *node.body)

    visit_FunctionDef = visit_AsyncFunctionDef = _visit_function  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit(*_evaluated_outside(node.args))
        self._within(Kind.FUNCTION, node, *parameters(node.args), node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._mention(node.name, Place(node, "name"), binds=True)
        self._visit(*node.decorator_list, *node.bases, *node.keywords)
        self._within(Kind.CLASS, node, *node.body)

    def _visit_comprehension(self, node: Comprehension) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        parts: list[ast.AST] = [first.target, *first.ifs]
        for generator in others:
            parts += [generator.iter, generator.target, *generator.ifs]
        if isinstance(node, ast.DictComp):
            parts += [node.key, node.value]
        else:
            parts.append(node.elt)
        self._within(Kind.COMPREHENSION, node, *parts)

    visit_ListComp = visit_SetComp = _visit_comprehension  # noqa: N815
    visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        home = self.scope
        while home.kind is Kind.COMPREHENSION and home.parent is not None:
            home = home.parent
        self._mention(node.target.id, Place(node.target, "id"), binds=True, scope=home)

    def visit_Global(self, node: ast.Global) -> None:
        self.scope.declared_global.update(node.names)
        for index, name in enumerate(node.names):
            self._mention(name, Place(node, "names", index))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.scope.declared_nonlocal.update(node.names)
        for index, name in enumerate(node.names):
            self._mention(name, Place(node, "names", index))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._visit(node.type)
        if node.name is not None:
            self._mention(node.name, Place(node, "name"), binds=True)
        self._visit(*node.body)

    def _visit_capture(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self.generic_visit(node)
        if node.name is not None:
            self._mention(node.name, Place(node, "name"), binds=True)

    visit_MatchAs = visit_MatchStar = _visit_capture  # noqa: N815

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.generic_visit(node)
        if node.rest is not None:
            self._mention(node.rest, Place(node, "rest"), binds=True)

    def visit_alias(self, node: ast.alias) -> None:
        if node.name != "*":
            bound = node.asname or node.name.split(".")[0]
            self._mention(bound, Place(node, "asname"), binds=True)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, in the order in which they are written."""
    rest = [arguments.vararg] if arguments.vararg else []
    named_rest = [arguments.kwarg] if arguments.kwarg else []
    return [
        *arguments.posonlyargs,
        *arguments.args,
        *rest,
        *arguments.kwonlyargs,
        *named_rest,
    ]


def _evaluated_outside(arguments: ast.arguments) -> list[ast.expr]:
    """Defaults and annotations: read in the scope around the function."""
    defaults = [*arguments.defaults, *(item for item in arguments.kw_defaults if item)]
    annotations = [item.annotation for item in parameters(arguments) if item.annotation]
    return defaults + annotations


def _link(walk: _Walk) -> Names:
    module = walk.scopes[0]
    bindings: list[Binding] = []
    for mention in walk.mentions:
        creates = mention.binds or isinstance(mention.place.node, ast.Global)
        home = _home(mention.scope, mention.name, module, binds=True) if creates else None
        if home is not None and mention.name not in home.bindings:
            home.bindings[mention.name] = Binding(mention.name, home)
            bindings.append(home.bindings[mention.name])
    free: dict[str, list[Place]] = {}
    of_node: dict[ast.AST, Binding] = {}
    doubtful: dict[ast.AST, Binding] = {}
    for mention in walk.mentions:
        home = _home(mention.scope, mention.name, module, binds=mention.binds)
        if home is None or mention.name not in home.bindings:
            free.setdefault(mention.name, []).append(mention.place)
            continue
        binding = home.bindings[mention.name]
        binding.places.append(mention.place)
        if mention.binds:
            binding.binders.append(mention.place.node)
        elif home.kind is Kind.CLASS and mention.name in module.bindings:
            doubtful[mention.place.node] = module.bindings[mention.name]
        if mention.place.index is None:
            of_node[mention.place.node] = binding
    return Names(module, walk.scopes, free, of_node, bindings, doubtful)


def _home(scope: Scope, name: str, module: Scope, *, binds: bool) -> Scope | None:
    """The scope whose variable ``name`` means when it is written in ``scope``."""
    if name in scope.declared_global:
        return module
    if name not in scope.declared_nonlocal and (binds or name in scope.bindings):
        return scope
    outer = scope.parent
    while outer is not None:
        if name in outer.declared_global:
            return module
        if outer.kind is not Kind.CLASS and name in outer.bindings:
            return outer
        outer = outer.parent
    return None

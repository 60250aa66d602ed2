"""Gives every binding of a module its new name, and puts the names in their places."""

import ast
from collections.abc import Iterator
from typing import Final

from builder.intake.names import NEUTRAL, TARGET, Secrets
from builder.intake.scopes import Binding, Function, Kind, Names, parameters, resolve
from builder.intake.target import FunctionNode
from builder.intake.unfit import UnfitError
from builder.reasons import Reason, Stage

_NAMES_OF_OBJECTS: Final = frozenset({"__name__", "__qualname__"})


def rename(tree: ast.Module, target: FunctionNode, secrets: Secrets) -> None:
    """Rename in place.

    Raises:
        UnfitError: a name cannot be replaced without a change of meaning.
    """
    names = resolve(tree)
    new_names = _plan(names, target, secrets)
    _refuse_reflection(tree, names)
    _refuse_unclear_scopes(names, new_names)
    keywords = list(_renamed_keywords(tree, names, new_names))
    for binding, new_name in new_names.items():
        if new_name != binding.name:
            for place in binding.places:
                place.write(new_name)
    for keyword, new_name in keywords:
        keyword.arg = new_name
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and node.asname == node.name:
            node.asname = None


def _plan(names: Names, target: FunctionNode, secrets: Secrets) -> dict[Binding, str]:
    """Choose the new name of every binding; numbers follow the order of appearance."""
    count = _Counter()
    parameter_names = dict(_parameter_names(names))
    taken = {binding.name for binding in names.bindings} | names.free.keys()
    new_names: dict[Binding, str] = {}
    for binding in names.bindings:
        if binding.scope.kind is Kind.CLASS:
            continue  # an attribute
        binders = binding.binders
        if binding is names.of_node[target]:
            new_name = TARGET
        elif any(isinstance(binder, FunctionNode) for binder in binders):
            new_name = count("helper")
        elif any(isinstance(binder, ast.ClassDef) for binder in binders):
            new_name = count("Class")
        elif binders and all(isinstance(binder, ast.alias) for binder in binders):
            new_name = _import_name(binding, taken) or count("module")
        elif binding.scope.kind is Kind.MODULE:
            is_rebound = any(isinstance(place.node, ast.Global) for place in binding.places)
            new_name = count("GLOBAL" if is_rebound else "CONSTANT")
        elif binding in parameter_names:
            new_name = parameter_names[binding]
        elif NEUTRAL.fullmatch(binding.name) or secrets.told_by(binding.name):
            new_name = count("var")
        else:
            new_name = binding.name
        new_names[binding] = new_name
    return new_names


class _Counter:
    """Numbers names by their kind."""

    def __init__(self) -> None:
        self.used: dict[str, int] = {}

    def __call__(self, kind: str) -> str:
        number = self.used.get(kind, 0)
        self.used[kind] = number + 1
        return f"{kind}{number}"


def _parameter_names(names: Names) -> Iterator[tuple[Binding, str]]:
    """The parameters of functions at module level and their new names."""
    for scope in names.scopes:
        node = scope.node
        if isinstance(node, FunctionNode) and scope.parent is names.module:
            numbered = [item for item in parameters(node.args) if item is not node.args.kwarg]
            for index, parameter in enumerate(numbered):
                yield names.of_node[parameter], f"arg{index}"
            if node.args.kwarg:
                yield names.of_node[node.args.kwarg], "kwargs"


def _import_name(binding: Binding, taken: set[str]) -> str | None:
    """The own name of what is imported, where nothing else in the module is called so."""
    own = {binder.name for binder in binding.binders if isinstance(binder, ast.alias)}
    aliased = any(isinstance(binder, ast.alias) and binder.asname for binder in binding.binders)
    if not aliased:
        return binding.name
    name = own.pop()
    if own or "." in name or (name != binding.name and name in taken):
        return None
    taken.add(name)
    return name


def _refuse(detail: str) -> UnfitError:
    return UnfitError(Stage.ANONYMISE, Reason.NOT_RENAMEABLE, detail)


def _refuse_reflection(tree: ast.Module, names: Names) -> None:
    """Refuse code that asks its own functions or classes for their names."""
    has_classes = any(isinstance(node, ast.ClassDef) for node in ast.walk(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _NAMES_OF_OBJECTS:
            binding = names.of_node.get(node.value)
            if has_classes or (binding is not None and binding.binders[0] is not node.value):
                raise _refuse(ast.unparse(node))


def _refuse_unclear_scopes(names: Names, new_names: dict[Binding, str]) -> None:
    """Refuse what no renaming gets right: private names, and class bodies with two meanings."""
    for binding in names.doubtful.values():
        if new_names[binding] != binding.name:
            raise _refuse(f"{binding.name} has two meanings in the body of a class")
    for binding, new_name in new_names.items():
        if binding.name.startswith("__") and new_name != binding.name and _has_methods(names):
            raise _refuse(f"{binding.name} may be private to a class")
    for binding in names.bindings:
        if binding.scope.kind is Kind.CLASS and NEUTRAL.fullmatch(binding.name):
            raise _refuse(f"the attribute {binding.name} has a name that is given to others")


def _renamed_keywords(
    tree: ast.Module, names: Names, new_names: dict[Binding, str]
) -> Iterator[tuple[ast.keyword, str]]:
    """The keywords of calls that name a renamed parameter, with the new names."""

    def renamed(function: Function) -> dict[str, str]:
        bindings = [names.of_node[item] for item in parameters(function.args)]
        return {item.name: new_names[item] for item in bindings}

    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not call.keywords:
            continue
        functions, is_certain = _callees(call, names)
        known = [renamed(function) for function in functions]
        others = [] if is_certain else [renamed(item) for item in _called_indirectly(tree, names)]
        for keyword in call.keywords:
            if keyword.arg is None:
                if any(known):
                    raise _refuse("a function of the module is called with **")
                continue
            found = {mapping[keyword.arg] for mapping in known if keyword.arg in mapping}
            possible = {mapping[keyword.arg] for mapping in others if keyword.arg in mapping}
            if len(found) > 1:
                raise _refuse(f"{keyword.arg} stands at two places of a function defined twice")
            if possible - (found or {keyword.arg}):
                raise _refuse(f"the keyword {keyword.arg} of a call whose function is not known")
            if not found and any(keyword.arg in mapping.values() for mapping in known + others):
                raise _refuse(f"the keyword {keyword.arg} would name another parameter")
            if found:
                yield keyword, found.pop()


def _callees(call: ast.Call, names: Names) -> tuple[list[Function], bool]:
    """The functions of the module that a call may reach, and whether there can be no other."""
    called = call.func
    if _last_word(called) == "partial" and call.args:
        called = call.args[0]
    if isinstance(called, ast.Lambda):
        return [called], True
    if not isinstance(called, ast.Name):
        return [], isinstance(called, ast.Attribute) and not _has_methods(names)
    binding = names.of_node.get(called)
    functions: list[Function] = []
    is_certain = True
    for binder in binding.binders if binding else ():
        if isinstance(binder, ast.ClassDef):
            binder = _initialiser(binder) or binder
        if isinstance(binder, FunctionNode):
            functions.append(binder)
        elif not isinstance(binder, ast.alias):
            is_certain = False
    return functions, is_certain


def _initialiser(node: ast.ClassDef) -> FunctionNode | None:
    for statement in node.body:
        if isinstance(statement, FunctionNode) and statement.name == "__init__":
            return statement
    return None


def _has_methods(names: Names) -> bool:
    """Whether a call of an attribute can reach a function of the module."""
    return any(scope.kind is Kind.CLASS for scope in names.scopes)


def _last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _called_indirectly(tree: ast.Module, names: Names) -> Iterator[Function]:
    """Lambdas, methods, and functions that are handed on under their own names."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for scope in names.scopes:
        node = scope.node
        if isinstance(node, ast.Lambda):
            yield node
        elif isinstance(node, FunctionNode):
            binding = names.of_node[node]
            places = {place.node for place in binding.places} - set(binding.binders)
            if binding.scope.kind is Kind.CLASS or not places <= called:
                yield node

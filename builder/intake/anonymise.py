"""Replaces every name that the corpus chose by a neutral one, without a change of meaning.

The target becomes ``test_func``, parameters ``arg0``..., helpers ``helper0``..., classes
``Class0``..., variables of the module ``CONSTANT0``... or, where a function rebinds them,
``GLOBAL0``... A local variable keeps its name, so that the code stays readable, unless the name
says what the old names or the docstrings said; then it becomes ``var0``... Builtins, modules,
attributes and texts are behaviour and stay.
"""

import ast

from builder.intake.extract import Extract, needed_part
from builder.intake.leak import find_leak
from builder.intake.names import NEUTRAL, Secrets, docstrings, words
from builder.intake.rename import rename
from builder.intake.scopes import Kind, Names, parameters, resolve
from builder.intake.source_text import copy, write
from builder.intake.strip import strip
from builder.intake.target import FunctionNode
from builder.intake.unfit import UnfitError
from builder.reasons import Reason, Stage
from builder.records import Method, Parameter


def anonymise(extract: Extract) -> Method:
    """Rewrite the extract of a candidate that passed the screen.

    The result is canonical: anonymised once more, it stays as it is.

    Raises:
        UnfitError: a name cannot be replaced, or a hint is left that cannot be taken away.
    """
    tree = copy(extract.tree)
    target = _last_function(tree, extract.target.name)
    secrets = _secrets(tree, target)
    originals = parameters(target.args)
    annotations = [ast.unparse(item.annotation) if item.annotation else None for item in originals]
    original_names = [item.arg for item in originals]
    keyword_only = tuple(item.arg for item in target.args.kwonlyargs)

    _refuse_bare_declarations(resolve(tree))
    strip(tree)
    tree = needed_part(tree, target)  # without what only annotations used
    _make_positional(target.args)
    rename(tree, target, secrets)
    code = write(tree) + "\n"
    leak = find_leak(code, secrets)
    if leak is not None:
        raise UnfitError(Stage.ANONYMISE, Reason.LEAK, leak)
    return Method(
        code=code,
        header=_header(target),
        parameters=_parameters(target.args, original_names, annotations),
        original=extract.text,
        original_entry_point=extract.target.name,
        keyword_only=keyword_only,
    )


def _last_function(tree: ast.Module, name: str) -> FunctionNode:
    return [s for s in tree.body if isinstance(s, FunctionNode) and s.name == name][-1]


def _secrets(tree: ast.Module, target: FunctionNode) -> Secrets:
    names = resolve(tree)
    functions, constants = set(), set()
    for binding in names.bindings:
        defines = any(isinstance(item, FunctionNode | ast.ClassDef) for item in binding.binders)
        imports = any(isinstance(item, ast.alias) for item in binding.binders)
        if defines and binding.scope.kind is not Kind.CLASS:
            functions.add(binding.name)
        elif binding.scope.kind is Kind.MODULE and not imports:
            constants.add(binding.name)
    own = {item.arg for item in parameters(target.args)}
    return Secrets(
        functions=_telling(functions),
        parameters=_telling(own),
        constants=_telling(constants),
        documented=words(*docstrings(tree)),
    )


def _telling(names: set[str]) -> frozenset[str]:
    return frozenset(name for name in names if not NEUTRAL.fullmatch(name))


def _refuse_bare_declarations(names: Names) -> None:
    """Refuse ``x: int`` where it alone makes ``x`` a local variable."""
    declared = {
        node.target
        for node in ast.walk(names.module.node)
        if isinstance(node, ast.AnnAssign) and node.value is None
    }
    for binding in names.bindings:
        if binding.scope.kind is Kind.FUNCTION and declared.issuperset(binding.binders):
            detail = f"{binding.name} is declared and never given a value"
            raise UnfitError(Stage.ANONYMISE, Reason.NOT_RENAMEABLE, detail)


def _make_positional(arguments: ast.arguments) -> None:
    """Let every parameter be given by position; the screen has seen that this is possible."""
    arguments.args = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    arguments.defaults += [default for default in arguments.kw_defaults if default is not None]
    arguments.posonlyargs, arguments.kwonlyargs, arguments.kw_defaults = [], [], []


def _header(target: FunctionNode) -> str:
    alone = copy(target)
    alone.body, alone.decorator_list = [ast.Pass()], []
    return write(alone).split("\n")[0]


def _parameters(
    arguments: ast.arguments, original_names: list[str], annotations: list[str | None]
) -> tuple[Parameter, ...]:
    every = [item for item in parameters(arguments) if item is not arguments.kwarg]
    required = len(arguments.args) - len(arguments.defaults)
    defaults = [None] * required + [write(default) for default in arguments.defaults]
    if arguments.vararg:
        defaults.append(None)
    return tuple(
        Parameter(
            name=item.arg,
            original_name=original_name,
            annotation=annotation,
            default=default,
            variadic=item is arguments.vararg,
        )
        for item, original_name, annotation, default in zip(
            every, original_names, annotations, defaults, strict=False
        )
    )

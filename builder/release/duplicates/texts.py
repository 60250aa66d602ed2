"""Finds functions in the rows of a data set of which nothing is known."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from builder.intake.extract import extract, needed_part
from builder.intake.screen import screen
from builder.intake.source_text import write
from builder.intake.target import FunctionNode, parse
from builder.intake.unfit import UnfitError
from builder.records import Candidate
from builder.release.duplicates.function import Function
from builder.suite.validator import VALIDATOR
from builder.synthesis.domain import AnyLiteral, Domain

_FENCED: Final = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)


def functions_in(row: Mapping[str, Any], name: str) -> Iterator[Function]:
    """Find the functions in a row that could be one of ours.

    Code is looked for in every text, however deep: as the whole text, in fences, and begun in
    one text and gone on with in another (a prompt and its solution).

    Args:
        row: fields by name.
        name: what a reader knows the row by.
    """
    seen: set[str] = set()
    for code in _codes(list(_texts(row))):
        try:
            tree = parse(code)
        except UnfitError:
            continue
        for node in tree.body:
            if isinstance(node, FunctionNode) and node.name != VALIDATOR:
                function = _function(code, node.name, name)
                if function is not None and function.code not in seen:
                    seen.add(function.code)
                    yield function


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _codes(texts: list[str]) -> Iterator[str]:
    """Yield every text that may be code and defines something."""
    for text in texts:
        if "def " in text:
            yield text
            yield from _FENCED.findall(text)
            # What goes on with the body of a function begins with blanks.
            yield from (text + other for other in texts if other[:1] in (" ", "\t"))


def _function(code: str, entry_point: str, name: str) -> Function | None:
    """Return a function with all that it needs; None if no row of ours can be like it."""
    candidate = Candidate("", "", "train", "", "", "", code=code, entry_point=entry_point)
    try:
        found = extract(candidate)
    except UnfitError:
        return None
    target = found.target
    _drop_validation(target)
    tree = needed_part(found.tree, target)
    if screen(tree, target) is not None:
        return None
    return Function(name, write(tree), target.name, _any_domain(target), domain_is_known=False)


def _drop_validation(target: FunctionNode) -> None:
    """Take out the call with which functions of the published benchmark begin."""
    match target.body:
        case [ast.Expr(ast.Call(ast.Name(name))), _, *_] if name == VALIDATOR:
            del target.body[0]


def _any_domain(target: FunctionNode) -> Domain:
    """Return the domain that holds any arguments in the right number."""
    arguments = target.args
    positional = arguments.posonlyargs + arguments.args
    return Domain(
        parameters=(AnyLiteral(),) * len(positional),
        required=len(positional) - len(arguments.defaults),
        variadic=AnyLiteral() if arguments.vararg else None,
    )

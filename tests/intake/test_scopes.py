"""Resolving names: the answer has to be that of Python's own symbol table."""

import ast
import symtable
import sys
from typing import Any

import pytest
from hypothesis import given, settings

from builder.intake.scopes import resolve
from builder.intake.source_text import write
from tests.intake.programs import LAW, PROGRAMS

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12),
    reason="from 3.12 on the symbol table merges comprehensions into the function around them",
)


def _shape(table: symtable.SymbolTable) -> Any:
    """What Python sees of a scope: whose variables its names are, and the scopes inside it."""
    names = sorted(
        "module" if symbol.is_global() else "outer" if symbol.is_free() else "own"
        for symbol in table.get_symbols()
        if _is_written_in_it(symbol)
    )
    return table.get_type(), names, [_shape(child) for child in table.get_children()]


def _is_written_in_it(symbol: symtable.Symbol) -> bool:
    """Tell names of the program from Python's own and from those that only pass through."""
    is_used = symbol.is_referenced() or symbol.is_assigned() or symbol.is_parameter()
    is_named = symbol.is_imported() or symbol.is_declared_global() or symbol.is_nonlocal()
    return (is_used or is_named) and not symbol.get_name().startswith((".", "__"))


@settings(LAW, max_examples=100)
@given(PROGRAMS)
def test_with_a_name_of_its_own_for_every_binding_python_sees_the_same_scopes(code: str) -> None:
    tree = ast.parse(code)
    for number, binding in enumerate(resolve(tree).bindings):
        for place in binding.places:
            place.write(f"own{number}")

    renamed = write(tree)

    before = symtable.symtable(code, "<before>", "exec")
    after = symtable.symtable(renamed, "<after>", "exec")
    assert _shape(after) == _shape(before), renamed


@settings(LAW, max_examples=100)
@given(PROGRAMS)
def test_every_scope_binds_the_names_that_python_says_are_its_own(code: str) -> None:
    def own_names(table: symtable.SymbolTable) -> list[list[str]]:
        below = [names for child in table.get_children() for names in own_names(child)]
        if table.get_type() == "module":
            return below
        own = [symbol.get_name() for symbol in table.get_symbols() if symbol.is_local()]
        return [*below, sorted(name for name in own if not name.startswith((".", "__")))]

    scopes = resolve(ast.parse(code)).scopes[1:]

    found = sorted(sorted(scope.bindings) for scope in scopes)
    assert found == sorted(own_names(symtable.symtable(code, "<program>", "exec")))

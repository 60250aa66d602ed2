"""What a candidate may import, and the imports that a careless text forgot."""

import ast
import importlib
from typing import Final

from builder.intake.scopes import Names, resolve


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that is a table."""
    return frozenset(text.split())


PURE_MODULES: Final = words_of("""
    abc array ast base64 binascii bisect builtins calendar cmath codecs collections collections.abc
    colorsys contextlib copy csv dataclasses datetime decimal difflib enum fractions functools
    hashlib heapq hmac html io itertools json keyword math numbers operator pprint queue random re
    statistics string struct sys textwrap types typing unicodedata urllib.parse zlib __future__
""")
"""Modules of the standard library that compute and do nothing else.

``datetime``, ``io``, ``random`` and ``sys`` also hold names that do more: ``screen`` knows them.
"""

_FORGOTTEN_MODULES: Final = words_of("""
    bisect cmath collections copy datetime functools heapq itertools json math operator random re
    statistics string sys
""")
_FORGOTTEN_NAMES: Final = {
    name: module
    for module, names in {
        "collections": "Counter OrderedDict defaultdict deque namedtuple",
        "decimal": "Decimal",
        "fractions": "Fraction",
        "functools": "lru_cache reduce",
        "typing": "Any Callable Dict FrozenSet Generator Iterable Iterator List Mapping Optional "
        "Sequence Set Tuple Type TypeVar Union",
    }.items()
    for name in names.split()
}


def complete_imports(tree: ast.Module) -> None:
    """Add the imports that the module forgot, and spell out ``from math import *``.

    Only names that can mean one thing are added: a module that is used by its own name, and the
    few classes and functions that everyone imports from one place.
    """
    _spell_out_stars(tree, resolve(tree))
    added: list[ast.stmt] = []
    for name, places in sorted(resolve(tree).free.items()):
        if name in _FORGOTTEN_NAMES:
            alias = ast.alias(name=name, asname=None)
            added.append(ast.ImportFrom(module=_FORGOTTEN_NAMES[name], names=[alias], level=0))
        elif name in _FORGOTTEN_MODULES and _is_module_here(
            tree, places_of=name, count=len(places)
        ):
            added.append(ast.Import(names=[ast.alias(name=name, asname=None)]))
    start = 0
    for start, statement in enumerate(tree.body):  # noqa: B007
        if not (_is_future(statement) or _is_text(statement)):
            break
    tree.body[start:start] = added
    ast.fix_missing_locations(tree)


def is_pure_import(statement: ast.stmt) -> bool:
    """Tell whether a statement imports nothing but pure modules."""
    if isinstance(statement, ast.Import):
        return all(alias.name in PURE_MODULES for alias in statement.names)
    return isinstance(statement, ast.ImportFrom) and statement.module in PURE_MODULES


def _is_module_here(tree: ast.Module, *, places_of: str, count: int) -> bool:
    """Tell whether a name is only ever written before a dot."""
    dotted = sum(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == places_of
        for node in ast.walk(tree)
    )
    return dotted == count


def _spell_out_stars(tree: ast.Module, names: Names) -> None:
    for statement in tree.body:
        if not isinstance(statement, ast.ImportFrom) or statement.names[0].name != "*":
            continue
        if statement.level or statement.module not in PURE_MODULES:
            continue
        public = _public_names(statement.module)
        used = [ast.alias(name=name, asname=None) for name in sorted(names.free) if name in public]
        # An import of nothing cannot be written; one of the module itself does no harm.
        statement.names = used or [ast.alias(name="__doc__", asname=None)]


def _public_names(module: str) -> set[str]:
    loaded = importlib.import_module(module)
    names = getattr(loaded, "__all__", None) or [n for n in vars(loaded) if not n.startswith("_")]
    return set(names)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)

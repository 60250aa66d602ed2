"""How deeply a syntax tree is nested: whatever walks it by recursion ends at Python's limit."""

import ast
from typing import Final

_MOST_LEVELS: Final = 120
"""Walks end at about 250; the deepest row of the corpora has 20."""


def is_too_deep(tree: ast.AST) -> bool:
    """Tell whether a tree has too many levels; each ``elif`` and each sign of a sum is one."""
    level = [tree]
    for _ in range(_MOST_LEVELS):
        level = [inner for node in level for inner in ast.iter_child_nodes(node)]
    return bool(level)

"""Functions whose syntax trees are almost the same.

A normal form is cut into shingles: every node with its children and, for a statement, the one
before it. Two functions are near if their shingles have a high Jaccard similarity (shared ones
by all of both). The search is exact, where MinHash would estimate.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from sys import intern
from typing import Final

from SetSimilaritySearch import all_pairs

SIMILARITY: Final = 0.8
"""Jaccard similarity from which two trees are near, 0 to 1."""

Shingles = frozenset[tuple[str, int]]


def shingles(tree: ast.Module) -> Shingles:
    """Cut a normal form into its shingles.

    One that occurs several times is there with the numbers 0, 1 ...
    """
    counts: Counter[str] = Counter(_shingles(tree))
    return frozenset((intern(text), number) for text, n in counts.items() for number in range(n))


def _shingles(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        children = [_label(child) for child in ast.iter_child_nodes(node)]
        yield f"{_label(node)}({','.join(children)})"
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                for first, second in pairwise(value):
                    if isinstance(first, ast.stmt):
                        yield f"{name}:{_label(first)};{_label(second)}"


def _label(node: ast.AST) -> str:
    """Return the kind of a node, with what it holds itself; variables are all alike."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name):
            return "variable" if name.startswith("_") else name
        case ast.Constant(value=value):
            return repr(value)
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.Load() | ast.Store() | ast.Del():
            return ""
    return type(node).__name__


def similar_pairs(
    sets: Sequence[Shingles], least: float = SIMILARITY
) -> Iterator[tuple[int, int, float]]:
    """Find all pairs of sets with at least some Jaccard similarity.

    Returns:
        Positions of both in ``sets``, the smaller first, and their similarity; in order.
    """
    if sets:
        found = all_pairs([list(each) for each in sets], "jaccard", least)
        yield from sorted((int(low), int(high), float(share)) for high, low, share in found)

"""Probes that tell how far a decision was from going the other way.

They stand in the place of tests whose decisions have a way out that was never taken; all arcs
keep the numbers that ``builder.synthesis.probes`` gives them.
"""

import ast
from collections.abc import Set

from builder.synthesis.probes import TEXT_TESTS, Probed, insert_probes, unused


def insert_distance_probes(code: str, missing: Set[int]) -> tuple[Probed, str]:
    """Write probes into every function of a module; those at missing arcs tell distances.

    These call ``near(arc, operations, *operands)``, which has to be as true as the test. ``arc``
    is the way out that is taken if it is true, the next number the other one. ``operations`` are
    the names of comparisons, one less than operands; of one method, with a dot before it; or
    none, where only the truth of the operand is known.

    Returns:
        The module, and the name under which it finds ``near``.

    Raises:
        SyntaxError: the code does not parse.
    """
    near = unused("_near", code)

    def wrap(test: ast.expr, arc: int) -> ast.expr:
        if missing.isdisjoint((arc, arc + 1)):
            return test
        operations, operands = _parts(test)
        names: list[ast.expr] = [ast.Constant(name) for name in operations]
        known = [ast.Constant(arc), ast.Tuple(names, ast.Load())]
        return ast.Call(ast.Name(near, ast.Load()), [*known, *operands], [])

    return insert_probes(code, wrap), near


def _parts(test: ast.expr) -> tuple[list[str], list[ast.expr]]:
    """Return the operations and operands of a test."""
    match test:
        case ast.Compare(left=left, ops=ops, comparators=others) if all(map(_is_plain, others[1:])):
            return [type(operation).__name__ for operation in ops], [left, *others]
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=arguments, keywords=[]):
            if name in TEXT_TESTS and len(arguments) < 2:
                return [f".{name}"], [owner, *arguments]
    return [], [test]


def _is_plain(operand: ast.expr) -> bool:
    """Whether an operand does no harm if it is evaluated where a chain would end before it."""
    match operand:
        case ast.Name() | ast.Constant():
            return True
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return True
    return False

"""Finds the calls that a text of words shows, with the values it gives for them.

Parses only; imports nothing of ours, so that sources and stages can both use it.
"""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FARTHEST: Final = 2000
"""Characters after which the end of a call, or of its value, is no longer looked for."""
_ARROW: Final = re.compile(
    r"[ \t]*,?\s*(?:#\s*)?"
    r"(?:=+>|==|-+>|→|➞|=|returns?|should return|should be|output:?)[ \t]*"
)
_JOINED: Final = (ast.BoolOp, ast.Compare, ast.IfExp)
"""Expressions that words of the text may seem to make: ``2 and f(3) == 4``."""
_NEXT_LINE: Final = re.compile(r"[ \t]*(?:#[^\n]*)?\n[ \t]*(?!>>>)")


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call that a text shows."""

    call: str
    expected: str | None
    """Text of the expression that the text gives as its value; None: it gives none."""


def shown_calls(text: str, name: str) -> Iterator[ShownCall]:
    """Find each call of ``name`` in a text.

    The value may follow a comparison, an arrow or a verb (``f(1) -> 2``, ``f(1) returns 2``), or
    stand on the line after one that begins with ``>>>``.
    """
    for match in re.finditer(rf"(?<![\w.]){re.escape(name)}\s?\(", text):
        end = _end_of_call(text, match.start(), match.end())
        if end is None:
            continue
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        value = _ARROW.match(text, end)
        if value is None and line.strip() == ">>>":
            value = _NEXT_LINE.match(text, end)
        expected = _leading_expression(text, value.end()) if value else None
        yield ShownCall(text[match.start() : end], expected)


def expression(text: str) -> ast.expr | None:
    """Parse one expression; None if the text is none."""
    with warnings.catch_warnings(action="ignore"):  # odd escapes are the text's affair
        try:
            return ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _end_of_call(text: str, start: int, opened: int) -> int | None:
    """Return the end of the shortest text from ``start`` that is one whole call."""
    for match in re.compile(r"\)").finditer(text, opened, opened + _FARTHEST):
        if expression(text[start : match.end()]):
            return match.end()
    return None


def _leading_expression(text: str, start: int) -> str | None:
    """Return the longest value with which the rest of the line begins."""
    line = text[start : start + _FARTHEST].partition("\n")[0]
    for length in range(len(line), 0, -1):
        part = line[:length]
        if part == part.rstrip() and not line[length : length + 1].isalnum():
            value = expression(part)
            if value is not None and not isinstance(value, _JOINED):
                return part
    return None

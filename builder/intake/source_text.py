"""Writes a syntax tree as text that every supported Python reads, the same text on each.

``ast.unparse`` writes f-strings for the Python it runs on: since 3.12 with quotes inside that
older ones do not accept. They are written here instead, and put in the place of a marker.
"""

import ast
import re
from typing import Final, TypeVar

Node = TypeVar("Node", bound=ast.AST)

_QUOTES: Final = ("'", '"', "'''", '"""')


def write(tree: ast.AST) -> str:
    """Return the text of a module, statement or expression. The tree is not changed."""
    marker = "f_string_"
    plain = ast.unparse(tree)
    while marker in plain:
        marker += "_"
    writer = _Writer(marker)
    text = ast.unparse(writer.visit(copy(tree)))
    return re.sub(rf"{marker}(\d+)_", lambda match: writer.texts[int(match[1])], text)


def copy(tree: Node) -> Node:
    """Copy a tree node by node."""
    fields = {name: _copied(value) for name, value in ast.iter_fields(tree)}
    return ast.copy_location(type(tree)(**fields), tree)


def _copied(value: object) -> object:
    if isinstance(value, list):
        return [_copied(item) for item in value]
    return copy(value) if isinstance(value, ast.AST) else value


class _Writer(ast.NodeTransformer):
    """Takes f-strings out of a tree and keeps their texts."""

    def __init__(self, marker: str) -> None:
        self.marker = marker
        self.texts: list[str] = []

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        text = _f_string(node)
        if text is None:
            return _format_call(node)
        self.texts.append(text)
        return ast.Name(id=f"{self.marker}{len(self.texts) - 1}_", ctx=ast.Load())


def _f_string(node: ast.JoinedStr) -> str | None:
    """Write an f-string; None if some Python could not read it."""
    parts = _parts(node)
    inside = "".join(text for text, is_expression in parts if is_expression)
    if "\\" in inside or "\n" in inside or "#" in inside:
        return None
    for quote in _QUOTES:
        if quote[0] not in inside:
            return (
                "f"
                + quote
                + "".join(
                    text if is_expression else _escaped(text, quote)
                    for text, is_expression in parts
                )
                + quote
            )
    return None


def _parts(node: ast.JoinedStr) -> list[tuple[str, bool]]:
    """The pieces of an f-string, each with whether it is an expression in braces."""
    parts: list[tuple[str, bool]] = []
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts.append((_doubled_braces(value), False))
        elif isinstance(value, ast.FormattedValue):
            expression = write(value.value)
            if isinstance(value.value, ast.Lambda | ast.IfExp) and "lambda" in expression:
                expression = f"({expression})"  # its colon would begin the format
            space = " " if expression.startswith("{") else ""
            conversion = f"!{chr(value.conversion)}" if value.conversion >= 0 else ""
            parts.append(("{" + space + expression + conversion, True))
            if isinstance(value.format_spec, ast.JoinedStr):
                parts += [(":", True), *_parts(value.format_spec)]
            parts.append(("}", True))
    return parts


def _doubled_braces(constant: ast.Constant) -> str:
    return str(constant.value).replace("{", "{{").replace("}", "}}")


def _escaped(text: str, quote: str) -> str:
    """Write the plain part of an f-string; escaped like any other string."""
    written = repr("'\"" + text)[1:-1]  # with both quotes inside, repr takes single ones
    body = written.removeprefix("\\'\"")
    return body.replace("\\'", "'").replace(quote[0], "\\" + quote[0])


def _format_call(node: ast.JoinedStr) -> ast.Call:
    """The same text by ``str.format``, for what no f-string before 3.12 can hold."""
    values: list[ast.expr] = []

    def template(joined: ast.JoinedStr) -> str:
        text = ""
        for value in joined.values:
            if isinstance(value, ast.Constant):
                text += _doubled_braces(value)
            elif isinstance(value, ast.FormattedValue):
                values.append(value.value)
                text += "{" + (f"!{chr(value.conversion)}" if value.conversion >= 0 else "")
                if isinstance(value.format_spec, ast.JoinedStr):
                    text += ":" + template(value.format_spec)
                text += "}"
        return text

    pattern = ast.Constant(value=template(node))
    function = ast.Attribute(value=pattern, attr="format", ctx=ast.Load())
    return ast.Call(func=function, args=values, keywords=[])

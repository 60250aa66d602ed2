"""Replaces the old names in a description by those that the reader of the row knows.

A parameter becomes ``arg0``, as in the header; the target becomes "the function". Words that only
happen to be names (``numbers``, ``text``) are words and stay.
"""

import ast
import re
from dataclasses import dataclass
from typing import Final

from builder.intake.target import parse
from builder.records import Method

_SHORTHAND: Final = re.compile(
    r"(?:arr|lst|num|str|dict|dct|tup|vec|val|elem|char|func|obj)s?|mat|idx|ele|fn|cnt|tmp|res|ptr|"
    r"startnum|endnum"
)
"""Names without a mark of their own that are no English words."""
_SHORT_WORDS: Final = re.compile(r"[aiou][fnst]|a[ms]|[bhmw]e|by|[dgnst]o|i[dpt]|my|up|[Iu]s?")
_AFTER_VARIABLE: Final = r"(?=\s*(?:$|[^\w\s]|(?:and|or|to|is|by|with|of|from|in)\b))"
"""What tells the name ``a`` from the article."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a method that its row must not show."""

    target: str
    parameters: tuple[tuple[str, str], ...]
    """Old and new name of each parameter."""
    helpers: tuple[str, ...]
    """Other names that the corpus' module defines."""


def names_of(method: Method) -> Names:
    """Collect the old names of a method."""
    defined: set[str] = set()
    for node in parse(method.original).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            defined |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return Names(
        target=method.original_entry_point,
        parameters=tuple((item.original_name, item.name) for item in method.parameters),
        helpers=tuple(sorted(defined - {method.original_entry_point})),
    )


def replace_names(text: str, names: Names) -> str:
    """Return the text with the names of target and parameters replaced."""
    text = _replace_target(text, names.target)
    for old, new in names.parameters:
        text = _replace_parameter(text, old, new)
    return text


def leaked_name(text: str, names: Names) -> str | None:
    """Return an old name of three letters or more that still stands in the text as a name."""
    parameters = [old for old, _ in names.parameters]
    for name in (names.target, *parameters, *names.helpers):
        if len(name) > 2 and _is_marked(name) and re.search(_token(name), text):
            return name
    return None


def _is_marked(name: str) -> bool:
    """Tell whether a name cannot be taken for an English word."""
    is_plain = name.isalpha() and (name[1:].islower() or name.isupper())
    return not is_plain or bool(_SHORTHAND.fullmatch(name))


def _token(name: str) -> str:
    return rf"(?<![\w.]){re.escape(name)}(?!\w)"


def _replace_target(text: str, name: str) -> str:
    known = re.escape(name)
    text = re.sub(
        rf"\b(function|method|program)\s+(?:called\s+|named\s+)?[`'\"]?{known}(?:\(\))?[`'\"]?"
        r"(?=\s+(?:that|which|to|with|and|takes|returns)\b|\s*[.,:]|\s*$)",
        r"\1",
        text,
    )
    text = re.sub(rf"^\s*{known} is a function (?:that|which) ", "", text)
    if _is_marked(name) or len(name) <= 2 or f"{name}(" in text:
        text = re.sub(rf"(?<![\w.]){known}\(", "test_func(", text)
        text = re.sub(rf"\b(the) {known} (?=[a-z])", r"\1 ", text, flags=re.IGNORECASE)
        text = re.sub(rf"[`'\"]?{_token(name)}[`'\"]?", "the function", text)
    return text


def _replace_parameter(text: str, old: str, new: str) -> str:
    token = _token(old)
    if len(old) > 2 and _is_marked(old):
        return re.sub(rf"([`'\"@]?){token}[`'\"]?(?!s\b)", new, text)
    if len(old) <= 2:
        return _replace_short(text, old, new)
    text = re.sub(
        rf"`{re.escape(old)}[`']|(?<!\w)'{re.escape(old)}'|\"{re.escape(old)}\"", new, text
    )
    text = re.sub(rf"@{re.escape(old)}\b|^{re.escape(old)}(?= (?:is|are|represents?)\b)", new, text)
    beside = r"(?:<=|>=|≤|≥|==|<|>|\*\*)"
    text = re.sub(rf"{token}(?=\s*{beside}|\[|\.length)", new, text)
    return re.sub(rf"(?<=[<>=≤≥] ){token}|(?<=len\(){re.escape(old)}(?=\))", new, text)


def _replace_short(text: str, old: str, new: str) -> str:
    if _SHORT_WORDS.fullmatch(old):
        return text
    end = _AFTER_VARIABLE if old in ("a", "A") else ""
    return re.sub(rf"@?(?<![\w.'\u2019\"`]){re.escape(old)}(?![\w'\"`]){end}", new, text)

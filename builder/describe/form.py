"""Tells whether a model's words are a description: plain sentences about behaviour, no more."""

import re
import unicodedata
from typing import Final

from builder.describe.fitness import unfit_description
from builder.describe.names import leaked_name, names_of
from builder.records import Method, Suite

MOST_SENTENCES: Final = 3
MOST_CHARACTERS: Final = 800
_SHORTEST_QUOTE: Final = 8
"""Characters from which on a literal of a test cannot stand in a description by chance."""
_SENTENCE_END: Final = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)[.!?][\"')\]]*\s+(?=[A-Z])")
_CODE: Final = re.compile(
    r"`|==|!=|:=|->|\*\*|\+=|\btest_func\b|\w\[[^\]]*\]|"
    r"\b(?:len|sorted|range|int|str|list|dict|set|tuple|sum|min|max|abs|isinstance|\w+\.\w+)\("
)
_MARKUP: Final = re.compile(r"^\s*(?:[-*#>]|\d+[.)])\s|<\w+[ />]|\*\*\w", re.MULTILINE)
_TO_A_MODEL: Final = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |the )?(?:previous|prior|above|earlier)\b|"
    r"\bas an? (?:ai|language model)\b|\bsystem prompt\b|\b(?:assistant|user|system):|"
    r"\bI (?:cannot|can't|am unable|will)\b|\b(?:your|these) instructions\b",
    re.IGNORECASE,
)


def misfit(text: str, method: Method, suite: Suite) -> str | None:
    """Say why a model's text cannot be published as the description of a method; None: it can.

    Args:
        text: the words, in one line.
        method: what it describes; its old names must not show.
        suite: its tests must not be quoted.
    """
    if len(text) > MOST_CHARACTERS:
        return f"it has {len(text)} characters, and at most {MOST_CHARACTERS} are allowed"
    sentences = len(_SENTENCE_END.findall(text)) + 1
    if sentences > MOST_SENTENCES:
        return f"it has {sentences} sentences, and at most {MOST_SENTENCES} are allowed"
    for pattern, words in ((_CODE, "code"), (_MARKUP, "markup"), (_TO_A_MODEL, "talk to a model")):
        if found := pattern.search(text):
            return f"it holds {words}: {found[0].strip()}"
    if unfit := unfit_description(text):
        return unfit
    if leaked := leaked_name(text, names_of(method)):
        return f"it holds the old name {leaked}"
    if foreign := next((sign for sign in text if _is_foreign(sign)), None):
        return f"it holds a sign that is not English: {foreign!a}"
    quoted = (test.input for test in suite.tests if _quotes(text, test.input, method.code))
    if test := next(quoted, None):
        return f"it quotes a test: {test}"
    return None


def _is_foreign(sign: str) -> bool:
    """Tell control signs, and letters of other scripts than Latin and (for formulas) Greek."""
    if (
        unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn")
        or sign == "\N{REPLACEMENT CHARACTER}"
    ):
        return True
    return sign.isalpha() and not unicodedata.name(sign, "").startswith(("LATIN", "GREEK"))


def _quotes(text: str, arguments: str, code: str) -> bool:
    """Tell whether a literal stands in a text, unless it comes from the code itself."""
    inner = arguments[1:-1].rstrip(",")
    return len(inner) >= _SHORTEST_QUOTE and inner in text and inner not in code

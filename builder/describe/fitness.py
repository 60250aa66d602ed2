"""Tells whether a description can stand alone: words about the function, and nothing else."""

import re
from typing import Final

_CODE: Final = (
    re.compile(r"```|\bdef \w+|\blambda \w+ ?:|\bprint\s?\(|\bimport \w+\b|\bconsole\.log\b"),
    re.compile(r"\b(?:public|private|static) \w+|\bfunction ?\w*\([^)]*\) ?\{|[;{]\s*(?:\n|\})"),
    re.compile(r"\bfor \w+ in \S+:|\bwhile [^.]*:\s*\n|^\s*return \w+;", re.MULTILINE),
)
_LINK: Final = re.compile(r"https?://|www\.")
_POINTS_AWAY: Final = re.compile(r"\bthe following\b[^:,'\"]*$", re.IGNORECASE)
_OF_CODE: Final = re.compile(
    r"\b(?:following|given|provided|existing|current|above|below|inputted|this) "
    r"(?:[\w+#/-]+ ){0,3}?"
    r"(?:code|snippet|script|pseudo-?code|closure)\b|"
    r"\b(?:following|provided|existing|above) (?:[\w+#/-]+ ){0,3}?"
    r"(?:function|program|method|class)\b|"
    r"\bcode (?:below|above)\b|\bthis (?:\w+ )?(?:program|code)\b",
    re.IGNORECASE,
)
_EDITS: Final = re.compile(
    r"(?:(?:can|could|would) you )?(?:edit|modify|fix|debug|refactor|optimi[sz]e|rewrite|explain|"
    r"translate|improve|update|expand|extend|adapt|simplify|correct|identify)\b"
    r"[^.]*\b(?:code|function|program|script|snippet|method|algorithm|syntax|class)\b",
    re.IGNORECASE,
)
_MENDS: Final = re.compile(
    r"\b(?:fix|debug)\b.*\b(?:bug|error|issue|code|script|program)", re.IGNORECASE
)
_FEWEST_WORDS: Final = 2


def unfit_request(text: str) -> str | None:
    """Say why the corpus' text is about something that the row does not hold, if it is."""
    if found := _OF_CODE.search(text) or _EDITS.match(text) or _MENDS.search(text):
        return f"it speaks of other code: {found[0]}"
    return None


def unfit_description(text: str) -> str | None:
    """Say why a cleaned description cannot be published, if it cannot."""
    if len(re.findall(r"\w+", text)) < _FEWEST_WORDS:
        return "it says nothing"
    if _LINK.search(text):
        return "it holds a link"
    for pattern in _CODE:
        if found := pattern.search(text):
            return f"it holds code: {found[0].strip()}"
    if text.rstrip().endswith("?"):
        return "it asks a question"
    if text.rstrip().endswith(":") or _POINTS_AWAY.search(text):
        return "it announces something that is not there"
    return None

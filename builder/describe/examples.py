"""Takes the examples out of a text of words and examples, and leaves the words."""

import re
from typing import Final

_HEADER: Final = re.compile(
    r"\W*((for |some )?exam(p|b)les?( usage)?|\[input/output\] samples)\s*\d*\s*[:.]?\s*",
    re.IGNORECASE,
)
_LEAD_IN: Final = re.compile(r".*\b(like this|as follows|for instance|e\.g\.?)\W*", re.IGNORECASE)
_CALL: Final = re.compile(r"\W*(?:assert |for |print)?\W*([A-Za-z_]\w*)\s?\((.*)")
_RESULT: Final = re.compile(r"==|=>|->|→|➞|=|\breturns?\b|\bshould (?:return|be)\b")
_LABELLED: Final = re.compile(r"\W*(input|output|explanation)\s*\d*:\s*\S", re.IGNORECASE)
_GIVEN: Final = re.compile(r"\W*(?:for )?\w+ = .*(?:output|result|sum|return).*", re.IGNORECASE)
_STEP: Final = re.compile(r"\s*(?:->|=>|\w+ ?= ?[\[({'\"])")
_WORDS: Final = re.compile(r"[A-Z][a-z']*,? \w+,? \w+.*")
_SYMBOLS: Final = re.compile(r"[^'\"]*\b(?!None|True|False)[A-Za-z_]+\b[^'\"]*")


def without_examples(text: str, name: str) -> str:
    """Return the text without calls of ``name`` that stand on lines of their own, and the like.

    A block in which such a call has letters for its arguments is kept: it is a definition
    (``f(n) = f(n - 1) + 1``), unless it is headed as an example.
    """
    kept: list[str] = []
    headed = False
    for paragraph in re.split(r"\n[ \t]*\n", text):
        lines = paragraph.split("\n")
        words, headed = _words(lines, name, headed)
        if words:
            kept.append("\n".join(words))
    return "\n\n".join(kept)


def _words(lines: list[str], name: str, headed: bool) -> tuple[list[str], bool]:
    """Return the lines of a paragraph that are words, and whether a header ends it.

    Args:
        lines: of one paragraph.
        name: of the function whose calls are examples.
        headed: whether the paragraph before ended with a header of examples.
    """
    headed = headed and any(_is_example(line, name) for line in lines[:2])
    defines = any(_is_definition(line) for line in lines)
    words: list[str] = []
    within = headed
    explained = False
    for line in lines:
        if _HEADER.fullmatch(line):
            within, headed, explained = True, True, False
            continue
        if _is_example(line, name) and not (defines and not headed and _is_call(line, name)):
            within = True
            explained = explained or bool(re.match(r"\W*explanation", line, re.IGNORECASE))
        elif within and (explained or not _WORDS.match(line)):
            continue
        else:
            within = headed = False
            words.append(line)
    ends_with_header = headed and not any(_is_example(line, name) for line in lines)
    return _without_lead_in(words, cut=len(words) < len(lines)), ends_with_header


def _without_lead_in(words: list[str], cut: bool) -> list[str]:
    """Drop or close the last line, if it announced examples that were cut off."""
    if not cut or not words or not words[-1].rstrip().endswith(":"):
        return words
    if _LEAD_IN.fullmatch(words[-1]):
        return words[:-1]
    return [*words[:-1], words[-1].rstrip()[:-1] + "."]


def _is_example(line: str, name: str) -> bool:
    """Tell whether a line begins an example."""
    return (
        line.lstrip().startswith(">>>")
        or _is_call(line, name)
        or any(pattern.match(line) for pattern in (_LABELLED, _GIVEN, _STEP))
    )


def _is_call(line: str, name: str) -> bool:
    """Tell whether a line begins with a call, of ``name`` or of what can only be a name."""
    call = _CALL.match(line)
    if call is None or line.lstrip().startswith(">>>"):
        return False
    return (call[1] == name or "_" in call[1]) and bool(
        not call[2].startswith(")") or _RESULT.search(call[2])
    )


def _is_definition(line: str) -> bool:
    """Tell whether a line gives the value of a call that has letters for its arguments."""
    call = _CALL.match(line)
    return call is not None and bool(
        _RESULT.search(call[2]) and _SYMBOLS.fullmatch(call[2].partition(")")[0])
    )

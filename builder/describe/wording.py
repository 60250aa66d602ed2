"""Turns a request for a program into a plain statement of what the function does."""

import re
from typing import Final

_LINK: Final = re.compile(
    r"\(?\b(?:https?://[^\s)]+|www\.[^\s)]+|[\w.-]+\.(?:com|org|net|edu|io)/[^\s)]*)\)?"
)
_STRAY_LINE: Final = re.compile(r"\W*(?:task|have fun\b.*)\W*", re.IGNORECASE)
_LIST_ITEM: Final = re.compile(
    r"\s*(?:[-*•@]|\d+[.)])\s*\S|\s*[><] |.*\||.*[^\s.] {3,}\S|\s*'.*' - |\s*\w+\([^)]*\) *[-=]"
)

_NEW_SENTENCE: Final = re.compile(r"(?!True|False|None)[A-Z][a-z]+ [a-z]")

_LANGUAGE: Final = r"python(?:\s?3)?"
_IN_PYTHON: Final = re.compile(
    rf",? (?:(?:written|implemented) )?(?:in|using|with) (?:the )?{_LANGUAGE}"
    r"(?: programming language| language)?\b(?!'| (?:function|code|script|program))",
    re.IGNORECASE,
)
_STARTS_IN_PYTHON: Final = re.compile(rf"^(?:in|using|use) {_LANGUAGE},? (?:to )?", re.IGNORECASE)
_ASKING: Final = (
    r"(?:please |how (?:would|can|could|do|should|might) (?:you|i|we|one) |"
    r"(?:can|could|would) you (?:please )?|how to |"
    r"your task is to |you have been tasked to |you (?:have|need) to |"
    r"in this (?:problem|task|kata), you (?:will|have to) (?!be ))"
)
_MAKING: Final = (
    r"(?:write|create|implement|design|develop|construct|generate|provide|build|make|suggest|"
    r"define|compose|devise|demonstrate|show|give|produce|formulate|prepare|complete|code|"
    r"what(?:'s| is| would be| could be))"
    r"(?: me)?(?: (?:a|an|the|some))?(?: [a-z-]+){0,3}? "
    r"(?:function|program|script|code snippet|code segment|code|algorithm|method|solution|"
    r"procedure|routine)"
    rf"(?: (?:in|using|with) {_LANGUAGE})?"
    r"(?: (?:to )?(?:that|which)(?: can| will)?| to|(?= (?:takes|reads|returns|accepts)\b))[,:]?\s+"
)
_AT_SENTENCE: Final = r"(?:^|(?<=[.!?:] ))"
_AT_CLAUSE: Final = r"(?:^|(?<=[.!?:] )|(?<=, )|(?<= and ))"
_REQUEST: Final = re.compile(f"{_AT_CLAUSE}{_ASKING}?{_MAKING}", re.IGNORECASE)
_QUESTION: Final = re.compile(f"{_AT_SENTENCE}{_ASKING}", re.IGNORECASE)
_SENTENCE: Final = re.compile(
    r"(?:^|(?<=[^.\s][.!?] ))(?<!e\.g\. )(?<!i\.e\. )(?:a |[a-z](?=[a-z'-]+[ ,.]))"
)
_UNENDED: Final = re.compile(r"\w$|[^.!?][)\"'`\]]$")


def without_links(text: str) -> str:
    """Return the text without web addresses."""
    return _LINK.sub("", text)


def as_statement(text: str) -> str:
    """Return plain sentences: no request, no line breaks within a paragraph, an end mark."""
    return "\n".join(_finished(_plain(line)) for line in _unwrapped(text))


def _unwrapped(text: str) -> list[str]:
    """Join the lines of each sentence; list items and rows of tables stay lines of their own."""
    lines: list[str] = []
    joins = after_item = False
    for line in text.split("\n"):
        stripped = " ".join(line.split())
        is_item = bool(_LIST_ITEM.match(line))
        if not stripped or _STRAY_LINE.fullmatch(line):
            joins = False
            continue
        if joins and not is_item and not (after_item and stripped[0].isupper()):
            if _NEW_SENTENCE.match(stripped) and lines[-1][-1].isalnum():
                lines[-1] += "."
            lines[-1] += " " + stripped
        else:
            lines.append(stripped)
            after_item = is_item
        joins = not stripped.endswith(":")
    return lines


def _plain(line: str) -> str:
    """Return a line without the words that ask for a program."""
    asked = False

    def drop(match: re.Match[str]) -> str:
        nonlocal asked
        asked = True
        return ""

    line = _STARTS_IN_PYTHON.sub("", line.lstrip("# "))
    line = _REQUEST.sub(drop, line)
    line = _QUESTION.sub(drop, line)
    line = _IN_PYTHON.sub("", line)
    if asked and line.endswith("?"):
        line = line[:-1] + "."
    return line


def _finished(line: str) -> str:
    """Return a line with a capital at the start of each sentence and a mark at its end."""
    if line.count('"') % 2 and line[:1] == '"':
        line = line[1:]
    line = re.sub(r"(?<=\w)\s+([.,;?!])(?=\s+[A-Z]|$)", r"\1", " ".join(line.split()))
    line = re.sub(r"(?<!\.)\.\.$", ".", line)
    line = _SENTENCE.sub(lambda match: match[0].upper(), line)
    fewest_words = 4 if _LIST_ITEM.match(line) else 2
    if len(re.findall(r"[A-Za-z]+", line)) >= fewest_words and _UNENDED.search(line):
        line += "."
    return line

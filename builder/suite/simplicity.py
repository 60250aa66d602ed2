"""How simple an example looks to a person: short, small, typical."""

import re
from functools import lru_cache

from builder.records import Example

_ODD = re.compile(r"\\|[^\w\s'\"\[\](){},.:+*/]|\bnan\b|\binf\b")
"""Escapes, rare signs, and numbers that few people think of first (negative ones, nan)."""
_UNWIELDY = re.compile(r"\d{4,}|\.\d{3,}|\de[+-]?\d")
"""Numbers that nobody reckons with in the head."""
_EMPTY = re.compile(r"''|\[\]|\(\)|\{\}")
_TEXT = re.compile(r"'[^'\\]*'|\"[^\"\\]*\"")
_NO_WORD = re.compile(r"[^A-Za-z0-9 '\"]|(?<=[a-z])[A-Z\d]|(?<=\d)[A-Za-z]")
"""What people do not write inside of words."""

_ODD_COST, _UNWIELDY_COST, _EMPTY_COST, _NO_WORD_COST, _CORPUS_BONUS = 3, 4, 6, 2, 8


@lru_cache(maxsize=1024)
def cost(example: Example) -> int:
    """Return how far an example is from simple, in characters; it can be negative.

    The input counts in full and the output by half, beside: odd signs, unwieldy numbers, texts
    that are no words, and empty collections, which are short but not typical. An input of the
    corpus was chosen by a person, which speaks for it.
    """
    text = example.input
    return (
        len(text)
        + len(example.output) // 2
        + _ODD_COST * len(_ODD.findall(text))
        + _UNWIELDY_COST * len(_UNWIELDY.findall(text))
        + _EMPTY_COST * len(_EMPTY.findall(text))
        + _NO_WORD_COST * sum(len(_NO_WORD.findall(part)) for part in _TEXT.findall(text))
        - (_CORPUS_BONUS if example.origin == "corpus" else 0)
    )


_SINGLE = re.compile(r"[\[{][^\[\](){},:]+[\]}]")
_SCALAR = re.compile(r"'[^']*'|-?\d[\d.]*")
_SHORT, _LONG = 12, 60
_ECHO_COST, _NONE_COST, _SINGLE_COST, _SAME_COST = 10, 10, 5, 10


@lru_cache(maxsize=1024)
def context_cost(example: Example) -> int:
    """Return how far an example is from one that explains the function at first sight.

    As ``cost``; but the shortest inputs explain little, and so do collections of one element and
    values that are all the same; longer ones are soon read, and a None, or an argument that comes
    back, may mean anything. An input of the corpus counts twice as such.
    """
    text, output = example.input, example.output
    is_echo = text.startswith(f"({output},") or text.endswith(f", {output})")
    scalars = _SCALAR.findall(text)
    return (
        cost(example)
        + 2 * max(0, _SHORT - len(text))
        - 2 * max(0, min(len(text), _LONG) - _SHORT) // 3
        + (_ECHO_COST if is_echo else 0)
        + (_NONE_COST if output == "None" else 0)
        + _SINGLE_COST * len(_SINGLE.findall(text))
        + (_SAME_COST if len(scalars) > 1 and len(set(scalars)) == 1 else 0)
        - (_CORPUS_BONUS if example.origin == "corpus" else 0)
    )


def outcome_class(example: Example) -> str:
    """Name the broad sort of an outcome, read off its literal: ``-int``, ``empty [``, ``None``.

    Booleans and None are classes of their own; numbers differ in sign, strings and collections
    in being empty.
    """
    sort = _sort(example.output)
    return f"{sort}, arguments changed" if example.mutates else sort


_NUMBER = re.compile(r"(-?)(\d[\d_]*|0x[0-9a-f]+)(\.\d+)?(e[+-]?\d+)?$")
_EMPTY_VALUES = ("''", "b''", "[]", "()", "{}", "set()", "frozenset()")


def _sort(text: str) -> str:
    if text in ("None", "True", "False"):
        return text
    number = _NUMBER.match(text)
    if number:
        sign, digits, fraction, exponent = number.groups()
        kind = "float" if fraction or exponent else "int"
        is_zero = not (digits + (fraction or "")).strip("0.")
        return f"zero {kind}" if is_zero else f"{sign}{kind}"
    opening = re.match(r"[A-Za-z]*[\[({'\"]", text)
    kind = opening.group().replace('"', "'") if opening else text
    return f"empty {kind}" if text in _EMPTY_VALUES else kind

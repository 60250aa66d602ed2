"""Constants mined from the code of a method, and their neighbours."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LONGEST_TEXT = 60
LARGEST_INT = 10**6
MOST_OF_A_TYPE = 40
_WORD = re.compile(r"[A-Za-z]+|\d+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Constants:
    """Scalars that the code mentions and values next to them, in the order of the text."""

    ints: tuple[int, ...]
    floats: tuple[float, ...]
    texts: tuple[str, ...]


def mine(code: str) -> Constants:
    """Collect the constants of a module.

    Every int comes with the ints beside it and the negative; every text with its words. Single
    characters of the texts come last.
    """
    ints: dict[int, None] = {}
    floats: dict[float, None] = {}
    texts: dict[str, None] = {}
    characters: dict[str, None] = {}
    for value in _constants(ast.parse(code)):
        if type(value) is int and abs(value) <= LARGEST_INT:
            ints.update(dict.fromkeys((value, value + 1, value - 1, -value)))
            floats.update(dict.fromkeys((float(value), value + 0.5)))
        elif type(value) is float and abs(value) <= LARGEST_INT:
            floats.update(dict.fromkeys((value, value + 0.5, value - 0.5)))
            ints.update(dict.fromkeys((int(value), int(value) + 1)))
        elif type(value) is str and len(value) <= LONGEST_TEXT:
            texts.update(dict.fromkeys((value, *_WORD.findall(value))))
            characters.update(dict.fromkeys(value))
    texts.update(characters)
    texts.pop("", None)
    return Constants(
        tuple(ints)[:MOST_OF_A_TYPE],
        tuple(floats)[:MOST_OF_A_TYPE],
        tuple(texts)[:MOST_OF_A_TYPE],
    )


def _constants(tree: ast.Module) -> Iterator[Any]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            yield node.value

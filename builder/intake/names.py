"""Which names tell what a function is for, and the neutral ones that take their place."""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

TARGET: Final = "test_func"
NEUTRAL: Final = re.compile(
    r"test_func|kwargs|(?:arg|helper|var|module)\d+|Class\d+|(?:CONSTANT|GLOBAL)\d+"
)
"""Every name that the anonymiser gives."""

_SHORTEST_WORD: Final = 3
_SHORTEST_PART: Final = 4


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the anonymised code must not say."""

    functions: frozenset[str]
    """Names of the target, its helpers and classes."""
    parameters: frozenset[str]
    """Names of the target's parameters."""
    constants: frozenset[str]
    """Names of module-level variables."""
    documented: frozenset[str]
    """Words of the docstrings."""

    @property
    def names(self) -> frozenset[str]:
        """Every old name that a reader could take for a hint; single letters tell nothing."""
        every = self.functions | self.parameters | self.constants
        return frozenset(name for name in every if len(name) >= _SHORTEST_WORD)

    def told_by(self, name: str) -> bool:
        """Whether a name of a local variable says some of it."""
        own = words(name)
        return (
            name in self.names
            or not own.isdisjoint(self.documented)
            or any(_related(one, other) for one in own for other in words(*self.functions))
        )


def words(*texts: str) -> frozenset[str]:
    """Return the words of identifiers or prose: lower case, singular, three letters or more."""
    found = []
    for text in texts:
        spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
        found += re.findall(r"[a-z]+", spaced.lower())
    singular = (
        word[:-1] if word.endswith("s") and len(word) > _SHORTEST_WORD else word for word in found
    )
    return frozenset(word for word in singular if len(word) >= _SHORTEST_WORD)


def _related(one: str, other: str) -> bool:
    """Whether one word is the other, its beginning (fib, fibonacci) or a part (prime, isprime)."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or (len(short) >= _SHORTEST_PART and short in long)


def docstrings(tree: ast.AST) -> Iterable[str]:
    """Return the docstrings of a tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            text = ast.get_docstring(node, clean=False)
            if text:
                yield text

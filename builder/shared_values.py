"""Values of literals that are read again and again, each made once."""

from functools import lru_cache
from typing import Any

from builder.literals import loads


@lru_cache(maxsize=4096)
def shared_value(text: str) -> Any:
    """Return the value of a literal, the same object each time: never change it in place.

    Raises:
        LiteralError: the text is not a literal.
    """
    return loads(text)

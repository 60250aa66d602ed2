"""Functions that do what one builtin does.

They are tasks like others, but one of each is enough, whatever types it takes.
"""

import builtins
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from builder.literals import LiteralError, dumps
from builder.release.duplicates.behaviour import digest

_LONGEST: Final = 10_000
"""Characters of a literal: rows hold shorter ones."""

_FUNCTIONS: Final = (
    *("len", "sum", "max", "min", "sorted", "list", "set", "tuple", "dict", "str", "int"),
    *("float", "bool", "abs", "round", "any", "all", "ord", "chr", "bin", "hex", "oct", "divmod"),
)
_TEXT_METHODS: Final = (
    *("upper", "lower", "swapcase", "title", "capitalize", "strip", "lstrip", "rstrip", "split"),
    *("isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace", "istitle", "splitlines"),
    *("startswith", "endswith", "count", "find", "rfind", "removeprefix", "removesuffix", "join"),
)

BUILTINS: Final[Mapping[str, Callable[..., Any]]] = {
    "identity": lambda value: value,
    "reversed": lambda value: value[::-1],
    **{name: getattr(builtins, name) for name in _FUNCTIONS},
    "zip": lambda *values: list(zip(*values, strict=False)),
    **{f"str.{name}": getattr(str, name) for name in _TEXT_METHODS},
    "list.count": list.count,
    "dict.get": dict.get,
}
"""By name what a trivial function does with its arguments, in the order given."""


def trivial_name(answers: Iterable[tuple[tuple[Any, ...], bytes]]) -> str | None:
    """Return which builtin gives all the answers of a function; None if there is none.

    Args:
        answers: arguments, which are not changed, and digests of what was returned.
    """
    candidates = list(BUILTINS)
    for arguments, output in answers:
        if _has_set(arguments):  # its order may differ in the next process
            return None
        candidates = [name for name in candidates if _gives(name, arguments, output)]
        if not candidates:
            return None
    return candidates[0]


def _gives(name: str, arguments: tuple[Any, ...], output: bytes) -> bool:
    try:
        return digest(dumps(BUILTINS[name](*arguments), limit=_LONGEST)) == output
    except (LiteralError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
        return False


def _has_set(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_set, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_set, value))
    return isinstance(value, set | frozenset)

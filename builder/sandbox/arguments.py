"""The arguments of calls, in the child: made anew of their literals, and watched for change.

Like ``worker`` it keeps every function that it needs under a name of its own, because a
candidate may patch ``builtins``.
"""

import json as _json
import marshal as _marshal
from collections.abc import Iterable, Iterator
from itertools import repeat as _repeat
from typing import Any, Final

from builder import literals as _literals

BATCH: Final = 64
"""Most argument tuples that are made in one go."""
BATCH_CHARACTERS: Final = 50_000
"""Most characters of literals that are read in one go, so that their values take little memory."""
_BETWEEN: Final = "\0"
"""What joins literals: a character that no text of Python has."""
_TUPLE_MARK: Final = "\x7f"
"""Key of an object of JSON that stands for a tuple. No canonical literal has this character."""

_NAMESPACE = dict(_literals.NAMESPACE)
_BaseException, _ValueError, _StopIteration = BaseException, ValueError, StopIteration
_len, _map, _zip, _tuple, _dict = len, map, zip, tuple, dict
_isascii, _join, _replace, _split = str.isascii, str.join, str.replace, str.split
_count, _find, _compile, _eval, _marshal_dumps = (
    str.count,
    str.find,
    compile,
    eval,
    _marshal.dumps,
)

Batches = list[tuple[str, str]]
"""Of some calls each, the joined literals of the positional and of the keyword arguments."""
Frozen = bytes | None
"""Bytes that stay the same while the arguments do; None if there are no such bytes."""
UNCHANGEABLE: Final = b""
"""Stands for arguments that no call can change."""

# What ``decode`` calls, which would also look for blanks and a rest. The type stub has no entry
# for it.
_scan_json = _json.JSONDecoder().scan_once  # type: ignore[attr-defined]


def _read_object(pairs: list[tuple[str, Any]]) -> Any:
    if pairs and pairs[0][0] == _TUPLE_MARK:
        return _tuple(pairs[0][1])
    return _dict(pairs)


_scan_json_with_tuples = _json.JSONDecoder(  # type: ignore[attr-defined]
    object_pairs_hook=_read_object
).scan_once


def pack(texts: list[str], keywords: list[str]) -> Batches:
    """Join the literals of calls, for ``read_all``; runs in the supervisor.

    Args:
        texts: canonical literals of the positional arguments, one a call.
        keywords: those of the keyword arguments.
    """
    longest = max(map(len, texts), default=1)
    size = min(BATCH, max(1, BATCH_CHARACTERS // longest))
    return [
        (
            _BETWEEN.join(texts[start : start + size]),
            _BETWEEN.join(keywords[start : start + size]),
        )
        for start in range(0, len(texts), size)
    ]


def read_all(batches: Batches) -> Iterator[tuple[str, str, tuple[Any, ...], Frozen]]:
    """Make the argument tuples of many calls, some ahead of the call that is to be made.

    Yields:
        The literals of the positional and of the keyword arguments, a new argument tuple, and
        that tuple frozen.
    """
    for joined, keywords in batches:
        texts = _split(joined, _BETWEEN)
        together = _read_json(joined, _len(texts))
        if together is None:
            together = [read(text) for text in texts]
            frozen: Iterable[Frozen] = _map(freeze, together, texts)
        elif "[" in joined or "{" in joined or _count(joined, "(") > _len(texts):
            frozen = _map(_marshal_dumps, together, _repeat(2))  # JSON has no bytes
        else:
            frozen = _repeat(UNCHANGEABLE)
        yield from _zip(texts, _split(keywords, _BETWEEN), together, frozen)


def read(text: str) -> Any:
    """Make a new value of a canonical literal of a tuple or dict."""
    if text[0] == "(":
        alone = _read_json(text, 1)
        if alone is not None:
            return alone[0]
    return _eval(_compile(text, "<literal>", "eval"), _NAMESPACE)


def _read_json(joined: str, count: int) -> list[tuple[Any, ...]] | None:
    """Read literals of tuples as JSON, which is many times cheaper than compiling them.

    None if one of them cannot be read so: what JSON does not know (a set, a number as key) it
    refuses. Without escapes and double quotes every single quote bounds a string, so every other
    part between quotes is code.
    """
    if '"' in joined or "\\" in joined or _TUPLE_MARK in joined or not _isascii(joined):
        return None
    scan: Any = _scan_json
    parts = _split(joined, "'")
    code = _join("'", parts[::2])
    code = _replace(code[1:-1] if code[-2] != "," else code[1:-2], ",)", ")")
    code = _replace(code, ")" + _BETWEEN + "(", "],[")
    if "(" in code:
        scan = _scan_json_with_tuples
        code = _replace(_replace(code, "(", '{"' + _TUPLE_MARK + '":['), ")", "]}")
    if "e" in code:
        code = _replace(_replace(_replace(code, "None", "null"), "True", "true"), "False", "false")
    parts[::2] = _split(code, "'")
    as_json = "[[" + _join('"', parts) + "]]"
    try:
        values, end = scan(as_json, 0)
    except (_ValueError, _StopIteration):
        return None
    if end != _len(as_json) or _len(values) != count:
        return None
    return [*_map(_tuple, values)]


def freeze(arguments: tuple[Any, ...], text: str) -> Frozen:
    """Freeze the arguments that ``text`` is the literal of."""
    if not ("[" in text or "{" in text or _find(text, "(", 1) > 0):
        return UNCHANGEABLE
    if "b'" in text or 'b"' in text:
        return None  # marshal tells every type of a literal apart but bytes and bytearray
    try:
        return _marshal_dumps(arguments, 2)
    except _ValueError:
        return None


def is_unchanged(arguments: tuple[Any, ...], frozen: Frozen) -> bool:
    """Whether the arguments are surely still what they were when they were frozen."""
    if frozen is None or frozen is UNCHANGEABLE:
        return frozen is UNCHANGEABLE
    try:
        return _marshal_dumps(arguments, 2) == frozen
    except _BaseException:
        return False

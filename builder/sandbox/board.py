"""The memory a child shares with its server, and how results are written to it.

The child has no descriptor and no pipe: it writes records into this memory and commits each by
moving the end in the header, so that a child killed at any moment loses nothing committed.
"""

import struct as _struct
from typing import Any, Final

SIZE: Final = 4 * 1024 * 1024

HEADER: Final = _struct.Struct("<QQQ")
"""Bytes committed after the header; how far the child came; where the next record was to begin
when something forbidden was tried."""
SEALED: Final = 1
"""All layers hold; from here on the child may be the candidate's."""
DONE: Final = 2
RECORD: Final = _struct.Struct("<BBdIIiI")
"""Kind, verdict, CPU seconds, bytes of value and exception, bytes of the arguments afterwards
(-1: none), count of probe hits (each a little-endian int of four bytes). The texts and the hits
follow in this order, in ASCII."""

# Kinds of record.
LOADED: Final = 1
OUTCOME: Final = 2
RECORDED: Final = 3
DRIVER_ENDED: Final = 4
LINES_AND_ARCS: Final = 5
KINDS: Final = range(LOADED, LINES_AND_ARCS + 1)

VERDICTS: Final = (
    "ok",
    "error",
    "timeout",
    "memory",
    "too_large",
    "forbidden",
    "nondeterministic",
    "stateful",
    "unserialisable",
    "crash",
    "harness_error",
)
"""Values of ``Verdict`` in the order of their codes."""
(
    OK,
    ERROR,
    TIMEOUT,
    MEMORY,
    TOO_LARGE,
    FORBIDDEN,
    NONDETERMINISTIC,
    STATEFUL,
    UNSERIALISABLE,
    CRASH,
    HARNESS_ERROR,
) = range(len(VERDICTS))

# Kept under own names, because the candidate may patch ``builtins``.
_pack_record, _pack = RECORD.pack, _struct.pack
_len, _encode = len, str.encode
_COMMITTED, _STATE, _FORBIDDEN = 0, 8, 16  # offsets
_pack_number = _struct.Struct("<Q").pack_into


class BoardFullError(BaseException):
    """The board has no room for the next record; the next child goes on."""


_BoardFull = BoardFullError


class Board:
    """Writes records, in the child."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self._room = _len(memory)
        self._end = HEADER.size

    def write(
        self,
        kind: int,
        verdict: int,
        cpu: float,
        value: str = "",
        exception: str = "",
        after: str | None = None,
        hits: Any = (),
    ) -> None:
        """Append one record and commit it.

        Raises:
            BoardFullError: it does not fit.
        """
        texts = value + exception
        after_length = -1
        if after is not None:
            texts += after
            after_length = _len(after)
        body = _pack_record(
            kind, verdict, cpu, _len(value), _len(exception), after_length, _len(hits)
        ) + _encode(texts, "ascii", "replace")
        if hits:
            body += _pack(f"<{_len(hits)}I", *hits)
        end = self._end + _len(body)
        if end > self._room:
            raise _BoardFull
        self._memory[self._end : end] = body
        self._end = end
        _pack_number(self._memory, _COMMITTED, end - HEADER.size)

    def note_forbidden(self) -> None:
        """Say at once that something forbidden was tried, in case the process dies of it."""
        _pack_number(self._memory, _FORBIDDEN, self._end)

    def note_state(self, state: int) -> None:
        """Say how far the child came: SEALED or DONE."""
        _pack_number(self._memory, _STATE, state)

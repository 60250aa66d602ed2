"""The memory a child shares with its server, and how results are written to it.

The child has no descriptor and no pipe: it writes records into this memory and commits each by
moving the end in the header, so that a child killed at any moment loses nothing committed.
"""

import struct as _struct
from array import array as _array
from typing import Any, Final

SIZE: Final = 4 * 1024 * 1024

HEADER: Final = _struct.Struct("=QQQ")
"""Bytes committed after the header; how far the child came; where the next record was to begin
when something forbidden was tried."""
SEALED: Final = 1
"""All layers hold; from here on the child may be the candidate's."""
DONE: Final = 2
RECORD: Final = _struct.Struct("=BBdIIiI")
"""Kind, verdict, CPU seconds, bytes of value and exception, bytes of the arguments afterwards
(-1: none), count of probe hits (each an int of four bytes, in any order). The texts and the hits
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
_pack_record = RECORD.pack
_len, _encode, _bytes_of = len, str.encode, _array.tobytes
_HEADER_SIZE: Final = HEADER.size
_COMMITTED, _STATE, _FORBIDDEN = 0, 1, 2  # places in the header


class BoardFullError(BaseException):
    """The board has no room for the next record; the next child goes on."""


_BoardFull = BoardFullError


class Board:
    """Writes records, in the child."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self._header = memoryview(memory)[:_HEADER_SIZE].cast("Q")
        self._room = _len(memory)
        self._end = _HEADER_SIZE

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
        texts, after_length = value, -1
        if exception or after is not None:
            texts += exception
            if after is not None:
                texts += after
                after_length = _len(after)
        body = _pack_record(
            kind, verdict, cpu, _len(value), _len(exception), after_length, _len(hits)
        ) + _encode(texts, "ascii", "replace")
        if hits:
            body += _bytes_of(_array("I", hits))
        start = self._end
        end = start + _len(body)
        if end > self._room:
            raise _BoardFull
        self._memory[start:end] = body
        self._end = end
        self._header[_COMMITTED] = end - _HEADER_SIZE

    def note_forbidden(self) -> None:
        """Say at once that something forbidden was tried, in case the process dies of it."""
        self._header[_FORBIDDEN] = self._end

    def note_state(self, state: int) -> None:
        """Say how far the child came: SEALED or DONE."""
        self._header[_STATE] = state

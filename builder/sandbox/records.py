"""Reading what a child left on the board: bytes of an untrusted hand."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from builder.sandbox.board import KINDS, LINES_AND_ARCS, RECORD, VERDICTS
from builder.sandbox.protocol import Outcome, Verdict

_VERDICTS = tuple(Verdict(name) for name in VERDICTS)


@dataclass(frozen=True, slots=True)
class Record:
    """One record of the board."""

    kind: int
    outcome: Outcome
    lines: tuple[int, ...] = ()
    arcs: tuple[tuple[int, int], ...] = ()


def read(board: bytes) -> Iterator[Record]:
    """Read records until the bytes end or stop making sense."""
    position = 0
    while position + RECORD.size <= len(board):
        kind, verdict, cpu, value, exception, after, hits = RECORD.unpack_from(board, position)
        position += RECORD.size
        end = position + value + exception + max(after, 0) + 4 * hits
        if kind not in KINDS or verdict >= len(_VERDICTS) or after < -1 or end > len(board):
            return
        try:
            texts = board[position : end - 4 * hits].decode("ascii")
        except UnicodeDecodeError:
            return
        outcome = Outcome(
            _VERDICTS[verdict],
            texts[:value],
            texts[value : value + exception],
            None if after < 0 else texts[value + exception :],
            struct.unpack_from(f"<{hits}I", board, end - 4 * hits) if hits else (),
            cpu,
        )
        position = end
        if kind == LINES_AND_ARCS:
            yield _read_coverage(kind, outcome)
        else:
            yield Record(kind, outcome)


def _read_coverage(kind: int, outcome: Outcome) -> Record:
    try:
        lines = tuple(int(line) for line in outcome.value.split())
        pairs = (arc.split(",") for arc in outcome.exception.split())
        return Record(kind, outcome, lines, tuple((int(a), int(b)) for a, b in pairs))
    except ValueError:
        return Record(kind, outcome)

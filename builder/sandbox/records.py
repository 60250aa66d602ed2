"""Reading what a child left on the board: bytes of an untrusted hand."""

import struct

from builder.sandbox.board import KINDS, RECORD, VERDICTS
from builder.sandbox.protocol import Outcome, Verdict

_VERDICTS = tuple(Verdict(name) for name in VERDICTS)

Coverage = tuple[list[int], list[tuple[int, int]]]
"""Lines and arcs."""


def read(board: bytes) -> list[tuple[int, Outcome]]:
    """Read records, each a kind and an outcome, until the bytes end or stop making sense."""
    text = board.decode("latin-1")  # a character for every byte
    unpack, head, total, verdicts = RECORD.unpack_from, RECORD.size, len(board), len(_VERDICTS)
    records: list[tuple[int, Outcome]] = []
    position = 0
    while position + head <= total:
        kind, verdict, cpu, value_size, exception_size, after_size, hits = unpack(board, position)
        start = position + head
        value_end = start + value_size
        exception_end = value_end + exception_size
        after_end = exception_end + after_size if after_size > 0 else exception_end
        position = after_end + 4 * hits
        if kind not in KINDS or verdict >= verdicts or after_size < -1 or position > total:
            break
        if not text[start:after_end].isascii():
            break
        outcome = Outcome(
            _VERDICTS[verdict],
            text[start:value_end],
            text[value_end:exception_end] if exception_size else "",
            text[exception_end:after_end] if after_size >= 0 else None,
            struct.unpack_from(f"<{hits}I", board, after_end) if hits else (),
            cpu,
        )
        records.append((kind, outcome))
    return records


def read_coverage(outcome: Outcome) -> Coverage:
    """Lines and arcs of a record of the kind LINES_AND_ARCS; none if they make no sense."""
    try:
        lines = [int(line) for line in outcome.value.split()]
        pairs = [arc.split(",") for arc in outcome.exception.split()]
        return lines, [(int(start), int(end)) for start, end in pairs]
    except ValueError:
        return [], []

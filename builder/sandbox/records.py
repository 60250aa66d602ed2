"""Reading what a child left on the board: bytes of an untrusted hand."""

from array import array

from builder.sandbox.board import KINDS, OUTCOME, RECORD, VERDICTS
from builder.sandbox.protocol import Outcome, Verdict

_VERDICTS = tuple(Verdict(name) for name in VERDICTS)

Coverage = tuple[list[int], list[tuple[int, int]]]
"""Lines and arcs."""


def read(board: bytes) -> tuple[list[Outcome], list[tuple[int, Outcome]]]:
    """Read records until the bytes end or stop making sense.

    Returns:
        The outcomes of calls, and all other records, each with its kind.
    """
    text = board.decode("latin-1")  # a character for every byte
    unpack, head, total, verdicts = RECORD.unpack_from, RECORD.size, len(board), len(_VERDICTS)
    new_outcome = tuple.__new__  # the constructor of a named tuple takes twice as long
    known_hits: dict[bytes, tuple[int, ...]] = {b"": ()}  # the same few come again and again
    outcomes: list[Outcome] = []
    others: list[tuple[int, Outcome]] = []
    position = 0
    while position + head <= total:
        kind, verdict, cpu, value_size, exception_size, after_size, hits = unpack(board, position)
        start = position + head
        value_end = exception_end = texts_end = start + value_size
        exception, after = "", None
        if exception_size or after_size != -1:
            exception_end = value_end + exception_size
            texts_end = exception_end + max(0, after_size)
            exception = text[value_end:exception_end]
            after = text[exception_end:texts_end] if after_size != -1 else None
        position = texts_end + 4 * hits
        value, packed = text[start:value_end], board[texts_end:position]
        if kind not in KINDS or verdict >= verdicts or after_size < -1 or position > total:
            break
        if not (value.isascii() and exception.isascii() and (after is None or after.isascii())):
            break
        if packed not in known_hits:
            known_hits[packed] = tuple(sorted(set(array("I", packed))))
        fields = (_VERDICTS[verdict], value, exception, after, known_hits[packed], cpu)
        if kind == OUTCOME:
            outcomes.append(new_outcome(Outcome, fields))
        else:
            others.append((kind, new_outcome(Outcome, fields)))
    return outcomes, others


def read_coverage(outcome: Outcome) -> Coverage:
    """Lines and arcs of a record of the kind LINES_AND_ARCS; none if they make no sense."""
    try:
        lines = [int(line) for line in outcome.value.split()]
        pairs = [arc.split(",") for arc in outcome.exception.split()]
        return lines, [(int(start), int(end)) for start, end in pairs]
    except ValueError:
        return [], []

"""What the supervisor reads from the board: bytes of an untrusted hand."""

from hypothesis import given
from hypothesis import strategies as st

from builder.sandbox import board, records
from builder.sandbox.protocol import Verdict

TEXTS = st.text(st.characters(max_codepoint=127))


@given(
    st.lists(
        st.tuples(
            st.sampled_from([board.LOADED, board.OUTCOME, board.RECORDED]),
            st.integers(0, len(board.VERDICTS) - 1),
            TEXTS,
            TEXTS,
            st.none() | TEXTS,
            st.lists(st.integers(0, 2**32 - 1), max_size=5),
        )
    )
)
def test_what_is_written_is_read(
    written: list[tuple[int, int, str, str, str | None, list[int]]],
) -> None:
    memory = bytearray(board.SIZE)
    results = board.Board(memory)
    for kind, verdict, value, exception, after, hits in written:
        results.write(kind, verdict, 0.5, value, exception, after, hits)
    end = board.HEADER.size + board.HEADER.unpack_from(memory, 0)[0]
    outcomes, others = records.read(bytes(memory[board.HEADER.size : end]))
    found = [(board.OUTCOME, outcome) for outcome in outcomes] + others
    expected = [row for row in written if row[0] == board.OUTCOME]
    expected += [row for row in written if row[0] != board.OUTCOME]
    assert [
        (
            kind,
            board.VERDICTS.index(outcome.verdict),
            outcome.value,
            outcome.exception,
            outcome.arguments_after,
            outcome.hits,
        )
        for kind, outcome in found
    ] == [(*rest, tuple(sorted(set(hits)))) for *rest, hits in expected]


def test_a_name_outside_ascii_keeps_its_length() -> None:
    memory = bytearray(board.SIZE)
    board.Board(memory).write(board.OUTCOME, board.ERROR, 0.0, "", "Fehlär", "(1,)")
    (outcome, *_), _ = records.read(bytes(memory[board.HEADER.size :][:100]))
    assert (outcome.exception, outcome.arguments_after) == ("Fehl?r", "(1,)")


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    outcomes, others = records.read(data)
    for outcome in outcomes + [outcome for _, outcome in others]:
        assert isinstance(outcome.verdict, Verdict)
        records.read_coverage(outcome)


@given(st.binary(max_size=100), st.integers(0, 400))
def test_records_that_promise_more_than_there_is_end_the_reading(data: bytes, more: int) -> None:
    head = board.RECORD.pack(board.OUTCOME, board.OK, 0.0, len(data) + more + 1, 0, -1, 0)
    assert records.read(head + data) == ([], [])


def test_a_full_board_refuses_the_record_and_keeps_the_others() -> None:
    memory = bytearray(board.HEADER.size + board.RECORD.size + 10)
    results = board.Board(memory)
    results.write(board.OUTCOME, board.OK, 0.0, "1")
    try:
        results.write(board.OUTCOME, board.OK, 0.0, "2")
    except board.BoardFullError:
        pass
    else:
        raise AssertionError("the second record cannot fit")
    outcomes, _ = records.read(bytes(memory[board.HEADER.size :]))
    assert [outcome.value for outcome in outcomes][:1] == ["1"]

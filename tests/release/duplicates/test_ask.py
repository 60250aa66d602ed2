"""Functions are called, by several sandboxes at a time, and their answers kept."""

import pytest

from builder.errors import HarnessError
from builder.release.duplicates.ask import Caller
from builder.release.duplicates.behaviour import NO_ANSWER, digest
from builder.release.duplicates.function import Function
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.domain import Int
from tests.release.duplicates.conftest import Make

BODIES = [f"return arg0 * {number} // (arg0 - 3)" for number in range(12)]
INPUTS = ("(1,)", "(3,)", "(5,)")


def function(make: Make, number: int) -> Function:
    return make(f"f{number}", BODIES[number], [Int()], INPUTS[::2])


def test_several_sandboxes_give_the_answers_of_one(make: Make, sandbox: Sandbox) -> None:
    questions = [
        (make(f"f{n}", body, [Int()], INPUTS[::2]), INPUTS) for n, body in enumerate(BODIES)
    ]
    with Caller([sandbox], Kept()) as ask:
        alone = ask(questions)
    assert alone[2] == {"(1,)": digest("-1"), "(3,)": NO_ANSWER, "(5,)": digest("5")}
    with Sandbox() as one, Sandbox() as other, Caller([one, other], Kept()) as ask:
        assert ask(questions[:5]) + ask(questions[5:]) == alone


def test_what_is_kept_is_not_asked_again(make: Make, sandbox: Sandbox) -> None:
    question, kept = (function(make, 1), INPUTS), Kept()
    with Caller([sandbox], kept) as ask:
        first, second = ask([question, question])
        assert first == second
        kept.values = dict.fromkeys(kept.values, b"12345678" * 3)
        assert ask([question]) == [dict.fromkeys(INPUTS, b"12345678")]


def test_a_sandbox_that_fails_ends_the_comparison(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [
        (make(f"f{n}", body, [Int()], INPUTS[::2]), INPUTS) for n, body in enumerate(BODIES)
    ]

    def fail(*_: object) -> None:
        raise HarnessError("no process left")

    with Sandbox() as one, Sandbox() as other:
        monkeypatch.setattr(one, "run", fail)
        with Caller([one, other], Kept()) as ask, pytest.raises(HarnessError):
            ask(questions)


class Kept:
    """Keeps answers in memory."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}

    def get_bytes(self, key: str) -> bytes | None:
        return self.values.get(key)

    def put_bytes(self, key: str, value: bytes) -> None:
        assert key not in self.values
        self.values[key] = value

"""An endpoint that misbehaves: nothing is lost, nothing hangs, everything is counted."""

import logging
import random
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email.utils import formatdate

import pytest

from builder.errors import PauError
from builder.model.client import Answer, WaitingForModelError
from builder.model.ledger import summary
from builder.model.request import Usage
from tests.model.bench import KEY, QUICK, Bench, question
from tests.model.server import Ask, Raw, Reaction, Reset, Say, Stall

SEVEN = Say('{"number": 7}')
WAIT = Raw(b"{}", status=429)
TRUNCATED = Raw(SEVEN.body()[:60])

PASSING_FAULTS: dict[str, tuple[Reaction, str]] = {
    "429": (WAIT, "once: the endpoint asked to wait (HTTP 429)"),
    "500": (Raw(b"oops", status=500), "once: the endpoint failed (HTTP 5xx)"),
    "503": (Raw(b"", status=503), "once: the endpoint failed (HTTP 5xx)"),
    "reset": (Reset(), "once: the connection failed or was cut"),
    "reset halfway": (Reset(halfway=True), "once: the connection failed or was cut"),
    "stalled body": (Stall(), "once: no complete reply within the time limit"),
    "dripping body": (Stall(0.05), "once: no complete reply within the time limit"),
    "truncated JSON": (TRUNCATED, "once: the reply was not a complete chat completion"),
    "no JSON": (Raw(b"<html>"), "once: the reply was not a complete chat completion"),
    "deep JSON": (Raw(b"[" * 100_000), "once: the reply was not a complete chat completion"),
    "no choice": (Raw(b'{"choices": []}'), "once: the reply was not a complete chat completion"),
    "no object": (Raw(b"[7]"), "once: the reply was not a complete chat completion"),
    "odd text": (
        Raw(b'{"choices": [{"message": {"content": 7}}]}'),
        "once: the reply was not a complete chat completion",
    ),
}
"""Faults of the endpoint, each with its line in the summary."""


@pytest.mark.parametrize(("fault", "line"), PASSING_FAULTS.values(), ids=PASSING_FAULTS)
def test_a_passing_fault_costs_one_more_try_and_is_counted(
    bench: Bench, fault: Reaction, line: str
) -> None:
    server = bench.serve(lambda ask: SEVEN if ask.number else fault)
    budget = bench.budget()
    assert bench.model(server, budget).ask(question()) == Answer(7, "some-model", attempts=1)
    assert len(server.asks) == 2
    assert line in summary(budget.spending())


@pytest.mark.parametrize("written", [lambda: "0.4", lambda: formatdate(time.time() + 1.4)])
def test_the_wait_that_the_endpoint_asks_for_is_kept_by_all(
    bench: Bench, written: Callable[[], str]
) -> None:
    arrivals: list[float] = []
    told = threading.Event()

    def react(ask: Ask) -> Reaction:
        arrivals.append(time.monotonic())
        if told.is_set():
            return SEVEN
        told.set()
        return replace(WAIT, headers={"Retry-After": written()})

    model = bench.model(bench.serve(react))
    first = ThreadPoolExecutor(1).submit(model.ask, question("first"))
    told.wait(10)
    time.sleep(0.1)
    model.ask(question("second"))
    assert first.result() == Answer(7, "some-model", 1)
    assert arrivals[1] - arrivals[0] > 0.35


def test_too_long_a_wait_leaves_the_row_for_a_later_run(bench: Bench) -> None:
    server = bench.serve(lambda ask: replace(WAIT, headers={"Retry-After": "86400"}))
    with pytest.raises(
        WaitingForModelError, match="no reply of some-model after 1 tries: HTTP 429"
    ):
        bench.model(server).ask(question())


def test_an_endpoint_that_never_answers_leaves_the_row_and_is_asked_again_later(
    bench: Bench,
) -> None:
    server = bench.serve(lambda ask: Raw(b"busy", status=503))
    with pytest.raises(WaitingForModelError, match="after 16 tries: HTTP 503: busy"):
        bench.model(server).ask(question())
    server.react = lambda ask: SEVEN
    assert bench.model(server).ask(question()) == Answer(7, "some-model", 1)
    assert len(server.asks) == 17


def test_a_run_ends_when_request_after_request_gets_no_reply(bench: Bench) -> None:
    server = bench.serve(lambda ask: Raw(b"", status=500))
    model = bench.model(server)
    for number in range(4):
        with pytest.raises(WaitingForModelError):
            model.ask(question(f"number {number}?"))
    with pytest.raises(PauError, match=r"gives no usable reply: HTTP 500.*OPENAI_BASE_URL"):
        model.ask(question("the fifth?"))


def test_nothing_listening_is_found_out_soon(bench: Bench) -> None:
    with bench.serve(lambda ask: SEVEN) as server:
        pass
    model = bench.model(server)
    with pytest.raises(PauError, match=r"the connection failed.*check OPENAI_BASE_URL") as caught:
        model.ask(question())
    assert not isinstance(caught.value, WaitingForModelError)
    (line,) = bench.budget().spending()
    assert (line.calls, line.usage) == (5, Usage())


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, b"{}", "refuses the key"),
        (403, b"{}", "refuses the key"),
        (404, b"{}", "knows no chat model some-model"),
        (402, b"{}", "wants to be paid"),
        (429, b'{"error": {"code": "insufficient_quota"}}', "wants to be paid"),
    ],
)
def test_what_asking_again_cannot_mend_ends_the_run_at_once(
    bench: Bench, status: int, body: bytes, said: str
) -> None:
    server = bench.serve(lambda ask: Raw(body, status))
    with pytest.raises(PauError, match=said) as caught:
        bench.model(server).ask(question())
    assert not isinstance(caught.value, WaitingForModelError)
    assert len(server.asks) == 1
    assert sum(line.usage.tokens for line in bench.budget().spending()) == 0


def test_a_rambling_answer_is_shown_to_the_model_shortened(bench: Bench) -> None:
    ramble = "and then " * 10_000
    server = bench.serve(lambda ask: SEVEN if ask.number else Say(ramble, "length"))
    assert bench.model(server).ask(question()) == Answer(7, "some-model", attempts=2)
    assert len(server.asks[1].body["messages"][1]["content"]) == 2000


FAULTS: list[Reaction] = [fault for fault, _ in PASSING_FAULTS.values()]
FAULTS += [Say("seven"), Say('{"figure": 1}')]


def test_no_question_is_lost_while_each_fault_strikes_a_tenth(bench: Bench) -> None:
    times = Counter[str]()

    def react(ask: Ask) -> Reaction:
        # What strikes depends on the question and how often it was put, not on who comes first.
        words = str(ask.body["messages"][0]["content"])
        times[words] += 1
        dice = random.Random(f"{words} for the {times[words]}. time")
        for fault in FAULTS:
            # A stall takes a second of waiting: it is left to the test above and the benchmark.
            if dice.random() < 0.1 and not isinstance(fault, Stall):
                return fault
        return Say(f'{{"number": {int(words)}}}')

    server = bench.serve(react)
    budget = bench.budget()
    model = bench.model(server, budget, patience=replace(QUICK, tries=40))
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda n: model.ask(question(str(n))), range(100)))
    assert [getattr(answer, "value", answer) for answer in answers] == list(range(100))
    # A call that dies on a connection just reset by the server is counted, though never received.
    calls = {line.ending: line.calls for line in budget.spending()}
    assert 0 <= sum(calls.values()) - len(server.asks) <= calls["connection"]
    assert "in_flight" not in calls


def test_neither_key_nor_address_is_ever_written_down(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def react(ask: Ask) -> Reaction:
        told = f"your key {KEY} at {server.base_url}"
        spilt: list[Reaction] = [Raw(told.encode(), 500), Say(told), SEVEN, Raw(told.encode(), 400)]
        return spilt[min(ask.number, 3)]

    server = bench.serve(react)
    model = bench.model(server)
    texts = [repr(model.ask(question())), repr(model.ask(question("another")))]
    server.react = lambda ask: Raw(f"bad key {KEY} for {server.base_url}".encode(), 401)
    with pytest.raises(PauError) as caught:
        model.ask(question("a third"))
    server.react = lambda ask: Raw(f"{KEY} {server.base_url}".encode(), 503)
    with pytest.raises(WaitingForModelError) as waiting:
        model.ask(question("a fourth"))
    texts += [str(caught.value), str(waiting.value), caplog.text, repr(bench.live(server))]
    texts += ["\n".join(sqlite3.connect(bench.path).iterdump())]
    assert "[hidden]" in texts[-1]
    for text in texts:
        assert KEY not in text
        assert server.base_url not in text

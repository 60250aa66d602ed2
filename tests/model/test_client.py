"""Questions: asked once, kept, and put again with what was wrong."""

import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from builder.errors import PauError
from builder.model.client import Answer, Failure, Model, Replay, ReplayMissError
from builder.model.request import Ending
from tests.model.bench import Bench, ask_in_process, question
from tests.model.server import Ask, Raw, Reaction, Reset, Say

SEVEN = Say('{"number": 7}')


def test_a_question_is_answered(bench: Bench) -> None:
    server = bench.serve(lambda ask: SEVEN)
    assert bench.model(server).ask(question()) == Answer(7, "some-model", attempts=1)
    (ask,) = server.asks
    assert ask.path == "/v1/chat/completions"
    assert ask.body["response_format"]["json_schema"]["schema"] == {"type": "object"}


def test_a_question_asked_before_is_not_sent_again(bench: Bench) -> None:
    server = bench.serve(lambda ask: SEVEN)
    first = bench.model(server).ask(question())
    assert bench.model(server).ask(question()) == first
    assert len(server.asks) == 1


def test_equal_questions_at_the_same_time_share_one_call(bench: Bench) -> None:
    everyone_asks = threading.Event()

    def react(ask: Ask) -> Reaction:
        everyone_asks.wait(5)
        return SEVEN

    server = bench.serve(react)
    model = bench.model(server)
    with ThreadPoolExecutor(20) as pool:
        answers = [pool.submit(model.ask, question()) for _ in range(20)]
        time.sleep(0.2)
        everyone_asks.set()
        assert {answer.result() for answer in answers} == {Answer(7, "some-model", 1)}
    assert len(server.asks) == 1


def test_no_more_calls_than_allowed_run_at_a_time(bench: Bench) -> None:
    def react(ask: Ask) -> Reaction:
        time.sleep(0.02)
        return SEVEN

    server = bench.serve(react)
    model = bench.model(server, concurrency=3)
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(model.ask, [question(f"number {n}?") for n in range(12)]))
    assert len(server.asks) == 12
    assert server.most_at_a_time <= 3


@pytest.mark.parametrize(
    ("useless", "said"),
    [
        (Say("seven"), "not JSON: Expecting value at character 0"),
        (Say('{"number":'), "not JSON: Expecting value at character 10"),
        (Say('{"figure": 7}'), "number is missing"),
        (Say('{"number": 7', finish_reason="length"), "cut off"),
    ],
)
def test_a_useless_answer_is_shown_to_the_model_with_what_is_wrong(
    bench: Bench, useless: Say, said: str
) -> None:
    server = bench.serve(lambda ask: SEVEN if ask.number else useless)
    assert bench.model(server).ask(question()) == Answer(7, "some-model", attempts=2)
    first, shown, objection = server.asks[1].body["messages"]
    assert first == server.asks[0].body["messages"][0]
    assert shown == {"role": "assistant", "content": useless.text}
    assert objection["role"] == "user"
    assert said in objection["content"]


@pytest.mark.parametrize("useless", [Say(None, refusal="I would rather not"), Say("")])
def test_a_refusal_is_answered_by_asking_the_same_once_more(bench: Bench, useless: Say) -> None:
    server = bench.serve(lambda ask: SEVEN if ask.number else useless)
    assert bench.model(server).ask(question()) == Answer(7, "some-model", attempts=2)
    assert server.asks[1].body["messages"] == server.asks[0].body["messages"]
    assert server.asks[1].body["seed"] != server.asks[0].body["seed"]


def test_after_five_useless_answers_the_question_has_failed_for_good(bench: Bench) -> None:
    server = bench.serve(lambda ask: Say("no idea"))
    model = bench.model(server)
    failure = model.ask(question())
    assert failure == Failure(Ending.BAD_JSON, "not JSON: Expecting value at character 0")
    assert model.ask(question()) == failure
    assert len(server.asks) == 5


def test_a_useless_answer_stays_in_the_store_under_its_attempt(bench: Bench) -> None:
    server = bench.serve(lambda ask: SEVEN if ask.number else Say("seven"))
    bench.model(server).ask(question())
    rows = bench.store.read(
        "SELECT json_extract(record, '$.request.attempt'), json_extract(record, '$.ending')"
        " FROM replies ORDER BY 1"
    )
    assert rows == [(0, "bad_json"), (1, "answered")]


def test_an_answer_in_a_code_fence_is_read(bench: Bench) -> None:
    server = bench.serve(lambda ask: Say('<think>hm</think>\n```json\n{"number": 7}\n```'))
    assert bench.model(server).ask(question()) == Answer(7, "some-model", attempts=1)


def test_a_request_that_the_endpoint_calls_wrong_is_not_repeated(bench: Bench) -> None:
    too_long = Raw(b'{"error": {"message": "the prompt is too long"}}', status=400)
    server = bench.serve(lambda ask: too_long)
    model = bench.model(server)
    for _ in range(2):
        failure = model.ask(question())
        assert isinstance(failure, Failure)
        assert failure.ending is Ending.BAD_REQUEST
        assert "the prompt is too long" in failure.detail
    assert len(server.asks) == 1


def test_an_endpoint_that_calls_every_request_wrong_ends_the_run(bench: Bench) -> None:
    refusal = Raw(b'{"error": {"message": "no such mode"}}', status=400)
    model = bench.model(bench.serve(lambda ask: refusal))
    for number in range(4):
        assert isinstance(model.ask(question(f"number {number}?")), Failure)
    with pytest.raises(PauError, match=r"every request wrong: .*no such mode.*--model"):
        model.ask(question("number 4?"))


def test_requests_called_wrong_are_lost_alone_once_another_is_answered(bench: Bench) -> None:
    refusal = Raw(b'{"error": {"message": "too long"}}', status=400)
    server = bench.serve(lambda ask: refusal if ask.number != 2 else SEVEN)
    model = bench.model(server)
    found = [model.ask(question(f"number {number}?")) for number in range(12)]
    assert [isinstance(each, Answer) for each in found].count(True) == 1


@pytest.mark.parametrize("name", ["temperature", "seed", "max_tokens", "response_format"])
def test_a_field_that_the_endpoint_does_not_know_is_left_out_from_then_on(
    bench: Bench, name: str
) -> None:
    complaint = Raw(b'{"error": {"message": "unsupported", "param": "%s"}}' % name.encode(), 400)
    server = bench.serve(lambda ask: complaint if name in ask.body else SEVEN)
    model = bench.model(server)
    for number in range(3):
        assert isinstance(model.ask(question(f"number {number}?")), Answer)
    assert len(server.asks) == 4
    if name == "max_tokens":
        assert server.asks[-1].body["max_completion_tokens"] == 50


def test_refresh_asks_everything_anew_once(bench: Bench) -> None:
    server = bench.serve(lambda ask: Say(f'{{"number": {ask.number}}}'))
    bench.model(server).ask(question())
    time.sleep(0.01)
    again = bench.model(server, kept_since=time.time())
    assert [again.ask(question()), again.ask(question())] == [Answer(1, "some-model", 1)] * 2
    assert bench.model(server).ask(question()) == Answer(1, "some-model", 1)


def test_without_the_store_everything_is_asked_and_nothing_kept(bench: Bench) -> None:
    server = bench.serve(lambda ask: SEVEN)
    model = bench.model(server, keep=False)
    model.ask(question())
    model.ask(question())
    assert len(server.asks) == 2
    assert bench.store.read("SELECT count(*) FROM replies") == [(0,)]


def _replayed(bench: Bench) -> Model:
    return Model({"describe": "some-model"}, bench.store, bench.budget(), Replay())


def test_replay_answers_from_the_store_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    server = bench.serve(lambda ask: SEVEN if ask.number else Say("seven"))
    answer = bench.model(server).ask(question())
    monkeypatch.setattr("socket.socket", None)
    monkeypatch.delitem(__import__("sys").modules, "openai")
    assert _replayed(bench).ask(question()) == answer
    assert "openai" not in __import__("sys").modules


def test_replay_of_something_never_asked_is_an_error_that_names_it(bench: Bench) -> None:
    with pytest.raises(ReplayMissError, match="no reply of some-model to this describe prompt"):
        _replayed(bench).ask(question())


def test_equal_questions_of_several_processes_share_one_call(bench: Bench) -> None:
    def react(ask: Ask) -> Reaction:
        time.sleep(1.0)
        return SEVEN

    server = bench.serve(react)
    context = multiprocessing.get_context("spawn")
    arguments = (bench.path, server.base_url)
    processes = [context.Process(target=ask_in_process, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert len(server.asks) == 1


def test_a_reset_connection_is_tried_again_under_the_same_key(bench: Bench) -> None:
    server = bench.serve(lambda ask: SEVEN if ask.number else Reset())
    assert bench.model(server).ask(question()) == Answer(7, "some-model", attempts=1)
    keys = {ask.headers["idempotency-key"] for ask in server.asks}
    assert len(server.asks) == 2
    assert len(keys) == 1

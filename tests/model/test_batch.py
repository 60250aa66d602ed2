"""Batches: handed in once, collected later, and only what failed is asked again."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builder.errors import PauError
from builder.model.budget import BudgetReachedError, Limits
from builder.model.client import Answer, Failure, Mode, WaitingForModelError
from builder.model.endpoint import Endpoint
from builder.model.request import Ending
from builder.model.settings import (
    ModelSettings,
    collect_batches,
    models_by_task,
    open_model,
    spending,
    submit_batches,
)
from tests.model.batch_server import BatchServer
from tests.model.bench import question
from tests.model.server import Raw, Say

PRICES = {"gpt-9": {"input": 1.0, "output": 1.0}}


def words(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with BatchServer(lambda body: Say(json.dumps({"number": int(words(body))}))) as server:
        yield server


@pytest.fixture
def settings(server: BatchServer, tmp_path: Path) -> ModelSettings:
    return ModelSettings(
        models=models_by_task("gpt-9", {}),
        store=tmp_path / "model.sqlite",
        endpoint=Endpoint("sk-a-very-secret-key", server.base_url),
        own_prices=PRICES,
        batch=True,
    )


def ask(settings: ModelSettings, numbers: range) -> list[Answer[int] | Failure | None]:
    """Ask for each number in a run; None: it waits."""
    found: list[Answer[int] | Failure | None] = []
    with open_model(settings) as model:
        for number in numbers:
            try:
                found.append(model.ask(question(str(number))))
            except WaitingForModelError:
                found.append(None)
    return found


def values(settings: ModelSettings, numbers: range) -> list[int | None]:
    return [getattr(answer, "value", None) for answer in ask(settings, numbers)]


def later(settings: ModelSettings, **changes: Any) -> ModelSettings:
    return replace(settings, started=settings.started + 60, **changes)


def test_questions_wait_are_handed_in_together_and_answered_in_a_later_run(
    server: BatchServer, settings: ModelSettings
) -> None:
    assert values(settings, range(5)) == [None] * 5
    assert submit_batches(settings) == ["batch batch_0: 5 questions handed in to gpt-9"]
    assert collect_batches(settings) == [
        "batch batch_0: completed; 5 answered, 0 to be asked again"
    ]
    assert values(later(settings), range(5)) == [0, 1, 2, 3, 4]
    assert server.lines_taken == 5


def test_answers_of_a_batch_have_the_keys_of_live_ones(
    server: BatchServer, settings: ModelSettings
) -> None:
    ask(settings, range(3))
    submit_batches(settings)
    collect_batches(settings)
    assert values(later(settings, batch=False, endpoint=None), range(3)) == [0, 1, 2]


def test_a_batch_that_is_not_done_is_neither_collected_nor_handed_in_again(
    server: BatchServer, settings: ModelSettings
) -> None:
    ask(settings, range(4))
    submit_batches(settings)
    server.status = "in_progress"
    assert collect_batches(settings) == [
        "batch batch_0: in_progress, 2 of 4 done; run again later to collect it"
    ]
    assert values(settings, range(4)) == [None] * 4
    assert submit_batches(settings) == []


def test_what_an_earlier_run_noted_and_nobody_asks_any_more_is_not_handed_in(
    settings: ModelSettings,
) -> None:
    ask(settings, range(3))
    assert collect_batches(later(settings)) == []
    ask(later(settings), range(1))
    assert submit_batches(later(settings)) == ["batch batch_0: 1 questions handed in to gpt-9"]


def test_only_what_failed_or_expired_is_handed_in_again(
    server: BatchServer, settings: ModelSettings
) -> None:
    sound = server.react
    faults = {"1": None, "2": Raw(b'{"error": {}}', 500), "3": Raw(b'{"error": {}}', 429)}
    server.react = lambda body: faults.get(words(body), sound(body))
    ask(settings, range(5))
    submit_batches(settings)
    assert collect_batches(settings) == [
        "batch batch_0: completed; 2 answered, 3 server_error, 3 to be asked again"
    ]
    server.react = sound
    assert submit_batches(settings) == ["batch batch_1: 3 questions handed in to gpt-9"]
    collect_batches(settings)
    assert values(later(settings), range(5)) == [0, 1, 2, 3, 4]
    assert server.lines_taken == 8


def test_an_expired_batch_keeps_what_came_back(
    server: BatchServer, settings: ModelSettings
) -> None:
    sound = server.react
    server.react = lambda body: sound(body) if words(body) == "0" else None
    server.status = "expired"
    ask(settings, range(3))
    submit_batches(settings)
    assert collect_batches(settings) == [
        "batch batch_0: expired; 1 answered, 2 server_error, 2 to be asked again"
    ]


def test_a_useless_answer_leads_to_a_second_attempt_in_the_next_batch(
    server: BatchServer, settings: ModelSettings
) -> None:
    sound = server.react
    server.react = lambda body: Say("no idea") if len(body["messages"]) == 1 else sound(body)
    ask(settings, range(2))
    submit_batches(settings)
    collect_batches(settings)
    assert values(settings, range(2)) == [None, None]
    assert submit_batches(settings) == ["batch batch_1: 2 questions handed in to gpt-9"]
    collect_batches(settings)
    assert values(settings, range(2)) == [0, 1]


def test_a_request_that_the_vendor_calls_wrong_is_not_handed_in_again(
    server: BatchServer, settings: ModelSettings
) -> None:
    server.react = lambda body: Raw(b'{"error": {"message": "too long"}}', 400)
    ask(settings, range(1))
    submit_batches(settings)
    collect_batches(settings)
    (failure,) = ask(settings, range(1))
    assert isinstance(failure, Failure)
    assert failure.ending is Ending.BAD_REQUEST


def test_a_batch_whose_number_never_came_back_is_found_and_not_paid_twice(
    server: BatchServer, settings: ModelSettings
) -> None:
    ask(settings, range(3))
    server.drop_next_batch = True
    with pytest.raises(PauError, match="cannot be reached for a batch"):
        submit_batches(settings)
    assert submit_batches(settings) == []
    assert collect_batches(settings) == [
        "batch batch_0: completed; 3 answered, 0 to be asked again"
    ]
    assert server.lines_taken == 3


def test_a_batch_that_never_arrived_is_handed_in_again(
    server: BatchServer, settings: ModelSettings
) -> None:
    ask(settings, range(3))
    server.drop_next_batch = True
    with pytest.raises(PauError):
        submit_batches(settings)
    server.batches.clear()
    assert collect_batches(settings) == [
        "a batch to gpt-9 never arrived: its questions are handed in again"
    ]
    assert submit_batches(settings) == ["batch batch_0: 3 questions handed in to gpt-9"]


def test_stray_and_repeated_lines_of_a_result_change_nothing(
    server: BatchServer, settings: ModelSettings
) -> None:
    ask(settings, range(1))
    submit_batches(settings)
    (line,) = server.files["file_0"].splitlines()
    key = json.loads(line)["custom_id"]
    other = {"status_code": 200, "body": json.loads(Say('{"number": 99}').body())}
    server.strays = [
        "no json",
        "[]",
        json.dumps({"custom_id": "unknown", "response": other}),
        json.dumps({"custom_id": key, "response": other}),
    ]
    collect_batches(settings)
    assert values(settings, range(1)) == [0]


def test_a_batch_is_reserved_when_handed_in_and_settled_at_half_the_price(
    server: BatchServer, settings: ModelSettings
) -> None:
    ask(settings, range(2))
    submit_batches(settings)
    (held,) = spending(settings)
    assert (held.ending, held.calls) == ("in_flight", 2)
    collect_batches(later(settings))
    (paid,) = spending(settings)
    assert (paid.ending, paid.calls, paid.usage.tokens) == ("answered", 2, 30)
    assert paid.nanodollars == 30 * 500


def test_a_batch_holds_no_more_than_the_budget_allows(
    server: BatchServer, settings: ModelSettings
) -> None:
    limited = replace(settings, limits=Limits(calls=2))
    ask(limited, range(5))
    with pytest.raises(BudgetReachedError):
        submit_batches(limited)
    assert server.lines_taken == 2


def test_batches_hold_one_model_each(server: BatchServer, settings: ModelSettings) -> None:
    ask(settings, range(2))
    ask(replace(settings, models={"describe": "gpt-8"}), range(2))
    assert submit_batches(settings) == [
        "batch batch_0: 2 questions handed in to gpt-8",
        "batch batch_1: 2 questions handed in to gpt-9",
    ]


def test_an_endpoint_without_batches_is_told_in_one_line(
    server: BatchServer, settings: ModelSettings
) -> None:
    elsewhere = replace(settings, endpoint=Endpoint("none", f"{server.base_url}/elsewhere"))
    ask(elsewhere, range(1))
    with pytest.raises(PauError, match="knows no batches"):
        submit_batches(elsewhere)


def test_batches_need_a_store_that_is_looked_at(settings: ModelSettings) -> None:
    with pytest.raises(PauError, match="mode refresh would not ask or not look at them"):
        open_model(replace(settings, mode=Mode.REFRESH))

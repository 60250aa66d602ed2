"""From what a user says to the model of a run; secrets stay where they belong."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from builder.errors import PauError
from builder.model.budget import Limits
from builder.model.client import Answer, Mode, ReplayMissError, WaitingForModelError
from builder.model.endpoint import Endpoint
from builder.model.ledger import summary
from builder.model.settings import (
    ModelSettings,
    check_settings,
    models_by_task,
    open_model,
    spending,
)
from tests.model.bench import KEY, QUICK, question
from tests.model.server import ModelServer, Raw, Say

SEVEN = Say('{"number": 7}')


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def settings(tmp_path: Path) -> ModelSettings:
    models = models_by_task("some-model", {})
    return ModelSettings(models, tmp_path / "model.sqlite", patience=QUICK)


def test_each_task_has_its_own_model_or_the_default() -> None:
    assert models_by_task("a", {"judge": "b"})["judge"] == "b"
    assert models_by_task("a", {"judge": "b"})["describe"] == "a"
    assert models_by_task(None, {"judge": "b"}) == {"judge": "b"}
    assert models_by_task(None, {}) == {}
    with pytest.raises(PauError, match="no such task; there are describe, propose"):
        models_by_task("a", {"dream": "b"})


def test_the_environment_comes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"api_key": "of-the-file", "base_url": "http://file"}
    assert Endpoint.from_settings(table) == Endpoint("of-the-file", "http://file")
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    assert Endpoint.from_settings(table) == Endpoint("of-the-environment", "http://file")
    assert Endpoint.from_settings({}) == Endpoint("of-the-environment", None)


def test_without_key_and_address_the_variables_are_named() -> None:
    with pytest.raises(PauError, match=r"set OPENAI_API_KEY, and OPENAI_BASE_URL unless"):
        Endpoint.from_settings({})


@pytest.mark.parametrize("sign", ["\n", " ", "\u00e9", "\x00"])
def test_a_key_or_an_address_that_cannot_be_sent_is_refused_without_being_told(sign: str) -> None:
    for table in ({"api_key": f"sk-se{sign}cret"}, {"base_url": f"http://se{sign}cret/v1"}):
        with pytest.raises(PauError, match="OPENAI_") as caught:
            Endpoint.from_settings(table)
        assert "cret" not in str(caught.value)


def test_a_local_server_needs_no_key(settings: ModelSettings) -> None:
    with ModelServer(lambda ask: SEVEN) as server:
        endpoint = Endpoint.from_settings({"base_url": server.base_url})
        with open_model(replace(settings, endpoint=endpoint)) as model:
            assert model.ask(question()) == Answer(7, "some-model", 1)


@pytest.mark.parametrize(
    "address",
    ["host:8000/v1", "ftp://host", "http:///secret", "http://host:port", "http://[x", "password"],
)
def test_an_address_that_is_none_is_told_without_being_told(address: str) -> None:
    with pytest.raises(PauError, match="OPENAI_BASE_URL") as caught:
        Endpoint.from_settings({"base_url": address})
    assert address not in str(caught.value)


def test_settings_can_be_sent_to_worker_processes_and_printed(settings: ModelSettings) -> None:
    settings = replace(settings, endpoint=Endpoint(KEY, "http://secret.example:1/v1"))
    assert pickle.loads(pickle.dumps(settings)) == settings
    for text in (repr(settings), str(settings.to_json())):
        assert KEY not in text
        assert "secret.example" not in text


def test_a_store_that_was_recorded_is_replayed_with_the_server_gone(
    settings: ModelSettings,
) -> None:
    with ModelServer(lambda ask: SEVEN) as server:
        endpoint = Endpoint(KEY, server.base_url)
        with open_model(replace(settings, endpoint=endpoint)) as model:
            recorded = model.ask(question())
    with open_model(replace(settings, mode=Mode.REPLAY)) as model:
        assert model.ask(question()) == recorded
        with pytest.raises(ReplayMissError):
            model.ask(question("never asked"))


def test_a_reply_that_never_came_is_replayed_as_one(settings: ModelSettings) -> None:
    with (
        ModelServer(lambda ask: Raw(b"busy", 503)) as server,
        open_model(replace(settings, endpoint=Endpoint(KEY, server.base_url))) as model,
        pytest.raises(WaitingForModelError) as recorded,
    ):
        model.ask(question())
    with (
        open_model(replace(settings, mode=Mode.REPLAY)) as model,
        pytest.raises(WaitingForModelError) as replayed,
    ):
        model.ask(question())
    assert str(replayed.value) == str(recorded.value)


def test_a_dry_run_counts_what_it_would_ask_and_asks_nothing(settings: ModelSettings) -> None:
    with ModelServer(lambda ask: SEVEN) as server:
        live = replace(settings, endpoint=Endpoint(KEY, server.base_url))
        with open_model(live) as model:
            model.ask(question("known"))
        prices = {"some-model": {"input": 1.0, "output": 2.0}}
        dry = replace(
            live, estimate=True, own_prices=prices, limits=Limits(calls=0), started=live.started + 1
        )
        with open_model(dry) as model:
            model.ask(question("known"))
            for number in range(3):
                with pytest.raises(WaitingForModelError):
                    model.ask(question(f"new {number}"))
        assert len(server.asks) == 1
    assert summary(spending(dry)) == [
        "describe by some-model: 3 calls to begin with, at most 81 tokens in, 150 out, $0.0004;"
        " 1 answers from the store"
    ]


def test_a_limit_of_cost_without_a_price_is_told_before_anything_is_asked(
    settings: ModelSettings,
) -> None:
    with pytest.raises(PauError, match="no price is known for some-model"):
        open_model(replace(settings, limits=Limits(cost=1.0)))


@pytest.mark.parametrize("mode", [Mode.REPLAY, Mode.REFRESH, Mode.OFF])
def test_batches_need_a_store_that_is_read_and_written(settings: ModelSettings, mode: Mode) -> None:
    with pytest.raises(PauError, match=f"--batch: .* mode {mode} .*; use --replies record"):
        check_settings(replace(settings, batch=True, mode=mode))


def test_what_makes_no_sense_is_told_before_a_file_is_made(settings: ModelSettings) -> None:
    with pytest.raises(PauError, match="no price is known for some-model"):
        check_settings(replace(settings, limits=Limits(cost=1.0)))
    assert not settings.store.exists()

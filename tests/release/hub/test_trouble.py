"""What failures mean, and how long they are waited for."""

import pytest
from huggingface_hub import close_session, constants

from builder.errors import PauError
from builder.release.hub import client
from builder.release.hub.trouble import MOST_FAILURES, Patience, UnsettledError, one_line
from tests.hub.server import ENDLESS, Silence, TestHub
from tests.release.hub.conftest import REPO, WRITER


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds waited for, none of which passes."""
    seconds: list[float] = []
    monkeypatch.setattr("builder.release.hub.trouble.time.sleep", seconds.append)
    return seconds


def test_each_wait_is_longer_than_the_last_up_to_a_bound(waits: list[float]) -> None:
    said: list[str] = []
    patience = Patience(said.append)
    for _ in range(MOST_FAILURES):
        patience.wait(UnsettledError("busy"))
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]
    assert said[2] == "the Hub: busy; looking again in 4 s"


def test_in_the_end_it_gives_up(waits: list[float]) -> None:
    patience = Patience(lambda _: None)
    with pytest.raises(PauError, match=r"still fails after 8 tries \(busy\); run the same"):
        for _ in range(MOST_FAILURES + 1):
            patience.wait(UnsettledError("busy"))
    assert len(waits) == MOST_FAILURES


def test_a_success_makes_it_as_patient_as_before(waits: list[float]) -> None:
    patience = Patience(lambda _: None)
    for _ in range(3 * MOST_FAILURES):
        patience.wait(UnsettledError("busy"))
        patience.recover()
    assert set(waits) == {1}


@pytest.mark.parametrize(("asked", "waited"), [(0, 0), (77, 77), (3600, 330)])
def test_it_waits_as_the_hub_asks_within_reason(
    waits: list[float], asked: float, waited: float
) -> None:
    Patience(lambda _: None).wait(UnsettledError("busy", asked))
    assert waits == [waited]


def test_foreign_text_becomes_one_harmless_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret-of-any-form")
    text = f"no\nto \x1b[31m{WRITER} and secret-of-any-form " + "x" * 1000
    assert one_line(text).startswith("no to [31m<token> and <token> xxx")
    assert len(one_line(text)) == 300


@pytest.mark.parametrize("path", [f"/api/datasets/{REPO}$", "/refs", "/tree/"])
def test_a_hub_that_says_nothing_is_no_reason_to_wait_for_ever(
    hub: TestHub, waits: list[float], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    hub.create(REPO)
    hub.fail("GET", path, Silence(), times=ENDLESS)
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)
    monkeypatch.setattr(client, "SILENCE_SECONDS", 0.05)
    close_session()
    said: list[str] = []
    try:
        with pytest.raises(PauError, match=r"still fails .* \(no answer \(ReadTimeout\)\)"):
            client.Hub(REPO, said.append).state()
    finally:
        close_session()
    assert said


def test_a_client_told_to_stay_offline_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(PauError, match="HF_HUB_OFFLINE is set; unset it"):
        client.Hub(REPO, print)

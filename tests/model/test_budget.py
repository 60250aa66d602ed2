"""Spending: reserved before, settled after, never over the limit, told at the end."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import PauError
from builder.model.budget import Budget, BudgetReachedError, Limits, most_usage
from builder.model.client import Answer
from builder.model.ledger import summary
from builder.model.prices import Price, Prices
from builder.model.request import Ending, Message, Request, Sampling, Usage
from builder.model.store import Store
from tests.model.bench import Bench, question
from tests.model.server import Ask, Raw, Reaction, Say

SEVEN = Say('{"number": 7}', usage=(20, 50))
REQUEST = Request("describe", 1, (Message("user", "Hello"),), None, "some-model", Sampling(50))


@pytest.mark.parametrize(
    ("limits", "calls"),
    [
        (Limits(calls=3), 3),
        (Limits(tokens=250), 3),
        (Limits(cost=0.00025), 3),
        (Limits(calls=0), 0),
        (Limits(), 6),
    ],
)
def test_a_run_stops_before_the_call_that_could_go_over_a_limit(
    bench: Bench, limits: Limits, calls: int
) -> None:
    server = bench.serve(lambda ask: SEVEN)
    budget = bench.budget(limits, prices={"some-model": {"input": 1.0, "output": 1.0}})
    model = bench.model(server, budget)
    answered = 0
    for number in range(6):
        try:
            model.ask(question(f"number {number}?"))
            answered += 1
        except BudgetReachedError as error:
            assert error.exit_code == 3
            assert "run again with a larger budget" in str(error)
            break
    assert answered == len(server.asks) == calls


def test_the_limit_holds_over_many_calls_at_a_time(bench: Bench) -> None:
    def react(ask: Ask) -> Reaction:
        time.sleep(0.01)
        return SEVEN

    server = bench.serve(react)
    budget = bench.budget(Limits(tokens=1000))
    model = bench.model(server, budget, concurrency=16)

    def ask(number: int) -> bool:
        try:
            return isinstance(model.ask(question(f"number {number}?")), Answer)
        except BudgetReachedError:
            return False

    with ThreadPoolExecutor(16) as pool:
        answered = sum(pool.map(ask, range(40)))
    spent = sum(line.usage.tokens for line in budget.spending())
    assert answered == len(server.asks) == 14  # a call reserves 79 or 80 and comes to 70
    assert spent == 14 * 70 <= 1000


def test_answers_from_the_store_cost_nothing(bench: Bench) -> None:
    server = bench.serve(lambda ask: SEVEN)
    bench.model(server).ask(question())
    again = bench.budget(Limits(calls=0), run="another run")
    assert bench.model(server, again).ask(question()) == Answer(7, "some-model", 1)
    assert summary(again.spending()) == ["describe by some-model: 1 answers from the store"]


def test_what_was_answered_before_the_stop_is_not_paid_for_again(bench: Bench) -> None:
    server = bench.serve(lambda ask: SEVEN)
    model = bench.model(server, bench.budget(Limits(calls=2), run="first"))
    with pytest.raises(BudgetReachedError):
        for number in range(4):
            model.ask(question(f"number {number}?"))
    model = bench.model(server, bench.budget(Limits(calls=2), run="second"))
    for number in range(4):
        model.ask(question(f"number {number}?"))
    assert len(server.asks) == 4


def test_a_try_of_unknown_outcome_is_booked_at_the_most_it_can_cost(bench: Bench) -> None:
    garbled = Raw(b"<html>")
    server = bench.serve(lambda ask: SEVEN if ask.number else garbled)
    budget = bench.budget()
    bench.model(server, budget).ask(question(max_tokens=5000))
    booked = {line.ending: line.usage for line in budget.spending()}
    assert booked[Ending.ANSWERED] == Usage(20, 50)
    assert booked[Ending.GARBLED].completion_tokens == 5000


def test_the_ledger_tells_calls_tokens_money_and_failures(bench: Bench) -> None:
    replies: list[Reaction] = [Raw(b"", 429), Raw(b"", 503), Raw(b"", 503), Say("?"), SEVEN]
    server = bench.serve(lambda ask: replies[min(ask.number, 4)])
    budget = bench.budget(prices={"some-model": {"input": 10.0, "output": 100.0}})
    bench.model(server, budget).ask(question())
    assert summary(budget.spending()) == [
        "describe by some-model: 5 calls, 30 tokens in, 55 out, $0.0058",
        "once: the answer was not JSON",
        "once: the endpoint asked to wait (HTTP 429)",
        "twice: the endpoint failed (HTTP 5xx)",
    ]


def test_processes_share_the_ledger_of_a_run(tmp_path: Path) -> None:
    with Store(tmp_path / "one.sqlite") as store, Store(tmp_path / "one.sqlite") as other:
        limits = Limits(calls=50)
        budgets = [Budget(each, "run", limits, Prices()) for each in (store, other)]
        granted = []
        lock = threading.Lock()

        def spend(budget: Budget) -> None:
            for _ in range(40):
                held = budget.reserve(REQUEST)
                if held is not None:
                    budget.settle(held, Ending.ANSWERED, Usage(1, 1))
                    with lock:
                        granted.append(held)

        threads = [threading.Thread(target=spend, args=(budget,)) for budget in budgets]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(granted) == 50


@given(st.text(max_size=300), st.integers(1, 100))
def test_the_estimate_is_never_below_one_token_for_two_bytes(text: str, most: int) -> None:
    request = Request("judge", 1, (Message("user", text),), None, "m", Sampling(most))
    usage = most_usage(request)
    assert usage.prompt_tokens * 2 >= len(text.encode())
    assert usage.completion_tokens == most


def test_a_price_is_found_for_dated_versions_but_not_for_other_models() -> None:
    prices = Prices()
    assert prices.of("gpt-4o-mini-2024-07-18") == prices.of("gpt-4o-mini") == Price(0.15, 0.6)
    assert prices.of("gpt-5-pro") is None
    assert prices.of("gpt-4o-audio-preview") is None


def test_own_prices_come_first_and_batches_pay_a_part() -> None:
    own = {"gpt-4o": {"input": 1, "output": 2}, "mine": {"input": 4, "output": 8}}
    assert Prices(own).of("gpt-4o") == Price(1, 2)
    assert Prices(own, share=0.5).of("mine") == Price(2, 4)


@pytest.mark.parametrize("entry", [{"input": 1}, {"input": -1, "output": 1}, 3, {"input": "x"}])
def test_a_price_that_is_none_is_named(entry: object) -> None:
    with pytest.raises(PauError, match="price of mine: give input and output"):
        Prices({"mine": entry})


def test_money_is_rounded_up_to_the_safe_side() -> None:
    assert Price(0.15, 0.6).nanodollars(Usage(1, 0)) == 150
    assert Price(0.0001, 0.0).nanodollars(Usage(1, 0)) == 1


def test_a_limit_of_cost_needs_the_price_of_every_model() -> None:
    prices = Prices()
    prices.check(["gpt-4o"])
    with pytest.raises(PauError, match=r"--max-cost: no price is known for some-model"):
        prices.check(["gpt-4o", "some-model"])

"""A model over a server that the test holds in its hand."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from builder.model.budget import Budget, Limits
from builder.model.client import Model, Question, UnusableAnswerError
from builder.model.endpoint import Endpoint
from builder.model.live import Live, Patience
from builder.model.prices import Prices
from builder.model.request import Message, Sampling
from builder.model.settings import ModelSettings, open_model
from builder.model.store import Store
from tests.model.server import Ask, ModelServer, Reaction

KEY = "sk-a-very-secret-key"
QUICK = Patience(sending=1.0, first_wait=0.001, longest_wait=0.002)


def read_number(text: str) -> int:
    """Read ``{"number": 7}``."""
    answer = json.loads(text)
    if not isinstance(answer, dict) or type(answer.get("number")) is not int:
        raise UnusableAnswerError("number is missing")
    return int(answer["number"])


def question(words: str = "Which number?", max_tokens: int = 50) -> Question[int]:
    """Ask for a number in JSON."""
    return Question(
        task="describe",
        prompt_version=1,
        messages=(Message("user", words),),
        schema={"type": "object"},
        read=read_number,
        repair=lambda wrong: f"That was no use: {wrong}.",
        sampling=Sampling(max_tokens),
    )


class Bench:
    """One store, and models over it for any server."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.path = folder / "model.sqlite"
        self._stack = stack
        self.store = stack.enter_context(Store(self.path))

    def serve(self, react: Callable[[Ask], Reaction]) -> ModelServer:
        """Start a server that lives as long as the test."""
        return self._stack.enter_context(ModelServer(react))

    def budget(self, limits: Limits | None = None, run: str = "run", prices: Any = None) -> Budget:
        """Open the ledger of a run."""
        return Budget(self.store, run, limits or Limits(), Prices(prices))

    def live(self, server: ModelServer, budget: Budget | None = None, **options: Any) -> Live:
        """Connect to a server."""
        settings = {"concurrency": 8, "patience": QUICK, "kept_since": 0.0, **options}
        endpoint = Endpoint(KEY, server.base_url)
        live = Live(self.store, budget or self.budget(), endpoint, **settings)
        self._stack.callback(live.close)
        return live

    def model(self, server: ModelServer, budget: Budget | None = None, **options: Any) -> Model:
        """Make a model that a server answers for."""
        budget = budget or self.budget()
        models = options.pop("models", {"describe": "some-model"})
        kept_since = options.get("kept_since", 0.0) if options.get("keep", True) else None
        live = self.live(server, budget, **options)
        return Model(models, self.store, budget, live, kept_since)


def ask_in_process(store: Path, address: str) -> None:
    """Ask one question, in a process of its own."""
    settings = ModelSettings({"describe": "some-model"}, store, Endpoint(KEY, address))
    with open_model(settings) as model:
        model.ask(question())

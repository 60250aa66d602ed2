"""What tokens cost, where it is known."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import PauError
from builder.model.request import Usage

_FILE = Path(__file__).with_name("prices.toml")
_DATE = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8})$")


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a model, in US dollars for a million tokens."""

    input: float
    output: float

    def nanodollars(self, usage: Usage) -> int:
        """Return what a reply costs, in billionths of a dollar, rounded up to the safe side."""
        microdollars = usage.prompt_tokens * self.input + usage.completion_tokens * self.output
        return -int(-microdollars * 1000 // 1)


class Prices:
    """Prices by the name of the model."""

    def __init__(self, own: Mapping[str, Any] | None = None, share: float = 1.0) -> None:
        """Take the known prices and the user's own.

        Args:
            own: from the name of a model to its ``input`` and ``output`` price.
            share: what part of the price is to be paid: 0.5 for a batch.

        Raises:
            PauError: an own price is not a pair of numbers.
        """
        self._share = share
        self._prices = _read(tomllib.loads(_FILE.read_text())) | _read(own or {})

    def of(self, model: str) -> Price | None:
        """Return the price of a model; None: not known."""
        price = self._prices.get(model) or self._prices.get(_DATE.sub("", model))
        return price and Price(price.input * self._share, price.output * self._share)

    def check(self, models: Iterable[str]) -> None:
        """Make sure that the cost of these models can be limited.

        Raises:
            PauError: a price is not known.
        """
        for model in models:
            if self.of(model) is None:
                raise PauError(
                    f"--max-cost: no price is known for {model};"
                    " give one under [model.prices], or use --max-tokens"
                )


def _read(table: Mapping[str, Any]) -> dict[str, Price]:
    prices = {}
    for model, entry in table.items():
        try:
            price = Price(float(entry["input"]), float(entry["output"]))
        except (TypeError, KeyError, ValueError):
            price = Price(-1, -1)
        if not (price.input >= 0 and price.output >= 0):
            raise PauError(
                f"price of {model}: give input and output, in dollars for a million tokens,"
                " such as {input = 0.5, output = 1.5}"
            )
        prices[model] = price
    return prices

"""What a run may spend on models and what it has spent.

Every sending is reserved before and settled after, in the store itself: so the limits hold over
all threads and worker processes of a run together, and the figures survive its end.
"""

from dataclasses import dataclass

from builder.errors import BelowBarError
from builder.model.prices import Prices
from builder.model.request import Ending, Request, Usage, canonical_json
from builder.model.store import Store

_IN_FLIGHT, _STORED, _FORESEEN = "in_flight", "stored", "foreseen"
_FREE = (_STORED, _FORESEEN)
_BYTES_A_TOKEN = 2
"""Text and code have 3 to 4 bytes a token, lists of numbers about 2."""
_TOKENS_A_MESSAGE = 8


class BudgetReachedError(BelowBarError):
    """The next call would go over a limit of the run."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Most that one run may spend; None: no limit."""

    cost: float | None = None
    """US dollars."""
    tokens: int | None = None
    """Prompt and completion together."""
    calls: int | None = None
    """Requests sent, failed ones too."""


@dataclass(frozen=True, slots=True)
class Spending:
    """One line of the ledger: calls of one task and model that ended alike."""

    task: str
    model: str
    ending: str
    """An ``Ending``; ``in_flight`` for what was sent and never came back; ``stored`` for answers
    that were there already; ``foreseen`` for what a dry run would send."""
    calls: int
    usage: Usage
    nanodollars: int

    @property
    def sent(self) -> bool:
        """Whether anything was sent."""
        return self.ending not in _FREE

    @property
    def foreseen(self) -> bool:
        """Whether it is an estimate."""
        return self.ending == _FORESEEN


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one sending may come to at most."""

    request: Request
    usage: Usage
    nanodollars: int


class Budget:
    """Limits and ledger of one run. Every method may be called from any thread."""

    def __init__(self, store: Store, run: str, limits: Limits, prices: Prices) -> None:
        """Take part in a run.

        Args:
            store: where the ledger is kept.
            run: name of the run, the same in all its processes.
            limits: what may be spent.
            prices: what is known of prices.
        """
        self._store, self._run, self._limits, self._prices = store, run, limits, prices

    def reserve(self, request: Request) -> Reservation | None:
        """Set aside the most that a sending can come to; None: a limit does not allow it."""
        held = self.most(request)
        with self._store.transaction() as connection:
            ((calls, tokens, cost),) = connection.execute(
                "SELECT total(calls), total(prompt_tokens + completion_tokens), total(nanodollars)"
                " FROM ledger WHERE run = ? AND ending NOT IN (?, ?)",
                (self._run, *_FREE),
            ).fetchall()
            limits = self._limits
            if (
                _over(calls + 1, limits.calls)
                or _over(tokens + held.usage.tokens, limits.tokens)
                or _over((cost + held.nanodollars) / 1e9, limits.cost)
            ):
                return None
            connection.execute(*self._add(request, _IN_FLIGHT, 1, held.usage, held.nanodollars))
        return held

    def most(self, request: Request) -> Reservation:
        """Return what is set aside for a request."""
        usage = most_usage(request)
        return Reservation(request, usage, self._nanodollars(request.model, usage))

    def settle(self, held: Reservation, ending: Ending, usage: Usage | None) -> None:
        """Book a sending at what it came to; None: unknown, so at the most it can be."""
        request = held.request
        usage = held.usage if usage is None else usage
        cost = self._nanodollars(request.model, usage)
        with self._store.transaction() as connection:
            connection.execute(
                *self._add(request, _IN_FLIGHT, -1, _minus(held.usage), -held.nanodollars)
            )
            connection.execute(*self._add(request, ending, 1, usage, cost))

    def rebook(self, request: Request, ending: Ending, usage: Usage) -> None:
        """Move an answer to the line of what was wrong with it."""
        cost = self._nanodollars(request.model, usage)
        with self._store.transaction() as connection:
            connection.execute(*self._add(request, Ending.ANSWERED, -1, _minus(usage), -cost))
            connection.execute(*self._add(request, ending, 1, usage, cost))

    def note_stored(self, request: Request) -> None:
        """Count an answer that was there already."""
        with self._store.transaction() as connection:
            connection.execute(*self._add(request, _STORED, 1, Usage(), 0))

    def foresee(self, request: Request) -> None:
        """Count what a sending would come to at most."""
        most = self.most(request)
        with self._store.transaction() as connection:
            connection.execute(*self._add(request, _FORESEEN, 1, most.usage, most.nanodollars))

    def spending(self) -> list[Spending]:
        """Return the ledger of the run, sorted by task, model and ending."""
        rows = self._store.read(
            "SELECT task, model, ending, calls, prompt_tokens, completion_tokens, nanodollars"
            " FROM ledger WHERE run = ? AND calls != 0 ORDER BY task, model, ending",
            self._run,
        )
        return [
            Spending(task, model, ending, calls, Usage(asked, answered), cost)
            for task, model, ending, calls, asked, answered, cost in rows
        ]

    def reached(self) -> BudgetReachedError:
        """Say which limits the run has and what was spent."""
        spent = [line for line in self.spending() if line.sent]
        calls = sum(line.calls for line in spent)
        tokens = sum(line.usage.tokens for line in spent)
        cost = sum(line.nanodollars for line in spent) / 1e9
        limits = {
            "--max-cost": self._limits.cost,
            "--max-tokens": self._limits.tokens,
            "--max-calls": self._limits.calls,
        }
        given = ", ".join(f"{name} {value}" for name, value in limits.items() if value is not None)
        return BudgetReachedError(
            f"the next model call would go over the budget ({given}); so far {calls} calls,"
            f" {tokens} tokens, ${cost:.4f}; every answer is kept:"
            " run again with a larger budget to go on"
        )

    def _nanodollars(self, model: str, usage: Usage) -> int:
        price = self._prices.of(model)
        return 0 if price is None else price.nanodollars(usage)

    def _add(
        self, request: Request, ending: str, calls: int, usage: Usage, nanodollars: int
    ) -> tuple[str, tuple[object, ...]]:
        return (
            "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " calls = calls + excluded.calls,"
            " prompt_tokens = prompt_tokens + excluded.prompt_tokens,"
            " completion_tokens = completion_tokens + excluded.completion_tokens,"
            " nanodollars = nanodollars + excluded.nanodollars",
            (
                self._run,
                request.task,
                request.model,
                str(ending),
                calls,
                usage.prompt_tokens,
                usage.completion_tokens,
                nanodollars,
            ),
        )


def most_usage(request: Request) -> Usage:
    """Estimate from above what tokens a request takes."""
    size = sum(len(message.content.encode()) for message in request.messages)
    if request.schema is not None:
        size += len(canonical_json(request.schema))
    prompt = size // _BYTES_A_TOKEN + _TOKENS_A_MESSAGE * (1 + len(request.messages))
    return Usage(prompt, request.sampling.max_tokens)


def _over(amount: float, limit: float | None) -> bool:
    return limit is not None and amount > limit


def _minus(usage: Usage) -> Usage:
    return Usage(-usage.prompt_tokens, -usage.completion_tokens)

"""Putting questions off to the vendor's batches: half the price, an answer within a day.

Rows whose questions are not answered yet wait. At the end of a run what was asked is handed in;
a later run collects the answers under the same keys as live ones, and hands in what failed and
what follows. A batch is entered in the store before it is handed in, under a token that the
vendor keeps with it: so a batch whose id was never received is found again, not paid twice.
"""

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from builder.errors import PauError
from builder.model.budget import Budget
from builder.model.client import WaitingForModelError
from builder.model.delivery import Delivery, body_of, received, record_of
from builder.model.endpoint import Endpoint, unmendable
from builder.model.request import Ending, Record, Request, Usage
from builder.model.store import Store

if TYPE_CHECKING:
    from openai.types import Batch as Remote

MOST_REQUESTS = 50_000
MOST_BYTES = 100_000_000
"""Of one batch; the vendor's limits are 50,000 requests and 200 MB."""
_TOKEN = "pau_token"
_RUNNING = ("validating", "in_progress", "finalizing", "cancelling")
_SECONDS = 300.0


class Batch:
    """The back end that notes every request and answers none."""

    def __init__(self, store: Store) -> None:
        """Note requests in ``store``."""
        self._store = store

    def fetch(self, request: Request) -> Record:
        """See ``BackEnd``."""
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO waiting VALUES (?, ?, NULL)",
                (request.key, json.dumps(request.to_json())),
            )
        raise WaitingForModelError(f"waits for a batch of {request.model}")

    def close(self) -> None:
        """See ``BackEnd``."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A batch that was handed in, as the store has it."""

    token: str
    id: str | None
    """None: it was never received."""
    model: str
    budget: Budget
    """That of the run which handed it in."""


class BatchDesk:
    """Hands in and collects batches. For one process at a time."""

    def __init__(
        self, store: Store, endpoint: Endpoint, budget_of: Callable[[str], Budget]
    ) -> None:
        """Connect.

        Args:
            store: has the requests that wait, and takes the replies.
            endpoint: the vendor.
            budget_of: returns the budget of a run by its name.
        """
        import openai

        self._store, self._endpoint, self._budget_of = store, endpoint, budget_of
        self._client = openai.OpenAI(
            api_key=endpoint.key, base_url=endpoint.address, timeout=_SECONDS
        )

    def close(self) -> None:
        """Close every connection."""
        self._client.close()

    def collect(self) -> list[str]:
        """Take in what has been answered; return one line for each batch.

        What earlier runs noted and did not hand in is forgotten: rows that still need it ask again.

        Raises:
            PauError: the vendor cannot be reached, or refuses.
        """
        with self._store.transaction() as connection:
            connection.execute("DELETE FROM waiting WHERE batch IS NULL")
        return [self._collect(batch) for batch in self._open()]

    def submit(self, run: str) -> list[str]:
        """Hand in what waits, as far as the budget of ``run`` goes; return a line for each batch.

        Raises:
            BudgetReachedError: not everything could be handed in.
            PauError: the vendor cannot be reached, or refuses.
        """
        budget = self._budget_of(run)
        lines = []
        for model, requests in groupby(self._unsent(), key=lambda request: request.model):
            for part in _parts(list(requests)):
                held = [request for request in part if budget.reserve(request) is not None]
                if held:
                    lines.append(self._hand_in(run, model, held))
                if len(held) < len(part):
                    raise budget.reached()
        return lines

    def _open(self) -> list[_Open]:
        rows = self._store.read("SELECT token, id, model, run FROM batches ORDER BY token")
        return [_Open(token, id_, model, self._budget_of(run)) for token, id_, model, run in rows]

    def _unsent(self) -> list[Request]:
        rows = self._store.read("SELECT request FROM waiting WHERE batch IS NULL ORDER BY key")
        requests = [Request.from_json(json.loads(request)) for (request,) in rows]
        return sorted(requests, key=lambda request: request.model)

    def _hand_in(self, run: str, model: str, requests: Sequence[Request]) -> str:
        token = secrets.token_hex(16)
        with self._store.transaction() as connection:
            connection.execute("INSERT INTO batches VALUES (?, NULL, ?, ?)", (token, run, model))
            connection.executemany(
                "UPDATE waiting SET batch = ? WHERE key = ?",
                [(token, request.key) for request in requests],
            )
        content = "".join(_line(request) + "\n" for request in requests).encode()
        with _told():
            file = self._client.files.create(file=("requests.jsonl", content), purpose="batch")
            # Never twice: if no answer comes, the batch is looked for under its token.
            remote = self._client.with_options(max_retries=0).batches.create(
                input_file_id=file.id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                metadata={_TOKEN: token},
            )
        self._name(token, remote.id)
        return f"batch {remote.id}: {len(requests)} questions handed in to {model}"

    def _name(self, token: str, remote_id: str) -> None:
        with self._store.transaction() as connection:
            connection.execute("UPDATE batches SET id = ? WHERE token = ?", (remote_id, token))

    def _collect(self, batch: _Open) -> str:
        with _told():
            remote = self._remote(batch)
            if remote is None:
                self._give_back(batch)
                return f"a batch to {batch.model} never arrived: its questions are handed in again"
            if remote.status in _RUNNING:
                counts = remote.request_counts
                done = f"{counts.completed} of {counts.total} done" if counts else "not begun"
                return f"batch {remote.id}: {remote.status}, {done}; run again later to collect it"
            endings = Counter(
                self._take(batch, line)
                for file_id in (remote.output_file_id, remote.error_file_id)
                if file_id
                for line in self._client.files.content(file_id).text.splitlines()
            )
        again = self._give_back(batch)
        told = [f"{endings[ending]} {ending.value}" for ending in Ending if endings[ending]]
        if remote.errors and remote.errors.data:
            words = " ".join(str(remote.errors.data[0].message).split())
            told.append(self._endpoint.redact(words)[:200])
        told.append(f"{again} to be asked again")
        return f"batch {remote.id}: {remote.status}; {', '.join(told)}"

    def _remote(self, batch: _Open) -> "Remote | None":
        """Ask for the state of a batch, by its token if the id is not known."""
        if batch.id is not None:
            return self._client.batches.retrieve(batch.id)
        for remote in self._client.batches.list(limit=100):
            if (remote.metadata or {}).get(_TOKEN) == batch.token:
                self._name(batch.token, remote.id)
                return remote
        return None

    def _take(self, batch: _Open, line: str) -> Ending | None:
        """Keep one line of a result; None: it belongs to nothing that waits for this batch."""
        key, delivery = _read_line(self._endpoint.redact(line))
        rows = self._store.read(
            "SELECT request FROM waiting WHERE key = ? AND batch = ?", key, batch.token
        )
        if not rows:
            return None
        request = Request.from_json(json.loads(rows[0][0]))
        if delivery.ending.arrived:
            self._store.put(record_of(request, body_of(request), delivery))
            batch.budget.settle(batch.budget.most(request), delivery.ending, delivery.usage)
        return delivery.ending

    def _give_back(self, batch: _Open) -> int:
        """Let what has no answer be handed in again; return how many that are."""
        rows = self._store.read("SELECT request FROM waiting WHERE batch = ?", batch.token)
        for (request,) in rows:
            held = batch.budget.most(Request.from_json(json.loads(request)))
            batch.budget.settle(held, Ending.SERVER_ERROR, Usage())
        with self._store.transaction() as connection:
            connection.execute("UPDATE waiting SET batch = NULL WHERE batch = ?", (batch.token,))
            connection.execute("DELETE FROM batches WHERE token = ?", (batch.token,))
        return len(rows)


def _line(request: Request) -> str:
    line = {
        "custom_id": request.key,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": body_of(request),
    }
    return json.dumps(line)


def _read_line(line: str) -> tuple[str, Delivery]:
    """Read key and reply from a line of a result, which may be anything."""
    try:
        plain = json.loads(line)
        key = str(plain["custom_id"])
        response = plain.get("response") or {}
        status, body = response.get("status_code"), json.dumps(response.get("body"))
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", Delivery(Ending.GARBLED)
    if status == 200:
        return key, received(body)
    if status in (400, 413, 422):
        detail = f"HTTP {status}: {body[:300]}"
        return key, Delivery(Ending.BAD_REQUEST, body, detail, Usage())
    return key, Delivery(Ending.SERVER_ERROR, usage=Usage())


def _parts(requests: Sequence[Request]) -> Iterator[list[Request]]:
    """Divide requests into batches that the vendor takes."""
    part: list[Request] = []
    size = 0
    for request in requests:
        length = len(_line(request)) + 1
        if part and (len(part) == MOST_REQUESTS or size + length > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(request)
        size += length
    if part:
        yield part


@contextmanager
def _told() -> Iterator[None]:
    """Turn what the client raises into one line without secrets."""
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        status, missing = error.status_code, "no batches"
        raise unmendable(status, error.code, missing) or PauError(
            f"the model endpoint did not take or give a batch (HTTP {status});"
            " nothing is lost: run again later"
        ) from None
    except openai.APIError as error:
        raise PauError(
            f"the model endpoint cannot be reached for a batch ({type(error).__name__});"
            " nothing is lost: run again later"
        ) from None

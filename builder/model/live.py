"""Asking an endpoint for replies: many at a time, again where that helps, never over the budget.

The calls run in an event loop of their own thread; callers of any thread wait for theirs.
"""

import asyncio
import random
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, TypeVar

from builder.errors import PauError
from builder.model.budget import Budget
from builder.model.delivery import OPTIONAL_FIELDS, Delivery, body_of, record_of
from builder.model.endpoint import Connection, Endpoint
from builder.model.request import Ending, Json, Record, Request, Usage
from builder.model.store import Store

Result = TypeVar("Result")

_CLAIM_SECONDS = 0.05
"""How often to look whether another process is done with the same request."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to hope for a reply. Times in seconds."""

    sending: float = 180.0
    """Limit of one sending."""
    tries: int = 16
    """Sendings of one request, until the model has spoken."""
    tries_unseen: int = 5
    """The same while nothing has ever come back: the address may be wrong, so the run ends then."""
    first_wait: float = 0.5
    """Doubled after each try, with a random part."""
    longest_wait: float = 20.0
    longest_asked_wait: float = 300.0
    """Longest wait that an endpoint may ask for."""
    silences: int = 5
    """So many requests in a row without any reply end the run, and so many that the endpoint calls
    wrong before it has answered any."""


class Live:
    """Fetches records from an endpoint. Every method may be called from any thread."""

    def __init__(
        self,
        store: Store,
        budget: Budget,
        endpoint: Endpoint,
        *,
        concurrency: int,
        patience: Patience,
        kept_since: float,
        keep: bool = True,
    ) -> None:
        """Start the event loop and load the client; nothing is sent yet.

        Args:
            store: where replies are kept.
            budget: what may be spent.
            endpoint: who is asked.
            concurrency: most sendings at a time, in this process.
            patience: how long to try.
            kept_since: a reply in the store counts if it is as new as this (seconds since the
                epoch); another process may put it there while this one waits.
            keep: whether to use the store at all.
        """
        self._store, self._budget, self._endpoint = store, budget, endpoint
        self._concurrency, self._patience = concurrency, patience
        self._kept_since, self._keep = kept_since, keep
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting = threading.Lock()
        self._flights: dict[str, asyncio.Task[Record]] = {}
        self._unknown_fields: dict[str, frozenset[str]] = {}
        self._held = 0
        self._silences = 0
        self._refusals = 0
        self._seen = False
        self._has_answered = False
        self._go_on_at = 0.0
        # Now, not with the first call: the client's modules parse Python when they are imported,
        # and Python 3.11 fails if another thread, which works meanwhile, parses some too.
        self._start()

    def fetch(self, request: Request) -> Record:
        """Ask for the reply to a request; equal requests at the same time share one call.

        Returns:
            What came back, kept already. Its ending says that nothing did, if nothing did.

        Raises:
            BudgetReachedError: the call would go over a limit.
            PauError: the endpoint refuses all requests, or answers none.
        """
        return self._run(self._shared(request))

    def close(self) -> None:
        """Drop what is in flight and close every connection."""
        if self._loop is not None:
            self._run(self._hang_up())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop = None

    def _run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        with self._starting:
            loop = self._loop or self._start()
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
        try:
            return future.result()
        except CancelledError:
            raise PauError("the model stage was closed while it was waiting") from None
        except BaseException:
            future.cancel()
            raise

    def _start(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(loop,), name="model", daemon=True)
        self._connection = Connection(self._endpoint, self._patience.sending)
        self._slots = asyncio.Semaphore(self._concurrency)
        self._thread.start()
        self._loop = loop
        return loop

    async def _hang_up(self) -> None:
        flights = list(self._flights.values())
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        await self._connection.close()

    async def _shared(self, request: Request) -> Record:
        flight = self._flights.get(request.key)
        if flight is None:
            flight = asyncio.create_task(self._claimed(request))
            self._flights[request.key] = flight
            flight.add_done_callback(lambda _: self._flights.pop(request.key))
        return await asyncio.shield(flight)

    async def _claimed(self, request: Request) -> Record:
        """Ask unless another process is asking or has asked."""
        async with self._slots:
            if not self._keep:
                return await self._ask(request)
            while not self._store.claim(request.key):
                await asyncio.sleep(_CLAIM_SECONDS)
            try:
                kept = self._store.get(request.key)
                spoken = kept is not None and kept.ending.arrived
                if kept and spoken and kept.recorded_at >= self._kept_since:
                    return kept
                record = await self._ask(request)
                if record.ending.arrived or not spoken:
                    self._store.put(record)
                return record
            finally:
                self._store.release(request.key)

    async def _ask(self, request: Request) -> Record:
        """Send until the model has spoken or patience ends."""
        failed: list[str] = []
        while True:
            body = body_of(request, self._unknown_fields.get(request.model, frozenset()))
            delivery = await self._send(request, body)
            if delivery.ending is Ending.BAD_REQUEST and self._forgo(request.model, body, delivery):
                continue
            if delivery.ending.arrived or self._is_last(delivery, len(failed)):
                self._listen(delivery)
                return record_of(request, body, delivery, failed)
            failed.append(delivery.detail or delivery.ending.sentence)
            await self._wait(request, delivery, len(failed))

    async def _send(self, request: Request, body: Json) -> Delivery:
        while self._go_on_at > time.monotonic():
            await asyncio.sleep(self._go_on_at - time.monotonic())
        while (held := self._budget.reserve(request)) is None:
            if not self._held:
                raise self._budget.reached()
            await asyncio.sleep(_CLAIM_SECONDS)  # others may come to less than they reserved
        self._held += 1
        ending, usage = Ending.CONNECTION, None
        try:
            delivery = await self._connection.send(body, f"{request.key}-{len(body)}")
            ending, usage = delivery.ending, delivery.usage
            self._seen |= ending not in (Ending.CONNECTION, Ending.TIMEOUT)
            return delivery
        except PauError:  # refused, so not charged for
            ending, usage = Ending.BAD_REQUEST, Usage()
            raise
        finally:
            self._held -= 1
            self._budget.settle(held, ending, usage)

    def _forgo(self, model: str, body: Json, delivery: Delivery) -> bool:
        """Learn from a complaint which field the endpoint does not know; False: none."""
        named = [name for name in OPTIONAL_FIELDS if name in body and name in delivery.body]
        if "response_format" in body and "json_schema" in delivery.body:
            named.append("response_format")
        if named:
            known = self._unknown_fields.get(model, frozenset())
            self._unknown_fields[model] = known | {named[0]}
        return bool(named)

    def _is_last(self, delivery: Delivery, failed: int) -> bool:
        if (delivery.wait_seconds or 0) > self._patience.longest_asked_wait:
            return True
        unseen = delivery.ending is Ending.CONNECTION and not self._seen
        return failed + 1 >= (self._patience.tries_unseen if unseen else self._patience.tries)

    def _listen(self, delivery: Delivery) -> None:
        """Note whether the endpoint is there; end the run if it is not, or is there for nothing."""
        if delivery.ending.arrived:
            self._silences = 0
            self._note_answer(delivery)
            return
        self._silences += 1
        if not self._seen or self._silences >= self._patience.silences:
            reason = delivery.detail or delivery.ending.sentence
            raise PauError(
                f"the model endpoint gives no usable reply: {reason};"
                " every answer is kept: check OPENAI_BASE_URL and run again"
            )

    def _note_answer(self, delivery: Delivery) -> None:
        """Note whether the endpoint answers at all; end the run if it calls all requests wrong."""
        self._has_answered |= delivery.ending is not Ending.BAD_REQUEST
        self._refusals += not self._has_answered
        if not self._has_answered and self._refusals >= self._patience.silences:
            raise PauError(
                f"the model endpoint calls every request wrong: {delivery.detail};"
                " check --model and the options of the endpoint, then run again with"
                " --replies refresh"
            )

    async def _wait(self, request: Request, delivery: Delivery, failed: int) -> None:
        if delivery.wait_seconds is not None:
            # Whoever else sends now would be told the same.
            self._go_on_at = max(self._go_on_at, time.monotonic() + delivery.wait_seconds)
            return
        longest = min(self._patience.first_wait * 2 ** (failed - 1), self._patience.longest_wait)
        spread = random.Random(f"{request.key}{failed}").uniform(0.5, 1)
        await asyncio.sleep(longest * spread)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()
    loop.close()

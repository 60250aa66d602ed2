"""An OpenAI-compatible endpoint: where it is, its key, and one sending to it.

The key and the address are secrets: they stand in no message, record or ``repr``.
"""

import asyncio
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from builder.errors import PauError
from builder.model.reply import read_reply
from builder.model.request import Ending, Json, Usage

if TYPE_CHECKING:
    import openai

_KEY, _ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"
_HIDDEN = "[hidden]"
_SHORTEST_SECRET = 8
"""Shorter keys ("none", "EMPTY") are no secrets, and stand in honest text."""
_CONNECT_SECONDS = 10
_WAIT_STATUSES = (408, 409, 425, 429)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where models answer."""

    key: str = field(repr=False)
    address: str | None = field(repr=False)
    """None: that of the vendor."""

    @classmethod
    def from_settings(cls, table: Mapping[str, Any]) -> "Endpoint":
        """Find the endpoint: environment first, then ``api_key`` and ``base_url`` of ``table``.

        Raises:
            PauError: there is neither a key nor an address.
        """
        key = os.environ.get(_KEY) or table.get("api_key")
        address = os.environ.get(_ADDRESS) or table.get("base_url")
        if not key and not address:
            raise PauError(
                f"--model needs an endpoint: set {_KEY}, and {_ADDRESS} unless it is the vendor's"
                " own (or api_key and base_url under [model] in the configuration file)"
            )
        return cls(str(key or "none"), str(address) if address else None)

    def redact(self, text: str) -> str:
        """Take the secrets out of a text."""
        for secret in (self.key, self.address):
            if secret and len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, _HIDDEN)
        return text


@dataclass(frozen=True, slots=True)
class Delivery:
    """How one sending ended."""

    ending: Ending
    body: str = ""
    detail: str = ""
    usage: Usage | None = None
    """None: not known, so it may have been charged for."""
    finish_reason: str = ""
    served_model: str = ""
    wait_seconds: float | None = None
    """How long the endpoint asks to wait before the next try."""
    seconds: float = 0.0


class Connection:
    """An open client for one endpoint; to be used inside one event loop."""

    def __init__(self, endpoint: Endpoint, seconds: float) -> None:
        """Open it.

        Args:
            endpoint: where to.
            seconds: limit for one sending, from the first byte sent to the last one received.

        Raises:
            PauError: the address is not one.
        """
        import openai  # takes half a second, and a build without a model does not need it

        self._endpoint, self._seconds = endpoint, seconds
        for name in ("openai", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)  # they tell the address
        try:
            self._client = openai.AsyncOpenAI(
                api_key=endpoint.key,
                base_url=endpoint.address,
                max_retries=0,
                timeout=openai.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
            )
        except Exception:  # its text holds the address
            raise PauError(f"{_ADDRESS} is not a web address such as http://HOST:PORT/v1") from None

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def send(self, body: Json, key: str) -> Delivery:
        """Send a chat completion once.

        Args:
            body: the body of the request.
            key: the same for every sending of the same request, so that an endpoint that looks
                at it answers a repeated one once.

        Raises:
            PauError: the endpoint refuses every request of this kind, so asking on is no use.
        """
        import openai

        start = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                raw = await self._client.chat.completions.with_raw_response.create(
                    **body, extra_headers={"Idempotency-Key": key}
                )
            return self._received(raw.http_response.text, start)
        except openai.APIStatusError as error:
            return self._refused(error, body["model"])
        except (openai.APITimeoutError, TimeoutError):
            return Delivery(Ending.TIMEOUT, seconds=time.monotonic() - start)
        except openai.APIConnectionError as error:
            never_sent = "Connect" in type(error.__cause__).__name__
            return Delivery(Ending.CONNECTION, usage=Usage() if never_sent else None)

    def _received(self, body: str, start: float) -> Delivery:
        reply = read_reply(body)
        return Delivery(
            ending=reply.ending,
            body=self._endpoint.redact(body),
            usage=reply.usage,
            finish_reason=reply.finish_reason,
            served_model=self._endpoint.redact(reply.served_model),
            seconds=time.monotonic() - start,
        )

    def _refused(self, error: "openai.APIStatusError", model: str) -> Delivery:
        status, body = error.status_code, self._endpoint.redact(error.response.text)
        if status in (401, 403):
            raise PauError(f"the model endpoint refuses the key (HTTP {status}): check {_KEY}")
        if status == 404:
            raise PauError(
                f"the model endpoint knows no chat model {model} (HTTP 404):"
                f" check --model and {_ADDRESS}"
            )
        if status == 402 or error.code == "insufficient_quota":
            raise PauError(
                f"the model endpoint wants to be paid (HTTP {status});"
                " every answer is kept: top up the account and run again"
            )
        detail = f"HTTP {status}: {' '.join(body.split())[:300]}"
        if status in _WAIT_STATUSES or status >= 500:
            ending = Ending.SERVER_ERROR if status >= 500 else Ending.RATE_LIMIT
            wait = _wait_seconds(error.response.headers)
            return Delivery(ending, body, detail, Usage(), wait_seconds=wait)
        return Delivery(Ending.BAD_REQUEST, body, detail, Usage())


def _wait_seconds(headers: Mapping[str, str]) -> float | None:
    """Read how long to wait; the header holds seconds or a date."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None

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
from urllib.parse import urlsplit

from builder.errors import PauError
from builder.model.delivery import Delivery, received
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
            PauError: there is neither a key nor an address, or what is given is none.
        """
        key = os.environ.get(_KEY) or table.get("api_key")
        address = os.environ.get(_ADDRESS) or table.get("base_url")
        if not key and not address:
            raise PauError(
                f"--model needs an endpoint: set {_KEY}, and {_ADDRESS} unless it is the vendor's"
                " own (or api_key and base_url under [model] in the configuration file)"
            )
        if key and not _is_one_word(str(key)):
            raise PauError(
                f"{_KEY} holds a blank, a line break or a sign that no key has: set it again"
            )
        if address and not _is_web_address(str(address)):
            raise PauError(f"{_ADDRESS} must be a web address such as http://HOST:PORT/v1")
        return cls(str(key or "none"), str(address) if address else None)

    def redact(self, text: str) -> str:
        """Take the secrets out of a text."""
        for secret in (self.key, self.address):
            if secret and len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, _HIDDEN)
        return text


class Connection:
    """An open client for one endpoint; to be used inside one event loop."""

    def __init__(self, endpoint: Endpoint, seconds: float) -> None:
        """Open it.

        Args:
            endpoint: where to.
            seconds: limit for one sending, from the first byte sent to the last one received.
        """
        import openai  # takes half a second, and a build without a model does not need it

        self._endpoint, self._seconds = endpoint, seconds
        for name in ("openai", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)  # they tell the address
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key,
            base_url=endpoint.address,
            max_retries=0,
            timeout=openai.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
        )
        self._create = self._client.chat.completions.with_raw_response.create

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
                # As ``extra_body`` it is sent word for word, and not looked through part by part.
                raw = await self._create(
                    model=body["model"],
                    messages=(),
                    extra_body=body,
                    extra_headers={"Idempotency-Key": key},
                )
            seconds = time.monotonic() - start
            return received(self._endpoint.redact(raw.http_response.text), seconds)
        except openai.APIStatusError as error:
            return self._refused(error, body["model"])
        except (openai.APIConnectionError, TimeoutError) as error:
            seconds = time.monotonic() - start
            if "Connect" in type(error.__cause__).__name__:
                return Delivery(Ending.CONNECTION, usage=Usage(), seconds=seconds)  # never sent
            is_late = isinstance(error, openai.APITimeoutError | TimeoutError)
            return Delivery(Ending.TIMEOUT if is_late else Ending.CONNECTION, seconds=seconds)

    def _refused(self, error: "openai.APIStatusError", model: str) -> Delivery:
        status, body = error.status_code, self._endpoint.redact(error.response.text)
        if fatal := unmendable(status, error.code, f"no chat model {model}"):
            raise fatal
        detail = f"HTTP {status}: {' '.join(body.split())[:300]}"
        if status in _WAIT_STATUSES or status >= 500:
            ending = Ending.SERVER_ERROR if status >= 500 else Ending.RATE_LIMIT
            wait = _wait_seconds(error.response.headers)
            return Delivery(ending, body, detail, Usage(), wait_seconds=wait)
        return Delivery(Ending.BAD_REQUEST, body, detail, Usage())


def unmendable(status: int, code: str | None, missing: str) -> PauError | None:
    """Say why asking again is no use after a reply with this status; None: it may be some.

    Args:
        status: of HTTP.
        code: the endpoint's own word for the error.
        missing: what is not there if the status says so.
    """
    if status in (401, 403):
        return PauError(f"the model endpoint refuses the key (HTTP {status}): check {_KEY}")
    if status == 404:
        return PauError(
            f"the model endpoint knows {missing} (HTTP 404): check --model and {_ADDRESS}"
        )
    if status == 402 or code == "insufficient_quota":
        return PauError(
            f"the model endpoint wants to be paid (HTTP {status});"
            " every answer is kept: top up the account and run again"
        )
    return None


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


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return is_whole and _is_one_word(text)


def _is_one_word(text: str) -> bool:
    return all("!" <= sign <= "~" for sign in text)

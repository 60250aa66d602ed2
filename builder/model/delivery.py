"""How a request is written for an endpoint, and how one sending of it ended."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from builder.model.reply import read_reply
from builder.model.request import Ending, Json, Record, Request, Usage

OPTIONAL_FIELDS = ("max_tokens", "temperature", "seed", "response_format")
"""Fields of a request that some endpoints do not know, or know by another name."""


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


def received(body: str, seconds: float = 0.0) -> Delivery:
    """Read the body of a reply whose status was a success; ``seconds`` is how long it took."""
    reply = read_reply(body)
    return Delivery(
        ending=reply.ending,
        body=body,
        usage=reply.usage,
        finish_reason=reply.finish_reason,
        served_model=reply.served_model,
        seconds=seconds,
    )


def body_of(request: Request, unknown_fields: frozenset[str] = frozenset()) -> Json:
    """Write the body of a chat completion.

    Args:
        request: what to ask.
        unknown_fields: those of ``OPTIONAL_FIELDS`` that the endpoint does not know.
    """
    sampling = request.sampling
    body: Json = {
        "model": request.model,
        "messages": [{"role": turn.role, "content": turn.content} for turn in request.messages],
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "seed": sampling.seed,
    }
    if request.schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": request.task, "strict": True, "schema": request.schema},
        }
    if "max_tokens" in unknown_fields:
        body["max_completion_tokens"] = sampling.max_tokens
    return {name: value for name, value in body.items() if name not in unknown_fields}


def record_of(
    request: Request, body: Json, delivery: Delivery, failed: Sequence[str] = ()
) -> Record:
    """Put down a request as it was sent and what became of it, ``failed`` tries before it."""
    return Record(
        request=request,
        ending=delivery.ending,
        detail=delivery.detail,
        sent=body,
        body=delivery.body,
        finish_reason=delivery.finish_reason,
        usage=delivery.usage or Usage(),
        served_model=delivery.served_model,
        seconds=round(delivery.seconds, 4),
        failed_tries=tuple(failed),
        recorded_at=round(time.time(), 3),
    )

"""What is sent to a model, and how one sending of it ended."""

import hashlib
import json
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

Json = dict[str, Any]
"""An object of JSON: strings, numbers, booleans, None, lists and further objects."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the answer is drawn."""

    max_tokens: int
    """Most tokens of the answer; an answer that reaches them counts as cut off."""
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Request:
    """All that determines an answer. The endpoint and its key are no part of it."""

    task: str
    """What it is asked for: describe, propose, constrain, write_code or judge."""
    prompt_version: int
    messages: tuple[Message, ...]
    schema: Json | None
    """JSON schema of the answer; None: free text."""
    model: str
    sampling: Sampling
    attempt: int = 0
    """0 for the first time that the question is put; a new attempt is a new request."""

    @cached_property
    def key(self) -> str:
        """Hash under which the reply is kept, hexadecimal."""
        return hashlib.sha256(canonical_json(self.to_json()).encode()).hexdigest()

    def to_json(self) -> Json:
        """Return the request as plain JSON values."""
        return {
            **_shallow(self),
            "messages": [_shallow(message) for message in self.messages],
            "sampling": _shallow(self.sampling),
        }

    @classmethod
    def from_json(cls, plain: Json) -> "Request":
        """Read what ``to_json`` wrote.

        Raises:
            KeyError, TypeError: it is not of that form.
        """
        return cls(
            **{
                **plain,
                "messages": tuple(Message(**message) for message in plain["messages"]),
                "sampling": Sampling(**plain["sampling"]),
            }
        )


def _shallow(record: "Message | Sampling | Request | Usage | Record") -> Json:
    """Return the fields; ``asdict`` would copy what they hold, which takes a while."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def canonical_json(value: object) -> str:
    """Write JSON with one text for each value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


class Ending(StrEnum):
    """How one sending of a request ended. ``sentence`` says it to a reader."""

    sentence: str
    arrived: bool
    """Whether the model has spoken: asking again takes a new attempt, with a new key."""

    def __new__(cls, code: str, arrived: bool = False, sentence: str = "") -> "Ending":
        """Make a member whose value is ``code``."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.arrived = arrived
        member.sentence = sentence
        return member

    ANSWERED = "answered", True, "answered"
    # The model spoke, but what it said is no use.
    LENGTH = "length", True, "the answer was cut off at the most tokens allowed"
    REFUSAL = "refusal", True, "the model refused"
    EMPTY = "empty", True, "the answer was empty"
    BAD_JSON = "bad_json", True, "the answer was not JSON"
    BAD_ANSWER = "bad_answer", True, "the answer did not have the form asked for"
    BAD_REQUEST = "bad_request", True, "the endpoint calls the request itself wrong"
    # Nothing usable came over the wire.
    RATE_LIMIT = "rate_limit", False, "the endpoint asked to wait (HTTP 429)"
    SERVER_ERROR = "server_error", False, "the endpoint failed (HTTP 5xx)"
    CONNECTION = "connection", False, "the connection failed or was cut"
    TIMEOUT = "timeout", False, "no complete reply within the time limit"
    GARBLED = "garbled", False, "the reply was not a complete chat completion"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Record:
    """A request and what became of it, as the store keeps it."""

    request: Request
    ending: Ending
    detail: str = ""
    """What was wrong, for a reader; empty if nothing was."""
    sent: Json = field(default_factory=dict)
    """The body that was sent, word for word."""
    body: str = ""
    """The body that came back, word for word."""
    finish_reason: str = ""
    usage: Usage = Usage()
    served_model: str = ""
    """What the endpoint says it used."""
    seconds: float = 0.0
    """From sending to the end of the reply, of the last try."""
    failed_tries: tuple[str, ...] = ()
    """How the tries before the last one ended."""
    recorded_at: float = 0.0
    """Seconds since the epoch."""

    def to_json(self) -> Json:
        """Return the record as plain JSON values, under the key of its request."""
        return {
            "key": self.request.key,
            **_shallow(self),
            "request": self.request.to_json(),
            "usage": _shallow(self.usage),
        }

    @classmethod
    def from_json(cls, plain: Json) -> "Record":
        """Read what ``to_json`` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is not of that form, or the key is not that of
                the request.
        """
        read = {
            **plain,
            "request": Request.from_json(plain["request"]),
            "ending": Ending(plain["ending"]),
            "usage": Usage(**plain["usage"]),
            "failed_tries": tuple(plain["failed_tries"]),
        }
        if read.pop("key") != read["request"].key:
            raise ValueError("the key does not belong to the request")
        return cls(**read)

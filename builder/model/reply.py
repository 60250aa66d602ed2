"""Reading what an endpoint sent back, which may be anything."""

import json
import re
from dataclasses import dataclass
from typing import Any

from builder.model.request import Ending, Usage

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"\A```[a-zA-Z]*\n(.*?)\n?```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """One chat completion, as far as it could be read."""

    ending: Ending
    text: str = ""
    """What the model wrote, without thoughts that the server left in it."""
    finish_reason: str = ""
    usage: Usage | None = None
    """None: the endpoint did not say."""
    served_model: str = ""


def read_reply(body: str) -> Reply:
    """Read the body of a reply whose status was a success. Never raises."""
    try:
        return _read(json.loads(body))
    except (ValueError, RecursionError, KeyError, IndexError, TypeError, AttributeError):
        return Reply(Ending.GARBLED)


def _read(completion: dict[str, Any]) -> Reply:
    choice = completion["choices"][0]
    message = choice["message"]
    text = message.get("content") or ""
    finish = choice.get("finish_reason") or ""
    if not isinstance(text, str) or not isinstance(finish, str):
        raise TypeError
    text = _THOUGHTS.sub("", _without_lone_surrogates(text)).strip()
    if finish == "length":
        ending = Ending.LENGTH
    elif finish == "content_filter" or message.get("refusal"):
        ending = Ending.REFUSAL
    elif not text:
        ending = Ending.EMPTY
    else:
        ending = Ending.ANSWERED
    return Reply(ending, text, finish, _usage(completion), str(completion.get("model") or ""))


def _usage(completion: dict[str, Any]) -> Usage | None:
    usage = completion.get("usage")
    if not isinstance(usage, dict):
        return None
    asked, answered = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(asked) is not int or type(answered) is not int or min(asked, answered) < 0:
        return None
    return Usage(asked, answered)


def _without_lone_surrogates(text: str) -> str:
    """Put the replacement character where JSON held half of a character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def strip_fence(text: str) -> str:
    """Return what stands between the lines of a code fence, if the whole text is in one."""
    found = _FENCE.match(text.strip())
    return found[1] if found else text

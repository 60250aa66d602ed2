"""Calls functions in the sandbox, and keeps what they gave from one build to the next."""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Final, Protocol

from builder.release.duplicates.behaviour import (
    DIGEST_BYTES,
    NO_ANSWER,
    Answers,
    Question,
    digest,
)
from builder.release.duplicates.function import Function
from builder.sandbox.protocol import Verdict
from builder.sandbox.supervisor import Sandbox
from builder.store import toolkit_fingerprint
from builder.suite.calls import call_all

LOOP_BUDGET: Final = 10_000
"""Turns of loops in one call: inputs of other functions are not worth more."""


class Keeper(Protocol):
    """Where answers are kept."""

    def get_bytes(self, key: str) -> bytes | None:
        """Return what was put under ``key``."""

    def put_bytes(self, key: str, value: bytes) -> None:
        """Keep ``value`` under ``key``."""


class Caller:
    """Answers of functions, from the keeper or from the sandboxes, all of which work at a time."""

    def __init__(self, sandboxes: Sequence[Sandbox], keeper: Keeper) -> None:
        """Take sandboxes of one level, at least one, that nobody else uses meanwhile."""
        self._level = sandboxes[0].level
        self._free: SimpleQueue[Sandbox] = SimpleQueue()
        for sandbox in sandboxes:
            self._free.put(sandbox)
        self._keeper = keeper
        # A sandbox ends with the thread that has started it, so the threads stay for all calls.
        self._threads = ThreadPoolExecutor(len(sandboxes)) if len(sandboxes) > 1 else None

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)

    def __call__(self, questions: Sequence[Question]) -> list[Answers]:
        """Call each of some functions on its inputs, each once.

        Raises:
            HarnessError: the sandbox failed.
        """
        keys = [self._key(*question) for question in questions]
        kept = {key: self._keeper.get_bytes(key) for key in keys}
        new = {
            key: question
            for key, question in zip(keys, questions, strict=True)
            if kept[key] is None
        }
        work = map if self._threads is None else self._threads.map
        for key, digests in zip(new, work(self._digests, new.values()), strict=True):
            self._keeper.put_bytes(key, digests)
            kept[key] = digests
        return [
            _cut(inputs, kept[key] or b"") for key, (_, inputs) in zip(keys, questions, strict=True)
        ]

    def _key(self, function: Function, inputs: Sequence[str]) -> str:
        parts = [function.code, function.entry_point, list(inputs), LOOP_BUDGET]
        parts += [self._level, toolkit_fingerprint()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _digests(self, question: Question) -> bytes:
        """Return the digests of the answers, one after the other."""
        function, inputs = question
        sandbox = self._free.get()
        try:
            outcomes = call_all(function.code, inputs, sandbox, function.entry_point, LOOP_BUDGET)
        finally:
            self._free.put(sandbox)
        return b"".join(
            digest(outcome.value) if outcome.verdict is Verdict.OK else NO_ANSWER
            for outcome in outcomes
        )


def _cut(inputs: Sequence[str], digests: bytes) -> Answers:
    starts = range(0, len(digests), DIGEST_BYTES)
    return {
        text: digests[start : start + DIGEST_BYTES]
        for text, start in zip(inputs, starts, strict=True)
    }

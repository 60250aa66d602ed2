"""Calls functions in the sandbox, and keeps what they gave from one build to the next."""

import hashlib
import json
from collections.abc import Sequence
from typing import Final, Protocol

from builder.release.duplicates.behaviour import DIGEST_BYTES, NO_ANSWER, Answers, digest
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
    """Answers of functions, from the keeper or from the sandbox."""

    def __init__(self, sandbox: Sandbox, keeper: Keeper) -> None:
        self._sandbox = sandbox
        self._keeper = keeper

    def __call__(self, function: Function, inputs: Sequence[str]) -> Answers:
        """Call a function on inputs, each once.

        Raises:
            HarnessError: the sandbox failed.
        """
        key = self._key(function, inputs)
        kept = self._keeper.get_bytes(key)
        if kept is None:
            kept = b"".join(self._digests(function, inputs))
            self._keeper.put_bytes(key, kept)
        starts = range(0, len(kept), DIGEST_BYTES)
        return {
            text: kept[start : start + DIGEST_BYTES]
            for text, start in zip(inputs, starts, strict=True)
        }

    def _key(self, function: Function, inputs: Sequence[str]) -> str:
        parts = [function.code, function.entry_point, list(inputs), LOOP_BUDGET]
        parts += [self._sandbox.level, toolkit_fingerprint()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _digests(self, function: Function, inputs: Sequence[str]) -> list[bytes]:
        outcomes = call_all(function.code, inputs, self._sandbox, function.entry_point, LOOP_BUDGET)
        return [
            digest(outcome.value) if outcome.verdict is Verdict.OK else NO_ANSWER
            for outcome in outcomes
        ]

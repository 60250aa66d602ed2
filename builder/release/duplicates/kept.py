"""Comparisons kept from one build to the next: an unchanged build compares nothing."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter

from builder.release.duplicates.ask import Caller, Keeper
from builder.release.duplicates.find import Comparison, compare
from builder.release.duplicates.function import Function
from builder.sandbox.supervisor import Sandbox
from builder.store import toolkit_fingerprint

_COMPARISON = TypeAdapter(Comparison)


def compare_once(
    functions: Sequence[Function], elsewhere: int, sandboxes: Sequence[Sandbox], keeper: Keeper
) -> Comparison:
    """Compare functions as ``compare`` does, unless the very same have been compared before.

    Raises:
        HarnessError: the sandbox failed.
    """
    key = _key(functions, elsewhere, sandboxes[0].level)
    kept = keeper.get_bytes(key)
    if kept is not None:
        return _COMPARISON.validate_json(kept)
    with Caller(sandboxes, keeper) as ask:
        comparison = compare(functions, elsewhere, ask)
    keeper.put_bytes(key, _COMPARISON.dump_json(comparison))
    return comparison


def _key(functions: Sequence[Function], elsewhere: int, level: str) -> str:
    """Return the hash of all that determines a comparison."""
    digest = hashlib.sha256(json.dumps([_fingerprint(), elsewhere, level]).encode())
    for function in functions:
        parts = [*_plain(function), function.domain.to_json()]
        digest.update(json.dumps(parts).encode())
    return digest.hexdigest()


def _plain(function: Function) -> list[object]:
    examples = [asdict(example) for example in function.context + function.tests]
    counts = [len(function.context), len(function.tests)]
    return [function.name, function.code, function.entry_point, counts, examples]


@cache
def _fingerprint() -> str:
    """Return the hash of everything in the toolkit that can change a comparison."""
    parts = [toolkit_fingerprint(), version("SetSimilaritySearch")]
    parts += [file.read_text("utf-8") for file in sorted(Path(__file__).parent.glob("*.py"))]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

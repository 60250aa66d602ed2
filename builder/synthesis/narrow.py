"""Make a domain narrower where all that lies further out was seen to fail."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_letters, ascii_lowercase, digits
from typing import Any

from builder.sandbox.protocol import Verdict
from builder.synthesis.domain import Domain, Float, Int, Kind, Sized, Str, Union
from builder.synthesis.from_values import union
from builder.synthesis.parts import parts, with_parts

EXPECTED_SUCCESSES = 6.0
"""So many calls outside would have to return, went it there as inside, before it counts."""
FEWEST_SUCCESSES = 3
"""So many calls inside have to have returned."""
SHARE_OF_CAUSE = 0.7
"""So many of the calls outside have to fail in the way that such a bound prevents."""
_ALPHABETS = tuple(
    "".join(sorted(alphabet))
    for alphabet in (
        ascii_letters + digits + " ",
        ascii_letters + " ",
        ascii_letters,
        ascii_lowercase,
        digits + "-.",
        digits,
        "01",
    )
)
_LOWS = (0, 1, 2)
_HIGHS = (1000, 100, 30, 12)
_TOO_BIG = frozenset(
    (Verdict.TIMEOUT, Verdict.TOO_LARGE, Verdict.MEMORY, "RecursionError", "OverflowError")
)
_NOT_IN_FORM = frozenset(("ValueError", "KeyError", "InvalidOperation"))
_Causes = frozenset[str] | None
"""The failures that a bound is to prevent, by verdict or exception; None: all."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One input and how its call ended."""

    arguments: tuple[Any, ...]
    verdict: Verdict
    exception: str = ""

    @property
    def returned(self) -> bool:
        """Whether there was a value."""
        return self.verdict is Verdict.OK


def narrow(domain: Domain, trials: Sequence[Trial]) -> Domain:
    """Give the widest domain outside of which nothing was seen to return.

    A bound is set only if calls outside it were made often enough to tell. An upper bound also
    needs that these calls took too much time or memory, an alphabet that they found fault with
    the form of the text.
    """
    inside = [trial for trial in trials if domain.contains(trial.arguments)]
    changed = True
    while changed and not all(trial.returned for trial in inside):
        changed = False
        for index in range(len(domain.parameters) + (domain.variadic is not None)):
            for smaller, causes in _narrower(domain.kind_at(index)):
                last = index + 1 if index < len(domain.parameters) else None
                kept = [
                    trial
                    for trial in inside
                    if all(map(smaller.contains, trial.arguments[index:last]))
                ]
                if _explains(inside, kept, causes):
                    domain, inside, changed = _with_kind(domain, index, smaller), kept, True
                    break
            if changed:
                break
    return domain


def _with_kind(domain: Domain, index: int, kind: Kind) -> Domain:
    if index == len(domain.parameters):
        return replace(domain, variadic=kind)
    before, after = domain.parameters[:index], domain.parameters[index + 1 :]
    return replace(domain, parameters=(*before, kind, *after))


def _explains(before: list[Trial], kept: list[Trial], causes: _Causes) -> bool:
    successes = sum(trial.returned for trial in kept)
    dropped = len(before) - len(kept)
    if successes < FEWEST_SUCCESSES or successes < sum(trial.returned for trial in before):
        return False
    if dropped * successes / len(kept) < EXPECTED_SUCCESSES:
        return False
    if causes is None:
        return True
    return _count(before, causes) - _count(kept, causes) >= SHARE_OF_CAUSE * dropped


def _count(trials: list[Trial], causes: frozenset[str]) -> int:
    return sum(trial.verdict in causes or trial.exception in causes for trial in trials)


def _narrower(kind: Kind) -> Iterator[tuple[Kind, _Causes]]:
    """Kinds that are a step narrower, the widest first, and what the step is to prevent."""
    match kind:
        case Union(options=options):
            for dropped in options:
                yield union(option for option in options if option != dropped), None
        case Int(low=low, high=high):
            for first in _LOWS:
                if low is None or first > low:
                    yield replace(kind, low=first), None
            for last in _HIGHS:
                if high is None or last < high:
                    yield replace(kind, high=last), _TOO_BIG
        case Float(low=None):
            yield replace(kind, low=0.0), None
        case Sized(min_size=0 | 1 as least):
            yield replace(kind, min_size=least + 1), None
            if least == 0:
                yield replace(kind, min_size=2), None
    if isinstance(kind, Str):
        for alphabet in _ALPHABETS:
            if kind.alphabet is None or set(alphabet) < set(kind.alphabet):
                yield replace(kind, alphabet=alphabet), _NOT_IN_FORM
    inner = parts(kind)
    for index, part in enumerate(inner):
        for smaller, causes in _narrower(part):
            yield with_parts(kind, (*inner[:index], smaller, *inner[index + 1 :])), causes

"""Make a domain narrower where all that lies further out was seen to fail."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from string import ascii_letters, ascii_lowercase, digits
from typing import Any

from builder.sandbox.protocol import Verdict
from builder.synthesis.domain import Domain, Float, Int, Kind, Sized, Str, Union
from builder.synthesis.from_values import union
from builder.synthesis.parts import parts, with_parts

EXPECTED_SUCCESSES = 5.0
"""So many calls outside would have to return, went it there as inside, before it counts."""
FEWEST_SUCCESSES = 3
"""So many calls inside have to have returned."""
SHARE_OF_CAUSE = 0.7
"""So many of the calls outside have to fail in the way that such a bound prevents."""
_LETTERS = (ascii_letters + digits + " ", ascii_letters + " ", ascii_letters, ascii_lowercase)
_DIGITS = (digits + "-.", digits, "01")
_LOWS = (0, 1, 2)
_HIGHS = (1000, 100, 30, 12)
_LEAST_SIZES = (1, 2)
_MOST_SIZES = (20, 10, 6, 3, 1)
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
    """Set the bounds outside of which nothing was seen to return.

    A bound is set only if calls outside it were made often enough to tell. An upper bound also
    needs that these calls took too much time or memory, an alphabet that they found fault with
    the form of the text.
    """
    inside = [trial for trial in trials if domain.contains(trial.arguments)]
    changed = True
    while changed and not all(trial.returned for trial in inside):
        changed = False
        for index in range(len(domain.parameters) + (domain.variadic is not None)):
            found = _narrow_argument(domain, index, inside)
            if found is not None:
                kind, inside = found
                domain, changed = _with_kind(domain, index, kind), True
    return domain


def _narrow_argument(
    domain: Domain, index: int, inside: list[Trial]
) -> tuple[Kind, list[Trial]] | None:
    """A narrower kind for one argument, and the trials that are left."""
    last = index + 1 if index < len(domain.parameters) else None
    is_only = last == domain.required == len(domain.parameters) and domain.variadic is None
    for family in _families(domain.kind_at(index)):
        found, kept = None, inside
        for smaller in family.kinds:
            left = [
                trial for trial in kept if all(map(smaller.contains, trial.arguments[index:last]))
            ]
            if len(left) == len(kept):
                continue  # nothing was tried between the two bounds
            kept = left
            if _explains(inside, kept, family.causes) or (is_only and _is_one(inside, kept)):
                found = smaller, kept
        if found is not None:
            return found
    return None


def _with_kind(domain: Domain, index: int, kind: Kind) -> Domain:
    if index == len(domain.parameters):
        return replace(domain, variadic=kind)
    before, after = domain.parameters[:index], domain.parameters[index + 1 :]
    return replace(domain, parameters=(*before, kind, *after))


def _explains(before: list[Trial], kept: list[Trial], causes: _Causes) -> bool:
    successes = _successes(kept)
    dropped = len(before) - len(kept)
    if successes < FEWEST_SUCCESSES or successes < _successes(before):
        return False
    if dropped * successes / len(kept) < EXPECTED_SUCCESSES:
        return False
    if causes is None:
        return True
    return _count(before, causes) - _count(kept, causes) >= SHARE_OF_CAUSE * dropped


def _is_one(before: list[Trial], kept: list[Trial]) -> bool:
    """Whether only the empty value was dropped, the one that there is."""
    if len(before) != len(kept) + 1 or _successes(kept) < max(FEWEST_SUCCESSES, _successes(before)):
        return False
    dropped = next(
        (old for old, new in zip(before, kept, strict=False) if old is not new), before[-1]
    )
    value = dropped.arguments[0]
    return isinstance(value, Sequence | Set | Mapping) and not value


def _successes(trials: list[Trial]) -> int:
    return sum(trial.returned for trial in trials)


def _count(trials: list[Trial], causes: frozenset[str]) -> int:
    return sum(trial.verdict in causes or trial.exception in causes for trial in trials)


@dataclass(frozen=True, slots=True)
class _Family:
    """Kinds with ever narrower bounds of one sort, and what failures such a bound prevents."""

    kinds: tuple[Kind, ...]
    causes: _Causes = None


def _families(kind: Kind) -> Iterator[_Family]:
    match kind:
        case Union(options=options):
            for dropped in options:
                yield _Family((union(option for option in options if option != dropped),))
        case Int(low=low, high=high):
            lows = [bound for bound in _LOWS if low is None or bound > low]
            yield _Family(tuple(replace(kind, low=bound) for bound in lows))
            highs = [bound for bound in _HIGHS if high is None or bound < high]
            yield _Family(tuple(replace(kind, high=bound) for bound in highs), _TOO_BIG)
        case Float(low=None):
            yield _Family((replace(kind, low=0.0),))
        case Sized(min_size=least, max_size=most):
            sizes = [size for size in _LEAST_SIZES if size > least]
            yield _Family(tuple(replace(kind, min_size=size) for size in sizes))
            sizes = [
                size for size in _MOST_SIZES if size >= least and (most is None or size < most)
            ]
            yield _Family(tuple(replace(kind, max_size=size) for size in sizes), _TOO_BIG)
    if isinstance(kind, Str):
        for alphabets in (_LETTERS, _DIGITS):
            smaller = [
                "".join(sorted(alphabet))
                for alphabet in alphabets
                if kind.alphabet is None or set(alphabet) < set(kind.alphabet)
            ]
            yield _Family(tuple(replace(kind, alphabet=each) for each in smaller), _NOT_IN_FORM)
    inner = parts(kind)
    for index, part in enumerate(inner):
        for family in _families(part):
            kinds = [
                with_parts(kind, (*inner[:index], each, *inner[index + 1 :]))
                for each in family.kinds
            ]
            yield _Family(tuple(kinds), family.causes)

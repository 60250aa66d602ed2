"""Make a domain narrower where all that lies further out was seen to fail."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_letters, ascii_lowercase, digits
from typing import Any

from builder.synthesis.domain import (
    Collection,
    Dict,
    Domain,
    Float,
    Int,
    Kind,
    Record,
    Sized,
    Str,
    Tuple,
    Union,
)
from builder.synthesis.from_values import union

EXPECTED_SUCCESSES = 3.0
"""So many calls outside would have to return, went it there as inside, before it counts."""
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
_INT_BOUNDS = ((0, None), (1, None), (2, None), (None, 1000), (None, 100), (None, 30), (None, 12))


@dataclass(frozen=True, slots=True)
class Trial:
    """One input and whether the method returned."""

    arguments: tuple[Any, ...]
    returned: bool


def narrow(domain: Domain, trials: Sequence[Trial]) -> Domain:
    """Give the widest domain outside of which nothing was seen to return.

    A bound is set only if calls outside it were made often enough to tell, and only one at a
    time, so that a fault is blamed on the argument that causes it.
    """
    inside = [trial for trial in trials if domain.contains(trial.arguments)]
    changed = True
    while changed and not all(trial.returned for trial in inside):
        changed = False
        for smaller in _narrower_domains(domain):
            kept = [trial for trial in inside if smaller.contains(trial.arguments)]
            if _explains(inside, kept):
                domain, inside, changed = smaller, kept, True
                break
    return domain


def _explains(before: list[Trial], kept: list[Trial]) -> bool:
    successes = sum(trial.returned for trial in kept)
    if successes < EXPECTED_SUCCESSES or successes < sum(trial.returned for trial in before):
        return False
    return (len(before) - len(kept)) * successes / len(kept) >= EXPECTED_SUCCESSES


def _narrower_domains(domain: Domain) -> Iterator[Domain]:
    for index, kind in enumerate(domain.parameters):
        for smaller in _narrower(kind):
            parameters = (*domain.parameters[:index], smaller, *domain.parameters[index + 1 :])
            yield replace(domain, parameters=parameters)
    if domain.variadic is not None:
        for smaller in _narrower(domain.variadic):
            yield replace(domain, variadic=smaller)


def _narrower(kind: Kind) -> Iterator[Kind]:
    """Kinds that are a step narrower, the widest first."""
    match kind:
        case Union(options=options):
            for dropped in options:
                yield union(option for option in options if option != dropped)
            yield from _replace_each(options, Union)
        case Int(low=low, high=high):
            for first, last in _INT_BOUNDS:
                if first is not None and (low is None or first > low):
                    yield replace(kind, low=first)
                if last is not None and (high is None or last < high):
                    yield replace(kind, high=last)
        case Float(low=None):
            yield replace(kind, low=0.0)
        case Sized(min_size=least) if least < 2:
            yield replace(kind, min_size=least + 1)
            if least == 0:
                yield replace(kind, min_size=2)
    yield from _narrower_parts(kind)


def _narrower_parts(kind: Kind) -> Iterator[Kind]:
    match kind:
        case Str(alphabet=alphabet):
            for smaller in _ALPHABETS:
                if alphabet is None or set(smaller) < set(alphabet):
                    yield replace(kind, alphabet=smaller)
        case Collection(element=element):
            for smaller_element in _narrower(element):
                yield replace(kind, element=smaller_element)
        case Dict(key=key, value=value):
            for smaller_key in _narrower(key):
                yield replace(kind, key=smaller_key)
            for smaller_value in _narrower(value):
                yield replace(kind, value=smaller_value)
        case Tuple(elements=elements):
            yield from _replace_each(elements, Tuple)
        case Record(items=items):
            for index, (name, inner) in enumerate(items):
                for smaller_inner in _narrower(inner):
                    changed = (*items[:index], (name, smaller_inner), *items[index + 1 :])
                    yield Record(changed)


def _replace_each(parts: tuple[Kind, ...], make: type[Union] | type[Tuple]) -> Iterator[Kind]:
    for index, part in enumerate(parts):
        for smaller in _narrower(part):
            yield make((*parts[:index], smaller, *parts[index + 1 :]))

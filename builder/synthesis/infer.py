"""The domain of a method, from all that speaks for it: calls, annotations, use, names, trials."""

import random
from collections.abc import Callable, Sequence
from string import digits
from typing import Any

from builder.literals import LiteralError, loads
from builder.records import Method, Parameter
from builder.synthesis.constants import Constants
from builder.synthesis.domain import (
    AnyLiteral,
    Bytes,
    Collection,
    Dict,
    Domain,
    Int,
    Kind,
    List,
    NoneKind,
    Record,
    Str,
    Tuple,
    Union,
)
from builder.synthesis.from_annotation import kind_of_annotation
from builder.synthesis.from_use import read_uses
from builder.synthesis.from_values import kind_of, union
from builder.synthesis.hints import mark_by_kind, mark_by_name
from builder.synthesis.parts import parts, with_parts
from builder.synthesis.runner import ENTRY_POINT, RefusedError, Runner
from builder.synthesis.trial import Guess, choose_kinds
from builder.synthesis.use import Use, plain_kinds, ranked_kinds

FALLBACKS: tuple[Kind, ...] = (
    Int(),
    Str(),
    List(element=Int()),
    List(element=Str()),
    List(element=List(element=Int())),
    Dict(key=Str(), value=Int()),
    union((Int(), NoneKind())),
)
"""Kinds to try where no guess works."""
POOR_SHARE = 0.34
"""Where fewer of the trial calls return something, more kinds are tried."""
SURE = 5.0
"""Weight of what a corpus or a signature says itself."""


def infer(
    method: Method, calls: Sequence[tuple[Any, ...]], runner: Runner, source: random.Random
) -> Domain:
    """Infer what argument tuples a method takes.

    Args:
        method: the method.
        calls: argument tuples on which it returned.
        runner: makes trial calls where the calls leave doubt.
        source: of random choices.

    Raises:
        RefusedError: no combination of kinds works, or see ``Runner.run``.
    """
    uses: dict[str, Use] = {}
    seen: dict[str, list[Any]] = {}
    for index, parameter in enumerate(method.parameters):
        seen[parameter.name] = _column(calls, index, parameter.variadic)
        uses[parameter.name] = _first_evidence(parameter, seen[parameter.name])
    read_uses(method.code, uses, ENTRY_POINT)
    guesses = [
        _guesses(parameter, seen[parameter.name], uses[parameter.name])
        for parameter in method.parameters
    ]
    fit = _fit([uses[parameter.name] for parameter in method.parameters])
    choice = choose_kinds(guesses, fit, runner, source)
    if choice.useful < POOR_SHARE and not calls:
        wider = [_with_fallbacks(each, runner.constants) for each in guesses]
        choice = max(
            (choice, choose_kinds(wider, fit, runner, source)), key=lambda each: each.useful
        )
    kinds = choice.kinds
    if not choice.useful and not runner.valid():
        reason, detail = runner.why_too_few(0)
        raise RefusedError(reason, f"{detail}, {_tried(guesses)}")
    required = sum(
        parameter.default is None and not parameter.variadic for parameter in method.parameters
    )
    if method.parameters[-1].variadic:
        return Domain(kinds[:-1], required, kinds[-1])
    return Domain(kinds, required)


def _tried(guesses: list[list[Guess]]) -> str:
    return "tried " + "; ".join(
        f"arg{index}: {', '.join(str(kind) for kind, _ in each)}"
        for index, each in enumerate(guesses)
    )


def _column(calls: Sequence[tuple[Any, ...]], index: int, variadic: bool) -> list[Any]:
    if variadic:
        return [value for call in calls for value in call[index:]]
    return [call[index] for call in calls if index < len(call)]


def _first_evidence(parameter: Parameter, seen: list[Any]) -> Use:
    """What is known before the code is read, which helps to read it."""
    use = Use()
    mark_by_name(use, parameter.original_name)
    if seen:
        mark_by_kind(use, kind_of(seen))
    annotated = kind_of_annotation(parameter.annotation)
    if annotated is not None:
        mark_by_kind(use, annotated)
    return use


def _guesses(parameter: Parameter, seen: list[Any], use: Use) -> list[Guess]:
    """Kinds that a parameter may have, likeliest first."""
    ranked = ranked_kinds(use) or [(kind, -float(rank)) for rank, kind in enumerate(FALLBACKS)]
    annotated = kind_of_annotation(parameter.annotation)
    default = _default_kind(parameter)
    if seen:
        kind = kind_of(seen)
        if default is not None and default != NoneKind() and not _is_open(default):
            kind = union((kind, default))
        if isinstance(annotated, Union) and NoneKind() in annotated.options:
            kind = union((kind, NoneKind()))
        known = _filled(kind, [*_one(annotated), *ranked])
        asked = _with_tested(known[0][0], use)
        return known if asked == known[0][0] else [*known, (asked, SURE)]
    if annotated is not None and annotated != AnyLiteral():
        return _filled(annotated, ranked)
    if default == NoneKind():
        optional = [(union((kind, NoneKind())), weight) for kind, weight in ranked]
        return sorted(dict(optional).items(), key=lambda guess: -guess[1])
    if default is not None:
        return _filled(default, ranked)
    return ranked


def _with_tested(kind: Kind, use: Use) -> Kind:
    """The kind, and beside each part of it what the code asks for by type tests."""
    inner: list[Use | None] = []
    match kind:
        case Dict():
            inner = [use.key or use.element, use.value]
        case Collection():
            inner = [use.element]
        case Tuple(elements=elements):
            inner = list(use.places) if len(use.places) == len(elements) else []
        case Record(items=items):
            inner = [use.fields.get(name) for name, _ in items]
    old = parts(kind)
    if len(inner) == len(old):
        pairs = zip(old, inner, strict=True)
        kind = with_parts(kind, tuple(_with_tested(part, of) if of else part for part, of in pairs))
    return union((kind, *plain_kinds(use.tested)))


def _one(kind: Kind | None) -> list[Guess]:
    return [] if kind is None else [(kind, SURE)]


def _default_kind(parameter: Parameter) -> Kind | None:
    if parameter.default is None:
        return None
    try:
        return kind_of([loads(parameter.default)])
    except LiteralError:
        return None


def _with_fallbacks(guesses: list[Guess], constants: Constants) -> list[Guess]:
    known = {kind for kind, _ in guesses}
    lowest = min(weight for _, weight in guesses)
    marks = {text for text in constants.texts if len(text) == 1 and not text.isalnum()}
    numerals = [
        Str(min_size=1, alphabet="".join(sorted({*alphabet, *extra})))
        for alphabet, extra in ((digits, marks), (digits, ()), ("01", ()))
    ]
    more = [kind for kind in dict.fromkeys((*numerals, *FALLBACKS)) if kind not in known]
    if all(isinstance(kind, Str | Bytes) for kind in known):
        more = more[: len(numerals)]
    return [*guesses, *((kind, lowest - 0.3 * rank) for rank, kind in enumerate(more))]


def _fit(uses: list[Use]) -> Callable[[Sequence[Kind]], float]:
    """Arguments that are compared with each other, or with parts of each other, are alike."""
    links = [
        (first, second, holder)
        for first, use in enumerate(uses)
        for second, other in enumerate(uses)
        if first != second
        for holder, inner in ((False, other), (True, other.element))
        if inner is not None and use in inner.peers
    ]

    def fit(kinds: Sequence[Kind]) -> float:
        return sum(
            kinds[first] == (_element(kinds[second]) if holder else kinds[second])
            for first, second, holder in links
        )

    return fit


def _element(kind: Kind) -> Kind | None:
    return kind.element if isinstance(kind, Collection) else kind if kind == Str() else None


# What was seen or annotated only in part (``[]``, ``list``) is completed from the use.


def _filled(kind: Kind, ranked: Sequence[Guess]) -> list[Guess]:
    """Kinds that agree with ``kind`` where it says something."""
    if not _is_open(kind):
        return [(kind, SURE)]
    fitting = [(each, SURE + weight / 10) for each, weight in ranked if _agrees(each, kind)]
    plain = _fill(kind, Int())
    textual = _fill(kind, Str())
    known = {each for each, _ in fitting}
    more = [(each, SURE - 1) for each in (plain, textual) if each not in known]
    return sorted([*fitting, *more], key=lambda guess: -guess[1])[:6]


def _is_open(kind: Kind) -> bool:
    return kind == AnyLiteral() or any(_is_open(part) for part in parts(kind))


def _agrees(special: Kind, general: Kind) -> bool:
    if general == AnyLiteral():
        return not _is_open(special)
    if type(special) is not type(general):
        return False
    inner, outer = parts(special), parts(general)
    if not outer:
        return special == general
    return len(inner) == len(outer) and all(map(_agrees, inner, outer))


def _fill(kind: Kind, leaf: Kind) -> Kind:
    """Put ``leaf`` wherever the kind is open, but text for the keys of dicts."""
    if kind == AnyLiteral():
        return leaf
    inner = parts(kind)
    leaves = (Str(), leaf) if isinstance(kind, Dict) else (leaf,) * len(inner)
    return with_parts(kind, tuple(map(_fill, inner, leaves)))

"""Impostors that see only part of one argument: the method, given less than there is.

Whoever believes that a method sorts by age, whatever key it is given, passes every test that sorts
by age; whoever believes that case does not matter, every test without capitals. So a suite needs,
for each argument and each way to overlook something of it, a test that has another output when
that is overlooked, unless there is no such input.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from builder.literals import LiteralError, dumps
from builder.records import Example, Method
from builder.sandbox.protocol import Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.shared_values import shared_value
from builder.suite.calls import call_all
from builder.suite.views import VIEWS
from builder.synthesis.domain import Domain, Kind
from builder.synthesis.observe import observe
from builder.synthesis.search import Observation

_FIRST, _TRIED, _MOST = 8, 32, 200
"""Inputs on which all impostors are tried, on which those are that are left, and on which those
are that no new input unmasks either."""
_PARENTS, _REPLACEMENTS = 10, 12
"""Inputs of which new ones are made to unmask an impostor, and values put in place of one."""
_KEPT = 2
"""New inputs for each impostor that they unmask."""
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Blind:
    """The method, seeing less of one argument."""

    place: int
    """Of the argument, from 0."""
    overlooks: str = ""
    """Name of one of ``VIEWS``; empty: it overlooks the whole argument."""
    value: str = ""
    """Literal of the value that stands for the whole argument."""

    def input_of(self, arguments: tuple[Any, ...]) -> str | None:
        """Return the literal of what the method is given instead; None: nothing is overlooked."""
        if len(arguments) <= self.place:
            return None
        try:
            seen = self._seen(arguments[self.place])
            return dumps(_with(arguments, self.place, seen), _LONGEST)
        except (TypeError, ValueError, AttributeError, LiteralError):
            return None

    def _seen(self, value: Any) -> Any:
        return VIEWS[self.overlooks].look(value) if self.overlooks else shared_value(self.value)


@dataclass(frozen=True, slots=True)
class Unmasking:
    """What unmasks impostors."""

    observations: tuple[Observation, ...]
    """New inputs that do."""
    unmasked: dict[str, frozenset[Blind]]
    """For each input, known or new, the impostors that give another output on it."""


def blind_to_parts(domain: Domain) -> list[Blind]:
    """Return the impostors that overlook something of an argument, whatever its value."""
    return [Blind(place, name) for place in range(len(domain.parameters)) for name in VIEWS]


def passing_blind(method: Method, tests: Sequence[Example], sandbox: Sandbox) -> tuple[Blind, ...]:
    """Return the impostors that overlook a whole argument and give the output of every test.

    The argument is taken to be what it is in some test. Methods of one argument have none: an
    impostor that overlooks everything is constant.
    """
    impostors = list(
        {
            Blind(place, value=dumps(value)): None
            for test in tests
            for place, value in enumerate(shared_value(test.input))
        }
    )
    if all(impostor.place == 0 for impostor in impostors):
        return ()
    told = _told(_unmasked(method, impostors, tests, sandbox))
    return tuple(impostor for impostor in impostors if impostor not in told)


def unmask(
    method: Method,
    domain: Domain,
    observations: Sequence[Observation],
    impostors: Sequence[Blind],
    sandbox: Sandbox,
) -> Unmasking:
    """Find out which inputs unmask impostors, and look for new ones where none does.

    Raises:
        RefusedError: the method answers differently from run to run.
        HarnessError: the sandbox failed.
    """
    examples = list({seen.example.input: seen.example for seen in observations}.values())
    unmasked: dict[str, frozenset[Blind]] = {}
    masked = list(impostors)
    for some in (examples[:_FIRST], examples[_FIRST:_TRIED]):
        found = _unmasked(method, masked, some, sandbox)
        unmasked |= found
        told = _told(found)
        masked = [impostor for impostor in masked if impostor not in told]
    new = _new_pairs(masked, domain, examples)
    texts = list(dict.fromkeys(text for _, *pair in new for text in pair))
    outcomes = dict(zip(texts, call_all(method.code, texts, sandbox), strict=True))
    more: dict[str, set[Blind]] = {}
    for impostor, text, seen in new:
        outcome = outcomes[text]
        if outcome.verdict is Verdict.OK and not _gives(outcomes[seen], outcome.value):
            more.setdefault(text, set()).add(impostor)
    confirmed = tuple(observe(method, _few_of_each(masked, more), sandbox, "mutation"))
    kept = {each.example.input for each in confirmed}
    unmasked |= {text: frozenset(told) for text, told in more.items() if text in kept}
    told = _told(unmasked)
    masked = [impostor for impostor in masked if impostor not in told]
    unmasked |= _unmasked(method, masked, examples[_TRIED:_MOST], sandbox)
    return Unmasking(confirmed, unmasked)


def _told(unmasked: dict[str, frozenset[Blind]]) -> frozenset[Blind]:
    return frozenset[Blind]().union(*unmasked.values())


def _unmasked(
    method: Method, impostors: Sequence[Blind], examples: Sequence[Example], sandbox: Sandbox
) -> dict[str, frozenset[Blind]]:
    """Return for each input the impostors that do not give its output."""
    wanted: list[tuple[Example, Blind, str]] = []
    for example in examples:
        arguments = shared_value(example.input)
        for impostor in impostors:
            text = impostor.input_of(arguments)
            if text is not None and text != example.input:
                wanted.append((example, impostor, text))
    inputs = list(dict.fromkeys(text for _, _, text in wanted))
    outcomes = dict(zip(inputs, call_all(method.code, inputs, sandbox), strict=True))
    found: dict[str, set[Blind]] = {}
    for example, impostor, text in wanted:
        if not _gives(outcomes[text], example.output):
            found.setdefault(example.input, set()).add(impostor)
    return {text: frozenset(impostors) for text, impostors in found.items()}


def _gives(outcome: Outcome, output: str) -> bool:
    return outcome.verdict is Verdict.OK and outcome.value == output


def _new_pairs(
    masked: Sequence[Blind], domain: Domain, examples: Sequence[Example]
) -> list[tuple[Blind, str, str]]:
    """Return new inputs of which masked impostors see too little, and what they see instead."""
    inputs = [shared_value(example.input) for example in examples]
    known = {example.input for example in examples}
    found: dict[tuple[Blind, str, str], None] = {}
    for impostor in masked:
        place = impostor.place
        kind = domain.kind_at(place)
        parents = [arguments for arguments in inputs if len(arguments) > place]
        others = [] if impostor.overlooks else _values(each[place] for each in parents)
        for arguments in parents[:_PARENTS]:
            for value in [*_changed(arguments, impostor, kind), *others]:
                changed = _with(arguments, place, value)
                text, seen = dumps(changed), impostor.input_of(changed)
                is_new = text not in known and len(text) <= _LONGEST and kind.contains(value)
                if is_new and seen is not None and seen != text:
                    found[impostor, text, seen] = None
    return list(found)


def _values(values: Iterable[Any]) -> list[Any]:
    return list({dumps(value): value for value in values}.values())[:_REPLACEMENTS]


def _changed(arguments: tuple[Any, ...], impostor: Blind, kind: Kind) -> Iterable[Any]:
    """Return values to put in place of the argument of which an impostor sees less."""
    place = impostor.place
    if not impostor.overlooks:
        parts = _parts(arguments[:place] + arguments[place + 1 :])
        return [*islice((part for part in parts if kind.contains(part)), _REPLACEMENTS)]
    values: list[Any] = []
    for change in VIEWS[impostor.overlooks].changes:
        with suppress(TypeError, ValueError, AttributeError):
            values.append(change(arguments[place]))
    return values


def _with(arguments: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*arguments[:place], value, *arguments[place + 1 :])


def _parts(value: Any) -> Iterator[Any]:
    """Yield what stands in a value, the outermost first, and the length of each collection."""
    waiting = [value]
    while waiting:
        whole = waiting.pop(0)
        if isinstance(whole, dict):
            inner = [*whole, *whole.values()]
        elif isinstance(whole, list | tuple):
            inner = list(whole)
        elif isinstance(whole, str) and len(whole) > 1:
            words = whole.split()
            inner = [*words[len(words) == 1 :], *dict.fromkeys(whole)]
        else:
            continue
        yield from inner
        yield len(whole)
        waiting += inner


def _few_of_each(masked: Sequence[Blind], found: Mapping[str, Collection[Blind]]) -> list[str]:
    """Choose for each impostor the shortest inputs that unmask it."""
    ordered = sorted(found, key=lambda text: (len(text), text))
    chosen = {
        text: None
        for impostor in masked
        for text in islice((text for text in ordered if impostor in found[text]), _KEPT)
    }
    return list(chosen)

"""Impostors that do not look at one of their arguments: the method with that argument frozen.

Whoever believes that a method sorts by age, whatever key it is given, passes every test that sorts
by age. So a suite needs, for each argument and each value of it in the tests, a test that has
another output when the argument has that value, unless there is no such input.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from builder.literals import dumps, loads
from builder.records import Example, Method
from builder.sandbox.protocol import Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.calls import call_all
from builder.suite.observe import observe
from builder.synthesis.domain import Domain
from builder.synthesis.search import Observation

_TRIED = 80
"""Inputs on which an impostor is tried, the first ones."""
_PARENTS, _REPLACEMENTS = 30, 12
"""Inputs in which an argument is replaced, and values that are put there, to unmask one."""
_KEPT = 3
"""New inputs for each impostor that they unmask."""
_LONGEST = 1000


@dataclass(frozen=True, slots=True, order=True)
class Frozen:
    """The method with one argument always the same."""

    place: int
    """Of the argument, from 0."""
    value: str
    """Its literal."""

    def input_of(self, arguments: tuple[Any, ...]) -> str | None:
        """Return the literal of the arguments that the method is given instead of some.

        None: there is no such argument.
        """
        if len(arguments) <= self.place:
            return None
        return dumps(_with(arguments, self.place, loads(self.value)), _LONGEST)


@dataclass(frozen=True, slots=True)
class Thaw:
    """What unmasks frozen arguments."""

    observations: tuple[Observation, ...]
    """New inputs that do."""
    unmasked: dict[str, frozenset[Frozen]]
    """For each input, known or new, the impostors that give another output on it."""


def passing_frozen(
    method: Method, tests: Sequence[Example], sandbox: Sandbox
) -> tuple[Frozen, ...]:
    """Return the impostors, frozen at a value of some test, that give the output of every test."""
    values = {
        Frozen(place, dumps(value)): None
        for test in tests
        for place, value in enumerate(loads(test.input))
    }
    if all(impostor.place == 0 for impostor in values):
        return ()
    unmasked = _unmasked(method, list(values), tests, sandbox)
    told = frozenset[Frozen]().union(*unmasked.values())
    return tuple(impostor for impostor in values if impostor not in told)


def thaw(
    method: Method,
    domain: Domain,
    observations: Sequence[Observation],
    impostors: Sequence[Frozen],
    sandbox: Sandbox,
) -> Thaw:
    """Find out which inputs unmask impostors, and look for new ones where none does.

    A new input is a known one with the argument replaced: by another of its values, or by a part
    of another argument.

    Raises:
        RefusedError: the method answers differently from run to run.
        HarnessError: the sandbox failed.
    """
    known = {seen.example.input: seen.example for seen in observations}
    unmasked = _unmasked(method, impostors, list(known.values())[:_TRIED], sandbox)
    told = frozenset[Frozen]().union(*unmasked.values())
    masked = [impostor for impostor in impostors if impostor not in told]
    if not masked:
        return Thaw((), unmasked)
    new = _new_inputs(masked, domain, list(known.values()))
    outcomes = call_all(method.code, new, sandbox)
    answered = [
        Example(text, outcome.value, "mutation")
        for text, outcome in zip(new, outcomes, strict=True)
        if outcome.verdict is Verdict.OK
    ]
    found = _unmasked(method, masked, answered, sandbox)
    confirmed = tuple(observe(method, _few_of_each(masked, found), sandbox, "mutation"))
    kept = {seen.example.input for seen in confirmed}
    more = {text: impostors for text, impostors in found.items() if text in kept}
    return Thaw(confirmed, unmasked | more)


def _unmasked(
    method: Method, impostors: Sequence[Frozen], examples: Sequence[Example], sandbox: Sandbox
) -> dict[str, frozenset[Frozen]]:
    """Return for each input the impostors that do not give its output."""
    wanted = {
        (example.input, impostor): text
        for example in examples
        for impostor in impostors
        if (text := impostor.input_of(loads(example.input))) is not None
    }
    inputs = list(dict.fromkeys(wanted.values()))
    outcomes = dict(zip(inputs, call_all(method.code, inputs, sandbox), strict=True))
    outputs = {example.input: example.output for example in examples}
    found: dict[str, set[Frozen]] = {}
    for (text, impostor), other in wanted.items():
        if not _gives(outcomes[other], outputs[text]):
            found.setdefault(text, set()).add(impostor)
    return {text: frozenset(impostors) for text, impostors in found.items()}


def _gives(outcome: Outcome, output: str) -> bool:
    return outcome.verdict is Verdict.OK and outcome.value == output


def _new_inputs(masked: Sequence[Frozen], domain: Domain, examples: Sequence[Example]) -> list[str]:
    """Return inputs, not known before, with the argument of a masked impostor replaced."""
    values: dict[int, dict[str, Any]] = {}
    inputs = [loads(example.input) for example in examples]
    for arguments in inputs:
        for place, value in enumerate(arguments):
            values.setdefault(place, {})[dumps(value)] = value
    known = {example.input for example in examples}
    found: dict[str, None] = {}
    for place in sorted({impostor.place for impostor in masked}):
        kind = domain.kind_at(place)
        others = list(values[place].values())[:_REPLACEMENTS]
        for arguments in islice((each for each in inputs if len(each) > place), _PARENTS):
            rest = arguments[:place] + arguments[place + 1 :]
            parts = islice((part for part in _parts(rest) if kind.contains(part)), _REPLACEMENTS)
            for value in [*parts, *others]:
                text = dumps(_with(arguments, place, value))
                if text not in known and len(text) <= _LONGEST:
                    found[text] = None
    return list(found)


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


def _few_of_each(masked: Sequence[Frozen], found: dict[str, frozenset[Frozen]]) -> list[str]:
    """Choose for each impostor the shortest inputs that unmask it."""
    ordered = sorted(found, key=lambda text: (len(text), text))
    chosen = {
        text: None
        for impostor in masked
        for text in islice((text for text in ordered if impostor in found[text]), _KEPT)
    }
    return list(chosen)

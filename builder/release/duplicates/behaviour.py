"""How functions compare by what they answer.

The inputs of all contexts make one pool. Every function is called on those of them that lie in
its domain. Functions that agree there may be called on each other's tests too.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from builder.literals import loads
from builder.release.duplicates.function import Function
from builder.release.duplicates.shape import shape
from builder.synthesis.domain import Domain

DIGEST_BYTES: Final = 8
NO_ANSWER: Final = bytes(DIGEST_BYTES)
"""Stands for a call that returned nothing: it raised, or ran into a limit."""

Answers = Mapping[str, bytes]
"""By input the digest of the value returned."""
Question = tuple[Function, Sequence[str]]
"""What a function answers to inputs."""
Ask = Callable[[Sequence[Question]], Sequence[Answers]]
"""Calls each of some functions on its inputs."""


def digest(value: str) -> bytes:
    """Return the digest of a canonical literal."""
    return hashlib.blake2b(value.encode(), digest_size=DIGEST_BYTES).digest()


def _in_domain(function: Function, answers: Answers) -> Answers:
    """Leave out the inputs that lie outside a domain that is not known."""
    if function.domain_is_known:
        return answers
    return {text: answer for text, answer in answers.items() if answer != NO_ANSWER}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two functions gave the same answer."""

    agreed: int
    tried: int

    @property
    def share(self) -> float:
        """Share of inputs on which they agreed, 0 to 1; 1 if none was tried."""
        return self.agreed / self.tried if self.tried else 1.0


class Pool:
    """The answers of functions to the inputs of all their contexts."""

    def __init__(self, functions: Sequence[Function], ask: Ask) -> None:
        """Call every function on every input that lies in its domain."""
        self.functions = functions
        inputs = {example.input for function in functions for example in function.context}
        # The shortest come first: a function that runs into limits does so on the long ones.
        self._inputs = sorted(inputs, key=lambda text: (len(text), text))
        self.values: dict[str, Any] = {text: loads(text) for text in self._inputs}
        members: dict[Domain, list[int]] = {}
        for number, function in enumerate(functions):
            members.setdefault(function.domain, []).append(number)
        self._groups = [(self._lying_in(domain), group) for domain, group in members.items()]
        inside = {number: inputs for inputs, group in self._groups for number in group}
        found = ask([(each, tuple(inside[number])) for number, each in enumerate(functions)])
        self.answers = list(map(_in_domain, functions, found))

    def _lying_in(self, domain: Domain) -> dict[str, None]:
        return dict.fromkeys(t for t in self._inputs if domain.contains(self.values[t]))

    def rivals(self, number: int) -> tuple[list[int], list[int]]:
        """Find the functions that a reader of a context might take for the one behind it.

        Returns:
            The other functions whose domains hold both inputs of the context of this one, and
            those of them that give both its outputs.
        """
        context = self.functions[number].context
        rivals = [
            other
            for inside, group in self._groups
            if context and all(example.input in inside for example in context)
            for other in group
            if other != number
        ]
        wanted = [(example.input, digest(example.output)) for example in context]
        agreeing = [
            other
            for other in rivals
            if all(self.answers[other].get(text) == output for text, output in wanted)
        ]
        return rivals, agreeing

    def differing(self, number: int, other: int) -> list[str]:
        """Return inputs on which a function gives a value, and another one not the same."""
        answers, others = self.answers[number], self.answers[other]
        return [
            text
            for text, answer in answers.items()
            if answer != NO_ANSWER and text in others and others[text] != answer
        ]

    def agreement(self, first: int, second: int) -> Agreement:
        """Compare two functions on the inputs that lie in both domains.

        Inputs on which neither returns are left out.
        """
        few, many = sorted((self.answers[first], self.answers[second]), key=len)
        tried = agreed = 0
        for text, answer in few.items():
            other = many.get(text)
            if other is not None and not answer == other == NO_ANSWER:
                tried += 1
                agreed += answer == other
        return Agreement(agreed, tried)


class CrossRun:
    """The answers of functions to each other's tests."""

    def __init__(
        self, functions: Sequence[Function], pairs: Iterable[tuple[int, int]], ask: Ask
    ) -> None:
        """Call every function once, on all the tests of the others in its pairs."""
        self._functions = functions
        self._shapes = [shape(function.domain) for function in functions]
        inputs: dict[int, dict[str, None]] = {}
        for pair in pairs:
            for one, other in (pair, pair[::-1]):
                tests = [test.input for test in functions[other].tests]
                inputs.setdefault(one, {}).update(dict.fromkeys(tests))
        found = ask([(functions[number], tuple(texts)) for number, texts in inputs.items()])
        self._answers = {
            number: _in_domain(functions[number], answers)
            for number, answers in zip(inputs, found, strict=True)
        }

    def agreement(self, one: int, other: int) -> Agreement:
        """Count the tests of ``other`` whose outputs ``one`` gives.

        If both take the same types, tests outside the domain of ``one`` are left out: its bounds
        are narrower. If the types differ, it must do with all of them.
        """
        function, tests, answers = (
            self._functions[one],
            self._functions[other].tests,
            self._answers[one],
        )
        if not function.domain_is_known:
            tests = tuple(test for test in tests if test.input in answers)
        elif self._shapes[one] == self._shapes[other]:
            tests = tuple(test for test in tests if function.domain.contains(loads(test.input)))
        agreed = sum(answers[test.input] == digest(test.output) for test in tests)
        return Agreement(agreed, len(tests))

    def differing(self, number: int, other: int) -> list[str]:
        """Return tests of another function on which a function gives a value, but not the same."""
        answers, domain = self._answers[number], self._functions[number].domain
        return [
            test.input
            for test in self._functions[other].tests
            if answers.get(test.input, NO_ANSWER) not in (NO_ANSWER, digest(test.output))
            if domain.contains(loads(test.input))
        ]

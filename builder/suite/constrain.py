"""A stricter validator from a model, taken only when execution finds nothing against it."""

import ast
import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from builder.intake.source_text import write
from builder.literals import dumps, loads
from builder.model.client import Failure, Model, Question, UnusableAnswerError
from builder.records import Method, Suite
from builder.sandbox.protocol import Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.calls import call_all
from builder.suite.guard import objection
from builder.suite.validator import VALIDATOR
from builder.synthesis.compose import compose
from builder.synthesis.constants import mine
from builder.synthesis.domain import Domain
from builder.synthesis.mutate import Mutator
from prompts import answers
from prompts.ask import free_question

CONSTRAIN = "constrain"
FRESH = 200
"""Inputs that the new validator has to admit and the method has to take, beyond the examples."""
MOST_ROUNDS = 3
_MOST_DRAWN = 1200
_SHOWN = 12
_SHOWN_CHARACTERS = 200
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Constrained:
    """What became of the wish for a stricter validator."""

    validator: str | None
    """None: the old one stays."""
    rounds: int
    """How often the model was asked; 0: the method raises on no valid input that was tried."""
    problem: str = ""
    """What was wrong with the last validator that was proposed."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A validator that fell short."""

    code: str
    problem: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An input inside the domain on which a method raises."""

    input: str
    exception: str


def constrain(
    method: Method,
    domain: Domain,
    validator: str,
    suite: Suite,
    model: Model,
    sandbox: Sandbox,
    raised: Sequence[str] = (),
) -> Constrained:
    """Ask a model for a validator that also refuses what the method raises on.

    A new validator is taken only if it admits every example of the suite, refuses every input
    inside the domain on which the method was seen to raise, and the method takes 200 fresh inputs
    that it admits. What speaks against it is told to the model, which may try three times.

    Args:
        method: what is guarded.
        domain: what the present validator admits.
        validator: the present one.
        suite: its inputs must stay valid.
        model: has a model for ``constrain``.
        sandbox: runs validators and method.
        raised: canonical literals of inputs on which the method raised, as far as known.

    Raises:
        WaitingForModelError, PauError: as ``Model.ask``.
        HarnessError: the sandbox failed.
    """
    return _Constrainer(method, domain, validator, suite, model, sandbox).run(raised)


def constrain_question(
    method_code: str,
    validator: str,
    valid: Sequence[str],
    invalid: Sequence[Raised],
    earlier: Sequence[Tried] = (),
) -> Question[str]:
    """Write the question; what stands first in ``valid`` and ``invalid`` is shown."""
    parameters = _parameters(validator)

    def read(text: str) -> str:
        code = write(ast.parse(answers.Validator.read(text).code)) + "\n"
        if wrong := objection(code, VALIDATOR, parameters):
            raise UnusableAnswerError(wrong)
        return code

    return free_question(
        CONSTRAIN,
        answers.Validator.form(),
        read,
        code=method_code,
        validator=validator,
        valid=[text for text in valid if len(text) <= _SHOWN_CHARACTERS][:_SHOWN],
        invalid=[one for one in invalid if len(one.input) <= _SHOWN_CHARACTERS][:_SHOWN],
        earlier=list(earlier),
    )


class _Constrainer:
    def __init__(
        self,
        method: Method,
        domain: Domain,
        validator: str,
        suite: Suite,
        model: Model,
        sandbox: Sandbox,
    ) -> None:
        self._method, self._domain, self._validator = method, domain, validator
        self._model, self._sandbox = model, sandbox
        self._valid = [example.input for example in suite.context + suite.tests]
        self._invalid: list[Raised] = []
        digest = hashlib.sha256(method.code.encode()).hexdigest()
        self._source = random.Random(f"constrain:{digest}")
        self._mutator = Mutator(domain, mine(method.code), self._source)

    def run(self, raised: Sequence[str]) -> Constrained:
        inside = [text for text in raised if self._domain.contains(loads(text))]
        self._invalid = self._raising([*inside, *self._draw(FRESH)])
        tried: list[Tried] = []
        while self._invalid and len(tried) < MOST_ROUNDS:
            answer = self._model.ask(
                constrain_question(
                    self._method.code, self._validator, self._valid, self._invalid, tried
                )
            )
            if isinstance(answer, Failure):
                return Constrained(None, len(tried) + 1, answer.detail)
            problem = self._fault(answer.value)
            if problem is None:
                return Constrained(answer.value, len(tried) + 1)
            tried.append(Tried(answer.value, problem))
        return Constrained(None, len(tried), tried[-1].problem if tried else "")

    def _fault(self, code: str) -> str | None:
        """Say what speaks against a validator; the next question will show it."""
        if refused := self._first_not(True, code, self._valid):
            return f"it refuses the example {refused}"
        if admitted := self._first_not(False, code, [one.input for one in self._invalid]):
            return f"it does not refuse {admitted}, on which the function raises"
        drawn = self._draw(_MOST_DRAWN)
        verdicts = zip(drawn, self._verdicts(code, drawn), strict=True)
        fresh = [text for text, verdict in verdicts if verdict][:FRESH]
        if len(fresh) < FRESH:
            return f"it admits {len(fresh)} of {len(drawn)} fresh inputs, too few to be tried"
        if raising := self._raising(fresh):
            self._invalid = raising + self._invalid
            return f"it admits {raising[0].input}, on which the function raises"
        return None

    def _raising(self, inputs: Sequence[str]) -> list[Raised]:
        """Run the method on inputs; return those on which it raises, each once."""
        once = list(dict.fromkeys(inputs))
        outcomes = zip(once, call_all(self._method.code, once, self._sandbox), strict=True)
        return [
            Raised(text, outcome.exception)
            for text, outcome in outcomes
            if outcome.verdict is Verdict.ERROR
        ]

    def _first_not(self, wanted: bool, code: str, inputs: Sequence[str]) -> str | None:
        verdicts = zip(inputs, self._verdicts(code, inputs), strict=True)
        return next((text for text, verdict in verdicts if verdict is not wanted), None)

    def _verdicts(self, code: str, inputs: Sequence[str]) -> list[bool | None]:
        """Ask a validator what it admits; None: it did neither return None nor raise properly."""
        return [_verdict(one) for one in call_all(code, inputs, self._sandbox, VALIDATOR)]

    def _draw(self, count: int) -> list[str]:
        """Draw inputs of the domain that are no examples; a small domain repeats itself."""
        most = len(self._domain.parameters) + (3 if self._domain.variadic is not None else 0)
        known, drawn = frozenset(self._valid), []
        for _ in range(count):
            size = self._source.randint(self._domain.required, most)
            kinds = [self._domain.kind_at(index) for index in range(size)]
            arguments = compose(kinds, self._source, lean=1)
            if self._source.random() < 0.5:
                arguments = self._mutator.mutate(loads(dumps(arguments)))
            text = dumps(arguments)
            if self._domain.contains(arguments) and len(text) <= _LONGEST and text not in known:
                drawn.append(text)
        return drawn


def _parameters(validator: str) -> str:
    function = ast.parse(validator).body[0]
    assert isinstance(function, ast.FunctionDef)
    return ast.unparse(function.args)


def _verdict(outcome: Outcome) -> bool | None:
    if outcome.verdict is Verdict.OK and outcome.value == "None" and not outcome.arguments_after:
        return True
    refused = outcome.verdict is Verdict.ERROR and outcome.exception in ("TypeError", "ValueError")
    return False if refused else None

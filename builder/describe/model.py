"""Gold descriptions from a model, believed only as far as code written from them alone is right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from builder.describe.corpus import Description
from builder.describe.form import misfit
from builder.model.client import Failure, Model, Question
from builder.model.request import Sampling
from builder.reasons import Reason, Stage
from builder.records import Example, Method, Rejection, Suite
from builder.sandbox.protocol import Call, Job, Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from prompts import answers
from prompts.ask import MOST_TOKENS, question

DESCRIBE, WRITE_CODE = "describe", "write_code"
MOST_ROUNDS = 3
"""How often a description is asked for again."""
_SHOWN_EXAMPLES = 6
_SHOWN_MISSES = 5
_SHOWN_CHARACTERS = 300
"""Longest literal that a prompt shows."""
_BY_MODEL = "model:"
_WARM = 0.8
"""Temperature of all descriptions of one round but the first."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A test on which code written from a description goes wrong."""

    input: str
    expected: str
    got: str
    """The value returned, or what happened instead."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A description and what became of it."""

    description: Description
    unfit: str = ""
    """Why it cannot be published; empty: it can."""
    code_match: float | None = None
    """Share of the tests that code written from it gets right; None: not tried."""
    misses: tuple[Miss, ...] = ()
    code: str = ""
    """What the model wrote from it; empty: nothing of use."""

    @property
    def text(self) -> str:
        """The words."""
        return self.description.text


@dataclass(frozen=True, slots=True)
class Described:
    """The description that is kept, and all that were looked at."""

    best: Attempt
    attempts: tuple[Attempt, ...]
    """In the order in which they were looked at, that of the corpus first."""

    @property
    def passing_code(self) -> tuple[str, ...]:
        """Code that a model wrote from one of the descriptions and that passes every test."""
        right = (each.code for each in self.attempts if each.code and each.code_match == 1)
        return tuple(dict.fromkeys(right))


def describe(
    method: Method,
    suite: Suite,
    own: Description | None,
    model: Model,
    sandbox: Sandbox,
    *,
    min_code_match: float = 0.8,
    best_of: int = 1,
) -> Described | Rejection:
    """Find the description from which the method can best be written anew.

    The corpus' own description stays unless one of the model is better. A description below
    ``min_code_match`` is asked for again, with the calls that went wrong, at most three times.
    Without a model for ``write_code`` the first description that is fit is taken.

    Args:
        method: what is described.
        suite: its examples; the match is measured on E_test.
        own: the description so far: that of the corpus, cleaned and fit, or one of a model for
            another suite; None: there is none.
        model: has a model for ``describe``, and may have one for ``write_code``.
        sandbox: runs the code that the model writes.
        min_code_match: share of the tests, 0 to 1, that is good enough.
        best_of: how many descriptions each round asks for.

    Returns:
        What was found, or a rejection without source and id, which the caller knows.

    Raises:
        WaitingForModelError: the model cannot answer now; the row waits.
        PauError: as ``Model.ask``.
        HarnessError: the sandbox failed.
    """
    return _Describer(method, suite, model, sandbox).run(own, min_code_match, best_of)


def describe_question(
    code: str, suite: Suite, earlier: Sequence[Attempt] = (), number: int = 0
) -> Question[answers.Description]:
    """Ask for a description.

    Args:
        code: what is described.
        suite: some of its examples are shown.
        earlier: the descriptions so far that were not good enough.
        number: which of several descriptions of the same round; 0 for the first.
    """
    examples = sorted(suite.context + suite.tests, key=lambda item: len(item.input + item.output))
    return question(
        answers.Description,
        DESCRIBE,
        Sampling(MOST_TOKENS, temperature=_WARM if number else 0.0, seed=100 * number),
        code=code,
        examples=[item for item in examples if _is_short(item)][:_SHOWN_EXAMPLES],
        earlier=list(earlier),
    )


class _Describer:
    def __init__(self, method: Method, suite: Suite, model: Model, sandbox: Sandbox) -> None:
        self._method, self._suite, self._model, self._sandbox = method, suite, model, sandbox
        self._problem = ""
        """Why the model gave no description, the last time that it gave none."""

    def run(
        self, own: Description | None, min_code_match: float, best_of: int
    ) -> Described | Rejection:
        attempts = [] if own is None else [self._looked_at(own)]
        for _ in range(1 + MOST_ROUNDS):
            if any(_is_enough(attempt, min_code_match) for attempt in attempts):
                break
            asked = [self._asked(tuple(attempts), number) for number in range(best_of)]
            attempts += [attempt for attempt in asked if attempt is not None]
            if not any(asked):
                break
        fit = [attempt for attempt in attempts if not attempt.unfit]
        if not fit:
            detail = attempts[-1].unfit if attempts else self._problem
            return Rejection("", "", Stage.DESCRIBE, Reason.NO_MODEL_DESCRIPTION, detail)
        return Described(max(fit, key=lambda attempt: attempt.code_match or 0.0), tuple(attempts))

    def _asked(self, earlier: tuple[Attempt, ...], number: int) -> Attempt | None:
        answer = self._model.ask(describe_question(self._method.code, self._suite, earlier, number))
        if isinstance(answer, Failure):
            self._problem = answer.detail
            return None
        text = " ".join(answer.value.description.split())
        return self._looked_at(Description(text, f"{_BY_MODEL}{answer.model}"))

    def _looked_at(self, description: Description) -> Attempt:
        """Find out whether a description is fit, and if so, how well code is written from it."""
        attempt = Attempt(description)
        if description.origin.startswith(_BY_MODEL):
            attempt = replace(
                attempt, unfit=misfit(description.text, self._method, self._suite) or ""
            )
        return attempt if attempt.unfit else self._tried(attempt)

    def _tried(self, attempt: Attempt) -> Attempt:
        """Measure how right code is that a model writes from the description alone."""
        if WRITE_CODE not in self._model.models:
            return attempt
        answer = self._model.ask(code_question(self._method.header, attempt.text))
        if isinstance(answer, Failure):
            return replace(attempt, code_match=0.0)
        misses = code_misses(answer.value.code, self._suite.tests, self._sandbox)
        match = 1 - len(misses) / len(self._suite.tests)
        return replace(attempt, code_match=match, misses=_telling(misses), code=answer.value.code)


def code_question(header: str, description: str) -> Question[answers.Function]:
    """Ask for code from the first line of a function and its description alone."""
    return question(answers.Function, WRITE_CODE, header=header, description=description)


def code_misses(code: str, tests: Sequence[Example], sandbox: Sandbox) -> list[Miss]:
    """Run code that defines ``test_func`` on tests; return those that it does not get right."""
    calls = tuple(Call(example.input) for example in tests)
    limits = sandbox.limits
    sandbox.limits = replace(limits, late_calls=1)
    try:
        report = sandbox.run(Job(code, "test_func", calls))
    finally:
        sandbox.limits = limits
    outcomes = report.outcomes or (report.loaded,) * len(tests)
    return [
        Miss(example.input, example.output, _told(outcome))
        for example, outcome in zip(tests, outcomes, strict=True)
        if outcome.verdict is not Verdict.OK or outcome.value != example.output
    ]


def _is_enough(attempt: Attempt, min_code_match: float) -> bool:
    if attempt.unfit:
        return False
    return attempt.code_match is None or attempt.code_match >= min_code_match


def _told(outcome: Outcome) -> str:
    if outcome.verdict is Verdict.OK:
        return outcome.value
    return outcome.exception or f"no value ({outcome.verdict})"


def _telling(misses: Iterable[Miss]) -> tuple[Miss, ...]:
    """Choose the misses that a prompt shows: the shortest, with their literals cut."""
    chosen = sorted(misses, key=lambda miss: len(miss.input + miss.expected))[:_SHOWN_MISSES]
    return tuple(Miss(_cut(one.input), _cut(one.expected), _cut(one.got)) for one in chosen)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."


def _is_short(example: Example) -> bool:
    return len(example.input + example.output) <= _SHOWN_CHARACTERS

"""Questions to a model: from the store where they were asked before, else from a back end."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, Protocol, Self, TypeVar

from builder.errors import PauError
from builder.model.budget import Budget
from builder.model.reply import read_reply, strip_fence
from builder.model.request import Ending, Json, Message, Record, Request, Sampling
from builder.model.store import Store

Value = TypeVar("Value")

ATTEMPTS = 5
"""How often a question is put while the answers are no use, unless the user says otherwise."""
_SHOWN_CHARACTERS = 2000
"""Most of a useless answer that is shown to the model again."""


class Mode(StrEnum):
    """What the store is used for."""

    RECORD = "record"
    """Answer from it, else ask and keep."""
    REPLAY = "replay"
    """Answer from it alone; no connection is ever opened."""
    REFRESH = "refresh"
    """Ask everything anew once in a run, and keep."""
    OFF = "off"
    """Neither read nor keep."""


class WaitingForModelError(PauError):
    """A row cannot be finished now, but can be later: it is not lost, and must not be stored."""


class ReplayMissError(PauError):
    """A replayed run asks something that was never recorded."""


class UnusableAnswerError(ValueError):
    """An answer has not the form asked for; the text says to the model what is wrong."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Value]):
    """What to ask, and how to read the answer."""

    task: str
    prompt_version: int
    messages: tuple[Message, ...]
    schema: Json | None
    """JSON schema of the answer; None: free text."""
    read: Callable[[str], Value]
    """Reads an answer; raises ``ValueError`` (best ``UnusableAnswerError``) if it cannot."""
    repair: Callable[[str], str]
    """Writes the message that tells the model what was wrong with its answer."""
    sampling: Sampling

    def text(self) -> str:
        """Return what would be sent, for a reader."""
        return "\n\n".join(f"[{message.role}]\n{message.content}" for message in self.messages)


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """A usable answer."""

    value: Value
    model: str
    """Name of the model that was asked."""
    attempts: int
    """How many answers it took."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The model spoke, but said nothing of use, as often as it was asked."""

    ending: Ending
    detail: str
    """One line for a reader."""


class BackEnd(Protocol):
    """Where replies come from that the store does not have."""

    def fetch(self, request: Request) -> Record:
        """Return the record of a request, kept already.

        Raises:
            WaitingForModelError: the reply will be there in a later run.
            PauError: there will be none.
        """

    def close(self) -> None:
        """Let go of everything."""


class Replay:
    """The back end that has nothing."""

    def fetch(self, request: Request) -> Record:
        """See ``BackEnd``."""
        raise ReplayMissError(
            f"replay: the store has no reply of {request.model} to this {request.task} prompt"
            f" (version {request.prompt_version}, attempt {request.attempt},"
            f" key {request.key[:12]}); record it first, or replay with the code, prompts and"
            " settings of the recording"
        )

    def close(self) -> None:
        """See ``BackEnd``."""


class Model:
    """The models of a run, one for each task. Every method may be called from any thread."""

    def __init__(
        self,
        models: Mapping[str, str],
        store: Store,
        budget: Budget,
        back_end: BackEnd,
        kept_since: float | None = 0.0,
        most_tokens: int | None = None,
        attempts: int = ATTEMPTS,
        meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """Make ready; nothing is sent yet.

        Args:
            models: from task to the name of its model; a task without one is not asked.
            store: replies that are there already.
            budget: keeps the ledger.
            back_end: where other replies come from.
            kept_since: a reply in the store counts if it is as new as this, in seconds since
                the epoch; None: none counts.
            most_tokens: of an answer, where questions allow more; None: as they say.
            attempts: how often a question is put while the answers are no use.
            meanwhile: what surrounds the waiting for a reply, so that others may work then.
        """
        self.models = dict(models)
        self._store, self._budget, self._back_end = store, budget, back_end
        self._kept_since, self._most_tokens, self._attempts = kept_since, most_tokens, attempts
        self._meanwhile = meanwhile

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._back_end.close()
        self._store.close()

    def ask(self, question: Question[Value]) -> Answer[Value] | Failure:
        """Put a question, again with what was wrong while the answers are no use.

        Raises:
            WaitingForModelError: no reply came now; the row waits for a later run.
            BudgetReachedError: the next call would go over a limit.
            PauError: replies cannot be had at all.
        """
        messages = question.messages
        failure = Failure(Ending.EMPTY, "")
        for attempt in range(self._attempts):
            request = self._request(question, messages, attempt)
            record, fetched = self._obtain(request)
            if record.ending is Ending.BAD_REQUEST:
                return Failure(record.ending, record.detail or record.ending.sentence)
            verdict, text = _judge(question, record)
            if isinstance(verdict, Answer):
                return replace(verdict, attempts=attempt + 1)
            failure = verdict
            self._note(record, failure, fetched)
            messages = question.messages
            if failure.ending not in (Ending.REFUSAL, Ending.EMPTY):
                messages += _objection(question, text, failure)
        return failure

    def _request(
        self, question: Question[Value], messages: tuple[Message, ...], attempt: int
    ) -> Request:
        sampling = question.sampling
        tokens = min(sampling.max_tokens, self._most_tokens or sampling.max_tokens)
        return Request(
            task=question.task,
            prompt_version=question.prompt_version,
            messages=messages,
            schema=question.schema,
            model=self.models[question.task],
            sampling=replace(sampling, max_tokens=tokens, seed=sampling.seed + attempt),
            attempt=attempt,
        )

    def _obtain(self, request: Request) -> tuple[Record, bool]:
        """Return the record of a request, and whether it was fetched now."""
        record = None if self._kept_since is None else self._store.get(request.key)
        if record is not None and record.recorded_at >= (self._kept_since or 0.0):
            replayed = isinstance(self._back_end, Replay)
            if record.ending.arrived:
                self._budget.note_stored(request)
                return record, False
            if replayed:
                raise _no_reply(record)
        with self._meanwhile():
            record = self._back_end.fetch(request)
        if not record.ending.arrived:
            raise _no_reply(record)
        return record, True

    def _note(self, record: Record, failure: Failure, fetched: bool) -> None:
        """Write down what is wrong with an answer that looked right from outside, once."""
        judged = replace(record, ending=failure.ending, detail=failure.detail)
        if self._kept_since is not None and self._store.judge(judged) and fetched:
            self._budget.rebook(record.request, failure.ending, record.usage)


def _judge(question: Question[Value], record: Record) -> tuple[Answer[Value] | Failure, str]:
    """Read the reply in a record; return the text of the answer as well."""
    reply = read_reply(record.body)
    if reply.ending is not Ending.ANSWERED:
        return Failure(reply.ending, reply.ending.sentence), reply.text
    try:
        value = question.read(strip_fence(reply.text) if question.schema else reply.text)
    except json.JSONDecodeError as error:
        detail = f"not JSON: {error.msg} at character {error.pos}"
        return Failure(Ending.BAD_JSON, detail), reply.text
    except (ValueError, RecursionError) as error:
        return Failure(Ending.BAD_ANSWER, str(error)), reply.text
    return Answer(value, record.request.model, 0), reply.text


def _objection(question: Question[Value], text: str, failure: Failure) -> tuple[Message, ...]:
    return (
        Message("assistant", text[:_SHOWN_CHARACTERS]),
        Message("user", question.repair(failure.detail)),
    )


def _no_reply(record: Record) -> WaitingForModelError:
    tries = len(record.failed_tries) + 1
    return WaitingForModelError(
        f"no reply of {record.request.model} after {tries} tries:"
        f" {record.detail or record.ending.sentence}"
    )

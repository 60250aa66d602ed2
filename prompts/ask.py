"""From prompt files to questions for a model."""

from collections.abc import Callable
from typing import Any, TypeVar

from builder.model.client import Question
from builder.model.request import Json, Message, Sampling
from prompts.answers import Answer
from prompts.loader import load, render

Value = TypeVar("Value")
Form = TypeVar("Form", bound=Answer)

MOST_TOKENS = 2000
"""Of an answer. Those that think before they speak need room."""


def question(
    form: type[Form], name: str, sampling: Sampling | None = None, **variables: Any
) -> Question[Form]:
    """Ask with the prompt file ``name``, whose front matter names ``form``.

    Raises:
        TypeError, jinja2.UndefinedError: the variables are not those of the prompt.
    """
    prompt = load(name)
    if prompt.answer is not form:
        raise TypeError(f"the prompt {name} is answered by {prompt.answer}, not {form}")
    return free_question(name, form.form(), form.read, sampling, **variables)


def free_question(
    name: str,
    schema: Json | None,
    read: Callable[[str], Value],
    sampling: Sampling | None = None,
    **variables: Any,
) -> Question[Value]:
    """Ask with the prompt file ``name`` for an answer whose form depends on the row.

    Args:
        name: the prompt file.
        schema: JSON schema of the answer; None: free text.
        read: reads an answer; raises ``ValueError``; its text says to the model what is wrong.
        sampling: how the answer is drawn.
        **variables: those of the prompt.
    """
    prompt = load(name)
    return Question(
        task=prompt.task,
        prompt_version=prompt.version,
        messages=tuple(Message(role, _sendable(text)) for role, text in prompt.turns(variables)),
        schema=schema,
        read=read,
        repair=lambda problem: render("repair", problem=problem),
        sampling=sampling or Sampling(MOST_TOKENS),
    )


def _sendable(text: str) -> str:
    """Escape the lone surrogates that a string constant of a corpus may hold."""
    return text.encode("utf-8", "backslashreplace").decode()

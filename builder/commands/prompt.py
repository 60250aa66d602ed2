"""What models would be asked about a finished row, for ``pau-build show --prompt``."""

import json
from collections.abc import Callable
from typing import Any

from builder.describe.judge import JUDGE, judge_question
from builder.describe.model import DESCRIBE, WRITE_CODE, code_question, describe_question
from builder.model.client import Question
from builder.records import Task
from builder.suite.constrain import CONSTRAIN, constrain_question
from builder.suite.enlarge import changes_of
from builder.synthesis.domain import Domain
from builder.synthesis.propose import PROPOSE, propose_question

_NO_WORDS = "(the description to be judged)"


def prompt_of(task: Task, name: str) -> str:
    """Return the first messages of a task of the model stage about a row.

    Args:
        task: the row.
        name: one of ``PROMPTS``.
    """
    return PROMPTS[name](task).text()


def _describe(task: Task) -> Question[Any]:
    return describe_question(task.code, task.suite)


def _propose(task: Task) -> Question[Any]:
    return propose_question(
        task.code,
        Domain.from_json(json.loads(task.domain)),
        known=_inputs(task),
        lines=task.suite.coverage.missing_lines,
        changes=changes_of(task.suite),
    )


def _constrain(task: Task) -> Question[Any]:
    return constrain_question(task.code, task.validator, _inputs(task), ())


def _write_code(task: Task) -> Question[Any]:
    return code_question(task.header, task.description or "")


def _judge(task: Task) -> Question[Any]:
    return judge_question(task.header, task.description or "", _NO_WORDS)


def _inputs(task: Task) -> list[str]:
    return [example.input for example in task.suite.context + task.suite.tests]


PROMPTS: dict[str, Callable[[Task], Question[Any]]] = {
    DESCRIBE: _describe,
    PROPOSE: _propose,
    CONSTRAIN: _constrain,
    WRITE_CODE: _write_code,
    JUDGE: _judge,
}
"""What writes the question, by name of the task."""

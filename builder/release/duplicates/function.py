"""What is compared: functions of rows, and functions that stand elsewhere."""

import json
from dataclasses import dataclass

from builder.records import Example, Task
from builder.synthesis.domain import Domain
from builder.synthesis.runner import ENTRY_POINT


@dataclass(frozen=True, slots=True)
class Function:
    """A function with its examples."""

    name: str
    """For a reader: the id of the row, or where else it stands."""
    code: str
    """A module that parses and defines the function."""
    entry_point: str
    domain: Domain
    """What it takes; only the number of arguments counts unless ``domain_is_known``."""
    context: tuple[Example, ...] = ()
    """Empty for functions that stand elsewhere and have no examples."""
    tests: tuple[Example, ...] = ()
    domain_is_known: bool = True
    """Otherwise the inputs on which it returns are taken for its domain."""


def function_of(task: Task) -> Function:
    """Return the function of a row."""
    return Function(
        name=task.task_id,
        code=task.code,
        entry_point=ENTRY_POINT,
        domain=Domain.from_json(json.loads(task.domain)),
        context=task.suite.context,
        tests=task.suite.tests,
    )

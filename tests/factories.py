"""Records for tests, small and our own."""

from typing import Any

from builder.records import Candidate, Coverage, Example, Suite, Task

CLAMP = '''
def clamp(value, low, high):
    """Keep a value between two bounds.

    >>> clamp(5, 0, 3)
    3
    """
    if value < low:
        return low
    if value > high:
        return high
    return value
'''


def candidate(**changes: Any) -> Candidate:
    """Return a candidate that comes all the way to a row."""
    fields: dict[str, Any] = {
        "source": "own",
        "source_id": "own/0",
        "split": "test",
        "license": "MIT",
        "revision": "1",
        "link": "https://example.org/own",
        "code": CLAMP,
        "entry_point": "clamp",
        "drivers": ("clamp(5, 0, 3)", "clamp(-2, 0, 3)", "clamp(2, 0, 3)"),
        "description": "Keep a value between two bounds.",
    }
    return Candidate(**{**fields, **changes})


def task(**changes: Any) -> Task:
    """Return a finished row."""
    examples = tuple(Example(f"({n},)", str(n + 1), "corpus") for n in range(6))
    fields: dict[str, Any] = {
        "task_id": "own/0",
        "split": "test",
        "header": "def test_func(arg0):",
        "code": "def test_func(arg0):\n    return arg0 + 1\n",
        "validator": "def validate_input_args(arg0):\n    pass\n",
        "description": "Adds one to a number.",
        "description_origin": "corpus",
        "suite": Suite(examples[:2], examples[2:], Coverage(1, 1, 0, 0), 0),
        "arity": 1,
        "source": "own",
        "source_id": "own/0",
        "source_revision": "1",
        "source_variant": "",
        "license": "MIT",
        "link": "https://example.org/own",
    }
    return Task(**{**fields, **changes})

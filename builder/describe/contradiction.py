"""Runs the examples that a description shows, and finds one that the code does not bear out."""

import ast
import math
from typing import Any, Final

from builder.literals import loads
from builder.records import Method
from builder.sandbox.protocol import Call, Job, Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.shown import expression, shown_calls

_ASKED: Final = "_shown_example"
"""Name of the function that evaluates an expression of the text by its number."""
_ROUNDING: Final = 0.01
"""How far, in proportion, a text may round a float."""


def contradiction(text: str, method: Method, sandbox: Sandbox) -> str | None:
    """Say which example of the text is wrong; None if none is, or none can be checked.

    A text is not held to exact types: ``2`` for ``2.0`` or ``("a")`` for ``("a",)`` is no lie.

    Raises:
        HarnessError: the sandbox failed.
    """
    shown = [
        (call.call, call.expected)
        for call in shown_calls(text, method.original_entry_point)
        if call.expected is not None
    ]
    if not shown:
        return None
    asked = [part for pair in shown for part in pair]
    report = sandbox.run(Job(_module(method, asked), _ASKED, _numbered(len(asked))))
    for number, (call, expected) in enumerate(shown):
        outcomes = report.outcomes[2 * number : 2 * number + 2]
        if len(outcomes) == 2 and _contradicts(*outcomes):
            found = outcomes[0].value or outcomes[0].exception
            return " ".join(f"{call} gives {found}, not {expected}".split())
    return None


def _module(method: Method, texts: list[str]) -> str:
    """Return the original module and a function that evaluates one of the texts."""
    thunks = "".join(f"lambda: ({_one_line(text)}), " for text in texts)
    return f"{method.original}\n\ndef {_ASKED}(number):\n    return ({thunks})[number]()\n"


def _one_line(text: str) -> str:
    tree = expression(text)
    return "None" if tree is None else ast.unparse(tree)


def _numbered(count: int) -> tuple[Call, ...]:
    return tuple(Call(f"({number},)") for number in range(count))


def _contradicts(called: Outcome, expected: Outcome) -> bool:
    """Tell whether a call came out otherwise than expected; what cannot be told does not."""
    if expected.verdict is not Verdict.OK:
        return False
    if called.verdict is Verdict.ERROR:
        return called.exception != "NameError"  # the example itself uses a name of no meaning
    return called.verdict is Verdict.OK and not _agree(loads(expected.value), loads(called.value))


def _agree(said: Any, found: Any) -> bool:
    """Compare as a reader would."""
    if isinstance(said, int | float) and isinstance(found, int | float):
        return said == found or math.isclose(said, found, rel_tol=_ROUNDING)
    if isinstance(found, tuple) and len(found) == 1 and not isinstance(said, tuple):
        return _agree(said, found[0])
    if isinstance(said, list | tuple) and type(said) is type(found):
        return len(said) == len(found) and all(map(_agree, said, found))
    if isinstance(said, dict) and isinstance(found, dict):
        return said.keys() == found.keys() and all(_agree(said[k], found[k]) for k in said)
    return bool(said == found)

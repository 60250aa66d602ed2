"""Running a catalogue of hostile functions through the sandbox, and looking for escapes."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from builder.errors import PauError
from builder.literals import LiteralError, canonical, dumps, loads
from builder.sandbox.judge import judge
from builder.sandbox.protocol import Call, Job, Limits, Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.sandbox.yard import Yard

LIMITS: Final = Limits(call_seconds=1.0, load_seconds=2.0, wall_seconds=3.0)
ENTRY_POINT: Final = "test_func"
_PLAIN: Final = frozenset({Verdict.OK, Verdict.ERROR, Verdict.TIMEOUT, Verdict.MEMORY})
_TRIES: Final = 3
"""A file in a folder that all programs share counts only if it comes every time."""
_CONTROL: Final = {
    "code": "def test_func(xs):\n    return [len(xs), sorted(xs)]\n",
    "args": "([3, 1, 2],)",
    "expect": "[3, [1, 2, 3]]",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One function of a catalogue and the verdicts that are right for it."""

    name: str
    code: str
    arguments: str
    right: frozenset[str]
    expected: str | None = None
    """Literal of the only right value, if the verdict is ok; None: any."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case."""

    case: Case
    verdict: str
    is_right: bool
    escapes: tuple[str, ...]

    @property
    def line(self) -> str:
        """The result as one line."""
        right = "right" if self.is_right else f"WRONG (right: {', '.join(sorted(self.case.right))})"
        escapes = "; ".join(self.escapes) or "none"
        return f"{self.case.name:<28} {self.verdict:<26} {right}; escapes: {escapes}"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Cases, and the function that has to give its value after every one of them."""

    cases: tuple[Case, ...]
    control: Case


def read(path: Path) -> Catalogue:
    """Read a catalogue: JSON with ``about`` (optional) and ``cases``.

    Raises:
        PauError: the file is missing, or not such a catalogue.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise PauError(f"{path}: cannot be read ({error.strerror}); check --cases") from None
    except ValueError as error:
        raise PauError(f"{path}: is not JSON in UTF-8 ({error}); mend it") from None
    if not isinstance(content, dict) or not isinstance(content.get("cases"), list):
        raise PauError(f'{path}: has no list "cases"; see the README for the format')
    cases = [_read_case(path, number, row) for number, row in enumerate(content["cases"])]
    control = {**_CONTROL, **content.get("about", {}).get("control", {}), "id": "control"}
    return Catalogue(tuple(cases), _read_case(path, -1, {**control, "must": "ok"}))


def _read_case(path: Path, number: int, row: Any) -> Case:
    name = row.get("id", f"number {number}") if isinstance(row, dict) else f"number {number}"
    try:
        return Case(
            row["id"],
            row["code"],
            dumps(loads(row.get("args", "()"))),
            frozenset([row["must"], *row.get("accept", ())]),
            row.get("expect"),
        )
    except (KeyError, TypeError) as error:
        raise PauError(f'{path}: case {name} has no "id", "code" or "must" ({error})') from None
    except LiteralError as error:
        raise PauError(f'{path}: "args" of case {name} is no literal tuple ({error})') from None


def run(catalogue: Catalogue, sandbox: Sandbox) -> Iterator[Result]:
    """Run every case and the control after it, and look for escapes after each.

    Raises:
        PauError: there is no place for the bait.
        HarnessError: the sandbox itself failed.
    """
    try:
        yard = Yard()
    except OSError as error:
        raise PauError(
            f"the catalogue needs a temporary folder and two local ports ({error}); "
            "name a folder with room in TMPDIR"
        ) from None
    with yard:
        _judge(catalogue.control, sandbox, yard)  # starts the servers that belong there
        yard.settle()
        for case in catalogue.cases:
            yield _run_case(case, catalogue.control, sandbox, yard)


def _run_case(case: Case, control: Case, sandbox: Sandbox, yard: Yard) -> Result:
    for _ in range(_TRIES):
        before = yard.shared_files(case.code)
        outcome = _judge(case, sandbox, yard)
        left = yard.shared_files(case.code) - before
        if not left:
            break
    escapes = yard.escapes()
    if left:
        escapes.append(f"files were left in shared folders: {', '.join(sorted(left))}")
    if yard.secret in repr(outcome):
        escapes.append("the secret came back")
    after = sandbox.run(Job(control.code, ENTRY_POINT, (Call(control.arguments),)))
    if not after.outcomes or not _is_right(control, after.outcomes[0]):
        escapes.append("the next function was changed")
    return Result(case, name_verdict(outcome.verdict), _is_right(case, outcome), tuple(escapes))


def _judge(case: Case, sandbox: Sandbox, yard: Yard) -> Outcome:
    code = case.code
    for placeholder, value in yard.placeholders.items():
        code = code.replace(placeholder, value)
    return judge(sandbox, code, Call(case.arguments), ENTRY_POINT)


def name_verdict(verdict: Verdict) -> str:
    """The verdict in the words of a catalogue."""
    return verdict.value if verdict in _PLAIN else f"rejected:{verdict.value}"


def _is_right(case: Case, outcome: Outcome) -> bool:
    if name_verdict(outcome.verdict) not in case.right:
        return False
    if outcome.verdict is not Verdict.OK or case.expected is None:
        return True
    return _canonical(case.expected) == outcome.value


def _canonical(text: str) -> str:
    """The canonical literal, also of an int with more digits than Python reads by itself."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return canonical(text)
    finally:
        sys.set_int_max_str_digits(digits)

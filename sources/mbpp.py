"""MBPP: 974 crowd-sourced problems, 427 of them edited by hand (the sanitized part).

An edited problem may have another text, another signature and other tests than the first one, so
the three are taken together: from the sanitized part where it has the problem, else from the full
one. The full one is also taken where the edited code returns a match object, which has no literal
form. The tests of both serve as drivers where both have the same code.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from builder.reasons import Reason
from builder.records import Candidate, Rejection
from sources.contract import HubPart, Row, Source, unix_lines
from sources.mining import called_names, functions, parse, same_code, with_setup

_MATCHERS = frozenset({"re.search", "re.match", "re.fullmatch"})


def join(rows: Sequence[Row]) -> Sequence[Row]:
    """Put the sanitized row in the place of the full row with the same id; order by id."""
    joined: dict[str, Row] = {}
    for row in rows:
        other = joined.setdefault(row.id, row)
        if other is row:
            continue
        sanitized, full = (row, other) if "prompt" in row.fields else (other, row)
        if "prompt" in full.fields or "prompt" not in sanitized.fields:
            raise row.fault(f"task_id {row.id} again, first in {other.place}; remove one")
        if _returns_match(sanitized.fields["code"]):
            joined[row.id] = full
            continue
        joined[row.id] = replace(
            sanitized,
            number=other.number,
            place=f"{sanitized.place} and {full.place}",
            fields={**sanitized.fields, "full": full.fields},
        )
    return sorted(joined.values(), key=lambda row: int(row.id))


def _returns_match(code: str) -> bool:
    """Tell whether all that a program returns are matches of regular expressions."""
    tree = parse(unix_lines(code))
    returned = (
        [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)] if tree else []
    )
    return bool(returned) and all(
        isinstance(value, ast.Call) and ast.unparse(value.func) in _MATCHERS for value in returned
    )


def convert(row: Row) -> Candidate | Rejection:
    """Read one problem; the target is the function that its tests call."""
    fields = row.fields
    if not isinstance(fields.get("prompt", fields.get("text")), str):
        raise row.fault("has neither a text 'text' (full part) nor 'prompt' (sanitized part)")
    code = unix_lines(fields["code"])
    tests = _tests(fields)
    if "full" in fields and same_code(code, unix_lines(fields["full"]["code"])):
        tests += _tests(fields["full"])
    tree = parse(code)
    if tree is None:
        return row.reject(Reason.NOT_PYTHON)
    names = [function.name for function in functions(tree)]
    if not names:
        return row.reject(Reason.NO_FUNCTION)
    called = [name for test in tests if (body := parse(test)) for name in called_names(body)]
    return row.candidate(
        code=code,
        entry_point=next((name for name in called if name in names), None),
        drivers=tests,
        description=fields["prompt"] if "prompt" in fields else fields["text"],
        variant="sanitized" if "prompt" in fields else "full",
    )


def _tests(fields: Mapping[str, Any]) -> list[str]:
    setup = [*fields.get("test_imports", []), str(fields.get("test_setup_code", ""))]
    tests = [*fields["test_list"], *fields.get("challenge_test_list", [])]
    return [unix_lines(text) for text in with_setup(setup, tests)]


SOURCE = Source(
    name="mbpp",
    title="Mostly Basic Python Problems",
    home="https://github.com/google-research/google-research/tree/master/mbpp",
    license="CC-BY-4.0",
    citation="Austin et al. (2021). Program Synthesis with Large Language Models. "
    "arXiv:2108.07732.",
    split="test",
    hub_id="google-research-datasets/mbpp",
    revision="4bb6404fdc6cacfda99d4ac4205087b89d32030c",
    hub_parts=(
        HubPart("full", "train+test+validation+prompt"),
        HubPart("sanitized", "train+test+validation+prompt"),
    ),
    columns={"task_id": int, "code": str, "test_list": list},
    convert=convert,
    id_column="task_id",
    join=join,
)

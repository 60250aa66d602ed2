"""What can be checked of a release without running its code."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from builder.errors import HarnessError, PauError
from builder.literals import LiteralError, canonical, loads
from builder.records import Task
from builder.release.funnel import build_funnel
from builder.release.packed import (
    CHECKSUMS,
    FUNNEL,
    REJECTIONS,
    Packed,
    checksums,
    content_hash,
    read_funnel,
    read_rejections,
)
from builder.release.rows import CONFIGS, Row, default_row, task_from_row, typed_row

_WORDED_BY_US = ("test_func_validated", "direct_prompt", "interactive_starting_prompt")


def changed_files(folder: Path) -> Iterator[str]:
    """Yield a line for each file that is not as ``SHA256SUMS`` says."""
    try:
        stated = stated_checksums(folder)
    except (OSError, UnicodeDecodeError):
        yield f"{CHECKSUMS}: cannot be read"
        return
    found = dict(_name_and_hash(line) for line in checksums(folder).splitlines())
    for name in sorted(stated.keys() | found.keys()):
        if name not in found:
            yield f"{name}: is missing"
        elif name not in stated:
            yield f"{name}: is not part of the release"
        elif found[name] != stated[name]:
            yield f"{name}: was changed"


def stated_checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file as ``SHA256SUMS`` says it, by path.

    Raises:
        OSError: the file is missing or cannot be read.
        UnicodeDecodeError: it is not text.
    """
    text = (folder / CHECKSUMS).read_text("utf-8")
    return dict(_name_and_hash(line) for line in text.splitlines())


def _name_and_hash(line: str) -> tuple[str, str]:
    hexadecimal, _, name = line.partition("  ")
    return name, hexadecimal


def unlike_manifest(manifest: Mapping[str, Any], packed: Packed) -> Iterator[str]:
    """Yield a line for each split whose rows are not those that the manifest describes."""
    for config in CONFIGS:
        if set(packed[config]) != set(manifest["splits"]):
            yield f"config {config}: has the splits {', '.join(packed[config])}"
    for split, stated in manifest["splits"].items():
        for config in CONFIGS:
            rows = packed[config].get(split, [])
            if len(rows) != stated["rows"]:
                yield f"{config}/{split}: has {len(rows)} rows, not {stated['rows']}"
            elif content_hash(rows) != stated["content_sha256"][config]:
                yield f"{config}/{split}: the rows are not those of the manifest"


def wrong_rows(packed: Packed) -> Iterator[str]:
    """Yield a line for each row that breaks a promise of the format."""
    place_of: dict[str, str] = {}
    for split, rows in packed["typed"].items():
        in_default = packed["default"].get(split, [])
        for number, row in enumerate(rows):
            place = f"{split} row {number}"
            first = place_of.setdefault(row["task_id"], place)
            if first is not place:
                yield f"{row['task_id']}: stands twice, as {first} and {place}"
            task = task_from_row(row, split)
            faults = list(_faults(task))
            if not faults:
                if typed_row(task) != row:
                    faults.append("its figures contradict each other")
                if number >= len(in_default) or not _agrees(in_default[number], task):
                    faults.append("config default does not hold the same task in this row")
            yield from (f"{task.task_id}: {fault}" for fault in faults)


def _agrees(row: Row, task: Task) -> bool:
    # Prompts may be worded otherwise in another version of the toolkit; the function is replayed.
    wanted = {**default_row(task), **{name: row[name] for name in _WORDED_BY_US}}
    return row == wanted


def _faults(task: Task) -> Iterator[str]:
    context, tests = task.suite.context, task.suite.tests
    for example in context + tests:
        yield from input_faults(example.input)
        yield from _literal_faults(example.output)
    if len(context) != 2 or context[0].output == context[1].output:
        yield "its context is not two examples with different outputs"
    inputs = [example.input for example in context + tests]
    if len(set(inputs)) != len(inputs):
        yield "an input stands twice"


def input_faults(text: str) -> Iterator[str]:
    """Yield what is wrong with the literal of a tuple of arguments."""
    faults = list(_literal_faults(text))
    if not faults and type(loads(text)) is not tuple:
        faults.append(f"not a tuple of arguments: {text}")
    yield from faults


def _literal_faults(text: str) -> Iterator[str]:
    try:
        if canonical(text) != text:
            yield f"not in canonical form: {text}"
    except LiteralError as error:
        yield str(error)


def wrong_funnel(folder: Path, manifest: Mapping[str, Any], tasks: Sequence[Task]) -> Iterator[str]:
    """Yield a line if the funnel, the rejections and the rows do not add up."""
    rows_in = {name: source["rows"] for name, source in manifest["sources"].items()}
    try:
        stated, rejections = read_funnel(folder), read_rejections(folder)
        funnel = build_funnel(rows_in, rejections, tasks)
    except (PauError, HarnessError) as error:
        yield str(error)
        return
    if funnel != stated:
        yield f"{FUNNEL}: does not count what {REJECTIONS} and the rows hold"

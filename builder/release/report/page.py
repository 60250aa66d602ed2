"""The page itself: one HTML file that needs no other and asks no network for anything.

The rows are in it as gzipped JSON in Base64, whose letters cannot end a script element. The
browser unpacks them and makes every text of a release a text node, never HTML. A policy in the
head of the page allows the page's own script and style, by their hashes, and nothing else.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from builder.errors import PauError
from builder.records import Rejection, Task
from builder.release.packed import read_funnel, read_manifest, read_rejections, read_rows
from builder.release.report.detailed import detailed_row
from builder.release.report.listed import listed_rejection, listed_row
from builder.release.report.overview import overview
from builder.release.rows import natural_key, task_from_row

_ASSETS = Path(__file__).parent / "page"
_SCRIPTS = (
    "data.js",
    "elements.js",
    "python.js",
    "filters.js",
    "reasons.js",
    "sankey.js",
    "charts.js",
    "overview.js",
    "items.js",
    "facets.js",
    "table.js",
    "list.js",
    "code.js",
    "figures.js",
    "row.js",
    "main.js",
)
"""In the order in which they are joined to the page's one script."""
_ROWS_A_PART = 64
"""Rows whose details are unpacked together."""


def write_report(folder: Path, output: Path) -> int:
    """Write the page of a release.

    Args:
        folder: the release; it is not changed.
        output: the file to write; what stood there before is replaced in one step.

    Returns:
        The size of the page in bytes.

    Raises:
        PauError: the folder holds no release, or the file cannot be written.
    """
    _check_target(folder, output)
    page = report(folder).encode()
    aside = output.with_name(f".{output.name}.writing")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(page)
        aside.replace(output)
    except OSError as error:
        with suppress(OSError):
            aside.unlink()
        raise PauError(
            f"{output}: the page cannot be written ({error.strerror}); name another file with"
            " --output"
        ) from None
    return len(page)


def _check_target(folder: Path, output: Path) -> None:
    if output.is_dir():
        raise PauError(f"{output}: is a folder; name a file with --output")
    if output.resolve().is_relative_to(folder.resolve()):
        raise PauError(
            f"{output}: is in the release, whose files are fixed by its SHA256SUMS;"
            " name a file outside with --output"
        )


def report(folder: Path) -> str:
    """Return the text of the page, which depends on the release alone.

    Raises:
        PauError: the folder holds no release, or a file of it cannot be read.
    """
    rows, rejections = read_rows(folder), read_rejections(folder)
    tasks = [task_from_row(row, split) for split, members in rows.items() for row in members]
    whole = overview(read_manifest(folder), rows, read_funnel(folder))
    return page(whole, tasks, rejections)


def page(whole: dict[str, Any], tasks: Sequence[Task], rejections: Sequence[Rejection]) -> str:
    """Return the text of the page for rows that were read.

    Args:
        whole: what ``overview`` says of the release.
        tasks: the rows of the release, in its order.
        rejections: the rows that were lost.
    """
    lost = sorted(
        map(listed_rejection, rejections), key=lambda each: (natural_key(each["id"]), each["stage"])
    )
    index = {
        "overview": whole,
        "rows": [listed_row(task) for task in tasks],
        "lost": lost,
        "rowsAPart": _ROWS_A_PART,
    }
    script = "".join((_ASSETS / name).read_text("utf-8") for name in _SCRIPTS)
    style = (_ASSETS / "style.css").read_text("utf-8")
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            script=script,
            style=style,
            script_hash=_hash(script),
            style_hash=_hash(style),
            index=_packed(index),
            parts=[_packed(part) for part in _parts(tasks)],
        )
    )


def _parts(tasks: Sequence[Task]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(tasks), _ROWS_A_PART):
        yield [detailed_row(task) for task in tasks[start : start + _ROWS_A_PART]]


def _packed(value: Any) -> str:
    # ASCII alone, so that lone surrogates, which UTF-8 has no bytes for, travel as escapes.
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _hash(text: str) -> str:
    """Return the source expression by which a policy knows an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_ASSETS), undefined=StrictUndefined, autoescape=False
    )

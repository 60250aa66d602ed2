"""Differences between releases in words: Markdown that reads well in a terminal too."""

from collections import Counter
from collections.abc import Iterator, Sequence

from builder.release.diff import Figure, Moved, Placed, ReleaseDiff


def in_words(diff: ReleaseDiff, most_rows: int | None = None) -> str:
    """Return the differences as a Markdown list.

    Args:
        diff: what is different.
        most_rows: how many rows a list of rows may name before it is cut; None names all.
    """
    lines = [f"- {_rows(figure)}" for figure in diff.rows]
    lines += _placed("added", "the earlier release", diff.added, most_rows)
    lines += _placed("removed", "this release", diff.removed, most_rows)
    lines += _listed("moved to another split", [_moved(row) for row in diff.moved], most_rows)
    lines += _changed(diff, most_rows)
    lines += _columns("new columns", diff.columns_added)
    lines += _columns("columns that are gone", diff.columns_removed)
    if diff.same_rows:
        lines.append("- the rows are the same")
    if diff.figures:
        lines.append("- means that are not the same:")
        lines += [f"  - {x.split} `{x.name}`: {_number(x.before)} → {_number(x.after)}"
                  for x in diff.figures]  # fmt: skip
    if diff.made_with:
        lines.append("- made with:")
        lines += [f"  - {x.name}: {_fact(x.before)} → {_fact(x.after)}" for x in diff.made_with]
    return "".join(f"{line}\n" for line in lines)


def _rows(figure: Figure) -> str:
    before, after = int(figure.before or 0), int(figure.after or 0)
    change = f"{after - before:+,}" if after != before else "as many as before"
    return f"{figure.split}: {after:,} rows ({change})"


def _placed(what: str, other: str, rows: Sequence[Placed], most_rows: int | None) -> Iterator[str]:
    if not rows:
        return
    yield f"- {_counted(rows)} {what}; of them {other} says:"
    by_reason: dict[str, list[Placed]] = {}
    for row in rows:
        by_reason.setdefault(row.why, []).append(row)
    for why in sorted(by_reason, key=lambda why: (-len(by_reason[why]), why)):
        names = [_quoted(row.task_id) for row in by_reason[why]]
        yield f"  - {why} ({len(names)}): {_cut(names, most_rows)}"


def _changed(diff: ReleaseDiff, most_rows: int | None) -> Iterator[str]:
    if not diff.changed:
        return
    counts = Counter(column for row in diff.changed for column in row.columns)
    told = ", ".join(f"`{name}` in {number}" for name, number in counts.most_common())
    yield f"- {_counted(diff.changed)} changed: {told}"
    names = [f"{_quoted(row.task_id)} ({', '.join(row.columns)})" for row in diff.changed]
    yield f"  - {_cut(names, most_rows)}"


def _moved(row: Moved) -> str:
    return f"{_quoted(row.task_id)} from {row.before} to {row.after}"


def _listed(what: str, names: Sequence[str], most_rows: int | None) -> Iterator[str]:
    if names:
        yield f"- {_counted(names)} {what}: {_cut(names, most_rows)}"


def _columns(what: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield f"- {what}: {', '.join(f'`{name}`' for name in names)}"


def _quoted(text: str) -> str:
    """Return an id of a corpus so that it cannot break a line or a heading."""
    return "`" + " ".join(text.replace("`", "'").split()) + "`"


def _counted(rows: Sequence[object]) -> str:
    return f"{len(rows):,} row" + ("" if len(rows) == 1 else "s")


def _cut(names: Sequence[str], most: int | None) -> str:
    shown = ", ".join(names[:most])
    left = len(names) - len(names[:most])
    return f"{shown} and {left:,} more" if left else shown


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"


def _fact(value: object) -> str:
    return "none" if value is None else str(value)

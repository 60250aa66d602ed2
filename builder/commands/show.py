"""``pau-build show``: one row of a release, for reading."""

import difflib
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from builder.config import DEFAULT_OUTPUT
from builder.errors import PauError
from builder.model.settings import TASKS
from builder.records import Example, Strength, Task
from builder.release.packed import read_rejections, read_tasks

_NARROWEST, _WIDEST = 60, 100
_MOST_LINES = 5
"""Lines that one value may fill."""
_INDENT = "    "


@click.command()
@click.argument("task_id")
@click.option(
    "--release",
    "folder",
    type=click.Path(path_type=Path),
    default=DEFAULT_OUTPUT,
    show_default=True,
    help="Folder of the release.",
)
@click.option(
    "--mutants",
    is_flag=True,
    help="Show instead the functions that are wrong in one small place and pass all tests.",
)
@click.option(
    "--prompt",
    type=click.Choice(TASKS),
    help="Show instead what a model would be asked first about the row, as it stands.",
)
def show(task_id: str, folder: Path, mutants: bool, prompt: str | None) -> None:
    """Show the row TASK_ID: description, code, examples and figures.

    Lines of the code that no test runs are marked with !, lines from which a way is never taken
    with ~.
    """
    task = _find(task_id, folder)
    if prompt is not None:
        from builder.commands.prompt import prompt_of

        click.echo(_printable(prompt_of(task, prompt)))
        return
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    click.echo("\n".join(describe_survivors(task, width) if mutants else describe(task, width)))


def _find(task_id: str, folder: Path) -> Task:
    by_id = {task.task_id: task for task in read_tasks(folder)}
    if task_id in by_id:
        return by_id[task_id]
    for lost in read_rejections(folder):
        if f"{lost.source}/{lost.source_id.rsplit('/', 1)[-1]}" == task_id:
            raise PauError(
                f"{task_id}: not in {folder}; it was lost at the stage {lost.stage}, reason"
                f" {lost.reason}: {lost.reason.sentence} {lost.detail}".rstrip()
            )
    near = difflib.get_close_matches(task_id, by_id, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"ids look like {next(iter(by_id))}"
    raise PauError(f"{task_id}: no such row in {folder}; {hint}")


def describe(task: Task, width: int) -> Iterator[str]:
    """Yield the lines that show a task, none wider than ``width`` but for its code."""
    yield click.style(task.task_id, bold=True) + f"  {task.split}, {task.license}"
    variant = f", {task.source_variant} text" if task.source_variant else ""
    yield from _wrapped(
        f"{task.source} {task.source_id}{variant}, version {task.source_revision}", width
    )
    yield ""
    yield from _heading("Description", _origin_of_description(task))
    yield from _wrapped(task.description or "(none)", width)
    yield ""
    yield from _heading("Code", "! no test runs it, ~ a way from it is never taken")
    yield from _marked_code(task)
    yield ""
    yield from _heading("Context", "what a model is shown")
    yield from _examples(task.suite.context, width)
    yield ""
    yield from _heading("Tests", str(len(task.suite.tests)))
    yield from _examples(task.suite.tests, width)
    yield ""
    yield from _heading("Validator")
    yield from (_INDENT + line for line in _printable(task.validator.rstrip()).split("\n"))
    yield ""
    yield from _heading("Figures")
    yield from _figures(task, width)


def describe_survivors(task: Task, width: int) -> Iterator[str]:
    """Yield the lines that show which mutants pass all tests, and why they may."""
    strength = task.suite.strength
    yield click.style(task.task_id, bold=True) + f"  {_killed(strength)}"
    yield ""
    yield from _heading("Code")
    yield from _marked_code(task)
    for survivor in strength.survivors:
        yield ""
        yield from _heading(f"Line {survivor.line}", survivor.operator)
        for line in _printable(survivor.difference).split("\n"):
            yield _INDENT + click.style(line, fg="red" if line.startswith("-") else "green")
        why = survivor.why_equivalent
        yield from _wrapped(f"probably equivalent: {why}" if why else "a gap in the tests", width)


def _origin_of_description(task: Task) -> str:
    match = task.description_code_match
    if match is None:
        return task.description_origin
    return f"{task.description_origin}; code written from it is right on {match:.0%} of the tests"


def _killed(strength: Strength) -> str:
    equivalent = strength.mutants - strength.killable
    return (
        f"{strength.killed} of {strength.mutants} mutants killed, "
        f"{equivalent} probably equivalent ({strength.mutation_score:.1%})"
    )


def _heading(name: str, remark: str = "") -> Iterator[str]:
    yield click.style(name, bold=True) + (f"  ({remark})" if remark else "")


def _wrapped(text: str, width: int) -> Iterator[str]:
    for line in _printable(text).split("\n"):
        yield from (_INDENT + part for part in textwrap.wrap(line, width - len(_INDENT)))


def _printable(text: str) -> str:
    """Return text that cannot steer a terminal."""
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1]
        for character in text
    )


def _marked_code(task: Task) -> Iterator[str]:
    coverage = task.suite.coverage
    missing = set(coverage.missing_lines)
    partly = {start for start, _ in coverage.missing_arcs} - missing
    lines = _printable(task.code.rstrip()).split("\n")
    digits = len(str(len(lines)))
    for number, line in enumerate(lines, start=1):
        mark = "!" if number in missing else "~" if number in partly else " "
        shown = f"{mark} {number:{digits}}  {line}".rstrip()
        yield click.style(shown, fg="red" if mark == "!" else "yellow") if mark != " " else shown
    for start, end in coverage.missing_arcs:
        where = f"to line {end}" if end > 0 else "out of the function"
        dead = ", believed to be dead" if (start, end) in coverage.dead_arcs else ""
        yield click.style(f"  never taken: from line {start} {where}{dead}", dim=True)


def _examples(examples: tuple[Example, ...], width: int) -> Iterator[str]:
    for number, example in enumerate(examples, start=1):
        origin = example.origin + (", changes its arguments" if example.mutates else "")
        call, output = "test_func" + _call(example.input), "=> " + example.output
        if len(call) + len(output) + 1 <= width - 6:
            call, output = f"{call} {output}", ""
        lines = [*_broken(call, width), *_broken(output, width)]
        lines[0] = f"{number:>4}  " + lines[0].lstrip()
        if len(lines[-1]) + len(origin) + 3 > width:
            lines.append("     ")
        yield from lines[:-1]
        yield lines[-1] + click.style(f" # {origin}", dim=True)


def _call(arguments: str) -> str:
    """Return the text of a tuple of arguments as a call has it: ``(1,)`` becomes ``(1)``."""
    return arguments[:-2] + ")" if arguments.endswith(",)") else arguments


def _broken(text: str, width: int) -> Iterator[str]:
    """Yield a text broken at any character, cut after some lines."""
    room = width - 6
    pieces = [text[start : start + room] for start in range(0, len(text), room)]
    yield from ("      " + piece for piece in pieces[:_MOST_LINES])
    if len(pieces) > _MOST_LINES:
        left = len(text) - room * _MOST_LINES
        yield f"      ... {left:,} more characters"


def _figures(task: Task, width: int) -> Iterator[str]:
    coverage = task.suite.coverage
    for name, covered, live, all_, share in (
        (
            "statements",
            coverage.statements_covered,
            coverage.live_statements,
            coverage.statements,
            coverage.statement_coverage,
        ),
        (
            "branch arcs",
            coverage.arcs_covered,
            coverage.live_arcs,
            coverage.arcs,
            coverage.branch_coverage,
        ),
    ):
        dead = f", {all_ - live} believed to be dead" if live < all_ else ""
        yield f"{_INDENT}{name:<12} {covered} of {live} ({share:.1%}){dead}"
    if coverage.why_dead:
        yield from _wrapped(f"why dead: {coverage.why_dead}", width)
    elif task.suite.arcs_reached < coverage.arcs:
        yield f"{_INDENT}{'reached':<12} {task.suite.arcs_reached} branch arcs by any input"
    strength = task.suite.strength
    if strength.mutants:
        yield f"{_INDENT}{'mutants':<12} {_killed(strength)}"
        yield (
            f"{_INDENT}{'by context':<12} {strength.killed_by_context} of {strength.killable} "
            f"({strength.context_mutation_score:.1%}); --mutants shows those that live"
        )
    yield f"{_INDENT}{'parameters':<12} {task.arity}"
    if task.difficulty is not None:
        hard = task.difficulty
        yield f"{_INDENT}{'rarest arc':<12} taken by {hard.rarest_branch_rate:.0%} of random inputs"
        yield f"{_INDENT}{'entropy':<12} {hard.outcome_entropy:.2f} bits of outcome"
        yield f"{_INDENT}{'rivals':<12} {hard.agreeing_rivals} of {hard.rivals} fit the context"

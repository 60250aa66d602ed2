"""Options that several commands share."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from tqdm import tqdm

from builder.errors import PauError
from builder.records import Task
from builder.sandbox.protocol import Level

CORPUS = click.option(
    "--corpus",
    multiple=True,
    metavar="NAME=PATH",
    help="Read the rows of source NAME from PATH (json, jsonl, either gzipped, parquet)."
    " Give it again for a source in several files.",
)
SOURCE = click.option(
    "--source",
    multiple=True,
    metavar="NAME",
    help="Use this source only. Give it again for several.  [default: every source]",
)
ISOLATION = click.option(
    "--isolation",
    type=click.Choice([level.value for level in Level]),
    default=Level.STRONG.value,
    show_default=True,
    help="Weakest isolation that foreign code may be run under.",
)


def corpus_paths(corpus: tuple[str, ...]) -> dict[str, list[Path]]:
    """Return the files of each source named by ``--corpus``.

    Raises:
        PauError: a value is not of the form NAME=PATH.
    """
    paths: dict[str, list[Path]] = {}
    for text in corpus:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise PauError(f"--corpus {text}: write it as NAME=PATH, such as mbpp=mbpp.jsonl")
        paths.setdefault(name, []).append(Path(path))
    return paths


def say(line: str) -> None:
    """Tell one thing that happens meanwhile, on the error stream."""
    click.echo(line, err=True)


def replay_bar(tasks: Sequence[Task]) -> Iterable[Task]:
    """Show how far the replay of tasks is."""
    # disable=None: no bar where the error stream is not a terminal.
    return tqdm(tasks, desc="replay", unit="row", leave=False, disable=None)

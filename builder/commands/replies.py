"""``pau-build replies``: what models have answered, as a file to publish or take in."""

from pathlib import Path

import click

from builder.commands.models import REPLIES
from builder.config import DEFAULT_OUTPUT
from builder.errors import PauError
from builder.model.store import Store

_FILE = click.argument("file", type=click.Path(path_type=Path))
_RELEASE = click.option(
    "--release",
    "folder",
    type=click.Path(path_type=Path),
    default=DEFAULT_OUTPUT,
    show_default=True,
    help=f"Folder of the release, beside which {REPLIES} stands.",
)


@click.group()
def replies() -> None:
    """Export and import what models have answered.

    A build with --replies replay gives the same rows from it with no model at hand.
    """


@replies.command("export")
@_FILE
@_RELEASE
def export_replies(file: Path, folder: Path) -> None:
    """Write every question and reply to FILE, one line of JSON each."""
    path = folder.parent / REPLIES
    if not path.exists():
        raise PauError(f"{path}: no model was asked for this release; see --model")
    with Store(path) as store:
        count = store.export_jsonl(file)
    click.echo(f"{count} replies in {file}")


@replies.command("import")
@_FILE
@_RELEASE
def import_replies(file: Path, folder: Path) -> None:
    """Take in what export wrote to FILE; replies that are there already stay."""
    with Store(folder.parent / REPLIES) as store:
        count = store.import_jsonl(file)
    click.echo(f"{count} replies taken from {file}")

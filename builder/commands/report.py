"""``pau-build report``: a release as one page for a browser."""

from pathlib import Path

import click

from builder.commands.options import say
from builder.config import DEFAULT_OUTPUT


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=DEFAULT_OUTPUT)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="File of the page.  [default: FOLDER.html, beside the release]",
)
def report(folder: Path, output: Path | None) -> None:
    """Write the release in FOLDER as one HTML page, to look at every row of it.

    The page needs no network and no other file: where the rows went, how they are distributed,
    search and filters over all of them, and each row with its code, examples and mutants.
    """
    # Imported here, so that `pau-build --help` need not wait for it.
    from builder.release.report.page import write_report

    place = folder.resolve()
    target = output or place.with_name(f"{place.name}.html")
    size = write_report(folder, target)
    say(f"{target}: {size / 1e6:.1f} MB; open it in a browser")

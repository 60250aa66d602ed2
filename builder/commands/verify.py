"""``pau-build verify``: replay a release from disk."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from tqdm import tqdm

from builder.commands.options import ISOLATION
from builder.errors import BelowBarError
from builder.records import Task
from builder.sandbox.protocol import Level


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@ISOLATION
def verify(folder: Path, isolation: str) -> None:
    """Replay every row of the release in FOLDER and compare everything exactly.

    The files must have the hashes of SHA256SUMS, both configs must load, and each function must
    give each stored output again, in fresh children under another hash seed. Each difference is
    one line; with any, the exit code is 3.
    """
    # Imported here, so that `pau-build --help` need not wait for the sandbox.
    from builder.release.verify import verify_folder
    from builder.sandbox.supervisor import Sandbox

    replayed: list[Task] = []

    def progress(tasks: Sequence[Task]) -> Iterable[Task]:
        replayed.extend(tasks)
        # disable=None: no bar where the error stream is not a terminal.
        return tqdm(tasks, desc="replay", unit="row", leave=False, disable=None)

    differences = 0
    with Sandbox(allow=Level(isolation)) as sandbox:
        for line in verify_folder(folder, sandbox, progress):
            tqdm.write(line, file=sys.stdout)
            differences += 1
    if differences:
        counted = "1 difference" if differences == 1 else f"{differences} differences"
        raise BelowBarError(f"{folder}: {counted}; build the release again")
    calls = sum(len(task.suite.context + task.suite.tests) for task in replayed)
    click.echo(f"{folder}: {len(replayed)} rows and {calls} examples replayed, no difference")

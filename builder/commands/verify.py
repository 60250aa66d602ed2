"""``pau-build verify``: replay a release from disk or from the Hub."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from builder.commands.options import ISOLATION, replay_bar, say
from builder.errors import BelowBarError
from builder.records import Task
from builder.sandbox.protocol import Level

if TYPE_CHECKING:
    from builder.release.hub.fetch import HubName
    from builder.sandbox.supervisor import Sandbox


@click.command()
@click.argument("release")
@ISOLATION
def verify(release: str, isolation: str) -> None:
    """Replay every row of RELEASE and compare everything exactly.

    RELEASE is a folder, or ORGANISATION/NAME@TAG on the Hub. The files must have the hashes of
    SHA256SUMS, both configs must load, and each function must give each stored output again, in
    fresh children under another hash seed. From the Hub every file is downloaded anew, and
    `datasets` must load from there what it loads from the files. Each difference is one line; with
    any, the exit code is 3.
    """
    # Imported here, so that `pau-build --help` need not wait for the sandbox.
    from builder.release.hub.fetch import hub_name
    from builder.release.verify import verify_folder
    from builder.sandbox.supervisor import Sandbox

    replayed: list[Task] = []

    def progress(tasks: Sequence[Task]) -> Iterable[Task]:
        replayed.extend(tasks)
        return replay_bar(tasks)

    name = hub_name(release)
    differences = 0
    with Sandbox(allow=Level(isolation)) as sandbox:
        lines = (
            verify_folder(Path(release), sandbox, progress)
            if name is None
            else _verify_on_hub(name, sandbox, progress)
        )
        for line in lines:
            tqdm.write(line, file=sys.stdout)
            differences += 1
    if differences:
        counted = "1 difference" if differences == 1 else f"{differences} differences"
        cure = "build the release again" if name is None else "do not use it"
        raise BelowBarError(f"{release}: {counted}; {cure}")
    calls = sum(len(task.suite.context + task.suite.tests) for task in replayed)
    click.echo(f"{release}: {len(replayed)} rows and {calls} examples replayed, no difference")


def _verify_on_hub(
    name: "HubName", sandbox: "Sandbox", progress: Callable[[Sequence[Task]], Iterable[Task]]
) -> Iterator[str]:
    from builder.release.hub.client import Hub
    from builder.release.hub.fetch import downloaded
    from builder.release.hub.readback import other_rows
    from builder.release.verify import verify_folder

    hub = Hub(name.repo, say)
    with downloaded(hub, name.revision) as (folder, commit):
        click.echo(f"{name} is commit {commit}")
        broken = False
        for line in verify_folder(folder, sandbox, progress):
            broken = True
            yield line
        if not broken:
            yield from other_rows(hub, commit, folder)

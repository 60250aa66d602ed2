"""``pau-build push``: publish a release on the Hub."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.commands.options import ISOLATION, replay_bar, say
from builder.config import DEFAULT_OUTPUT
from builder.errors import BelowBarError, PauError
from builder.sandbox.protocol import Level

if TYPE_CHECKING:
    from builder.release.hub.client import Hub
    from builder.release.hub.plan import Plan


@click.command()
@click.argument("target", metavar="ORGANISATION/NAME@TAG")
@click.option(
    "--release",
    "folder",
    type=click.Path(path_type=Path),
    default=DEFAULT_OUTPUT,
    show_default=True,
    help="Folder of the release.",
)
@click.option("--yes", is_flag=True, help="Do it. Without this nothing is sent.")
@click.option(
    "--pr",
    "propose",
    is_flag=True,
    help="Open a pull request. Once it is merged, the same command without --pr sets the tag.",
)
@click.option(
    "--replace",
    multiple=True,
    metavar="PATH",
    help="Replace or delete this file on the Hub though no release wrote it. Give it again for"
    " several.",
)
@ISOLATION
def push(
    target: str, folder: Path, yes: bool, propose: bool, replace: tuple[str, ...], isolation: str
) -> None:
    """Publish a release as a dataset on the Hub, under a tag such as v1.0.0.

    Shows the plan, checks everything that can be checked here (exit code 3 if anything is wrong),
    and stops, unless --yes is given. Then all files go in one commit, are read back and compared,
    and only then get the tag, which is never moved. If it is broken off, run it again: it goes on
    where it stopped. A new repository is private.

    The token is that of `hf auth login`, or HF_TOKEN.
    """
    # Imported here, so that `pau-build --help` need not wait for them.
    from builder.release.hub.client import Hub
    from builder.release.hub.fetch import hub_name
    from builder.release.hub.plan import Target, make_plan
    from builder.release.hub.push import carry_out
    from builder.release.hub.receipt import write_receipt

    name = hub_name(target)
    if name is None:
        raise PauError(f"{target}: write it as ORGANISATION/NAME@TAG, such as org/pau@v1.0.0")
    wanted = Target(name.revision, propose, frozenset(replace))
    hub = Hub(name.repo, say)
    if yes:
        hub.require_login()
    with make_plan(folder, wanted, hub) as plan:
        click.echo("\n".join(_plan_lines(plan, hub)))
        _check(plan, isolation)
        if not yes:
            click.echo("nothing was sent; add --yes to do it")
            return
        done = carry_out(plan, hub, say)
        receipt = write_receipt(plan, done, hub, folder)
    if done.proposal is not None:
        click.echo(f"pull request {done.proposal}: {hub.page}/discussions/{done.proposal}")
    elif propose:
        click.echo(f"{hub.page}: main holds these files already; nothing to propose")
    else:
        click.echo(f"{hub.page}: {wanted.tag} is commit {done.commit}, read back and equal")
    click.echo(f"receipt: {receipt}")


def _plan_lines(plan: "Plan", hub: "Hub") -> Iterator[str]:
    where = "private" if plan.private else "public"
    if plan.found is None:
        yield f"{hub.page}: does not exist yet and will be created, {where}"
    else:
        yield f"{hub.page}: {where}, main at {plan.found.head[:12]}"
    found = plan.changes
    for what, paths in (
        ("add", found.added),
        ("change", found.changed),
        ("delete", found.deleted),
        ("keep", found.kept),
    ):
        for path in paths:
            size = f"{plan.files[path].size:>12,} bytes" if path in plan.files else " " * 18
            yield f"  {what:<7}{size}  {ascii(path)[1:-1]}"
    if plan.tagged is not None:
        yield f"  tag    {plan.target.tag} names these very files already"
    elif plan.target.propose:
        yield "  tag    none; a pull request will be opened"
    else:
        yield f"  tag    {plan.target.tag}, on the commit with these files"
    if plan.section and plan.tagged is None:
        yield ""
        yield f"CHANGELOG.md, {plan.target.tag}:"
        yield from (f"  {line}".rstrip() for line in plan.section.splitlines())
    yield ""


def _check(plan: "Plan", isolation: str) -> None:
    from huggingface_hub import get_token

    from builder.release.gate import publishing_faults
    from builder.release.packed import read_manifest
    from builder.sandbox.supervisor import Sandbox

    faults = 0
    with Sandbox(allow=Level(isolation)) as sandbox:
        for line in publishing_faults(plan.folder, sandbox, get_token(), replay_bar):
            click.echo(line)
            faults += 1
    if faults:
        raise BelowBarError(
            f"{plan.target.tag}: {faults} faults; nothing was sent, mend them and build again"
        )
    rows = sum(split["rows"] for split in read_manifest(plan.folder)["splits"].values())
    click.echo(f"checked: {rows} rows replayed, files, columns, literals, card, licences, secrets")

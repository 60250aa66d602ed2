"""``pau-build diff``: what is different between two releases."""

import json
from dataclasses import asdict

import click

from builder.commands.options import say


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Words (in Markdown) or JSON.",
)
def diff(old: str, new: str, form: str) -> None:
    """Show what is different between the releases OLD and NEW.

    Each is a folder, or ORGANISATION/NAME@REVISION on the Hub: rows added, removed, changed and
    moved between splits, with what the other release says of them; figures; and what the two were
    made with.
    """
    # Imported here, so that `pau-build --help` need not wait for them.
    from builder.release.diff import diff_releases
    from builder.release.diff_text import in_words
    from builder.release.hub.fetch import release_at

    with release_at(old, say) as before, release_at(new, say) as after:
        found = diff_releases(before, after)
    if form == "json":
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        click.echo(in_words(found), nl=False)

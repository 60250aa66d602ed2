"""``pau-build sources``: what corpora there are."""

import click

from sources.registry import all_sources


@click.command()
def sources() -> None:
    """List every source: split, licence, and where its rows come from."""
    for source in all_sources().values():
        click.echo(f"{source.name}  ({source.split}, {source.license})  {source.title}")
        click.echo(f"    home      {source.home}")
        click.echo(f"    Hub       {source.hub_id} at {source.revision}")
        if source.package is not None:
            click.echo(f"    package   {source.package.package}")
        click.echo(f"    own file  --corpus {source.name}=PATH")

"""``pau-build doctor``: how strong the sandbox is here, shown by trying to break it."""

from pathlib import Path

import click

from builder.sandbox import catalogue, layers, probe
from builder.sandbox.protocol import Level, Limits
from builder.sandbox.supervisor import Sandbox

BELOW_BAR = 3


@click.command()
@click.option(
    "--cases",
    type=click.Path(path_type=Path),
    help="Also run this catalogue of hostile functions (JSON); exit 3 unless all are right.",
)
@click.option(
    "--isolation",
    type=click.Choice([level.value for level in Level]),
    default=Level.STRONG.value,
    show_default=True,
    help="Weakest level at which the catalogue is run.",
)
@click.pass_context
def doctor(context: click.Context, cases: Path | None, isolation: str) -> None:
    """Show the level of isolation, each layer with its proof, and the limits in force.

    With --cases it then runs every function of a catalogue, prints a line for each (verdict,
    right or wrong, what escaped) and a last line with counts.
    """
    chosen = catalogue.read(cases) if cases is not None else None
    _show_isolation(probe.isolation())
    if chosen is not None and not _run_catalogue(chosen, Level(isolation)):
        context.exit(BELOW_BAR)


def _show_isolation(isolation: probe.Isolation) -> None:
    click.echo(isolation.line)
    for layer in isolation.layers:
        click.echo(f"  {layer.name:<12} {'holds' if layer.holds else 'missing':<8} {layer.proof}")
        if layer.cure:
            click.echo(f"  {'':<12} {'':<8} To mend it: {layer.cure}.")
    limits = Limits()
    nothing_else = layers.SECCOMP in isolation.held
    click.echo(
        f"Limits of a call: {limits.call_seconds:g} s of CPU time, {limits.wall_seconds:g} s of "
        f"sleep, {limits.memory_bytes >> 20} MiB of memory, {limits.value_characters:,} characters "
        f"of value, {limits.printed_characters:,} printed"
        + ("; no file, process, signal or network." if nothing_else else ".")
    )


def _run_catalogue(chosen: catalogue.Catalogue, allow: Level) -> bool:
    """Run it and print a line for each case; whether all was right and nothing escaped."""
    right = escaped = 0
    with Sandbox(catalogue.LIMITS, allow) as sandbox:
        for result in catalogue.run(chosen, sandbox):
            click.echo(result.line)
            right += result.is_right
            escaped += bool(result.escapes)
    total = len(chosen.cases)
    click.echo(
        f"{total} cases at level {probe.isolation().level}: {right} right, {total - right} wrong, "
        f"{escaped} with an escape."
    )
    return right == total and not escaped

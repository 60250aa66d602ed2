"""``pau-build``: the group of commands, its options file, and the one place that reports errors."""

import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from builder.commands.models import TABLE, Table, read_table
from builder.errors import HarnessError, PauError

COMMANDS = {
    "run": "Build a release (what pau-build does when no command is named).",
    "sources": "List the source corpora and where their rows would come from.",
    "show": "Show one row of a release.",
    "stats": "Show the figures of a release.",
    "report": "Write a release as one page for a browser.",
    "verify": "Replay every row of a release in fresh children.",
    "replies": "Export and import what models have answered.",
    "diff": "Show what is different between two releases.",
    "push": "Publish a release on the Hub.",
    "doctor": "Show how strong the sandbox is on this machine.",
}
"""Name and one line of each command; the command itself stands in the module of that name."""

INTERRUPTED = 130
_PREFIX = "PAU"
"""What the names of environment variables for options begin with."""


class Commands(click.Group):
    """Loads the module of a command when it is asked for; options alone mean ``run``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module; the other commands' imports cost nothing."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"builder.commands.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        for parameter in command.params:
            if _spelt(parameter) != parameter.name:  # such as where the name is one of Python's
                parameter.envvar = f"{_PREFIX}_{cmd_name}_{_spelt(parameter)}".upper()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``run`` in front of arguments that begin with one of its options."""
        own = {"--help", "-h", "--version", "--config"}
        if not args or (args[0].startswith("-") and args[0].split("=")[0] not in own):
            args = ["run", *args]
        elif args[0].split("=")[0] == "--config":
            length = 1 if "=" in args[0] else 2
            rest = args[length:]
            if not rest or (rest[0].startswith("-") and rest[0] not in own):
                args = [*args[:length], "run", *rest]
        return super().parse_args(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pau-toolkit", prog_name="pau-build")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    envvar="PAU_CONFIG",
    help="TOML file with a table of options for each command: [run] seed = 1.",
)
@click.pass_context
def cli(context: click.Context, config: Path | None) -> None:
    """Build, check and look at datasets for the Python API Understanding benchmark.

    Every option can also be given as an environment variable (PAU_RUN_SEED=1) or in the file
    named by --config. The command line wins over the environment, the environment over the file.
    """
    context.obj = Table()
    if config is not None:
        content = read_config(config)
        if TABLE in content:
            context.obj = read_table(config, content.pop(TABLE))
        context.default_map = {
            name: _options(config, name, table, context) for name, table in content.items()
        }


def read_config(path: Path) -> dict[str, Any]:
    """Read the options file.

    Raises:
        PauError: the file cannot be read or is not TOML.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise PauError(f"{path}: cannot be read ({error.strerror}); check --config") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PauError(f"{path}: is not a TOML file in UTF-8 ({error}); mend it") from None


def _options(path: Path, name: str, table: Any, context: click.Context) -> dict[str, Any]:
    """Check every name in the table of a command against the command's options."""
    group = context.command
    command = group.get_command(context, name) if isinstance(group, click.Group) else None
    if command is None or not isinstance(table, dict):
        raise PauError(
            f"{path}: [{name}] is not a table for a command; there are {', '.join(COMMANDS)},"
            f" and {TABLE} for what concerns every model"
        )
    known = {_spelt(parameter): str(parameter.name) for parameter in command.params}
    options = {}
    for key, value in table.items():
        parameter_name = known.get(key.replace("-", "_"))
        if parameter_name is None:
            raise PauError(
                f"{path}: [{name}] {key} is not an option of pau-build {name};"
                f" see pau-build {name} --help"
            )
        options[parameter_name] = value
    return options


def _spelt(parameter: click.Parameter) -> str:
    """Return the name of a parameter as the user writes it, with underscores for hyphens."""
    return max(parameter.opts, key=len).lstrip("-").replace("-", "_")


def main() -> None:
    """Run the command line; turn every error that a user can mend into one line."""
    try:
        status = cli.main(standalone_mode=False, auto_envvar_prefix=_PREFIX)
    except click.exceptions.Exit as leave:
        status = leave.exit_code
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted; run the same command again to go on where it stopped")
        status = INTERRUPTED
    except PauError as error:
        _say(f"error: {error}")
        status = error.exit_code
    except HarnessError as error:
        _say(f"the toolkit itself failed: {error}; what was finished is kept")
        status = 1
    except BrokenPipeError:
        # The reader of our output went away (`pau-build show X | head`): that is no error.
        sys.stderr.close()
        status = 0
    sys.exit(status if isinstance(status, int) else 0)


def _say(line: str) -> None:
    print(f"pau-build: {line}", file=sys.stderr)

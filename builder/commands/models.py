"""Options that say which models a build may ask, and the table of the options file beside them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builder.commands.options import say
from builder.errors import PauError
from builder.model.budget import Limits
from builder.model.client import ATTEMPTS, Mode
from builder.model.endpoint import Endpoint
from builder.model.ledger import summary
from builder.model.live import Patience
from builder.model.settings import TASKS, ModelSettings, check_settings, models_by_task, spending

Command = TypeVar("Command", bound=Callable[..., Any])

REPLIES = "replies.sqlite"
"""File of the models' replies, beside the release."""
TABLE = "model"
"""Table of the options file that holds what is seldom changed."""


class Table(BaseModel):
    """What may stand in the table ``[model]`` of the options file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    api_key: str | None = None
    base_url: str | None = None
    prices: dict[str, dict[str, float | int]] = {}
    """From the name of a model to its ``input`` and ``output``, in dollars a million tokens."""
    most_tokens: int | None = Field(default=None, ge=1)
    """Longest answer, for models with a small window; else as each prompt says."""
    attempts: int = Field(default=ATTEMPTS, ge=1)
    """How often a question is put while the answers are no use."""
    seconds: float = Field(default=Patience().sending, gt=0)
    """Limit of one sending."""
    tries: int = Field(default=Patience().tries, ge=1)
    """Sendings of one request while no reply comes."""


def read_table(path: Path, content: Any) -> Table:
    """Check the table ``[model]`` of an options file.

    Raises:
        PauError: it is not one.
    """
    try:
        return Table.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " ".join(str(part) for part in first["loc"])
        raise PauError(
            f"{path}: [{TABLE}] {place}: {first['msg'].lower()};"
            f" it may hold {', '.join(Table.model_fields)}"
        ) from None


_OPTIONS = (
    click.option(
        "--model",
        "models",
        multiple=True,
        metavar="NAME",
        help="Ask this model, at the endpoint in OPENAI_BASE_URL with the key in OPENAI_API_KEY."
        f" Give it again as TASK=NAME for one task: {', '.join(TASKS)}.",
    ),
    click.option(
        "--replies",
        type=click.Choice([mode.value for mode in Mode]),
        default=Mode.RECORD.value,
        show_default=True,
        help="Use of replies.sqlite, beside the release: record answers from it and keeps what is"
        " new, replay asks nothing else, refresh asks all anew, off leaves it alone.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(min=1),
        default=16,
        show_default=True,
        help="Most calls to models at a time; every worker may make one.",
    ),
    click.option("--max-cost", type=click.FloatRange(min=0), help="Most dollars a run may spend."),
    click.option(
        "--max-tokens",
        type=click.IntRange(min=0),
        help="Most tokens a run may spend, prompts and answers together.",
    ),
    click.option("--max-calls", type=click.IntRange(min=0), help="Most calls a run may send."),
    click.option(
        "--batch",
        is_flag=True,
        help="Hand questions in to the vendor's batches, at half the price; run again to collect.",
    ),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Say what the models would be asked first and at most cost; ask nothing, and write no"
        " release.",
    ),
)


def model_options(command: Command) -> Command:
    """Add the options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def model_settings(options: Mapping[str, Any], table: Table, output: Path) -> ModelSettings | None:
    """Read the options; None: no model is to be asked.

    Args:
        options: values of the options in ``_OPTIONS`` by name.
        table: the table of the options file.
        output: the release.

    Raises:
        PauError: they make no sense together, a price is wanted but not known, or there is no
            endpoint.
    """
    models = _models(options["models"])
    estimate, mode = options["dry_run"], Mode(options["replies"])
    if not models:
        _refuse_without_model(options)
        return None
    offline = estimate or mode is Mode.REPLAY
    secrets = table.model_dump(include={"api_key", "base_url"})
    settings = ModelSettings(
        models=models,
        store=output.parent / REPLIES,
        endpoint=None if offline else Endpoint.from_settings(secrets),
        mode=mode,
        limits=Limits(options["max_cost"], options["max_tokens"], options["max_calls"]),
        own_prices=table.prices,
        most_tokens=table.most_tokens,
        attempts=table.attempts,
        concurrency=options["concurrency"],
        patience=Patience(sending=table.seconds, tries=table.tries),
        batch=options["batch"],
        estimate=estimate,
    )
    check_settings(settings)
    return settings


@contextmanager
def told_spending(models: ModelSettings | None) -> Iterator[None]:
    """Say at the end, however it comes, what the models of a run were asked and what it cost."""
    try:
        yield
    finally:
        if models is not None and models.store.exists():
            for line in summary(spending(models)):
                say(line)


def _models(names: tuple[str, ...]) -> dict[str, str]:
    default: str | None = None
    own: dict[str, str] = {}
    for text in names:
        task, equals, name = text.partition("=")
        if equals:
            own[task] = name
        elif default is not None:
            raise PauError(f"--model {text}: {default} is the model of all tasks already")
        else:
            default = text
    return models_by_task(default, own)


def _refuse_without_model(options: Mapping[str, Any]) -> None:
    for name in ("max_cost", "max_tokens", "max_calls", "batch", "dry_run"):
        if options[name] not in (None, False):
            raise PauError(
                f"--{name.replace('_', '-')}: there is no model to ask; name one with --model"
            )

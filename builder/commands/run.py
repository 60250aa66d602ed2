"""``pau-build run``: build a release."""

import os
import shutil
from pathlib import Path
from typing import Any

import click

from builder.build import Request, build, estimate
from builder.commands.models import Table, model_options, model_settings, told_spending
from builder.commands.options import CORPUS, ISOLATION, SOURCE, corpus_paths
from builder.commands.progress import Progress
from builder.config import DEFAULT_OUTPUT, Settings
from builder.errors import PauError
from builder.release.licenses import LicenseChoice
from builder.sandbox.protocol import Level

_FEWEST_TESTS, _MOST_TESTS = 2, 100


@click.command()
@SOURCE
@CORPUS
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=DEFAULT_OUTPUT,
    show_default=True,
    help="Folder of the release. Finished rows are kept beside it, in store.sqlite.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random choices.")
@click.option(
    "--limit", type=click.IntRange(min=1), help="Take the first rows of each source only."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=lambda: len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
    show_default="one a core",
    help="Number of worker processes. The result does not depend on it.",
)
@click.option(
    "--tests",
    default="4:20",
    show_default=True,
    metavar="MIN:MAX",
    help="Fewest and most tests of a suite.",
)
@click.option(
    "--min-branch-coverage",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="Reject a row whose tests take a smaller share of the branch arcs that any input"
    " reached; below 0.9 of its live arcs it is rejected in any case.",
)
@click.option(
    "--min-mutation-score",
    type=click.FloatRange(0, 1),
    default=0.9,
    show_default=True,
    help="Reject a row whose tests tell a smaller share of its mutants, functions that are wrong"
    " in one small place, from the right one; those that are probably equivalent do not count.",
)
@click.option(
    "--allow-missing-description",
    is_flag=True,
    help="Keep rows that have no fit description, with an empty one.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="FOLDER_OR_REPO",
    help="Leave out every function that also stands in this data set: a folder, or a repository"
    " of the Hub as OWNER/NAME or OWNER/NAME@REVISION. Give it again for several.",
)
@click.option(
    "--only-license",
    multiple=True,
    metavar="SPDX",
    help="Take rows under this licence only. Give it again for several.",
)
@click.option(
    "--exclude-license",
    multiple=True,
    metavar="SPDX",
    help="Leave out rows under this licence. Give it again for several.",
)
@click.option(
    "--license",
    "declared_license",
    metavar="SPDX",
    help="Publish the whole under this licence; one that asks for less than a row's is refused."
    "  [default: computed from the rows]",
)
@model_options
@click.option(
    "--min-code-match",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="Have a description written anew, at most three times, while code that a model writes"
    " from it alone is right on a smaller share of the tests.",
)
@click.option(
    "--best-of",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Descriptions to ask a model for at a time; the best is kept.",
)
@ISOLATION
@click.option("--fresh", is_flag=True, help="Build every row anew instead of reading the store.")
@click.pass_obj
def run(
    table: Table,
    /,
    source: tuple[str, ...],
    corpus: tuple[str, ...],
    output: Path,
    seed: int,
    limit: int | None,
    workers: int,
    tests: str,
    min_branch_coverage: float,
    min_mutation_score: float,
    allow_missing_description: bool,
    against: tuple[str, ...],
    only_license: tuple[str, ...],
    exclude_license: tuple[str, ...],
    declared_license: str | None,
    min_code_match: float,
    best_of: int,
    isolation: str,
    fresh: bool,
    **model: Any,
) -> None:
    """Build a release from every source that can be had.

    Rows come from the files given with --corpus, else from the package that holds the corpus
    (HumanEval), else from the Hub at the pinned revision. A source that cannot be had is named
    and left out, unless it was asked for by name.
    """
    minimum, maximum = _bounds(tests)
    settings = Settings(
        seed=seed,
        minimum_tests=minimum,
        maximum_tests=maximum,
        min_branch_coverage=min_branch_coverage,
        min_mutation_score=min_mutation_score,
        allow_missing_description=allow_missing_description,
        min_code_match=min_code_match,
        best_of=best_of,
    )
    models = model_settings(model, table, output)
    request = Request(
        names=source,
        paths=corpus_paths(corpus),
        limit=limit,
        against=against,
        licenses=LicenseChoice(only_license, exclude_license),
        license=declared_license,
        settings=settings,
        models=models,
        output=output,
        allow=Level(isolation),
        workers=workers,
        fresh=fresh,
    )
    with told_spending(models), Progress() as progress:
        if models is not None and models.estimate:
            estimate(request, progress)
            return
        report = build(request, progress)
    click.echo(report.funnel.table(shutil.get_terminal_size().columns))
    click.echo(report.closing_line)


def _bounds(tests: str) -> tuple[int, int]:
    try:
        minimum, maximum = map(int, tests.split(":"))
    except ValueError:
        raise PauError(f"--tests {tests}: write it as MIN:MAX, such as 4:20") from None
    if not _FEWEST_TESTS <= minimum <= maximum <= _MOST_TESTS:
        raise PauError(
            f"--tests {tests}: the bounds must hold {_FEWEST_TESTS} <= MIN <= MAX <= {_MOST_TESTS}"
        )
    return minimum, maximum

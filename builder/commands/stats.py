"""``pau-build stats``: the figures of a release."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click

from builder.config import DEFAULT_OUTPUT
from builder.records import Split
from builder.release.figures import PUBLISHED_ARITY, Figures, figures, value_types
from builder.release.packed import read_funnel, read_rows

_LABEL, _CELL, _BAR = 26, 14, 30


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=DEFAULT_OUTPUT)
def stats(folder: Path) -> None:
    """Show the figures of the release in FOLDER.

    Numbers of parameters stand beside those of the published test split. A type counts once for
    each row in which a value of it occurs.
    """
    rows = read_rows(folder)
    figures_of = {split: figures(members) for split, members in rows.items()}
    types_of = {split: value_types(members) for split, members in rows.items()}
    lines = [
        *_general(figures_of),
        *_arity(figures_of),
        *_types("types of arguments", {split: types[0] for split, types in types_of.items()}),
        *_types("types of outputs", {split: types[1] for split, types in types_of.items()}),
        *_suite_sizes(figures_of),
        "",
        read_funnel(folder).table(shutil.get_terminal_size().columns),
    ]
    click.echo("\n".join(lines))


def _line(label: str, cells: Iterable[str]) -> str:
    return f"{label:<{_LABEL}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)


def _part(number: int, rows: int) -> str:
    return f"{number:,} ({number / rows:4.0%})" if number else "."


def _general(figures_of: Mapping[Split, Figures]) -> Iterator[str]:
    yield _line("", figures_of)
    yield _line("rows", [f"{f.rows:,}" for f in figures_of.values()])
    shares: dict[str, Callable[[Figures], float]] = {
        "mean branch coverage": lambda f: f.mean_branch_coverage,
        "mean statement coverage": lambda f: f.mean_statement_coverage,
        "mean mutation score": lambda f: f.mean_mutation_score,
        "  of the context alone": lambda f: f.mean_context_mutation_score,
    }
    for label, share in shares.items():
        yield _line(label, [f"{share(f):.2%}" for f in figures_of.values()])
    averages: dict[str, Callable[[Figures], float | None]] = {
        "mean code match": lambda f: f.mean_code_match,
        "median outcome entropy": lambda f: f.median_outcome_entropy,
        "median rarest branch rate": lambda f: f.median_rarest_branch_rate,
    }
    for label, value in averages.items():
        values = [value(figure) for figure in figures_of.values()]
        yield _line(label, ["." if each is None else f"{each:.2f}" for each in values])
    counts: dict[str, Callable[[Figures], int]] = {
        "every live branch taken": lambda f: f.all_arcs_covered,
        "with dead branches": lambda f: f.with_dead_arcs,
        "exact in config default": lambda f: f.exact_in_default,
        "changes its arguments": lambda f: f.mutating,
        "without description": lambda f: f.without_description,
        "  described by a model": lambda f: f.described_by_model,
        "context fits another": lambda f: f.fitted_by_rivals,
    }
    for label, count in counts.items():
        yield _line(label, [_part(count(f), f.rows) for f in figures_of.values()])
    yield _line("mutants", [f"{f.mutants:,}" for f in figures_of.values()])
    parts: dict[str, Callable[[Figures], int]] = {
        "  killed by the tests": lambda f: f.mutants_killed,
        "  probably equivalent": lambda f: f.mutants_equivalent,
    }
    for label, count in parts.items():
        yield _line(label, [_part(count(f), f.mutants) for f in figures_of.values()])


def _arity(figures_of: Mapping[Split, Figures]) -> Iterator[str]:
    published = sum(PUBLISHED_ARITY.values())
    numbers = sorted(set(PUBLISHED_ARITY).union(*(f.arity for f in figures_of.values())))
    yield ""
    yield _line("parameters", [*figures_of, "published"])
    for number in numbers:
        cells = [_part(f.arity.get(number, 0), f.rows) for f in figures_of.values()]
        yield _line(f"  {number}", [*cells, _part(PUBLISHED_ARITY.get(number, 0), published)])


def _types(title: str, counts_of: Mapping[Split, Counter[str]]) -> Iterator[str]:
    yield ""
    yield _line(title, counts_of)
    total = sum(counts_of.values(), Counter[str]())
    for name in sorted(total, key=lambda name: (-total[name], name)):
        cells = [counts[name] for counts in counts_of.values()]
        yield _line(f"  {name}", [f"{number:,}" if number else "." for number in cells])


def _suite_sizes(figures_of: Mapping[Split, Figures]) -> Iterator[str]:
    for split, figure in figures_of.items():
        yield ""
        yield f"tests of a suite, {split}"
        sizes, most = figure.suite_sizes, max(figure.suite_sizes.values())
        for size in range(min(sizes), max(sizes) + 1):
            number = sizes.get(size, 0)
            bar = "#" * -(-number * _BAR // most)
            yield f"  {size:>3} {number:>7,}  {bar}".rstrip()

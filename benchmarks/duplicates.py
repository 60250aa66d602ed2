"""What the search for duplicates found, against what is known of the corpora.

    python benchmarks/duplicates.py RELEASE --corpus mbpp=mbpp.jsonl ... [--read 50]

Known groups are made from the corpora's own texts by a simpler rule than the search uses: the
last functions of two rows are equal but for the names in them. Of each group whose rows came far
enough to be compared, all but one have to be dropped as duplicates of one row. A pair may still
differ in a helper above the last function, so what is missed is printed to be looked at.
``--read`` prints pairs that the other measures found, to judge the precision by reading.
"""

import ast
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from builder.commands.options import CORPUS, corpus_paths
from builder.intake.corpus import ingest, open_corpus
from builder.reasons import Stage
from builder.records import Candidate, Rejection
from builder.release.packed import read_rejections, read_rows
from sources.registry import all_sources

_DETAIL = re.compile(r"duplicate_of (\S+): (.*)")


@click.command()
@click.argument("release", type=click.Path(path_type=Path))
@CORPUS
@click.option("--read", "count", default=0, help="Print so many pairs that no tree shows.")
@click.option("--seed", default=0, help="Of the choice of pairs.")
def main(release: Path, corpus: tuple[str, ...], count: int, seed: int) -> None:
    """Show the groups found by each measure, and which known ones were missed."""
    candidates = _candidates(corpus_paths(corpus))
    rejections = read_rejections(release)
    kept = {row["task_id"] for rows in read_rows(release).values() for row in rows}
    twin_of = {
        _task_id(lost): match
        for lost in rejections
        if lost.stage is Stage.RELEASE and (match := _DETAIL.fullmatch(lost.detail))
    }
    _show_measures({task_id: match[2] for task_id, match in twin_of.items()})
    keeper_of = {task_id: match[1] for task_id, match in twin_of.items()}
    keeper_of |= {task_id: task_id for task_id in kept}
    _show_known(candidates, keeper_of)
    if count:
        _show_pairs(candidates, twin_of, count, seed)


def _task_id(lost: Rejection) -> str:
    return f"{lost.source}/{lost.source_id.rsplit('/', 1)[-1]}"


def _candidates(paths: Mapping[str, list[Path]]) -> dict[str, Candidate]:
    """Return the candidates of the corpora given, and of those that are installed, by task id."""
    return {
        item.task_id: item
        for name, source in all_sources().items()
        if name in paths or source.package
        for item in ingest(open_corpus(source, paths.get(name, ())))
        if isinstance(item, Candidate)
    }


def _show_measures(details: Mapping[str, str]) -> None:
    """Print how many rows each combination of measures has dropped."""
    measures = Counter(
        " and ".join(part.partition(" (")[0] for part in detail.split("; "))
        for detail in details.values()
    )
    click.echo(f"{len(details)} rows dropped, by")
    for name, number in measures.most_common():
        click.echo(f"{number:>6}  {name}")


def _show_known(candidates: Mapping[str, Candidate], keeper_of: Mapping[str, str]) -> None:
    """Print for each kind of known group how many were found, and those that were not."""
    groups: dict[str, list[str]] = defaultdict(list)
    for task_id, candidate in candidates.items():
        form = _last_function(candidate.code)
        if form is not None:
            groups[form].append(task_id)
    known: dict[str, list[list[str]]] = defaultdict(list)
    for members in groups.values():
        if len(members) > 1:
            known[_kind(members, candidates)].append(members)
    for kind, of_kind in sorted(known.items()):
        compared = [[m for m in members if m in keeper_of] for members in of_kind]
        compared = [members for members in compared if len(members) > 1]
        missed = [each for each in compared if len({keeper_of[m] for m in each}) > 1]
        click.echo(
            f"{kind}: {len(of_kind)} known groups, {len(compared)} came to be compared,"
            f" {len(compared) - len(missed)} found"
        )
        for members in missed:
            click.echo("    missed: " + ", ".join(f"{m} -> {keeper_of[m]}" for m in members))


def _kind(members: Sequence[str], candidates: Mapping[str, Candidate]) -> str:
    sources = {candidates[member].source for member in members}
    if len(sources) == 1:
        return f"within {sources.pop()}"
    splits = {candidates[member].split for member in members}
    return "between train and test" if len(splits) > 1 else "between test corpora"


def _last_function(code: str) -> str | None:
    """Return the last function of a module with its names numbered; None if there is none."""
    try:
        functions = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    except (SyntaxError, ValueError):
        return None
    if not functions:
        return None
    function = functions[-1]
    if ast.get_docstring(function) is not None:
        function.body = function.body[1:]
    function.returns = None
    bound = {function.name}
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            bound.add(node.arg)
            node.annotation = None
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    numbers: dict[str, str] = {}
    for node in ast.walk(function):
        for field in ("id", "arg", "name"):
            if getattr(node, field, None) in bound:
                name = getattr(node, field)
                setattr(node, field, numbers.setdefault(name, f"_{len(numbers)}"))
    return ast.dump(function)


def _show_pairs(
    candidates: Mapping[str, Candidate],
    twin_of: Mapping[str, re.Match[str]],
    count: int,
    seed: int,
) -> None:
    """Print pairs whose trees are not the same, as the corpora have them."""
    others = sorted(
        task_id
        for task_id, match in twin_of.items()
        if not match[2].startswith("same syntax tree") and match[1] in candidates
    )
    for task_id in random.Random(seed).sample(others, min(count, len(others))):
        match = twin_of[task_id]
        click.echo("\n".join(_pair(candidates[task_id], candidates[match[1]], match[2])))


def _pair(lost: Candidate, keeper: Candidate, words: str) -> Iterator[str]:
    yield f"\n{'=' * 20} {lost.task_id} and {keeper.task_id}: {words}"
    yield lost.code.strip()
    yield "-" * 20
    yield keeper.code.strip()


if __name__ == "__main__":
    main()

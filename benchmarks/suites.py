"""Measures how good suites are: how few inputs take how many branches and kill how many mutants.

    python -m benchmarks.suites --corpus mbpp=mbpp.jsonl --corpus cruxeval=cruxeval.jsonl

For each corpus and for all of them together the table has a line for the calls that the corpus
makes itself, and one for the suites that are built. A function without a suite counts as one
whose suite is empty. Mutants come from two sets: that of this toolkit, which also chooses the
tests, and, if the package ``cosmic-ray`` is installed, one that nothing here knows.
"""

import argparse
import json
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.independent import IS_INSTALLED, independent_mutants, killed
from builder.commands.options import corpus_paths
from builder.config import Settings
from builder.intake.corpus import ingest, open_corpus
from builder.intake.take_in import Intake, take_in
from builder.records import Candidate, Rejection, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.kill import mutation_kills
from builder.suite.measure import measure
from builder.synthesis.search import explore
from sources.registry import all_sources

OWN_CALLS, OURS = "the corpus' own calls", "suites"


@dataclass(frozen=True, slots=True)
class Figures:
    """What some inputs do for one function. Shares are from 0 to 1."""

    inputs: int
    arcs: int
    arcs_taken: int
    arcs_live: int
    """Those that are not believed to be dead."""
    mutants: float
    """Share killed; 1 if there are none."""
    killable: float
    """Share killed of those that are not probably equivalent."""
    independent: tuple[bool, ...]
    """For each mutant of the independent set whether it is killed."""


def main() -> None:
    """Build suites, measure them, and print the table."""
    options = _options()
    with Sandbox() as sandbox:
        pairs = [(each, take_in(each, sandbox)) for each in _candidates(options)]
    taken = {each.task_id: intake for each, intake in pairs if isinstance(intake, Intake)}
    before = _seconds()
    with Sandbox() as sandbox:
        suites = {task_id: _suite(intake, options, sandbox) for task_id, intake in taken.items()}
    seconds = _seconds() - before
    figures: dict[str, dict[str, Figures]] = {OWN_CALLS: {}, OURS: {}}
    with Sandbox() as sandbox:
        for task_id, intake in taken.items():
            suite = suites[task_id]
            if isinstance(suite, Rejection):
                print(f"no suite: {task_id}: {suite.reason}: {suite.detail}")
            for kind in figures:
                figures[kind][task_id] = _figures(kind, intake, suite, options, sandbox)
    print()
    _print_table(figures)
    print(f"\n{seconds / len(taken):.3f} CPU s a function for search and suite")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", action="append", default=[], help="NAME=PATH, as in pau-build")
    parser.add_argument("--ids", type=Path, help='JSON file: {"ids": ["humaneval_0", ...]}')
    parser.add_argument("--sample", type=int, help="so many functions of each corpus, by chance")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-seeds", action="store_true", help="build without the corpus' calls")
    parser.add_argument("--mutants", type=int, default=40, help="most independent ones a function")
    parser.add_argument("--list", action="store_true", help="show independent mutants that live")
    return parser.parse_args()


def _candidates(options: argparse.Namespace) -> Iterator[Candidate]:
    paths = corpus_paths(tuple(options.corpus))
    wanted = set(json.loads(options.ids.read_text("utf-8"))["ids"]) if options.ids else None
    for name, source in all_sources().items():
        if name not in paths and source.package is None:
            continue
        rows = ingest(open_corpus(source, paths.get(name, [])))
        found = [row for row in rows if isinstance(row, Candidate)]
        if wanted is not None:
            found = [each for each in found if _short_id(each) in wanted]
        if options.sample:
            chance = random.Random(options.seed)
            found = chance.sample(found, min(options.sample, len(found)))
        yield from found


def _short_id(candidate: Candidate) -> str:
    number = candidate.source_id.replace("_", "/").rsplit("/", 1)[-1]
    return f"{candidate.source}_{number}"


def _seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _suite(intake: Intake, options: argparse.Namespace, sandbox: Sandbox) -> Suite | Rejection:
    seeds = () if options.no_seeds else intake.seeds
    found = explore(intake.method, seeds, sandbox, options.seed)
    if isinstance(found, Rejection):
        return found
    settings = Settings(seed=options.seed, min_branch_coverage=0, min_mutation_score=0)
    return build_suite(intake.method, found, sandbox, settings)


def _figures(
    kind: str,
    intake: Intake,
    suite: Suite | Rejection,
    options: argparse.Namespace,
    sandbox: Sandbox,
) -> Figures:
    """Measure the calls of the corpus, or the tests of a suite, by the same rules."""
    code = intake.method.code
    tests = [] if isinstance(suite, Rejection) else [test.input for test in suite.tests]
    inputs = tests if kind == OURS else list(intake.seeds)
    coverage, _ = measure(code, inputs, sandbox)
    score = mutation_kills(intake.method, inputs, sandbox).score
    mutants = independent_mutants(code, options.mutants, options.seed) if IS_INSTALLED else []
    fates = killed(mutants, code, inputs, sandbox)
    if options.list and kind == OURS:
        _list_survivors(code, mutants, fates)
    return Figures(
        inputs=len(inputs),
        arcs=coverage.arcs,
        arcs_taken=coverage.arcs_covered,
        arcs_live=suite.coverage.live_arcs if isinstance(suite, Suite) else coverage.arcs,
        mutants=score,
        killable=suite.strength.mutation_score if isinstance(suite, Suite) else 0,
        independent=tuple(fates),
    )


def _list_survivors(code: str, mutants: Sequence[str], fates: Sequence[bool]) -> None:
    lines = code.splitlines()
    for mutant, is_killed in zip(mutants, fates, strict=True):
        if not is_killed:
            pairs = zip(lines, mutant.splitlines(), strict=False)
            print("\n".join(f"  - {old}\n  + {new}" for old, new in pairs if old != new))


def _print_table(figures: dict[str, dict[str, Figures]]) -> None:
    print(
        "| corpus | inputs | functions | inputs, mean | branches, mean | all branches"
        " | all live | own mutants | killable | independent, mean | independent |"
    )
    print("| --- " * 2 + "| ---: " * 9 + "|")
    sources = list(dict.fromkeys(task_id.partition("/")[0] for task_id in figures[OURS]))
    for source in [*sources, ""]:
        for kind, of in figures.items():
            every = [each for task_id, each in of.items() if task_id.startswith(source)]
            print(f"| {source or 'all'} | {kind} | " + " | ".join(_cells(kind, every)) + " |")


def _cells(kind: str, every: Sequence[Figures]) -> Iterator[str]:
    branching = [each for each in every if each.arcs]
    yield f"{len(every)}"
    yield f"{_mean([each.inputs for each in every]):.1f}"
    yield f"{_mean([each.arcs_taken / each.arcs for each in branching]):.1%}"
    yield f"{sum(each.arcs_taken == each.arcs for each in branching)} of {len(branching)}"
    yield f"{sum(each.arcs_taken >= each.arcs_live for each in branching)} of {len(branching)}"
    yield f"{_mean([each.mutants for each in every]):.1%}"
    yield f"{_mean([each.killable for each in every]):.1%}" if kind == OURS else ""
    judged = [each.independent for each in every if each.independent]
    yield f"{_mean([sum(fates) / len(fates) for fates in judged]):.1%}"
    yield f"{sum(map(sum, judged))} of {sum(map(len, judged))}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


if __name__ == "__main__":
    main()

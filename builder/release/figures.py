"""Figures of the rows of a split, for the card and for the terminal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from builder.literals import loads
from builder.release.rows import Row

PUBLISHED_ARITY: Final = {1: 377, 2: 311, 3: 52, 4: 1}
"""Rows of the published test split by number of parameters, as its authors state them."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be counted over some rows."""

    rows: int
    arity: dict[int, int]
    """Rows by number of parameters."""
    suite_sizes: dict[int, int]
    """Rows by number of tests."""
    mean_statement_coverage: float
    mean_branch_coverage: float
    all_arcs_covered: int
    """Rows whose tests take every live branch arc."""
    with_dead_arcs: int
    """Rows with a branch arc that is believed to be dead."""
    mean_mutation_score: float
    mean_context_mutation_score: float
    mutants: int
    mutants_killed: int
    mutants_equivalent: int
    """Mutants that are probably no different from their method."""
    exact_in_default: int
    """Rows that the config ``default`` holds exactly."""
    mutating: int
    """Rows with a call that changes its arguments."""
    without_description: int
    described_by_model: int
    code_matched: int
    """Rows for which it was measured how right code is that is written from the description."""
    mean_code_match: float | None
    """Of these rows, 0 to 1; None: there are none."""
    median_outcome_entropy: float | None
    """Of the rows of which it was measured, in bits; None: of no row."""
    median_rarest_branch_rate: float | None
    """Of the rows of which it was measured, 0 to 1; None: of no row."""
    fitted_by_rivals: int
    """Rows whose context another function of the release fits too."""


def figures(rows: Sequence[Row]) -> Figures:
    """Count over rows of the config ``typed``, of which there must be at least one."""
    matches = [
        row["description_code_match"] for row in rows if row["description_code_match"] is not None
    ]
    difficulties = [row["difficulty"] for row in rows if row["difficulty"] is not None]
    return Figures(
        rows=len(rows),
        arity=_sorted_counts([row["arity"] for row in rows]),
        suite_sizes=_sorted_counts([len(row["tests"]) for row in rows]),
        mean_statement_coverage=_mean([row["statement_coverage"] for row in rows]),
        mean_branch_coverage=_mean([row["branch_coverage"] for row in rows]),
        all_arcs_covered=sum(row["branch_arcs_covered"] == row["branch_arcs_live"] for row in rows),
        with_dead_arcs=sum(bool(row["dead_arcs"]) for row in rows),
        mean_mutation_score=_mean([row["mutation_score"] for row in rows]),
        mean_context_mutation_score=_mean([row["context_mutation_score"] for row in rows]),
        mutants=sum(row["mutants"] for row in rows),
        mutants_killed=sum(row["mutants_killed"] for row in rows),
        mutants_equivalent=sum(row["mutants"] - row["mutants_killable"] for row in rows),
        exact_in_default=sum(row["exact_in_default"] for row in rows),
        mutating=sum(any(e["mutates"] for e in row["context"] + row["tests"]) for row in rows),
        without_description=sum(row["description"] is None for row in rows),
        described_by_model=sum(row["description_origin"].startswith("model:") for row in rows),
        code_matched=len(matches),
        mean_code_match=_mean(matches) if matches else None,
        median_outcome_entropy=_median([each["outcome_entropy"] for each in difficulties]),
        median_rarest_branch_rate=_median([each["rarest_branch_rate"] for each in difficulties]),
        fitted_by_rivals=sum(each["agreeing_rivals"] > 0 for each in difficulties),
    )


def value_types(rows: Sequence[Row]) -> tuple[Counter[str], Counter[str]]:
    """Return how many rows have a type among their arguments, and among their outputs."""
    arguments, outputs = Counter[str](), Counter[str]()
    for row in rows:
        examples = row["context"] + row["tests"]
        values = [value for example in examples for value in loads(example["input"])]
        arguments.update({type(value).__name__ for value in values})
        outputs.update({type(loads(example["output"])).__name__ for example in examples})
    return arguments, outputs


def _sorted_counts(values: Sequence[int]) -> dict[int, int]:
    return dict(sorted(Counter(values).items()))


def _median(values: Sequence[float]) -> float | None:
    return float(median(values)) if values else None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)

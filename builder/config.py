"""The settings of a build that decide what comes out of it."""

from dataclasses import asdict, dataclass
from pathlib import Path

DEFAULT_OUTPUT = Path("outputs/release")
"""Where a release is built unless ``--output`` says otherwise."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What determines a row, beside the candidate and the toolkit itself."""

    seed: int = 0
    minimum_tests: int = 4
    maximum_tests: int = 20
    min_branch_coverage: float = 1.0
    """Share of the arcs that any input of the search reached, 0 to 1."""
    min_mutation_score: float = 0.9
    """Share of the killable mutants that the tests have to kill, 0 to 1."""
    allow_missing_description: bool = False
    min_code_match: float = 0.8
    """Share of E_test, 0 to 1, on which code written from a description has to be right; one
    that falls short is asked for again. Counts only where there is a model."""
    best_of: int = 1
    """Descriptions that a model is asked for at a time."""

    def to_json(self) -> dict[str, int | float | bool]:
        """Return the settings as plain JSON values."""
        return asdict(self)

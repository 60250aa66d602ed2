"""How strong a finished suite is, in killed mutants."""

from dataclasses import dataclass

from builder.records import Method, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.kill import mutation_kills
from builder.suite.mutation.finder import Mutant


@dataclass(frozen=True, slots=True)
class Strength:
    """What a suite says about the mutants of its method."""

    mutants: int
    killed_by_tests: int
    killed_by_context: int
    """The rest is the room that exploration has."""
    survivors: tuple[Mutant, ...]
    """Mutants that pass all tests: equivalent to the method, or a gap in the suite."""

    @property
    def mutation_score(self) -> float:
        """Share of the mutants that the tests kill, 0 to 1; 1 if there are none."""
        return self.killed_by_tests / self.mutants if self.mutants else 1.0

    @property
    def context_mutation_score(self) -> float:
        """Share of the mutants that the context alone kills."""
        return self.killed_by_context / self.mutants if self.mutants else 1.0


def strength(method: Method, suite: Suite, sandbox: Sandbox) -> Strength:
    """Try every mutant on every input of a suite."""
    tests = {example.input for example in suite.tests}
    context = {example.input for example in suite.context}
    inputs = [example.input for example in suite.tests + suite.context]
    matrix = mutation_kills(method, inputs, sandbox)
    pairs = list(zip(matrix.mutants, matrix.killers, strict=True))
    survivors = tuple(mutant for mutant, killers in pairs if tests.isdisjoint(killers))
    return Strength(
        mutants=len(pairs),
        killed_by_tests=len(pairs) - len(survivors),
        killed_by_context=sum(not context.isdisjoint(killers) for _, killers in pairs),
        survivors=survivors,
    )

"""How strong a finished suite is, in killed mutants."""

from collections.abc import Collection, Mapping

from builder.records import Strength, Survivor
from builder.suite.kill import KillMatrix
from builder.suite.mutation.finder import Mutant


def strength_of(
    code: str,
    matrix: KillMatrix,
    tests: Collection[str],
    context: Collection[str],
    equivalent: Mapping[Mutant, str],
) -> Strength:
    """Count which mutants tests and context kill.

    Args:
        code: the method.
        matrix: its mutants, all of them tried on all of the inputs of tests and context.
        tests: inputs of E_test.
        context: inputs of E_context.
        equivalent: why a mutant is probably no different from the method.
    """
    pairs = list(zip(matrix.mutants, matrix.killers, strict=True))
    survivors = [mutant for mutant, killers in pairs if killers.isdisjoint(tests)]
    return Strength(
        mutants=len(pairs),
        killed=len(pairs) - len(survivors),
        killed_by_context=sum(not killers.isdisjoint(context) for _, killers in pairs),
        survivors=tuple(
            Survivor(
                line=mutant.line,
                operator=mutant.operator,
                difference=mutant.difference(code),
                why_equivalent=equivalent.get(mutant, ""),
            )
            for mutant in survivors
        ),
    )

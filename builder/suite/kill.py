"""Which inputs tell which mutants from the method."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from builder.records import Method
from builder.sandbox.protocol import Call, Job, Probe, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.mutants import Mutation, mutate
from builder.suite.mutation import trial
from builder.suite.mutation.finder import Mutant

ALL_OF = 40
"""So many inputs are tried on every mutant; the others only on those that few of them kill."""
ENOUGH = 3
"""Killers after which a mutant is not tried on further inputs."""
MUTANT_SECONDS = 0.4
"""CPU time of a mutant on all inputs together. Endless loops end by their count of turns; this
and the memory are for values that grow without end."""
MUTANT_BYTES = 160 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class KillMatrix:
    """The mutants of a method, and the inputs known to kill them."""

    mutants: tuple[Mutant, ...]
    killers: tuple[frozenset[str], ...]
    """For each mutant inputs that kill it: all of the first ``ALL_OF``, some of the others."""

    @property
    def score(self) -> float:
        """Share of the mutants that some input kills; 1 if there are none."""
        return self.score_of({text for killers in self.killers for text in killers})

    def score_of(self, inputs: Iterable[str]) -> float:
        """Share of the mutants that some of ``inputs`` is known to kill, 0 to 1."""
        chosen = frozenset(inputs)
        killed = sum(not chosen.isdisjoint(killers) for killers in self.killers)
        return killed / len(self.mutants) if self.mutants else 1.0

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """Return the mutants that no input kills."""
        pairs = zip(self.mutants, self.killers, strict=True)
        return tuple(mutant for mutant, killers in pairs if not killers)

    def kills(self) -> dict[str, frozenset[int]]:
        """Return for each killing input the numbers of the mutants that it kills."""
        found: dict[str, set[int]] = {}
        for number, killers in enumerate(self.killers):
            for text in killers:
                found.setdefault(text, set()).add(number)
        return {text: frozenset(numbers) for text, numbers in found.items()}


def mutation_kills(method: Method, inputs: Sequence[str], sandbox: Sandbox) -> KillMatrix:
    """Try every mutant of a method on inputs on which the method returns.

    A mutant is killed by another value, type, exception or argument afterwards, or by many times
    as many turns of its loops. One that ends its process, so that nothing can be said of it, is
    left out; so are all of them where the method is too slow to be run on the inputs again.

    Args:
        method: the method.
        inputs: canonical literals of argument tuples, the most promising first.
        sandbox: runs all mutants in one child.
    """
    mutation = mutate(method.code)
    limits = sandbox.limits
    sandbox.limits = replace(
        limits,
        call_seconds=min(MUTANT_SECONDS, limits.call_seconds),
        memory_bytes=min(MUTANT_BYTES, limits.memory_bytes),
    )
    try:
        report = sandbox.run(_job(mutation, inputs))
    finally:
        sandbox.limits = limits
    mutants: list[Mutant] = []
    killers: list[frozenset[str]] = []
    for mutant, outcome in zip(mutation.mutants, report.outcomes, strict=False):
        if outcome.verdict is Verdict.OK or outcome.hits:
            mutants.append(mutant)
            killers.append(frozenset(inputs[number] for number in outcome.hits))
    return KillMatrix(tuple(mutants), tuple(killers))


def _job(mutation: Mutation, inputs: Sequence[str]) -> Job:
    values = {
        "ORIGINAL": repr(mutation.original),
        "MUTANTS": repr(mutation.programs),
        "PLACES": repr(tuple(mutant.place for mutant in mutation.mutants)),
        "INPUTS": f"[{', '.join(inputs)}]",
        "TICK": repr(mutation.tick),
        "VISIT": repr(mutation.visit),
        "ALL_OF": repr(ALL_OF),
        "ENOUGH": repr(ENOUGH),
    }
    lines = [f"{name} = {value}" for name, value in values.items()]
    return Job(
        code="\n".join([_trial_text(), *lines, "observed.extend(observe())\n"]),
        entry_point="test_func",
        calls=tuple(Call(f"({number},)") for number in range(len(mutation.mutants))),
        probe=Probe(hit="note", tick="not_used"),
    )


@lru_cache(maxsize=1)
def _trial_text() -> str:
    return Path(trial.__file__).read_text(encoding="utf-8")

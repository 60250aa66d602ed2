"""Which inputs tell which mutants from the method."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import ModuleType

from builder.records import Method
from builder.sandbox import scales
from builder.sandbox.protocol import Call, Job, Probe, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.mutants import Mutation, mutate
from builder.suite.mutation import trial
from builder.suite.mutation.finder import Mutant
from builder.synthesis.programs import program_text
from builder.synthesis.runner import limited

ALL_OF = 40
"""So many inputs are tried on every mutant; the others only on those that few of them kill."""
ENOUGH = 3
"""Killers after which a mutant is not tried on further inputs."""
MUTANT_SECONDS = 2.5
"""CPU time of a mutant on all inputs together. Nearly all end by their count of turns, many times
sooner; this and the memory are for what no weight foresees."""
LOAD_SECONDS = 10.0
"""CPU time of the method itself on all inputs, which its own count ends many times sooner."""
LATE_MUTANTS = 20
"""So many may run out of CPU time; then the rest is not tried."""
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

    def joined(self, more: Mapping[Mutant, Iterable[str]]) -> "KillMatrix":
        """Return the matrix with further inputs that are known to kill a mutant."""
        pairs = zip(self.mutants, self.killers, strict=True)
        return KillMatrix(
            self.mutants, tuple(killers.union(more.get(mutant, ())) for mutant, killers in pairs)
        )


def mutation_kills(method: Method, inputs: Sequence[str], sandbox: Sandbox) -> KillMatrix:
    """Try every mutant of a method on inputs on which the method returns.

    A mutant is killed by another value, type, exception or argument afterwards, or by many times
    as many turns of its loops. One that ends its process or runs out of CPU time is left out, for
    what it did until then depends on the machine; so are all of them where the method is too slow
    to be run on the inputs again.

    Args:
        method: the method.
        inputs: canonical literals of argument tuples, the most promising first.
        sandbox: runs all mutants in one child.
    """
    mutation = mutate(method.code)
    calls = tuple(Call(f"({number},)") for number in range(len(mutation.mutants)))
    values = {"ALL_OF": repr(ALL_OF), "ENOUGH": repr(ENOUGH)}
    job = trial_job(mutation, inputs, (trial,), values, calls)
    with mutant_limits(sandbox):
        report = sandbox.run(job)
    mutants: list[Mutant] = []
    killers: list[frozenset[str]] = []
    for mutant, outcome in zip(mutation.mutants, report.outcomes, strict=False):
        if outcome.verdict is Verdict.OK:
            mutants.append(mutant)
            killers.append(frozenset(inputs[number] for number in outcome.hits))
    return KillMatrix(tuple(mutants), tuple(killers))


@contextmanager
def mutant_limits(sandbox: Sandbox, seconds: float = MUTANT_SECONDS) -> Iterator[None]:
    """Let the sandbox be strict with mutants; ``seconds`` of CPU time are for each call."""
    limits = replace(
        sandbox.limits,
        call_seconds=seconds,
        load_seconds=LOAD_SECONDS,
        late_calls=LATE_MUTANTS,
        memory_bytes=min(MUTANT_BYTES, sandbox.limits.memory_bytes),
    )
    with limited(sandbox, limits):
        yield


def trial_job(
    mutation: Mutation,
    inputs: Sequence[str],
    programs: Sequence[ModuleType],
    values: Mapping[str, str],
    calls: tuple[Call, ...],
) -> Job:
    """Put the programs that try mutants into one job.

    Args:
        mutation: the mutants, all of which the programs know.
        inputs: canonical literals of argument tuples.
        programs: modules of ``builder.suite.mutation``, ``trial`` first.
        values: texts of further values that the programs look up.
        calls: of the entry point of the last program.
    """
    every = {
        "ORIGINAL": repr(mutation.original),
        "MUTANTS": repr(mutation.programs),
        "PLACES": repr(tuple(mutant.place for mutant in mutation.mutants)),
        "INPUTS": f"[{', '.join(inputs)}]",
        "TICK": repr(mutation.tick),
        "VISIT": repr(mutation.visit),
        "WEIGH": repr(mutation.weigh),
        **values,
    }
    return Job(
        code=program_text((scales, *programs), every) + "observed.extend(observe())\n",
        entry_point="test_func",
        calls=calls,
        probe=Probe(hit="note", tick="no_tick", weigh="no_weight"),
    )

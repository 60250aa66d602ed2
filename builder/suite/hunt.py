"""Looks for inputs that kill the mutants which few kill, and says which of these are hardly any."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from builder.literals import dumps, loads
from builder.records import Method
from builder.sandbox.protocol import Call, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.kill import ENOUGH, KillMatrix, mutant_limits, trial_job
from builder.suite.mutants import mutate
from builder.suite.mutation import breed, hunt, trial
from builder.suite.mutation.finder import Mutant
from builder.suite.validator import write_validator
from builder.synthesis.constants import Constants, mine
from builder.synthesis.domain import Domain
from builder.synthesis.observe import observe
from builder.synthesis.search import Observation
from builder.synthesis.strategies import pool

NEW_INPUTS = 2000
"""Valid inputs, not known before, that a survivor has to stand."""
AT_PLACE = 100
"""So many inputs have to come to its line, new or known, or no new one at all."""
LEAST_BOUND = 5
"""Where a method loops so long on larger ints that they are no examples, all ints up to here."""
HUNT_SECONDS = 20.0
"""CPU time of a hunt of usual effort; its count of loop turns ends it many times sooner."""
_FROM_POOL = 40


@dataclass(frozen=True, slots=True)
class Prey:
    """What a hunt brought home."""

    observations: tuple[Observation, ...]
    """New inputs that kill mutants or come to new lines, each confirmed as an example."""
    kills: Mapping[Mutant, frozenset[str]]
    """Inputs among them that kill a mutant."""
    equivalent: Mapping[Mutant, str]
    """Mutants that are probably no different from the method, and why that is believed."""
    tried: int = 0
    """New inputs that the method answered."""


def hunt_mutants(
    method: Method,
    domain: Domain,
    observations: Sequence[Observation],
    matrix: KillMatrix,
    sandbox: Sandbox,
    effort: int = 1,
) -> Prey:
    """Try the mutants that few inputs kill on many new ones, bred from those at their lines.

    More than one killer gives the choice of a suite some room. The inputs depend on the method
    and on what was observed alone.

    Args:
        method: the method.
        domain: what its arguments may be.
        observations: inputs on which it returned.
        matrix: what is known of them.
        sandbox: runs the hunt.
        effort: so many times as many loop turns as usual may be spent, and as many inputs tried
            if too few of them come to the place of a mutant.

    Raises:
        RefusedError: the method answers differently from run to run.
        HarnessError: the sandbox failed.
    """
    pairs = list(zip(matrix.mutants, matrix.killers, strict=True))
    hunted = [mutant for mutant, killers in pairs if len(killers) < ENOUGH]
    if not hunted:
        return Prey((), {}, {})
    mutation = mutate(method.code)
    constants = mine(method.code)
    numbers = tuple(mutation.mutants.index(mutant) for mutant in hunted)
    kinds = domain.parameters + ((domain.variadic,) if domain.variadic else ())
    pools = [f"({' '.join(f'{text},' for text in pool(kind)[:_FROM_POOL])})" for kind in kinds]
    values = {
        "EFFORT": repr(effort),
        "AT_PLACE": repr(AT_PLACE),
        "SEED": repr(hashlib.sha256(method.code.encode()).hexdigest()),
        "POOLS": f"[{', '.join(pools)}]",
        "NUMBERS": repr(constants.ints + constants.floats),
        "TEXTS": repr((*constants.texts, *_near_characters(constants))),
        "VALIDATOR": repr(write_validator(domain, method.parameters)),
    }
    inputs = [observation.example.input for observation in observations]
    call = Call(dumps((numbers, NEW_INPUTS)))
    job = trial_job(mutation, inputs, (trial, breed, hunt), values, (call,))
    with mutant_limits(sandbox, effort * HUNT_SECONDS):
        report = sandbox.run(job)
    if not report.outcomes or report.outcomes[0].verdict is not Verdict.OK:
        return Prey((), {}, {})
    tried, bound, news, fates = loads(report.outcomes[0].value)

    def inside(inputs: list[tuple[Any, ...]]) -> list[str]:
        return [dumps(arguments) for arguments in inputs if domain.contains(arguments)]

    claimed = {mutant: inside(fate[-1]) for mutant, fate in zip(hunted, fates, strict=True)}
    found = observe(method, [*inside(news), *chain(*claimed.values())], sandbox, "mutation")
    examples = {observation.example.input for observation in found}
    kills = {mutant: frozenset(examples.intersection(claimed[mutant])) for mutant in hunted}
    survivors = set(matrix.survivors)
    return Prey(
        observations=tuple(found),
        kills=kills,
        equivalent={
            mutant: why
            for mutant, fate in zip(hunted, fates, strict=True)
            if mutant in survivors and not kills[mutant]
            if (why := _why_equivalent(tried, bound, fate))
        },
        tried=tried,
    )


def _near_characters(constants: Constants) -> list[str]:
    """Return the characters beside those of the code, and those that its numbers stand for."""
    codes = {ord(text) + step for text in constants.texts if len(text) == 1 for step in (-1, 1)}
    codes.update(constants.ints)
    return [chr(code) for code in sorted(codes) if 32 <= code < 127]


def _why_equivalent(tried: int, bound: int, fate: tuple[int, int, list[Any]]) -> str:
    """Say why a mutant of which no example is known to tell it from the method is hardly one."""
    known, reached, killers = fate
    show = "show no difference"
    if killers:
        show = "show a difference only where there can be no example"
    if bound >= LEAST_BOUND and known + reached >= min(AT_PLACE, bound // 2):
        return f"all ints from -{bound} to {bound} that it takes {show}"
    if tried >= NEW_INPUTS and reached == 0:
        return f"none of {tried:,} further inputs comes to its line"
    if tried >= NEW_INPUTS and known + reached >= AT_PLACE:
        return f"{tried:,} further inputs, {reached:,} of them at its line, {show}"
    return ""

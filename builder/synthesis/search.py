"""The search for inputs: seeds, drawn values, constants, then mutation of what was news.

Rounds of inputs are run with branch probes; what reaches a new arc or a new outcome is a parent
of the next round. The search ends when news dries up. What is kept is run again, unprobed and
in other surroundings, and has to agree.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from builder.literals import dumps
from builder.reasons import Reason, Stage
from builder.records import Example, Method, Rejection
from builder.sandbox.protocol import Verdict
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.alike import change_alike
from builder.synthesis.compose import compose
from builder.synthesis.confirm import confirm, is_sound
from builder.synthesis.constants import Constants
from builder.synthesis.domain import Domain
from builder.synthesis.infer import infer
from builder.synthesis.mutate import Mutator
from builder.synthesis.narrow import Trial, narrow
from builder.synthesis.reach import reach_missing
from builder.synthesis.runner import RefusedError, Runner, search_limits
from builder.synthesis.strategies import pool
from builder.synthesis.widen import widenings

DRAWN = 80
CONSTANT = 40
ROUND = 100
"""Inputs of a round of mutation."""
MOST_ROUNDS = 6
QUIET_ROUNDS = 2
"""The search ends after so many rounds without a new arc."""
ENOUGH = 60
"""Valid inputs at which the search may end once every arc is reached."""
DIRECTED_SHARE = 0.7
"""Share of the children whose parent came to a decision of which a way out is missing."""
NEAR_EACH = 20
LONGEST_INPUT = 1000
"""Characters of a literal made by mutation."""
FEW_OUTCOMES = 4
"""With no more outcomes than these, each should be seen on several inputs."""
WITNESSES = 4
"""Inputs of one outcome that are enough for context and tests."""
RARE_ROUNDS = 3
MOST_KEPT = 200
FEWEST = 6
"""Distinct valid inputs that a suite needs."""
ANSWERED = 0.7
"""Share of the inputs of a new type that have to be answered before it is taken in."""
PATIENT_CALLS = 8
"""Late inputs that are run again where the others show one outcome only."""


@dataclass(frozen=True, slots=True)
class Observation:
    """An example and the probe arcs that its call took."""

    example: Example
    hits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exploration:
    """What the search found."""

    domain: Domain
    observations: tuple[Observation, ...]
    """Distinct valid inputs, in the order in which they were found."""
    tried: int
    """Inputs run in all."""
    failed: int
    """Inputs run that are no examples: f raised, was too slow or gave too much."""
    directed: int = 0
    """Inputs made in order to take arcs that none had taken, known ones among them; 0 if none
    were missing."""


def explore(
    method: Method, seeds: tuple[str, ...], sandbox: Sandbox, seed: int
) -> Exploration | Rejection:
    """Find the domain of a method and inputs that show what it does.

    Args:
        method: the method; its ``original`` is not looked at.
        seeds: canonical literals of argument tuples, from the corpus.
        sandbox: runs the calls.
        seed: of the random choices, together with the method's code.

    Returns:
        The exploration, or a rejection without source and id, which the caller knows.
    """
    try:
        with search_limits(sandbox):
            search = _Search(method, seeds, sandbox, seed)
            return search.run()
    except RefusedError as refused:
        stage = _STAGES.get(refused.reason, Stage.SYNTHESISE)
        return Rejection("", "", stage, refused.reason, refused.detail)


_STAGES = {
    Reason.NONDETERMINISTIC: Stage.PROVE,
    Reason.STATEFUL: Stage.PROVE,
    Reason.FORBIDDEN: Stage.PROVE,
    Reason.DOES_NOT_LOAD: Stage.PROVE,
}


class _Search:
    def __init__(self, method: Method, seeds: tuple[str, ...], sandbox: Sandbox, seed: int) -> None:
        digest = hashlib.sha256(method.code.encode()).hexdigest()
        self.source = random.Random(f"{seed}:{digest}")
        self.method = method
        self.sandbox = sandbox
        self.seeds = seeds
        self.runner = Runner(method, sandbox)
        self.constants = self.runner.constants
        self.origins: dict[str, str] = {}
        self.directed = 0

    def run(self) -> Exploration:
        self._run(self.seeds, "corpus")
        calls = [self.runner.arguments(text) for text in self.runner.valid()]
        domain = infer(self.method, calls, self.runner, self.source)
        self._run(self._drawn(domain), "hypothesis")
        domain = self._narrow(domain)
        drawn, constant = self._drawn(domain), self._from_constants(domain)
        self._run_together((drawn, "hypothesis"), (constant, "constant"))
        domain = self._narrow(domain)
        self._mutate(domain)
        if self._reach_missing(domain):
            self._mutate(domain)
        domain = self._widen(domain)
        self._seek_rare(domain)
        domain = self._narrow(domain)
        self._wait_for_others(domain)
        return self._finish(domain)

    def _run(self, inputs: Iterable[str], origin: str) -> None:
        self._run_together((inputs, origin))

    def _run_together(self, *springs: tuple[Iterable[str], str]) -> None:
        """Run the inputs of several springs that are new, in one job."""
        origins: dict[str, str] = {}
        for inputs, origin in springs:
            for text in inputs:
                origins.setdefault(text, origin)
        for text in self.runner.run(origins):
            self.origins.setdefault(text, origins[text])

    # Springs

    def _drawn(self, domain: Domain) -> list[str]:
        """Argument tuples from the pools of the kinds."""
        if len(domain.parameters) == domain.required == 1 and domain.variadic is None:
            single = [f"({text},)" for text in pool(domain.parameters[0])]
            return [text for text in single if text not in self.runner.outcomes][:DRAWN]
        return [dumps(self._draw(domain)) for _ in range(DRAWN // 2)]

    def _draw(self, domain: Domain) -> tuple[Any, ...]:
        most = len(domain.parameters)
        if domain.variadic is not None:
            most += self.source.choice((1, 2, 3, 3, 4))
        count = most if self.source.random() < 0.6 else self.source.randint(domain.required, most)
        return compose([domain.kind_at(index) for index in range(count)], self.source)

    def _from_constants(self, domain: Domain) -> list[str]:
        return list(_unique(constant_inputs(domain, self.constants, self.source)))[:CONSTANT]

    # Rounds

    def _mutate(self, domain: Domain) -> None:
        mutator = Mutator(domain, self.constants, self.source)
        quiet = 0
        for _ in range(MOST_ROUNDS):
            valid = self._valid_inside(domain)
            complete = len(self.runner.reached) == self.runner.arcs
            if quiet >= QUIET_ROUNDS or not valid or (complete and len(valid) >= ENOUGH and quiet):
                break
            before = len(self.runner.reached)
            self._run(self._children(domain, mutator, valid), "mutation")
            quiet = 0 if len(self.runner.reached) > before else quiet + 1

    def _reach_missing(self, domain: Domain) -> bool:
        """Lead inputs to the arcs that none has taken; tell whether that brought news."""
        before = len(self.runner.reached)
        if before == self.runner.arcs:
            return False
        led = reach_missing(self.runner, domain, self._valid_inside(domain), self.source.random())
        self.directed += led.tried
        self._run(led.inputs, "mutation")
        return len(self.runner.reached) > before

    def _widen(self, domain: Domain) -> Domain:
        """Take in the types that a missing arc waits for, if the method answers them."""
        if len(self.runner.reached) == self.runner.arcs:
            return domain
        valid = sorted(self._valid_inside(domain), key=len)
        parents = [self.runner.arguments(text) for text in valid]
        for wider in widenings(self.method.code, domain, parents):
            before = self.runner.reached.copy()
            self._run(wider.inputs, "mutation")
            verdicts = [self.runner.outcomes[text].verdict for text in wider.inputs]
            self.directed += len(verdicts)
            returned = verdicts.count(Verdict.OK)
            if self.runner.reached > before and returned > ANSWERED * len(verdicts):
                self._mutate(wider.domain)
                return wider.domain
            self.runner.reached = before
        return domain

    def _seek_rare(self, domain: Domain) -> None:
        """Where outcomes are few, look for more inputs of the rare ones, or for another outcome."""
        mutator = Mutator(domain, self.constants, self.source)
        for _ in range(RARE_ROUNDS):
            rare = self._rare(self._valid_inside(domain))
            if not rare:
                return
            children: dict[str, None] = {}
            for _ in range(ROUND):
                parent = self.runner.arguments(self.source.choice(rare))
                alike = self.source.random() < 0.5
                child = change_alike(parent, self.source) if alike else mutator.mutate(parent)
                if domain.contains(child):
                    children.setdefault(dumps(child))
            self._run((text for text in children if len(text) < LONGEST_INPUT), "mutation")

    def _wait_for_others(self, domain: Domain) -> None:
        """Where all inputs have one outcome, be patient with some that took too long."""
        outcomes = self.runner.outcomes
        if len({outcomes[text].value for text in self._valid_inside(domain)}) != 1:
            return
        late = [
            text
            for text, outcome in outcomes.items()
            if outcome.verdict is Verdict.TIMEOUT and domain.contains(self.runner.arguments(text))
        ]
        late.sort(key=lambda text: (self.origins.get(text) != "corpus", len(text)))
        self.runner.run_patiently(late[:PATIENT_CALLS])

    def _rare(self, valid: list[str]) -> list[str]:
        """Inputs whose outcome few others have, where outcomes are few; all if there is one."""
        witnesses: dict[str, list[str]] = {}
        for text in valid:
            witnesses.setdefault(self.runner.outcomes[text].value, []).append(text)
        if len(witnesses) > FEW_OUTCOMES:
            return []
        if len(witnesses) == 1:
            return valid[:ROUND]
        return [text for texts in witnesses.values() if len(texts) < WITNESSES for text in texts]

    def _valid_inside(self, domain: Domain) -> list[str]:
        return [
            text for text in self.runner.valid() if domain.contains(self.runner.arguments(text))
        ]

    def _children(self, domain: Domain, mutator: Mutator, valid: list[str]) -> list[str]:
        parents = [self.runner.arguments(text) for text in self._parents(valid)]
        near = [self.runner.arguments(text) for text in self._near_missing(valid)] or parents
        children: dict[str, None] = {}
        is_missing = len(self.runner.reached) < self.runner.arcs
        for _ in range(3 * ROUND):
            parent = self.source.choice(near if self.source.random() < DIRECTED_SHARE else parents)
            if self.source.random() < 0.2:
                child = mutator.cross(parent, self.source.choice(parents))
            else:
                child = mutator.mutate(parent)
            if domain.contains(child):
                self.directed += is_missing
                text = dumps(child)
                if text not in self.runner.outcomes and len(text) < LONGEST_INPUT:
                    children.setdefault(text)
            if len(children) == ROUND:
                break
        return list(children)

    def _parents(self, valid: list[str]) -> list[str]:
        """Inputs with an arc set or an outcome of their own."""
        first: dict[object, str] = {}
        for text in valid:
            outcome = self.runner.outcomes[text]
            first.setdefault(outcome.hits, text)
            first.setdefault(outcome.value, text)
        return list(dict.fromkeys(first.values()))

    def _near_missing(self, valid: list[str]) -> list[str]:
        """Inputs that came to a decision of which a way out was never taken, each way alike."""
        near = []
        for arc in sorted(self.runner.ways_to_missing()):
            near += [text for text in valid if arc in self.runner.outcomes[text].hits][:NEAR_EACH]
        return near

    # Domain and end

    def _narrow(self, domain: Domain) -> Domain:
        trials = [
            Trial(self.runner.arguments(text), outcome.verdict, outcome.exception)
            for text, outcome in self.runner.outcomes.items()
        ]
        return narrow(domain, trials)

    def _finish(self, domain: Domain) -> Exploration:
        valid = self._valid_inside(domain)
        kept = self._keep([text for text in valid if is_sound(self.runner, text)])
        observations = [self._observe(text) for text in confirm(self.runner, kept)]
        self._check_enough(observations)
        tried = len(self.runner.outcomes)
        failed = tried - len(self.runner.valid())
        return Exploration(domain, tuple(observations), tried, failed, self.directed)

    def _keep(self, valid: list[str]) -> list[str]:
        """At most ``MOST_KEPT``: seeds, new arc sets, new outcomes, a few of each, the rest."""
        seen: set[object] = set()
        witnesses: Counter[str] = Counter()
        ranks: list[tuple[int, int]] = []
        for index, text in enumerate(valid):
            outcome = self.runner.outcomes[text]
            witnesses[outcome.value] += 1
            rank = 3 if witnesses[outcome.value] <= WITNESSES else 4
            if outcome.value not in seen:
                rank = 2
            if outcome.hits not in seen:
                rank = 1
            if self.origins.get(text) == "corpus":
                rank = 0
            seen |= {outcome.value, outcome.hits}
            ranks.append((rank, index))
        chosen = sorted(index for _, index in sorted(ranks)[:MOST_KEPT])
        return [valid[index] for index in chosen]

    def _observe(self, text: str) -> Observation:
        outcome = self.runner.outcomes[text]
        mutates = outcome.arguments_after is not None
        origin = self.origins.get(text, "hypothesis")
        return Observation(Example(text, outcome.value, origin, mutates), outcome.hits)

    def _check_enough(self, observations: list[Observation]) -> None:
        if len(observations) < FEWEST:
            raise RefusedError(*self.runner.why_too_few(len(observations)))
        if all(each.example.output == "None" for each in observations):
            raise RefusedError(*self.runner.why_only_none())


def constant_inputs(domain: Domain, constants: Constants, source: random.Random) -> Iterator[str]:
    """Argument tuples in which one or all arguments come from the constants of the code."""
    mutator = Mutator(domain, constants, source)
    count = max(len(domain.parameters), domain.required, 1)
    for _ in range(3 * CONSTANT):
        kinds = [domain.kind_at(index) for index in range(count)]
        values = tuple(mutator.constant(kind) for kind in kinds)
        if domain.contains(values):
            yield dumps(values)


def _unique(texts: Iterable[str]) -> Iterator[str]:
    yield from dict.fromkeys(texts)

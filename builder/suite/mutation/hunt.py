"""Looks for inputs that kill mutants which survived. Runs in the sandbox behind ``breed``.

One call of ``test_func`` makes up to so many new inputs of the domain from those that come to
the survivors' places, and tries each on the survivors that it comes to.
"""

from __future__ import annotations

from itertools import product
from marshal import dumps as flatten
from marshal import loads as unflatten
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # in the sandbox all of it is one module
    from builder.suite.mutation.breed import Breeder
    from builder.suite.mutation.trial import (
        MUTANTS,
        ORIGINAL,
        PLACES,
        OutOfTicksError,
        Program,
        Seen,
        differs,
        fresh,
        look,
        observed,
    )

SEED = ""
POOLS: tuple[tuple[Any, ...], ...] = ()
NUMBERS: tuple[float, ...] = ()
TEXTS: tuple[str, ...] = ()
VALIDATOR = ""
"""Text of ``validate_input_args``."""

KILLERS = 3
"""Inputs after which a mutant is dead enough."""
LARGEST = 800
"""Bytes of an input; larger ones are not for people."""
EFFORT = 1
"""So many times as long as usual the hunt may last, if that is needed."""
AT_PLACE = 0
"""So many inputs have to come to the place of a mutant that lives, or no new one at all."""
HUNT_TICKS = 250_000
"""Loop turns of the method, and for each mutant a fifth more; then the hunt is over."""
MOST_OF_METHOD = 2_000
"""Loop turns of the method on one input; more are too dear."""
ATTEMPTS = 16
"""Tuples made for each input that is wanted; some are known, or not in the domain."""
BARREN = 800
"""Attempts in a row without a new input after which there hardly is one."""
STEPS = 6
"""Changes in a row, where one alone leads to an input that is known."""
PARENTS = 40
"""Inputs that children are bred from, for each place: those that need the fewest turns."""
SMALL, MOST_SMALL = 300, 3000
"""Where all arguments are ints, so many inputs are answered one after the other from the
smallest, of at most so many that are made."""


class Target:
    """A mutant that is still alive."""

    def __init__(self, number: int) -> None:
        self.program = Program(MUTANTS[number])
        self.place = PLACES[number]
        self.known = sum(not self.place or self.place in seen.visited for seen in observed)
        """Inputs observed that come to its place."""
        self.reached = 0
        """New inputs that do."""
        self.killers: list[tuple[Any, ...]] = []

    def is_settled(self) -> bool:
        """Whether as many inputs came to its place as are needed to believe that it lives."""
        return not self.reached or self.known + self.reached >= AT_PLACE

    def survives(self, seen: Seen) -> bool:
        """Try it on an input, if that comes to its place; return whether to try more."""
        if self.place and self.place not in seen.visited:
            return True
        self.reached += 1
        try:
            is_killed = differs(self.program, seen)
        except OutOfTicksError:
            is_killed = True
        if is_killed:
            self.killers.append(fresh(seen))
        return len(self.killers) < KILLERS


class Hunt:
    """New inputs, one after the other."""

    def __init__(self, targets: list[Target]) -> None:
        self.targets = targets
        self.alive = list(targets)
        self.breeder = Breeder(Random(SEED), POOLS, NUMBERS, TEXTS)
        self.method = Program(ORIGINAL)
        names: dict[str, Any] = {}
        exec(VALIDATOR, names)
        self.validate = names["validate_input_args"]
        self.known = {flat(fresh(seen)) for seen in observed}
        light = sorted(observed, key=lambda seen: seen.ticks)
        self.parents = {
            place: [seen for seen in light if place in seen.visited][:PARENTS]
            for place in {target.place for target in targets}
        }
        self.trails = {seen.visited for seen in observed}
        self.lines = frozenset[int]().union(*self.trails)
        self.news: list[tuple[Any, ...]] = []
        """New inputs that come to a line which none had come to."""
        self.tried = 0
        self.ticks = EFFORT * (HUNT_TICKS + len(targets) * HUNT_TICKS // 5)
        self.bound = -1
        """All ints up to it were tried, positive and negative; -1: none were, or not as ints."""

    def is_over(self, most: int) -> bool:
        """Whether there is nothing left to do or to do it with."""
        spent = self.method.spent + sum(target.program.spent for target in self.targets)
        if not self.alive or self.tried >= EFFORT * most or spent > self.ticks:
            return True
        return self.tried >= most and all(target.is_settled() for target in self.alive)

    def run(self, most: int) -> None:
        """Make up to ``most`` inputs that the method answers."""
        self.survey(most)
        barren = 0
        for turn in range(ATTEMPTS * most):
            if self.is_over(most) or barren >= BARREN:
                break
            arguments = self.bred(self.alive[turn % len(self.alive)].place)
            is_new = bool(arguments) and self.attempt(arguments)
            barren = 0 if is_new else barren + 1

    def survey(self, most: int) -> None:
        """Where all arguments are ints, try the smallest inputs without leaving one out.

        That ends when enough were answered, or when they get too dear.
        """
        answered = made = largest = 0
        places = len(observed[0].after)
        if any(type(value) is not int for value in observed[0].after):
            return
        while answered < SMALL and made < MOST_SMALL:
            for arguments in product(range(-largest, largest + 1), repeat=places):
                if largest in arguments or -largest in arguments:
                    flattened, before = flat(arguments), self.method.spent
                    made += 1
                    answered += flattened in self.known or self.attempt(flattened)
                    if self.method.spent - before >= MOST_OF_METHOD or self.is_over(most):
                        return
            self.bound = largest
            largest += 1

    def attempt(self, flattened: bytes) -> bool:
        """Try the targets on an input; return whether the method takes and answers it."""
        self.known.add(flattened)
        try:
            arguments = unflatten(flattened)
            self.validate(*arguments)
        except Exception:
            return False
        seen = look(self.method, -1, arguments, MOST_OF_METHOD)
        if seen is None or not seen.result:  # what cannot be pickled has no literal form either
            return False
        self.tried += 1
        self.alive = [target for target in self.alive if target.survives(seen)]
        if seen.visited not in self.trails:
            self.trails.add(seen.visited)
            if not seen.visited <= self.lines:
                self.lines |= seen.visited
                self.news.append(fresh(seen))
            for place in self.parents:
                if place in seen.visited:
                    self.parents[place].append(seen)
        return True

    def bred(self, place: int) -> bytes:
        """Return an input that is not known, near one that comes to a place; empty: none."""
        child: Any = fresh(self.breeder.pick(self.parents[place] or observed))
        for _ in range(STEPS):
            child = self.breeder.child(child, self.other)
            flattened = flat(child)
            if len(flattened) > LARGEST:
                break
            if flattened not in self.known:
                return flattened
        return b""

    def other(self) -> Any:
        """Give some arguments that were observed."""
        return fresh(self.breeder.pick(observed))


def flat(arguments: tuple[Any, ...]) -> bytes:
    """Return bytes in which no two arguments share a part; empty if there are none."""
    try:
        return flatten(arguments, 2)
    except ValueError:
        return b""


def test_func(survivors: tuple[int, ...], most: int) -> tuple[int, int, list[Any], list[Any]]:
    """Hunt some mutants.

    Returns:
        How many inputs were tried; up to which size all ints were, or -1; the argument tuples
        that come to a new line; and for each mutant how many inputs observed, and how many new
        ones, come to its place, and the argument tuples that kill it.
    """
    targets = [Target(number) for number in survivors]
    if not observed:
        return 0, -1, [], [(0, 0, []) for _ in targets]
    hunt = Hunt(targets)
    hunt.run(most)
    fates = [(target.known, target.reached, target.killers) for target in targets]
    return hunt.tried, hunt.bound, hunt.news, fates

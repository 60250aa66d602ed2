"""Leads inputs towards arcs that none has taken. Runs in the sandbox behind ``feedback``.

It is the alternating variable method (Korel 1990; with the pattern moves that McMinn 2004
describes): one variable of an input after the other makes the steps that bring the decision
nearer to the way that is missing. Where none does, some are changed by chance and all begins
again. The choices depend on the seed alone.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from marshal import dumps as flatten
from marshal import loads as unflatten
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # in the sandbox all of it is one module
    from builder.sandbox.scales import Scales
    from builder.synthesis.climb.distance import holds, ways
    from builder.synthesis.climb.feedback import fed_back
    from builder.synthesis.climb.variables import (
        COLLECTIONS,
        Place,
        Step,
        any_other,
        directions,
        places,
        replaced,
        single_steps,
    )

LITERAL_TYPES = (Counter, OrderedDict, defaultdict, deque, Decimal, Fraction)
"""The inputs' literals name them."""

SEED = 0
CODE = ""
"""The method with probes."""
HIT, TICK, WEIGH, NEAR = "", "", "", ""
"""Names of the probes."""
INPUTS: tuple[tuple[Any, ...], ...] = ()
MISSING: dict[int, tuple[int, ...]] = {}
"""Arcs that no input takes, and the other ways out of their decisions."""
is_inside: Callable[[tuple[Any, ...]], bool] = bool
"""Whether arguments are in the domain."""

WITNESSES = 3
"""Inputs that take an arc after which it is no longer looked for."""
STARTS = 6
"""Inputs that are led to an arc, the nearest first."""
KICKS = 100
"""So often the nearest input is changed by chance, and the way is sought from there."""
MOST_EACH, MOST_BLIND = 800, 120
"""Inputs tried for one arc; and where no distance is known, or the arc is taken by inputs on
which the method raises."""
MOST = 4_000
"""Inputs tried in all."""
TURNS, ALL_TURNS = 3_000, 300_000
"""Loop turns of the method on one input, and on all."""
MEASURED = 300
"""Decisions of one call whose distances are measured; those after them are only answered."""
LARGEST = 600
"""Bytes of an input."""
MOST_PLACES = 40
TAKEN, RAISED, BLIND = -1.0, 0.0, 1.0


class Nearness(NamedTuple):
    """How near a call came to an arc, and what its decision compared then."""

    distance: float
    operands: tuple[Any, ...]


class Point(NamedTuple):
    """An input and what its call did."""

    arguments: tuple[Any, ...]
    hits: frozenset[int]
    near: dict[int, Nearness]
    returned: bool

    def distance(self, arc: int) -> float | None:
        """Return how far it is from taking an arc and returning; None: it is nowhere near."""
        if arc in self.hits:
            return TAKEN if self.returned else RAISED
        if arc in self.near:
            return self.near[arc].distance
        return None if self.hits.isdisjoint(MISSING[arc]) else BLIND


class Ascent:
    """All inputs tried, and those nearest to each arc."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "candidate", "print": _print, NEAR: self.measure}
        self.names[HIT] = _print
        self.names[TICK] = repeat(None).__next__
        self.scales = Scales()
        self.names[WEIGH] = self.scales.weigh
        exec(compile(CODE, "candidate", "exec"), self.names)
        self.target = self.names["test_func"]
        self.known: dict[bytes, Point | None] = {}
        self.near: dict[int, Nearness] = {}
        self.best: dict[int, Point] = {}
        self.spent = dict.fromkeys(MISSING, 0)
        self.taken: dict[int, list[tuple[Any, ...]]] = {}
        self.tried = self.turns = self.measured = 0
        self.chance = Random(SEED)

    def measure(self, arc: int, operations: tuple[str, ...], *operands: Any) -> Any:
        """Answer a decision, and note how far it was from either way that is missing."""
        value = holds(operations, operands)
        self.measured += 1
        if self.measured > MEASURED:
            return value
        try:
            for way, distance in zip((arc, arc + 1), ways(operations, operands), strict=True):
                if way in MISSING:
                    known = self.near.get(way)
                    if known is None or distance < known.distance:
                        self.near[way] = Nearness(distance, operands)
        except Exception:
            return value
        return value

    def look(self, arguments: tuple[Any, ...]) -> Point | None:
        """Call the method on an input, unless that was done; None: it is no input."""
        try:
            flattened = flatten(arguments, 2)
        except ValueError:
            return None
        if flattened in self.known:
            return self.known[flattened]
        self.known[flattened] = None
        if len(flattened) > LARGEST or self.is_over():
            return None
        given = unflatten(flattened)
        if not is_inside(given):
            return None
        point = self.called(given, unflatten(flattened))
        self.known[flattened] = point
        self.note(point)
        return point

    def called(self, arguments: tuple[Any, ...], given: tuple[Any, ...]) -> Point:
        """Call the method on ``given``, which are equal to the arguments and may be changed."""
        hits: set[int] = set()
        ticks = self.scales.turns = repeat(None, TURNS)
        self.names[HIT], self.names[TICK] = hits.add, ticks.__next__
        self.near, self.measured = {}, 0
        self.tried += 1
        returned = True
        try:
            self.target(*given)
        except Exception:
            returned = False
        left = ticks.__length_hint__()
        self.turns += TURNS - left
        return Point(arguments, frozenset(hits), self.near, returned and left > 0)

    def note(self, point: Point) -> None:
        """Keep a point where it is among those nearest to an arc."""
        for arc in MISSING:
            distance = point.distance(arc)
            if distance is None:
                continue
            if distance == TAKEN:
                self.taken.setdefault(arc, []).append(point.arguments)
            best = self.best.get(arc)
            if best is None or distance < (best.distance(arc) or 0.0):
                self.best[arc] = point

    def is_over(self) -> bool:
        """Whether nothing more may be tried."""
        return self.tried >= MOST or self.turns > ALL_TURNS

    def wants(self, arc: int) -> bool:
        """Whether an arc is still looked for."""
        best = self.best.get(arc)
        if best is None or len(self.taken.get(arc, ())) >= WITNESSES or self.is_over():
            return False
        is_blind = arc in best.hits or arc not in best.near
        return self.spent[arc] < (MOST_BLIND if is_blind else MOST_EACH)

    def run(self, given: list[Point]) -> None:
        """Lead some inputs to every arc, and again where that has opened a way to others."""
        is_news = True
        while is_news:
            before = len(self.taken)
            for arc in MISSING:
                starts = [point for point in given if point.distance(arc) is not None]
                starts.sort(key=lambda point: point.distance(arc) or 0.0)
                if arc in self.best:
                    starts.insert(0, self.best[arc])
                for start in starts[:STARTS]:
                    self.climb(arc, start)
                for _ in range(KICKS):
                    if self.wants(arc):
                        self.climb(arc, self.kicked(arc))
            is_news = len(self.taken) > before

    def kicked(self, arc: int) -> Point:
        """Return what is nearest to an arc, with some places changed by chance if that goes."""
        best = self.best[arc]
        arguments = best.arguments
        for _ in range(self.chance.randint(1, 3)):
            place, value = self.chance.choice(list(places(arguments)))
            arguments = replaced(arguments, place, any_other(value, self.chance))
        before = self.tried
        point = self.look(arguments)
        self.spent[arc] += self.tried - before
        return best if point is None or point.distance(arc) is None else point

    def climb(self, arc: int, point: Point) -> None:
        """Lead an input to an arc: what was compared is tried first, then each variable."""
        turn = quiet = 0
        while self.wants(arc):
            every = list(places(point.arguments))[:MOST_PLACES]
            if quiet > len(every) or not every:
                return
            before = self.tried
            better = self.by_feedback(arc, point) or self.along(
                arc, point, *every[turn % len(every)]
            )
            self.spent[arc] += self.tried - before
            turn += 1
            quiet = 0 if better else quiet + 1
            point = better or point

    def by_feedback(self, arc: int, point: Point) -> Point | None:
        """Try the operands of the decision in the input; return the first that is nearer."""
        nearness = point.near.get(arc)
        if nearness is None:
            return None
        for arguments in fed_back(point.arguments, nearness.operands):
            better = self.nearer(arc, arguments, point)
            if better or not self.wants(arc):
                return better
        return None

    def along(self, arc: int, point: Point, place: Place, value: Any) -> Point | None:
        """Change one variable; return the point that is nearest in the first good direction.

        What is equal elsewhere changes with it if it alone leads nowhere, since it may have to
        stay equal.
        """
        every = [other for other, held in places(point.arguments) if _is_same(held, value)]
        for where in ([place], every) if len(every) > 1 else ([place],):
            for step in directions(value):
                better = self.followed(arc, point, where, value, step)
                if better or not self.wants(arc):
                    return better
        for new in single_steps(value):
            better = self.nearer(arc, replaced(point.arguments, place, new), point)
            if better or not self.wants(arc):
                return better
        return None

    def followed(
        self, arc: int, point: Point, where: list[Place], value: Any, step: Step
    ) -> Point | None:
        """Go in one direction in ever longer steps as long as that leads nearer."""
        best, size = point, 1
        while True:
            arguments, new = point.arguments, step(value, size)
            for place in where:
                arguments = replaced(arguments, place, new)
            better = self.nearer(arc, arguments, best)
            if better is None:
                return None if best is point else best
            best, size = better, 2 * size

    def nearer(self, arc: int, arguments: tuple[Any, ...], than: Point) -> Point | None:
        """Return the point of some arguments if it is nearer to an arc than another."""
        point = self.look(arguments)
        if point is None:
            return None
        old, new = than.distance(arc), point.distance(arc)
        return point if old is not None and new is not None and new < old else None


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are one and the same scalar."""
    return type(one) is type(other) and type(one) not in COLLECTIONS and bool(one == other)


def _print(*_values: object, **_options: object) -> None:
    """Print nothing."""


def test_func(_: None) -> tuple[int, list[tuple[Any, ...]]]:
    """Lead inputs to the arcs; return how many were tried, and those that take one."""
    ascent = Ascent()
    given = [point for arguments in INPUTS if (point := ascent.look(arguments))]
    before = ascent.tried
    ascent.run(given)
    found = [arguments for each in ascent.taken.values() for arguments in each[:WITNESSES]]
    return ascent.tried - before, found

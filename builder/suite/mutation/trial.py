"""Runs in the sandbox: a method, its mutants, and the inputs that may tell them apart.

The text of this file is sent as the module of a job, with the values of the names in capitals
behind it. So it imports nothing of ours. One call of ``test_func`` tries one mutant on all inputs
that reach its place; an input that kills it is noted by its number through the probe ``note``.
All mutants are compiled by the supervisor and each is loaded into a namespace of its own.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from marshal import loads as load_code
from pickle import dumps, loads
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # in the sandbox both are one module
    from builder.sandbox.scales import Scales

LITERAL_TYPES = (Counter, OrderedDict, defaultdict, deque, Decimal, Fraction)
"""The inputs' literals name them."""

ORIGINAL: bytes = b""
"""The method, which calls ``VISIT`` with the line of each place that it comes to."""
MUTANTS: tuple[bytes, ...] = ()
PLACES: tuple[int, ...] = ()
"""For each mutant the line that has to be visited; 0: every call reaches it."""
INPUTS: tuple[tuple[Any, ...], ...] = ()
TICK, VISIT, WEIGH = "", "", ""
"""Names under which the programs count their loops, note their places, and weigh what builtins
work on."""
ALL_OF, ENOUGH = 0, 0
"""The first ``ALL_OF`` inputs are all tried; the others until ``ENOUGH`` have killed."""

ALL_TICKS = 1_500_000
"""Of all mutants on all inputs together, if they need as many as the method."""
MOST_TICKS, LEAST_TICKS = 100_000, 20_000
"""Of the method on all inputs together: most, and least where there are many mutants."""
DEAR, FEWEST, DEAREST = 10, 6, 60_000
"""An input that needs more than the tenth part of that is not taken, unless there are fewer than
so many others; then it may need so many ticks."""
ONLY = 1_000_000
"""Ticks that one input may need if all others have one and the same value. It is tried last, on
the mutants that no other input kills."""
LONGER = 300_000
"""A mutant may need ten times as many ticks as the method, but no more than so many more."""

BYTES_A_TICK = 100
"""Writing so many bytes of outcome takes as long as a tick; what the interpreter does in one step,
such as to double a list, is paid for like that."""

_SCALARS = (int, str, bool, type(None))
_UNCHANGEABLE = (*_SCALARS, float)


def note(_number: int) -> None:
    """Give way to the probe of the sandbox."""


class Seen(NamedTuple):
    """What the method did on one input."""

    number: int
    arguments: bytes
    """Pickled: the cheapest way to make them again, since no audit hook looks at it."""
    value: Any
    after: Any
    """The arguments after the call."""
    result: bytes
    """Both, pickled; empty if they cannot be."""
    ticks: int
    most_turns: int
    most_weight: int
    """What a mutant may spend, of either kind of ticks."""
    is_plain: bool
    """Whether the arguments are scalars, which nothing can change."""
    visited: frozenset[int]


class OutOfTicksError(Exception):
    """A call turned in loops too often, whatever it did when it was told."""


class Program:
    """A loaded module: the method or a mutant of it."""

    def __init__(self, code: bytes) -> None:
        self.names: dict[str, Any] = {"__name__": "candidate", "print": _print}
        self.names[VISIT] = _print
        self.names[TICK] = repeat(None).__next__
        self.scales = Scales()
        self.names[WEIGH] = self.scales.weigh
        self.spent = 0
        """Ticks of all calls: turns, and what was weighed."""
        self.turns = self.weight = 0
        """Ticks of the last call of either kind."""
        exec(load_code(code), self.names)
        self.target = self.names["test_func"]

    def call(self, arguments: tuple[Any, ...], most_turns: int, most_weight: int) -> Any:
        """Call the target and return its value.

        Raises:
            OutOfTicksError: it needed the whole of either budget.
            BaseException: what the target raises.
        """
        turns = repeat(None, most_turns)
        self.names[TICK] = turns.__next__
        self.scales.turns = weights = repeat(None, most_weight)
        try:
            return self.target(*arguments)
        finally:
            self.turns = spent = most_turns - turns.__length_hint__()
            self.weight = weight = most_weight - weights.__length_hint__()
            self.spent += spent + weight
            if spent == most_turns or weight == most_weight:
                raise OutOfTicksError


def _print(*_values: object, **_options: object) -> None:
    """Print nothing."""


def fresh(seen: Seen) -> Any:
    """Make the arguments anew."""
    return loads(seen.arguments)


def observe() -> list[Seen]:
    """Run the method on the inputs; those on which it does not return are left out."""
    program = Program(ORIGINAL)
    found: dict[int, Seen] = {}
    most = max(LEAST_TICKS, min(MOST_TICKS, ALL_TICKS // max(1, len(MUTANTS))))
    for number, arguments in enumerate(INPUTS):
        budget = min(most // DEAR, most - program.spent)
        seen = look(program, number, loads(dumps(arguments, 5)), budget)
        if seen is not None:
            found[number] = seen
        if program.spent >= most:
            break
    for number, arguments in enumerate(INPUTS):
        if len(found) >= FEWEST:
            break
        if number not in found:
            seen = look(program, number, arguments, DEAREST)
            if seen is not None:
                found[number] = seen
    cheap = [found[number] for number in sorted(found)]
    if len({dumps(seen.value, 5) for seen in cheap if seen.result}) == 1:
        for number, arguments in enumerate(INPUTS):
            seen = None if number in found else look(program, number, arguments, ONLY)
            if seen is not None:
                return [*cheap, seen]
    return cheap


def look(program: Program, number: int, arguments: Any, budget: int) -> Seen | None:
    """Run the method on one input, which it may change.

    None: it does not return, or that takes more ticks than the budget.
    """
    visited: set[int] = set()
    program.names[VISIT] = visited.add
    kept, spent = dumps(arguments, 5), program.spent
    try:
        value = program.call(arguments, budget, budget)
    except Exception:
        return None
    result = outcome_bytes(value, arguments)
    program.spent += len(result) // BYTES_A_TICK
    used = program.spent - spent
    if used > budget:
        return None
    most = (_many_times(program.turns), _many_times(program.weight))
    is_plain = all(type(argument) in _UNCHANGEABLE for argument in arguments)
    where = frozenset(visited)
    return Seen(number, kept, value, arguments, result, used, *most, is_plain, where)


def outcome_bytes(value: Any, arguments: Any) -> bytes:
    """Return bytes that only one outcome has, though one may have several; empty: it has none."""
    try:
        return dumps((value, arguments), 5)
    except Exception:
        return b""


observed: list[Seen] = []
"""Filled by the last line of the module's text, while it is loaded."""


def test_func(number: int) -> int:
    """Try one mutant and note what kills it; return how many inputs were tried."""
    try:
        mutant = Program(MUTANTS[number])
    except Exception:
        for seen in observed:
            note(seen.number)
        return 0
    place, tried, killers, endless = PLACES[number], 0, 0, 0
    for seen in observed:
        if place and place not in seen.visited:
            continue
        if (seen.number >= ALL_OF and killers >= ENOUGH) or endless >= ENOUGH:
            break
        if killers and seen.ticks > DEAREST:
            break
        tried += 1
        try:
            is_killed = differs(mutant, seen)
        except OutOfTicksError:
            is_killed = True
            endless += 1
        if is_killed:
            killers += 1
            note(seen.number)
    return tried


def differs(mutant: Program, seen: Seen) -> bool:
    """Whether a mutant answers otherwise, or changes its arguments otherwise.

    Raises:
        OutOfTicksError: it turns in its loops many times as often as the method.
    """
    arguments = seen.after if seen.is_plain else fresh(seen)
    try:
        value = mutant.call(arguments, seen.most_turns, seen.most_weight)
    except OutOfTicksError:
        raise
    except (Exception, SystemExit):
        return True
    if seen.is_plain and type(value) in _SCALARS:
        return type(value) is not type(seen.value) or bool(value != seen.value)
    if seen.result:
        result = outcome_bytes(value, arguments)
        mutant.spent += len(result) // BYTES_A_TICK
        if result == seen.result:
            return False
    return not same(value, seen.value) or not same(arguments, seen.after)


def _many_times(ticks: int) -> int:
    """Return what a mutant may need where the method needed so many ticks."""
    return min(10 * ticks, ticks + LONGER) + 1000


def same(one: Any, other: Any) -> bool:
    """Whether two values are one and the same literal: exact type, exact value."""
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in _SCALARS:
        return bool(one == other)
    if kind in (float, complex):
        return repr(one) == repr(other)
    if kind in (list, tuple, deque):
        return len(one) == len(other) and all(map(same, one, other))
    if kind in (dict, Counter, OrderedDict, defaultdict):
        return same(list(one.items()), list(other.items()))
    if kind in (set, frozenset):
        return same_elements(one, other)
    return bool(one == other)


def same_elements(one: Any, other: Any) -> bool:
    """Whether two sets hold the same values; the texts of scalars tell them apart, also nan."""
    if Counter(map(repr, one)) == Counter(map(repr, other)):
        return True
    has_sets = any(type(value) in (tuple, frozenset) for value in one)
    return has_sets and bool(one == other)

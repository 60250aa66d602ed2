"""What is asked of the sandbox and what it answers: the whole interface, as data."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Level(StrEnum):
    """How strong the isolation is, strongest first."""

    FULL = "full"
    """Namespaces, Landlock, seccomp and resource limits."""
    STRONG = "strong"
    """Landlock, seccomp and resource limits; no namespaces."""
    PARTIAL = "partial"
    """Seccomp and resource limits: nothing is written or sent, but files can be read."""
    PROCESS_ONLY = "process-only"
    """A child process with limits and a clock, nothing more."""


class Verdict(StrEnum):
    """How one call, or the loading of a module, ended."""

    OK = "ok"
    ERROR = "error"
    """The candidate raised an exception."""
    TIMEOUT = "timeout"
    """CPU time, the loop budget, or (for code that sleeps) wall time ran out."""
    MEMORY = "memory"
    TOO_LARGE = "too_large"
    """The value or the printed text is larger than the limit."""
    FORBIDDEN = "forbidden"
    """It tried something that the sandbox refuses, whatever it answered afterwards."""
    NONDETERMINISTIC = "nondeterministic"
    """Two runs in different surroundings disagree."""
    STATEFUL = "stateful"
    """A second call in the same process disagrees with the first."""
    UNSERIALISABLE = "unserialisable"
    """The value has no exact literal form."""
    CRASH = "crash"
    """The process ended without an answer."""
    HARNESS_ERROR = "harness_error"
    """The sandbox itself failed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one child may use. Times count CPU seconds of the child unless they say wall."""

    call_seconds: float = 1.0
    load_seconds: float = 2.0
    wall_seconds: float = 5.0
    """For one call that sleeps instead of working."""
    memory_bytes: int = 512 * 1024 * 1024
    value_characters: int = 100_000
    printed_characters: int = 1_000_000
    late_calls: int = 3
    """After so many timeouts the remaining calls of a job are not made (verdict timeout)."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: canonical literals of the positional and of the keyword arguments."""

    arguments: str
    """Literal of a tuple: ``([1, 2],)``."""
    keywords: str = "{}"
    """Literal of a dict from names to values."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Names under which probed code finds its probe functions.

    The worker puts them into the module's namespace before the module is loaded. ``hit(k)``
    notes the small int ``k`` and returns None; ``tick()`` returns None and raises when it was
    called more than ``budget`` times in one call: a limit that is the same on every machine.
    ``weigh(value, shift)`` returns the value and counts as so many ticks as its size, shifted,
    says (see ``scales``).
    """

    hit: str
    tick: str
    weigh: str
    budget: int = 200_000


@dataclass(frozen=True, slots=True)
class Job:
    """One module and the calls to make in it, all in one child, in order."""

    code: str
    entry_point: str
    calls: tuple[Call, ...] = ()
    drivers: tuple[str, ...] = ()
    """Texts run one after the other in a copy of the module's namespace in which the entry
    point is wrapped by a recorder: the arguments of every call are noted before it is made."""
    repeat: bool = False
    """Make each call twice with fresh arguments; a difference is ``stateful``."""
    probe: Probe | None = None
    coverage: bool = False
    """Run under coverage.py in branch mode."""


class Outcome(NamedTuple):
    """How one call ended.

    A tuple, because thousands are made for a function: it takes a quarter of the time.
    """

    verdict: Verdict
    value: str = ""
    """Canonical literal of the value, if the verdict is ok."""
    exception: str = ""
    """Name of the exception's type, if the verdict is error."""
    arguments_after: str | None = None
    """Canonical literal of the argument tuple after the call; None if it did not change or has
    no literal form any more."""
    hits: tuple[int, ...] = ()
    """Sorted distinct probe numbers that the call hit."""
    cpu_seconds: float = 0.0

    @property
    def comparable(self) -> tuple[str, str, str, str | None]:
        """What has to be equal for two outcomes to agree."""
        return (self.verdict, self.value, self.exception, self.arguments_after)


@dataclass(frozen=True, slots=True)
class Report:
    """What the sandbox saw of a job."""

    loaded: Outcome
    """How loading the module ended; unless it is ok, no call was made."""
    outcomes: tuple[Outcome, ...] = ()
    """One for each call of the job, in order."""
    recorded: tuple[Call, ...] = ()
    """The calls that the drivers made, in order, without repetition; at most 200."""
    executed_lines: tuple[int, ...] = ()
    """Lines that coverage.py saw run, if asked for, over all calls together."""
    executed_arcs: tuple[tuple[int, int], ...] = ()
    """Arcs between lines that coverage.py saw, if asked for."""

"""What flows through the pipeline: one frozen record for each arrow of the plan."""

from dataclasses import dataclass
from typing import Literal

from builder.reasons import Reason, Stage

Split = Literal["train", "test"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of a corpus, as its source file understands it."""

    source: str
    """Name of the source (``humaneval``)."""
    source_id: str
    """The corpus' own id of the row (``HumanEval/0``), else a short hash of its content."""
    split: Split
    license: str
    """SPDX identifier."""
    revision: str
    """Version of the corpus that the row was read from."""
    link: str
    """Where a reader finds the corpus."""
    code: str
    """Text of the module that defines the target, line ends normalised to ``\\n``."""
    entry_point: str | None
    """Name of the target; None: the one top-level function that no other one calls."""
    drivers: tuple[str, ...] = ()
    """Texts of statements that call the target; run only in the sandbox, to record the calls."""
    description: str | None = None
    """The corpus' own words, uncleaned; None where it has none."""
    description_origin: str = "corpus"
    """Who wrote the description: ``corpus``, or ``errata`` where they replace it."""
    variant: str = ""
    """Which text of several was taken (MBPP: ``full`` or ``sanitized``)."""
    further: tuple[str, ...] = ()
    """Canonical literals of argument tuples that E_test has to hold too: on them the row differs
    from other rows that pass its other tests. No source gives them, the first comparison does."""

    @property
    def task_id(self) -> str:
        """Id of the row in every release."""
        return f"{self.source}/{self.source_id.rsplit('/', 1)[-1]}"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A row that was lost, and why."""

    source: str
    source_id: str
    stage: Stage
    reason: Reason
    detail: str = ""
    """One line for a reader: the name, line or call at fault."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an anonymised target, in the order of the header."""

    name: str
    """``arg0``, ``arg1`` ..."""
    original_name: str
    """Name in the corpus; never leaves the pipeline."""
    annotation: str | None = None
    """Text of the annotation that the corpus gave, if any."""
    default: str | None = None
    """Text of the default value in the anonymised code; None: the argument is required."""
    variadic: bool = False
    """True for ``*args``: takes any number of further values."""


@dataclass(frozen=True, slots=True)
class Method:
    """An anonymised module that defines ``test_func``."""

    code: str
    header: str
    """First line of the target: ``def test_func(arg0, arg1):``."""
    parameters: tuple[Parameter, ...]
    original: str
    """The corpus' module without its driver code: what the anonymised one is proven against."""
    original_entry_point: str
    keyword_only: tuple[str, ...] = ()
    """Original names of parameters that the original takes by keyword only."""

    @property
    def arity(self) -> int:
        """Number of parameters; ``*args`` counts as one."""
        return len(self.parameters)


@dataclass(frozen=True, slots=True)
class Example:
    """One input of a method and what was observed."""

    input: str
    """Canonical literal of the whole argument tuple."""
    output: str
    """Canonical literal of the value returned."""
    origin: str
    """Which spring the input came from: corpus, hypothesis, constant, mutation, model:NAME, or
    rival, another row that passed the other tests."""
    mutates: bool = False
    """Whether the call changed its arguments."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What coverage.py says of a suite on the unchanged method. Counts, not shares."""

    statements: int
    statements_covered: int
    arcs: int
    """Branch arcs of the target and its helpers."""
    arcs_covered: int
    missing_lines: tuple[int, ...] = ()
    missing_arcs: tuple[tuple[int, int], ...] = ()
    dead_lines: tuple[int, ...] = ()
    """Those of ``missing_lines`` that are believed to be dead: no input runs them."""
    dead_arcs: tuple[tuple[int, int], ...] = ()
    """Those of ``missing_arcs`` that are believed to be dead: no input takes them."""
    why_dead: str = ""
    """Why that is believed; empty if nothing is."""

    @property
    def live_statements(self) -> int:
        """Number of statements that are not believed to be dead."""
        return self.statements - len(self.dead_lines)

    @property
    def live_arcs(self) -> int:
        """Number of branch arcs that are not believed to be dead."""
        return self.arcs - len(self.dead_arcs)

    @property
    def statement_coverage(self) -> float:
        """Share of the live statements that are run, 0 to 1."""
        return self.statements_covered / self.live_statements if self.live_statements else 1.0

    @property
    def branch_coverage(self) -> float:
        """Share of the live branch arcs that are taken, 0 to 1; 1 for code without any."""
        return self.arcs_covered / self.live_arcs if self.live_arcs else 1.0


@dataclass(frozen=True, slots=True)
class Survivor:
    """A slightly wrong function that gives the right output on every test."""

    line: int
    """Line of the code that is changed, from 1."""
    operator: str
    """What kind of change it is, in words."""
    difference: str
    """The lines removed (``-``) and added (``+``)."""
    why_equivalent: str = ""
    """Why it is probably the same function on every input; empty: nothing says so."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Which mutants, slightly wrong functions, a suite tells from the method. Counts."""

    mutants: int = 0
    killed: int = 0
    """Those that some test tells from the method."""
    killed_by_context: int = 0
    """Those that E_context tells from it; the rest is the room that exploration has."""
    survivors: tuple[Survivor, ...] = ()
    """Those that pass all tests, in the order of the code."""

    @property
    def killable(self) -> int:
        """Number of mutants that are not probably equivalent to the method."""
        return self.mutants - sum(bool(each.why_equivalent) for each in self.survivors)

    @property
    def mutation_score(self) -> float:
        """Share of the killable mutants that the tests kill, 0 to 1; 1 if there are none."""
        return self.killed / self.killable if self.killable else 1.0

    @property
    def context_mutation_score(self) -> float:
        """Share of the killable mutants that E_context alone kills, 0 to 1; 1 if there are none."""
        return self.killed_by_context / self.killable if self.killable else 1.0


@dataclass(frozen=True, slots=True)
class Suite:
    """E_context and E_test of a method."""

    context: tuple[Example, ...]
    tests: tuple[Example, ...]
    coverage: Coverage
    """Of the tests alone: E_test has to characterise the method without E_context."""
    arcs_reached: int
    """Branch arcs that any input of the search reached, by coverage.py."""
    strength: Strength = Strength()


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Figures that tell how hard a row is to guess; none of them needs a model."""

    rarest_branch_rate: float
    """Of the branch arcs that the tests take, the one that random inputs of the domain take least
    often: the share of inputs that do, 0 to 1; 1 for code without branches."""
    outcome_entropy: float
    """Shannon entropy, in bits, of the outputs for random inputs of the domain; 0: always one."""
    rivals: int = 0
    """Other functions of the same corpora whose domains hold both inputs of E_context."""
    agreeing_rivals: int = 0
    """Those of them that give both its outputs."""


@dataclass(frozen=True, slots=True)
class Task:
    """One publishable row."""

    task_id: str
    split: Split
    header: str
    code: str
    validator: str
    description: str | None
    description_origin: str
    suite: Suite
    arity: int
    source: str
    source_id: str
    source_revision: str
    source_variant: str
    license: str
    link: str
    description_code_match: float | None = None
    """Share of E_test, 0 to 1, on which code that a model wrote from header and description alone
    gives exactly the same output; None: no model was at hand."""
    domain: str = ""
    """What argument tuples the method takes, as JSON (``builder.synthesis.domain``)."""
    difficulty: Difficulty | None = None
    """None: not measured."""

"""A small release of hand-made rows, for all tests that need one."""

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings

from builder.intake.corpus import Corpus
from builder.reasons import Reason, Stage
from builder.records import Candidate, Coverage, Difficulty, Example, Rejection, Split, Suite, Task
from builder.release.content import ReleaseInput
from builder.sandbox.protocol import Level
from builder.synthesis.domain import AnyLiteral, Domain
from sources.contract import HubPart, Row, Source

# The same examples in every run, however slow the machine, so that red means a change and not a
# draw; to look for new ones:
# pytest --hypothesis-profile=default
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# Started in the background by a shell, tests inherit that Ctrl-C is ignored, and so would all that
# they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _convert(row: Row) -> Candidate | Rejection:
    return row.reject(Reason.NOT_PYTHON)


def _source(name: str, split: Split, license_id: str) -> Source:
    return Source(
        name=name,
        title=f"The {name.title()} Corpus",
        home=f"https://example.org/{name}",
        license=license_id,
        citation=f"Gardener et al. (2025). {name.title()}.",
        split=split,
        hub_id=f"example/{name}",
        revision="0" * 40,
        hub_parts=(HubPart(None, split),),
        columns={"code": str},
        convert=_convert,
    )


GARDEN = _source("garden", "test", "MIT")
MEADOW = _source("meadow", "train", "CC-BY-4.0")


def _corpus(source: Source, rows: int) -> Corpus:
    fields = [{"code": f"x = {number}"} for number in range(rows)]
    return Corpus(
        source,
        revision=f"sha256:{source.name}",
        sha256="ab" * 32,
        origin=f"{source.name}.jsonl",
        rows=tuple(Row(source, n, f"row {n}", row, "r") for n, row in enumerate(fields)),
    )


def _examples(text: str, origin: str = "corpus", mutates: bool = False) -> tuple[Example, ...]:
    pairs = [line.split(" -> ") for line in text.strip().splitlines()]
    return tuple(Example(i.strip(), o.strip(), origin, mutates) for i, o in pairs)


def _task(
    source: Source,
    number: str,
    code: str,
    validator: str,
    description: str | None,
    context: tuple[Example, ...],
    tests: tuple[Example, ...],
    coverage: Coverage,
    difficulty: Difficulty | None = None,
) -> Task:
    header = next(line for line in code.splitlines() if line.startswith("def test_func"))
    return Task(
        task_id=f"{source.name}/{number}",
        split=source.split,
        header=header,
        code=code,
        validator=validator,
        description=description,
        description_origin="corpus" if description else "",
        suite=Suite(context, tests, coverage, coverage.arcs),
        arity=header.count("arg"),
        source=source.name,
        source_id=f"{source.name.title()}/{number}",
        source_revision=f"sha256:{source.name}",
        source_variant="",
        license=source.license,
        link=source.home,
        domain=json.dumps(_anything(header.count("arg")).to_json()),
        difficulty=difficulty,
    )


def _anything(arity: int) -> Domain:
    return Domain((AnyLiteral(),) * arity, arity)


FIRST_LARGE = _task(
    GARDEN,
    "2",
    code="def test_func(arg0, arg1):\n"
    "    for v0 in arg0:\n"
    "        if v0 > arg1:\n"
    "            return v0\n"
    "    return None\n",
    validator="def validate_input_args(arg0, arg1):\n"
    "    if type(arg0) is not list:\n"
    "        raise TypeError('arg0 must be a list, not ' + type(arg0).__name__)\n",
    description="Return the first number that is larger than a limit, else nothing.",
    context=_examples("([1, 5], 3) -> 5\n([1], 3) -> None"),
    tests=_examples("([], 0) -> None\n([0.5, 2], 1) -> 2\n([9, 8], 1) -> 9\n([2], -1) -> 2"),
    coverage=Coverage(4, 4, 4, 4),
    difficulty=Difficulty(0.25, 1.5, rivals=7, agreeing_rivals=2),
)
EXTREMES = _task(
    GARDEN,
    "10",
    code="def test_func(arg0):\n"
    "    if not arg0:\n"
    "        return set()\n"
    "    return (min(arg0), max(arg0))\n",
    validator="def validate_input_args(arg0):\n    pass\n",
    description="Return the smallest and the largest element.",
    context=_examples("([3, 1],) -> (1, 3)\n(frozenset({2}),) -> (2, 2)", "hypothesis"),
    tests=_examples(
        "([4, 4],) -> (4, 4)\n('ba',) -> ('a', 'b')\n({7: 0},) -> (7, 7)\n((1,),) -> (1, 1)"
    ),
    coverage=Coverage(3, 2, 2, 1, missing_lines=(3,), missing_arcs=((2, 3),)),
)
APPENDED = _task(
    MEADOW,
    "1",
    code="def test_func(arg0):\n    arg0.append(len(arg0))\n    return arg0\n",
    validator="def validate_input_args(arg0):\n    pass\n",
    description=None,
    context=_examples("([],) -> [0]\n([5],) -> [5, 1]", mutates=True),
    tests=_examples(
        "(['a'],) -> ['a', 1]\n([0],) -> [0, 1]\n([1, 2],) -> [1, 2, 2]\n([[]],) -> [[], 1]",
        mutates=True,
    ),
    coverage=Coverage(2, 2, 0, 0),
)


@pytest.fixture
def first_large() -> Task:
    """A task of the test split that JSON holds exactly."""
    return FIRST_LARGE


@pytest.fixture
def extremes() -> Task:
    """A task of the test split with tuples, one input that is a call, and a line never run."""
    return EXTREMES


@pytest.fixture
def appended() -> Task:
    """A task of the train split that changes its argument and has no description."""
    return APPENDED


@pytest.fixture(scope="session")
def content() -> ReleaseInput:
    """Three tasks of two corpora, and three rejections."""
    return ReleaseInput(
        tasks=(EXTREMES, APPENDED, FIRST_LARGE),
        rejections=(
            Rejection("garden", "Garden/3", Stage.SCREEN, Reason.NO_ARGUMENT),
            Rejection("meadow", "Meadow/12", Stage.SUITE, Reason.CONSTANT, "always 0"),
            Rejection("meadow", "Meadow/2", Stage.INGEST, Reason.NOT_PYTHON, "line 1"),
        ),
        corpora=(_corpus(GARDEN, 3), _corpus(MEADOW, 3)),
        settings={"seed": 0, "limit": None},
        level=Level.STRONG,
        versions={"python": "3.11", "pau-toolkit": "0.1.0"},
    )


@pytest.fixture
def without_train(content: ReleaseInput) -> ReleaseInput:
    """Content whose train split is empty."""
    return replace(
        content,
        tasks=(EXTREMES, FIRST_LARGE),
        rejections=content.rejections[:1],
        corpora=content.corpora[:1],
    )


@pytest.fixture(scope="session")
def release_folder(content: ReleaseInput, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release on disk; copy it before changing it."""
    from builder.release.assemble import write_release

    folder = tmp_path_factory.mktemp("releases") / "release"
    write_release(content, folder)
    return folder

"""Code that somebody takes for the method must fail where anything observed tells them apart."""

from collections.abc import Iterator

import pytest

from builder.config import Settings
from builder.literals import loads
from builder.records import Example, Method, Parameter, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.readings import Reading, misread
from builder.synthesis.domain import Domain, Int
from builder.synthesis.search import Exploration, Observation

METHOD = Method(
    code="def test_func(arg0):\n    return arg0 % 7\n",
    header="def test_func(arg0):",
    parameters=(Parameter("arg0", "n"),),
    original="",
    original_entry_point="f",
)
OBSERVED = tuple(
    Observation(Example(f"({n},)", str(n % 7), "hypothesis"), ()) for n in range(-40, 41)
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def suite(sandbox: Sandbox, *readings: Reading) -> Suite:
    exploration = Exploration(Domain((Int(),), 1), OBSERVED, tried=81, failed=0)
    built = build_suite(METHOD, exploration, sandbox, Settings(), readings)
    assert isinstance(built, Suite)
    return built


def table_of(examples: tuple[Example, ...]) -> Reading:
    """Return code that knows these examples by heart, and nothing else."""
    known = {loads(example.input)[0]: loads(example.output) for example in examples}
    return Reading(f"def test_func(arg0):\n    return {known!r}.get(arg0)\n")


def test_a_reading_is_told_by_the_inputs_on_which_it_is_wrong(sandbox: Sandbox) -> None:
    reading = Reading("def test_func(arg0):\n    return arg0 if arg0 < 7 else arg0 % 7\n")
    wrong = misread([reading], OBSERVED, sandbox)
    assert sorted(loads(text)[0] for text in wrong) == list(range(-40, 0))


def test_code_that_raises_or_does_not_load_is_wrong_everywhere(sandbox: Sandbox) -> None:
    for code in (
        "def test_func(arg0):\n    return arg0 / 0\n",
        "def test_func(arg0): return n\n1/0",
    ):
        assert len(misread([Reading(code)], OBSERVED, sandbox)) == len(OBSERVED)


def test_a_reading_that_passes_a_suite_does_not_pass_the_one_made_against_it(
    sandbox: Sandbox,
) -> None:
    plain = suite(sandbox)
    reading = table_of(plain.context + plain.tests)
    sharper = suite(sandbox, reading)
    known = {example.input for example in plain.context + plain.tests}
    assert {example.input for example in sharper.tests} - known


def test_a_reading_that_is_the_method_changes_nothing(sandbox: Sandbox) -> None:
    assert suite(sandbox, Reading(METHOD.code)) == suite(sandbox)

"""Validators from a model: taken when execution finds nothing against them, else left."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from builder.model.client import Model
from builder.records import Coverage, Example, Method, Parameter, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.constrain import Constrained, constrain
from builder.suite.validator import write_validator
from builder.synthesis.domain import Domain, Int, List
from tests.model.bench import Bench
from tests.model.server import ModelServer, Say

DIVIDE = Method(
    code="def test_func(arg0, arg1):\n    return [v0 // arg1 for v0 in arg0]\n",
    header="def test_func(arg0, arg1):",
    parameters=(Parameter("arg0", "a"), Parameter("arg1", "b")),
    original="",
    original_entry_point="f",
)
DOMAIN = Domain((List(element=Int()), Int()), required=2)
OLD = write_validator(DOMAIN, DIVIDE.parameters)
EXAMPLES = tuple(
    Example(*pair, origin="corpus")
    for pair in (("([4, 5], 2)", "[2, 2]"), ("([], 0)", "[]"), ("([-3], -1)", "[3]"))
)
SUITE = Suite(EXAMPLES[:1], EXAMPLES[1:], Coverage(1, 1, 0, 0), 0)
HEAD = "def validate_input_args(arg0, arg1):\n    "
RIGHT = HEAD + "if arg0 and arg1 == 0:\n        raise ValueError('arg1 must not be 0')\n"
STRICT = HEAD + "if arg1 == 0:\n        raise ValueError('arg1 must not be 0')\n"
LAX = HEAD + "pass\n"
SPARSE = HEAD + (
    "if arg0 not in ([4, 5], [], [-3]) or (arg0 and not arg1):\n        raise ValueError('arg0')\n"
)
HALF = HEAD + "if 0 < len(arg0) < 3 and arg1 == 0:\n        raise ValueError('arg1')\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def proposing(tmp_path: Path) -> Iterator[Callable[..., tuple[ModelServer, Model]]]:
    with ExitStack() as stack:
        bench = Bench(tmp_path, stack)

        def propose(*codes: str) -> tuple[ModelServer, Model]:
            server = bench.serve(
                lambda ask: Say(f"```python\n{codes[min(ask.number, len(codes) - 1)]}```")
            )
            return server, bench.model(server, models={"constrain": "guard"})

        yield propose


def run(model: Model, sandbox: Sandbox, raised: tuple[str, ...] = ()) -> Constrained:
    return constrain(DIVIDE, DOMAIN, OLD, SUITE, model, sandbox, raised)


def test_a_validator_without_a_fault_is_taken(
    proposing: Callable[..., tuple[ModelServer, Model]], sandbox: Sandbox
) -> None:
    _, model = proposing(RIGHT)
    assert run(model, sandbox) == Constrained(RIGHT, rounds=1)


def test_the_model_is_shown_what_the_method_raised_on(
    proposing: Callable[..., tuple[ModelServer, Model]], sandbox: Sandbox
) -> None:
    server, model = proposing(RIGHT)
    run(model, sandbox, ("([77], 0)", "('outside the domain', 0)"))
    assert "([77], 0) raised ZeroDivisionError" in server.asks[0].words
    assert "outside the domain" not in server.asks[0].words


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (STRICT, "it refuses the example ([], 0)"),
        (LAX, "it does not refuse"),
        (SPARSE, "fresh inputs, too few to be tried"),
        (HEAD + "return 1\n", "it refuses the example"),
        (HEAD + "raise KeyError('x')\n", "is not allowed"),
        ("import os\n" + RIGHT, "hold nothing else"),
    ],
)
def test_a_validator_with_a_fault_is_left_and_the_old_one_stays(
    proposing: Callable[..., tuple[ModelServer, Model]],
    sandbox: Sandbox,
    code: str,
    problem: str,
) -> None:
    _, model = proposing(code)
    found = run(model, sandbox)
    assert found.validator is None
    assert problem in found.problem


def test_what_speaks_against_a_validator_is_told_in_the_next_round(
    proposing: Callable[..., tuple[ModelServer, Model]], sandbox: Sandbox
) -> None:
    server, model = proposing(STRICT, HALF, RIGHT)
    assert run(model, sandbox).validator == RIGHT
    assert "not good enough, since it refuses the example ([], 0):" in server.asks[1].words
    assert STRICT.strip() in server.asks[2].words
    assert HALF.strip() in server.asks[2].words


def test_nothing_is_asked_for_a_method_that_raises_on_nothing(
    proposing: Callable[..., tuple[ModelServer, Model]], sandbox: Sandbox
) -> None:
    server, model = proposing(RIGHT)
    total = Method(
        code="def test_func(arg0, arg1):\n    return len(arg0) + arg1\n",
        header=DIVIDE.header,
        parameters=DIVIDE.parameters,
        original="",
        original_entry_point="f",
    )
    assert constrain(total, DOMAIN, OLD, SUITE, model, sandbox) == Constrained(None, rounds=0)
    assert server.asks == []

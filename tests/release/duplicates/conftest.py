"""Functions with examples that were really observed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from builder.records import Example
from builder.release.duplicates.ask import Caller
from builder.release.duplicates.function import Function
from builder.sandbox.supervisor import Sandbox
from builder.store import Store, open_store
from builder.suite.calls import call_all
from builder.synthesis.domain import Domain, Kind

Make = Callable[..., Function]


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite") as opened:
        yield opened


@pytest.fixture
def ask(sandbox: Sandbox, store: Store) -> Caller:
    return Caller([sandbox], store)


@pytest.fixture
def make(sandbox: Sandbox) -> Make:
    """Return what makes a function of its body; the first two inputs are its context."""

    def function(name: str, body: str, kinds: Sequence[Kind], inputs: Sequence[str]) -> Function:
        arguments = ", ".join(f"arg{number}" for number in range(len(kinds)))
        code = f"def test_func({arguments}):\n    " + body.replace("\n", "\n    ") + "\n"
        outcomes = call_all(code, inputs, sandbox)
        examples = tuple(
            Example(text, outcome.value, "corpus")
            for text, outcome in zip(inputs, outcomes, strict=True)
        )
        domain = Domain(tuple(kinds), len(kinds))
        return Function(name, code, "test_func", domain, examples[:2], examples[2:])

    return function

"""A sandbox for the tests that run code."""

from collections.abc import Iterator

import pytest

from builder.sandbox.protocol import Limits
from builder.sandbox.supervisor import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(Limits(call_seconds=0.2, load_seconds=0.4)) as started:
        yield started

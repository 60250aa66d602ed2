"""One sandbox for the tests that run code."""

from collections.abc import Iterator

import pytest

from builder.sandbox.supervisor import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started

"""One sandbox with short limits, for all tests that do not break it."""

from collections.abc import Iterator

import pytest

from builder.sandbox.protocol import Level, Limits
from builder.sandbox.supervisor import Sandbox

SHORT = Limits(call_seconds=0.3, load_seconds=0.5, wall_seconds=1.0)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SHORT, allow=Level.PROCESS_ONLY) as shared:
        yield shared

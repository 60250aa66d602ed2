"""A real model over real HTTP, for tests marked ``model``: ``pytest -m model``.

What it writes is test data and proves nothing about quality: the model is tiny.
"""

from collections.abc import Iterator

import pytest

from tests.model.live.served import ServedModel, UnavailableError


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "model: needs a real model; run with -m model")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "model" in config.option.markexpr:
        return
    live = [item for item in items if item.get_closest_marker("model")]
    items[:] = [item for item in items if item not in live]
    config.hook.pytest_deselected(items=live)


@pytest.fixture(scope="session")
def served() -> Iterator[ServedModel]:
    try:
        model = ServedModel("smollm2-135m")
    except UnavailableError as error:
        pytest.skip(f"NO REAL MODEL WAS TESTED: {error}")
    yield model
    model.stop()

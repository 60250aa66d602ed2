"""The supervisor's end of one fork server."""

import marshal
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import coverage

from builder.errors import HarnessError
from builder.sandbox import zygote

PATIENCE_SECONDS = 60.0
"""A server that says nothing for so long (it speaks every second) is ended."""

SURROUNDINGS = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC0", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "2", "TZ": "PAU-05:45", "LC_ALL": "C"},
)
"""Environment of the two kinds of server."""


class ServerDiedError(Exception):
    """The server ended or fell silent before it answered."""


class NoProcessError(Exception):
    """The server could not make a process."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How one child ended and what it left on the board."""

    status: int
    """As ``os.wait`` gives it."""
    ended_by: int
    """0: it ended by itself, 1: it used too much CPU time, 2: it slept too long."""
    cpu_seconds: float
    done: bool
    records: bytes


class Server:
    """One running fork server."""

    def __init__(self, surroundings: int, measures: bool) -> None:
        environment = {
            **SURROUNDINGS[surroundings],
            "PYTHONUTF8": "1",
            "HOME": "/nonexistent",
            "COVERAGE_CORE": "ctrace",
        }
        if measures:
            environment["PAU_COVERAGE_PATH"] = str(Path(coverage.__file__).parent.parent)
        self._process = subprocess.Popen(
            [
                sys.executable,
                *("-s", "-P", "-S", "-B"),
                zygote.__file__,
                str(surroundings),
                "coverage" if measures else "plain",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd="/",
            start_new_session=True,
            bufsize=0,
        )
        try:
            kind, _ = self._receive()
        except ServerDiedError as error:
            message = self.close()
            raise HarnessError(f"the sandbox's server did not start: {message}") from error
        assert kind == zygote.READY

    def run(self, job: dict[str, Any]) -> Ending:
        """Have one child made for ``job`` and wait until it has ended.

        Raises:
            ServerDiedError: the server did not answer.
            NoProcessError: no child could be made.
        """
        body = marshal.dumps(job)
        self._send(zygote.FRAME.pack(len(body), 0) + body)
        while True:
            kind, answer = self._receive()
            if kind == zygote.FAILED:
                raise NoProcessError
            if kind == zygote.ENDED:
                head = zygote.ENDING.unpack_from(answer)
                status, ended_by, cpu, _, done = head
                return Ending(status, ended_by, cpu, done == 1, answer[zygote.ENDING.size :])

    def close(self) -> str:
        """End the server and everything in it; gives the last words it wrote."""
        process = self._process
        process.kill()
        process.wait()
        words = b""
        if process.stderr is not None:
            os.set_blocking(process.stderr.fileno(), False)
            words = process.stderr.read() or b""
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        return words.decode(errors="replace").strip()[-2000:]

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._process.stdin.fileno(), view) :]
        except BrokenPipeError:
            raise ServerDiedError from None

    def _receive(self) -> tuple[int, bytes]:
        size, kind = zygote.FRAME.unpack(self._receive_exactly(zygote.FRAME.size))
        return kind, self._receive_exactly(size)

    def _receive_exactly(self, size: int) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        parts: list[bytes] = []
        deadline = time.monotonic() + PATIENCE_SECONDS
        while size:
            if not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise ServerDiedError
            part = os.read(descriptor, min(size, 1 << 20))
            if not part:
                raise ServerDiedError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

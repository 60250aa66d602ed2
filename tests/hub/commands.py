"""Runs ``pau-build`` against the test hub in processes of their own, which start at once.

A template process imports all that takes seconds to import, once, with the test hub as endpoint.
For each run it forks: the child is a real process with its own environment and streams, which can
be killed like any other. Its long waits between tries are cut short.
"""

import importlib
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
LONGEST_WAIT_SECONDS = 0.005
_SLOW_TO_IMPORT = (
    "builder.commands.diff",
    "builder.commands.push",
    "builder.commands.verify",
    "builder.release.gate",
    "builder.release.hub.receipt",
    "datasets.builder",
    "pyarrow.parquet",
)


@dataclass(frozen=True)
class Ended:
    """What a run came to."""

    status: int
    """Exit code; minus the number of the signal that killed it."""
    out: str
    err: str

    @property
    def last_line(self) -> str:
        """The last line of the error stream."""
        return (self.err.splitlines() or [""])[-1]


class Commands:
    """Starts commands while the block runs."""

    def __init__(self, endpoint: str, place: Path) -> None:
        """Take the test hub as the Hub; keep caches and streams below ``place``."""
        self._endpoint, self._place = endpoint, place
        self.pid = 0
        """Of the run in progress, or of the last one."""

    def __enter__(self) -> Self:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        self._template = subprocess.Popen(
            [sys.executable, "-m", "tests.hub.commands"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={
                **kept,
                "TMPDIR": str(self._place),  # a killed command leaves its folders behind
                "HF_ENDPOINT": self._endpoint,
                "HF_HOME": str(self._place / "home"),
                "HF_HUB_DISABLE_XET": "1",
                "HF_HUB_DISABLE_TELEMETRY": "1",
            },
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._template.stdin and self._template.stdout
        self._template.stdin.close()
        self._template.wait()
        self._template.stdout.close()

    def __call__(self, *arguments: str, token: str | None = None, unchecked: bool = False) -> Ended:
        """Run one command to its end.

        Args:
            arguments: what stands after ``pau-build``.
            token: of the user, if anybody is logged in.
            unchecked: leave out the checks of ``push`` that need no hub; they take half the time.
        """
        assert self._template.stdin and self._template.stdout
        out, err = self._place / "out", self._place / "err"
        order = {
            "arguments": arguments,
            "environment": {} if token is None else {"HF_TOKEN": token},
            "unchecked": unchecked,
            "out": str(out),
            "err": str(err),
        }
        print(json.dumps(order), file=self._template.stdin, flush=True)
        self.pid = int(self._template.stdout.readline())
        status = int(self._template.stdout.readline())
        return Ended(status, out.read_text(), err.read_text())


def _serve() -> None:
    """Fork a child for each order that comes in, and tell its end."""
    for name in _SLOW_TO_IMPORT:
        importlib.import_module(name)
    really_sleep = time.sleep

    def sleep_shortly(seconds: Any) -> None:
        really_sleep(min(seconds, LONGEST_WAIT_SECONDS))

    time.sleep = sleep_shortly
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _run(order)
        print(pid, flush=True)
        _, ended = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(ended), flush=True)


def _run(order: dict[str, Any]) -> None:
    """Be the child: run one command and end."""
    status = 70
    try:
        _redirect(order["out"], 1)
        _redirect(order["err"], 2)
        os.environ.update(order["environment"])
        if order["unchecked"]:
            sys.modules["builder.commands.push"].__dict__["_check"] = lambda *_: None
        status = _main(order["arguments"])
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _redirect(path: str, descriptor: int) -> None:
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(opened, descriptor)
    os.close(opened)


def _main(arguments: Sequence[str]) -> int:
    from builder.commands.main import main

    sys.argv = ["pau-build", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


if __name__ == "__main__":
    _serve()

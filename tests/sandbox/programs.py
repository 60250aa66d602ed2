"""Running programs of the tests' own in processes of their own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from builder.sandbox.protocol import Call, Job, Outcome
from builder.sandbox.supervisor import Sandbox

ROOT = Path(__file__).parents[2]
HOST = Path(__file__).with_name("host.py")


def outcomes(sandbox: Sandbox, code: str, *arguments: str, surroundings: int = 0) -> list[Outcome]:
    """Call ``f`` of ``code`` with each literal tuple of arguments."""
    job = Job(code, "f", tuple(Call(text) for text in arguments))
    return list(sandbox.run(job, surroundings).outcomes)


def values(sandbox: Sandbox, code: str, *arguments: str, surroundings: int = 0) -> list[str]:
    """What the calls gave: the value's literal, or the verdict in words."""
    seen = outcomes(sandbox, code, *arguments, surroundings=surroundings)
    return [outcome.value or str(outcome.verdict) for outcome in seen]


def python(
    program: str, lacking: str = "", descriptors: tuple[int, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a program that can import the toolkit, on a host that lacks something."""
    command = [sys.executable, "-c", program]
    if lacking:
        command = [sys.executable, str(HOST), lacking, "--", *command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        pass_fds=descriptors,
    )


def descendants(process: int) -> Iterator[int]:
    """Process ids of everything that descends from ``process``."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == process:
            child = int(path.parent.name)
            yield child
            yield from descendants(child)


def is_running(process: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def eventually(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether a condition comes true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True

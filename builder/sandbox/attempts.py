"""Attempts to break each layer, made in throw-away children of a bare interpreter.

Whether a layer holds is found by trying what it should stop, never by asking whether the system
has it. The answers go to standard output as JSON, from processes that run no foreign code.
"""

import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from builder.sandbox import layers, seccomp

Finding = tuple[bool, str]
"""Whether the layer holds, and what shows it (or what went wrong)."""


def in_child(attempt: Callable[[], str]) -> tuple[int, str]:
    """Fork, and make ``attempt`` there: the wait status, and the words it came back with."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            words = attempt()
        except OSError as error:
            words = f"failed: {error.strerror or error}"
        except BaseException as error:
            words = f"failed: {error}"
        os.write(writing, words.encode(errors="replace")[:2000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        words = stream.read().decode()
    return os.waitpid(child, 0)[1], words


def try_namespaces(port: int) -> Finding:
    """Look for other processes and send a datagram to the supervisor."""

    def inside() -> str:
        if (os.getpid(), os.getppid()) != (1, 0):
            return "failed: other processes can be seen"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            try:
                sender.sendto(b"out", ("127.0.0.1", port))
            except OSError as error:
                return f"it is process 1 of its own; a datagram to this machine: {error.strerror}"
        return "failed: a datagram left"

    def attempt() -> str:
        layers.enter_namespaces()
        return in_child(inside)[1]

    return _judge(in_child(attempt)[1])


def try_landlock() -> Finding:
    """Read a file that is there, and make one."""
    target = Path("/tmp") / f"pau-attempt-{os.getpid()}"

    def attempt() -> str:
        layers.forbid_new_privileges()
        layers.forbid_files()
        for action, mode, path in (("reading", "r", Path(__file__)), ("writing", "w", target)):
            try:
                with path.open(mode):
                    return f"failed: {action} a file was possible"
            except OSError as error:
                words = error.strerror
        return f"version {layers.landlock_version()}; reading and writing files: {words}"

    words = in_child(attempt)[1]
    with contextlib.suppress(OSError):
        target.unlink()
    return _judge(words)


def try_seccomp() -> Finding:
    """Open a file, make a process, make a socket."""
    tries: dict[str, Callable[[], object]] = {
        "open": lambda: Path(__file__).open(),  # noqa: SIM115
        "fork": os.fork,
        "socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    }
    for name, action in tries.items():

        def attempt(action: Callable[[], object] = action) -> str:
            layers.forbid_new_privileges()
            seccomp.install(seccomp.child_filter(os.getpid(), quiet_files=False))
            action()
            os._exit(1)

        status, words = in_child(attempt)
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS):
            return False, words.removeprefix("failed: ") or f"{name} was possible"
    return True, f"{', '.join(tries)}: the kernel ended the process each time"


def try_limits() -> Finding:
    """Allocate far more than the limit."""

    def attempt() -> str:
        layers.limit_resources(layers.address_space_bytes() + (64 << 20), 10)
        try:
            bytearray(1 << 30)
        except MemoryError:
            return "1 GiB under a limit of 64 MiB: MemoryError"
        return "failed: 1 GiB could be had under a limit of 64 MiB"

    return _judge(in_child(attempt)[1])


def _judge(words: str) -> Finding:
    failed = words.startswith("failed: ") or not words
    return not failed, words.removeprefix("failed: ")


def main(arguments: list[str]) -> None:
    """Try all layers and print what was found.

    Args:
        arguments: the UDP port on which the supervisor listens.
    """
    findings = {
        layers.NAMESPACES: try_namespaces(int(arguments[0])),
        layers.LANDLOCK: try_landlock(),
        layers.SECCOMP: try_seccomp(),
        layers.LIMITS: try_limits(),
    }
    json.dump(findings, sys.stdout)

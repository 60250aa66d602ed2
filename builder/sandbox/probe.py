"""How strong the isolation of this system is, found by trying to break it."""

import functools
import json
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from builder.sandbox import layers
from builder.sandbox.protocol import Level
from builder.sandbox.server import bare_interpreter

_NEEDED: Final = {
    Level.FULL: {layers.NAMESPACES, layers.LANDLOCK, layers.SECCOMP, layers.LIMITS},
    Level.STRONG: {layers.LANDLOCK, layers.SECCOMP, layers.LIMITS},
    Level.PARTIAL: {layers.SECCOMP, layers.LIMITS},
    Level.PROCESS_ONLY: set(),
}
_EFFECTS: Final = {
    layers.NAMESPACES: "network and other processes are kept away by seccomp alone",
    layers.LANDLOCK: "files are kept away by seccomp alone",
    layers.SECCOMP: "code can start processes, use the network and signal others",
    layers.LIMITS: "code can use up the memory of this machine",
}


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of isolation on this system."""

    name: str
    holds: bool
    proof: str
    """What happened when it was tried; what went wrong where it does not hold."""
    cure: str = ""
    """What to do about a missing one."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """All layers of this system."""

    layers: tuple[Layer, ...]

    @property
    def held(self) -> frozenset[str]:
        """Names of the layers that hold."""
        return frozenset(layer.name for layer in self.layers if layer.holds)

    @property
    def level(self) -> Level:
        """The strongest level whose layers all hold."""
        return next(level for level in Level if self.held >= _NEEDED[level])

    @property
    def line(self) -> str:
        """The level, what is missing, why, and what that means, in one line."""
        held = ", ".join(layer.name for layer in self.layers if layer.holds) or "nothing"
        text = f"Isolation: {self.level} ({held})."
        for layer in self.layers:
            if not layer.holds:
                text += f" Missing: {layer.name} ({layer.proof}): {_EFFECTS[layer.name]}."
        return text


def is_weaker(level: Level, than: Level) -> bool:
    """Whether ``level`` protects less than another."""
    order = list(Level)
    return order.index(level) > order.index(than)


@functools.cache
def isolation() -> Isolation:
    """Try every layer, once in the life of this process."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(0)
        command = [*bare_interpreter(), "attempts", str(listener.getsockname()[1])]
        try:
            answer = subprocess.run(command, capture_output=True, timeout=60, env={}, cwd="/")
            findings = json.loads(answer.stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            findings = dict.fromkeys(layers.ALL, (False, f"it could not be tried: {error}"))
        try:
            listener.recv(16)
            findings[layers.NAMESPACES] = (False, "a datagram left")
        except OSError:
            pass
    return Isolation(
        tuple(
            Layer(name, holds, proof, "" if holds else _cure(name, proof))
            for name, (holds, proof) in findings.items()
        )
    )


def _cure(name: str, proof: str) -> str:
    """What a user can do about a missing layer."""
    if sys.platform != "linux":
        return "only Linux has it: use a Linux machine, a container or a virtual machine"
    if name == layers.NAMESPACES:
        return _namespace_cure()
    if name == layers.LANDLOCK:
        if "not supported" in proof:
            return "it is off: add landlock to the kernel's lsm= parameter at boot"
        return "it needs Linux 5.13 or later, and a container that does not block it"
    if name == layers.SECCOMP:
        return "it needs Linux 4.14 or later on x86_64 or aarch64"
    return "raise the limits that this shell was given (ulimit -a)"


def _namespace_cure() -> str:
    settings = {
        "kernel/apparmor_restrict_unprivileged_userns": (
            "1",
            "AppArmor restricts them here (the default of Ubuntu 24.04): give this Python an "
            "AppArmor profile with the rule `userns,`, or run in a container that allows them",
        ),
        "kernel/unprivileged_userns_clone": (
            "0",
            "this system keeps them for root: ask its administrator about "
            "kernel.unprivileged_userns_clone",
        ),
        "user/max_user_namespaces": ("0", "this system allows none: user.max_user_namespaces is 0"),
    }
    for name, (value, cure) in settings.items():
        try:
            if Path("/proc/sys", name).read_text().strip() == value:
                return cure
        except OSError:
            continue
    return (
        "containers block them by default: start the container with a seccomp profile that allows "
        "unshare (Docker: --security-opt seccomp=PROFILE), or run outside of it"
    )

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
from builder.sandbox.server import start_bare

_NEEDED: Final = {
    Level.FULL: {layers.NAMESPACES, layers.LANDLOCK, layers.SECCOMP, layers.LIMITS},
    Level.STRONG: {layers.LANDLOCK, layers.SECCOMP, layers.LIMITS},
    Level.PARTIAL: {layers.SECCOMP, layers.LIMITS},
    Level.PROCESS_ONLY: set(),
}
_EFFECTS: Final = {
    Level.FULL: "",
    Level.STRONG: "network and other processes are kept away by seccomp alone.",
    Level.PARTIAL: "files are kept away by seccomp alone, so one mistake there shows them.",
    Level.PROCESS_ONLY: "nothing keeps a function from doing what you can do.",
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
        missing = [f"{layer.name} ({layer.proof})" for layer in self.layers if not layer.holds]
        if missing:
            text += f" Missing: {', '.join(missing)}. Effect: {_EFFECTS[self.level]}"
        return text


def is_weaker(level: Level, than: Level) -> bool:
    """Whether ``level`` protects less than another."""
    order = list(Level)
    return order.index(level) > order.index(than)


@functools.cache
def isolation() -> Isolation:
    """Try every layer, once in the life of this process.

    Raises:
        HarnessError: nothing can be tried, because the system has no process left.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(0)
        findings = _findings(listener.getsockname()[1])
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


def _findings(port: int) -> dict[str, tuple[bool, str]]:
    process = start_bare(["attempts", str(port)], {})
    try:
        answer, words = process.communicate(timeout=60)
        findings: dict[str, tuple[bool, str]] = json.loads(answer)
    except ValueError:
        why = f"it could not be tried: {words.decode(errors='replace').strip()[-200:]}"
        return dict.fromkeys(layers.ALL, (False, why))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return dict.fromkeys(layers.ALL, (False, "trying it took more than a minute"))
    return findings


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

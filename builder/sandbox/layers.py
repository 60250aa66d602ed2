"""The layers of isolation that the Linux kernel gives to anyone, each one function.

Nothing here needs root or an installed program. Every function either does what it says to this
very process, for good, or raises OSError; whoever calls it must not go on after that.
"""

import contextlib
import ctypes
import os
import resource
import signal
import struct
import sys
from pathlib import Path
from typing import Final

NAMESPACES, LANDLOCK, SECCOMP, LIMITS = "namespaces", "landlock", "seccomp", "limits"
ALL: Final = (NAMESPACES, LANDLOCK, SECCOMP, LIMITS)
"""The layers whose presence makes the level; the others come with them."""

NOBODY: Final = 65534

_NEW_USER, _NEW_PID, _NEW_NET, _NEW_IPC, _NEW_UTS = (
    0x10000000,
    0x20000000,
    0x40000000,
    0x08000000,
    0x04000000,
)
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_CAPABILITY_VERSION: Final = 0x20080522

_parent_id = os.getppid  # kept, because the guard replaces it for candidates
_library = ctypes.CDLL(None, use_errno=True)
_CORES: Final = os.cpu_count() or 1


def _check(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def _linux(what: str) -> None:
    if sys.platform != "linux":
        raise OSError(f"{what}: this system has no such thing")


def _prctl(option: int, value: int, what: str) -> None:
    _linux(what)
    _check(_library.prctl(option, value, 0, 0, 0), what)


def _unshare(flags: int) -> None:
    _check(_library.unshare(flags), "unshare")


def die_with_parent(parent: int) -> None:
    """Have the kernel end this process when its parent ends.

    Args:
        parent: the process id that the parent should have.

    Raises:
        OSError: it has ended already, or the kernel refused.
    """
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, "parent-death signal")
    if _parent_id() != parent:
        raise OSError("parent-death signal: the parent has ended already")


def forbid_new_privileges() -> None:
    """Make setuid programs harmless; seccomp and Landlock ask for it."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, "no_new_privs")


def hide_memory() -> None:
    """Let no other process of this user read this one's memory; write no core file."""
    _prctl(_PR_SET_DUMPABLE, 0, "not dumpable")


def become_nobody() -> bool:
    """If this is root, become a user who owns nothing; whether this is now not root.

    A root without the capability to change its user stays what it is: the other layers hold it.
    """
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):
            os.setgroups([])
        with contextlib.suppress(OSError):
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    return os.geteuid() != 0


def enter_namespaces() -> None:
    """Enter own namespaces: the next child is process 1 of a world without network and others.

    Root does it as root and needs no user namespace for it; anybody else, and a root without
    the capability, becomes the powerless owner of a user namespace.
    """
    _linux("namespaces")
    others = _NEW_PID | _NEW_NET | _NEW_IPC | _NEW_UTS
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):
            _unshare(others)
            return
        become_nobody()
    _unshare(_NEW_USER | others)


def drop_capabilities() -> None:
    """Give up every capability, those over an own user namespace too."""
    _linux("capabilities")
    header = struct.pack("<II", _CAPABILITY_VERSION, 0)
    _check(_library.capset(header, bytes(24)), "capset")


def forbid_files() -> None:
    """Landlock without a single exception: no file is opened, listed, made or removed.

    Where the kernel knows how, also no TCP port, no signal to processes outside and no abstract
    socket of theirs.
    """
    _linux("Landlock")
    version = _check(_library.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1), "Landlock")
    file_rights = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)) - 1
    rules = struct.pack("<Q", file_rights)
    if version >= 4:
        rules += struct.pack("<Q", 0b11)
    if version >= 6:
        rules += struct.pack("<Q", 0b11)
    ruleset = _check(
        _library.syscall(_CREATE_RULESET, rules, ctypes.c_size_t(len(rules)), 0), "Landlock"
    )
    try:
        _check(_library.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock")
    finally:
        os.close(ruleset)


def landlock_version() -> int:
    """Version of Landlock that the kernel speaks; 0: none."""
    if sys.platform != "linux":
        return 0
    version: int = _library.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    return max(version, 0)


def limit_resources(memory_bytes: int, cpu_seconds: int) -> None:
    """Set the kernel's limits for this process, never above those it was given.

    Args:
        memory_bytes: address space beyond what the process already uses.
        cpu_seconds: CPU time after which the kernel ends it.
    """
    wanted = {
        resource.RLIMIT_CPU: (cpu_seconds, cpu_seconds + 1),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (0, 0),
        resource.RLIMIT_NPROC: (0, 0),
    }
    if sys.platform == "linux":  # macOS refuses to limit the address space
        wanted[resource.RLIMIT_AS] = (memory_bytes, memory_bytes)
    for name, (soft, hard) in wanted.items():
        given = resource.getrlimit(name)[1]
        if given != resource.RLIM_INFINITY:
            soft, hard = min(soft, given), min(hard, given)
        resource.setrlimit(name, (soft, hard))


def close_descriptors() -> None:
    """Close every descriptor."""
    os.closerange(0, max(64, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 20)))


def address_space_bytes() -> int:
    """How much address space this process uses; a generous guess where that cannot be read."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 128 * 1024 * 1024


def load_per_core() -> float:
    """Average number of processes that wanted a core over the last minute, per core."""
    if sys.platform != "linux":
        return os.getloadavg()[0] / _CORES
    # Asks the kernel itself: the usual way reads a file, which Landlock forbids.
    answer = ctypes.create_string_buffer(512)
    _check(_library.sysinfo(answer), "sysinfo")
    return float(struct.unpack_from("@L", answer, struct.calcsize("@L"))[0]) / 65536 / _CORES

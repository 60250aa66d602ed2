"""The list of system calls that a child may make: the kernel ends it on any other.

A candidate computes. It needs memory and clocks, and nothing else: no file, no descriptor, no
process, no signal. So the list is short, everything off it ends the process with SIGSYS, and
that end cannot be caught, hidden or forged by the code that caused it.
"""

import ctypes
import functools
import os
import platform
import signal
import struct
from typing import Final

_X86_64, _AARCH64 = 0, 1
_MACHINES: Final = {"x86_64": _X86_64, "aarch64": _AARCH64}
_AUDIT_ARCHITECTURES: Final = (0xC000003E, 0xC00000B7)

NUMBERS: Final[dict[str, tuple[int | None, int | None]]] = {
    # name: (x86_64, aarch64)
    "clock_gettime": (228, 113),
    "brk": (12, 214),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "mprotect": (10, 226),
    "rt_sigreturn": (15, 139),
    "rt_sigprocmask": (14, 135),
    "futex": (202, 98),
    "getrandom": (318, 278),
    "sched_yield": (24, 124),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "sysinfo": (99, 179),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "tgkill": (234, 131),
    "prlimit64": (302, 261),
    "write": (1, 64),
    "ioctl": (16, 29),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getcwd": (79, 17),
    "open": (2, None),
    "openat": (257, 56),
    "fcntl": (72, 25),
    "geteuid": (107, 175),
}

ALLOWED: Final = """
    clock_gettime brk munmap mremap madvise rt_sigreturn rt_sigprocmask futex getrandom
    sched_yield clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage getpid
    gettid sysinfo restart_syscall exit exit_group
"""
"""Calls that ask for memory, time or the end."""

ANSWERED_BAD_DESCRIPTOR: Final = "ioctl fstat lseek"
"""Questions about descriptors. There are none, and asking is no attack."""

# The parser of CPython looks for the line of a syntax error in a file, from C, without the flag
# that every open in Python carries. That is no attempt of the candidate's.
_PLAIN_OPENS: Final = (("open", 1), ("openat", 2))
"""Name of the call, and which argument holds the flags."""

ANSWERED_NO_ACCESS: Final = """
    stat lstat newfstatat statx readlink readlinkat access faccessat faccessat2 getcwd open
    openat fcntl geteuid
"""
"""Refused without ending the process where coverage.py asks for the files it sees."""

# Instructions of the filter machine and its answers.
LOAD, JUMP_EQUAL, JUMP_ABOVE, JUMP_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
KILL, ALLOW, REFUSE = 0x80000000, 0x7FFF0000, 0x00050000
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_OWN_PROCESS: Final = 0x7A7A7A7A
"""Stands for the child's process id until that is known."""
_X32_NUMBERS: Final = 0x40000000
_PROT_EXEC: Final = 4
_EBADF, _EACCES = 9, 13
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

Instruction = tuple[int, int, int, int]


def _machine() -> int:
    machine = platform.machine()
    if machine not in _MACHINES:
        raise OSError(f"no list of system calls for the machine {machine}")
    return _MACHINES[machine]


def answer(names: str, action: int) -> list[Instruction]:
    """Answer the named calls with ``action``; expects the call's number loaded."""
    program: list[Instruction] = []
    for name in names.split():
        number = NUMBERS[name][_machine()]
        if number is not None:
            program += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, action)]
    return program


def guarded(name: str, checks: list[Instruction]) -> list[Instruction]:
    """Run ``checks`` for the named call; they have to end with an answer."""
    number = NUMBERS[name][_machine()]
    if number is None:
        return []
    return [(JUMP_EQUAL, 0, len(checks), number), *checks]


def argument(index: int, upper_half: bool = False) -> Instruction:
    """Load the lower or upper four bytes of an argument."""
    return (LOAD, 0, 0, _ARGUMENTS_OFFSET + 8 * index + 4 * upper_half)


def head() -> list[Instruction]:
    """End the process on a foreign architecture; load the number of the call."""
    head = [
        (LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        (JUMP_EQUAL, 1, 0, _AUDIT_ARCHITECTURES[_machine()]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, _NUMBER_OFFSET),
    ]
    if _machine() == _X86_64:
        head += [(JUMP_ABOVE, 0, 1, _X32_NUMBERS), (RETURN, 0, 0, KILL)]
    return head


def child_filter(process_id: int, quiet_files: bool) -> bytes:
    """The filter of a child, assembled.

    Args:
        process_id: the child's own, for the one signal it may send: its own abort.
        quiet_files: refuse questions about files instead of ending the process.
    """
    own = struct.pack("<I", process_id)
    return _child_filter(quiet_files).replace(struct.pack("<I", _OWN_PROCESS), own)


@functools.cache
def _child_filter(quiet_files: bool) -> bytes:
    allow, kill = (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, KILL)
    no_new_code = [argument(2), (JUMP_BITS, 0, 1, _PROT_EXEC), kill, allow]
    program = [
        *head(),
        *answer(ALLOWED, ALLOW),
        *guarded("mmap", no_new_code),
        *guarded("mprotect", no_new_code),
        *guarded(
            "tgkill",
            # the last act of an interpreter that has to abort
            [
                argument(0),
                (JUMP_EQUAL, 0, 3, _OWN_PROCESS),
                argument(2),
                (JUMP_EQUAL, 0, 1, signal.SIGABRT),
                allow,
                kill,
            ],
        ),
        *guarded(
            "prlimit64",
            [
                argument(2),
                (JUMP_EQUAL, 0, 3, 0),
                argument(2, upper_half=True),
                (JUMP_EQUAL, 0, 1, 0),
                allow,
                kill,
            ],
        ),
        *guarded(
            "write",
            [
                argument(0),
                (JUMP_EQUAL, 0, 1, 2),  # the interpreter's last words, if it has to abort
                (RETURN, 0, 0, REFUSE | _EBADF),
                kill,
            ],
        ),
        *answer(ANSWERED_BAD_DESCRIPTOR, REFUSE | _EBADF),
        *(answer(ANSWERED_NO_ACCESS, REFUSE | _EACCES) if quiet_files else ()),
        *(step for name, flags in _PLAIN_OPENS for step in _plain_open(name, flags)),
        kill,
    ]
    return assemble(program)


def _plain_open(name: str, flags: int) -> list[Instruction]:
    refuse, kill = (RETURN, 0, 0, REFUSE | _EACCES), (RETURN, 0, 0, KILL)
    return guarded(name, [argument(flags), (JUMP_EQUAL, 0, 1, os.O_RDONLY), refuse, kill])


def assemble(program: list[Instruction]) -> bytes:
    """The program as the kernel takes it."""
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


_library = ctypes.CDLL(None, use_errno=True)


def install(program: bytes) -> None:
    """Put this process under an assembled program, for good. Needs ``no_new_privs``.

    Raises:
        OSError: the kernel refused.
    """
    arguments = _Program(len(program) // 8, program)
    if _library.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(arguments), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")

"""The list of system calls: what ends a process, what is merely refused, what goes on."""

import platform
import re
import signal
from pathlib import Path

import pytest

from builder.sandbox import layers, probe, seccomp
from tests.sandbox.programs import python

pytestmark = pytest.mark.skipif(
    layers.SECCOMP not in probe.isolation().held, reason="this system has no seccomp"
)

HEAD = (
    "import ctypes, mmap, os, signal, socket, sys, threading, time\n"
    "from builder.sandbox import layers, seccomp\n"
    "file = open(os.devnull, 'w')\nread_end, write_end = os.pipe()\n"
    "libc = ctypes.CDLL(None, use_errno=True)\n"
)
FILTER = (
    "layers.forbid_new_privileges()\n"
    "seccomp.install(seccomp.child_filter(os.getpid(), quiet_files={quiet}))\n"
)


def end(action: str, *, filtered: bool = True, quiet: bool = False) -> int:
    """Exit code of a process that does something and then leaves with 7."""
    layer = FILTER.format(quiet=quiet) if filtered else ""
    return python(
        f"{HEAD}{layer}try:\n    {action}\nexcept OSError:\n    os._exit(8)\nos._exit(7)\n"
    ).returncode


ATTEMPTS = {
    "read a file": "open('/etc/hostname')",
    "make a file": "os.open('/tmp/pau-made', os.O_CREAT | os.O_WRONLY)",
    "remove a file": "os.unlink('/tmp/pau-nothing')",
    "ask for a file": "os.stat('/')",
    "change a file": "os.chmod('/tmp/pau-nothing', 0)",
    "list a folder": "os.listdir('/')",
    "go to a folder": "os.chdir('/')",
    "connect": "socket.socket()",
    "make a pair of sockets": "socket.socketpair()",
    "make a process": "os.fork()",
    "make a thread": "threading.Thread(target=print).start()",
    "start a program": "os.execv('/bin/true', ['true'])",
    "signal another": "os.kill(os.getppid(), 0)",
    "signal itself": "signal.raise_signal(signal.SIGUSR1)",
    "abort another": "libc.tgkill(os.getppid(), os.getppid(), 6)",
    "change a signal": "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "stop the timer": "signal.setitimer(signal.ITIMER_PROF, 0)",
    "write to an open pipe": "os.write(write_end, b'x')",
    "read from an open pipe": "os.read(read_end, 1)",
    "copy a descriptor": "os.dup(1)",
    "make a pipe": "os.pipe()",
    "raise a limit": "libc.setrlimit(7, ctypes.create_string_buffer(16))",
    "make new code": "mmap.mmap(-1, 4096, prot=mmap.PROT_EXEC)",
    "make a file in memory": "os.memfd_create('x')",
    "trace another": "libc.ptrace(16, os.getppid(), 0, 0)",
    "mount": "libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0)",
    "use a key": "libc.syscall(250, 0, 0)",
    "use io_uring": "libc.syscall(425, 1, 0)",
    "use a call of the future": "libc.syscall(600)",
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_everything_but_computing_ends_the_process(attempt: str) -> None:
    assert end(ATTEMPTS[attempt]) == -signal.SIGSYS


@pytest.mark.parametrize(
    "attempt",
    ["read a file", "connect", "make a process", "write to an open pipe", "make new code"],
)
def test_without_the_list_it_does_not(attempt: str) -> None:
    assert end(ATTEMPTS[attempt], filtered=False) in (7, 8)


@pytest.mark.parametrize(
    "work",
    [
        "[bytearray(1 << 20) for _ in range(50)]",
        "time.sleep(0.01)",
        "os.urandom(8)",
        "time.process_time()",
        "sorted(range(1000), key=str)",
        "os.isatty(0)",
        "threading.Lock().acquire()",
    ],
)
def test_computing_goes_on(work: str) -> None:
    assert end(work) == 7


def test_the_parser_may_look_in_vain_for_a_line() -> None:
    assert end("\n    try:\n        exec('x y')\n    except SyntaxError:\n        pass") == 7


def test_an_abort_is_an_abort() -> None:
    assert end("os.abort()") == -signal.SIGABRT


@pytest.mark.parametrize("question", ["os.stat('/')", "os.listdir('/')", "os.getcwd()"])
def test_questions_about_files_are_refused_quietly_under_measurement(question: str) -> None:
    assert end(question, quiet=True) == 8


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 is a matter of x86_64")
def test_the_second_numbering_of_calls_is_no_way_around() -> None:
    assert end("libc.syscall(0x40000000 + 39)") == -signal.SIGSYS


def test_a_machine_without_a_list_counts_as_without_seccomp(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(OSError, match="riscv64"):
        seccomp.head()


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_both_machines_have_a_program_that_ends_in_the_end(
    machine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last instruction is what an unknown call gets."""
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program = seccomp._child_filter.__wrapped__(False)
    assert len(program) % 8 == 0
    assert program[-8:] == b"\x06\x00\x00\x00\x00\x00\x00\x80"


HEADERS = {
    0: ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", r"#define __NR_(\w+) (\d+)"),
    1: ("/usr/include/asm-generic/unistd.h", r"#define __NR(?:3264)?_(\w+) (\d+)"),
}


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_those_of_the_kernel(machine: int) -> None:
    path, pattern = HEADERS[machine]
    if not Path(path).exists():
        pytest.skip(f"no {path} to compare with")
    known = {name: int(number) for name, number in re.findall(pattern, Path(path).read_text())}
    for name, numbers in seccomp.NUMBERS.items():
        number = numbers[machine]
        if number is not None and name in known:
            assert number == known[name], name
    assert len(known.keys() & seccomp.NUMBERS) > 25

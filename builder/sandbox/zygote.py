"""The fork server: a small interpreter of its own that forks one child for each job.

Started as a script by ``server.py`` with a clean environment. It loads its neighbours by path,
because nothing of the toolkit and nothing of site-packages may be importable here. It reads jobs
from standard input and answers on standard output, in frames: four bytes of length, one of kind.
"""

import gc
import importlib
import importlib.util
import marshal
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

FRAME = struct.Struct("<IB")
READY, ALIVE, ENDED, FAILED = 1, 2, 3, 4
"""Kinds of frames to the supervisor: serving; still busy; a child ended; no child was made."""

ENDING = struct.Struct("<iBdQB")
"""Wait status, who ended it (0 itself, 1 CPU watchdog, 2 idle watchdog), CPU seconds, bytes
committed to the board, 1 if the child said that it was done. The committed bytes follow."""

EXIT_DONE, EXIT_BOARD_FULL, EXIT_HARNESS = 0, 101, 102
"""Exit codes of a child that ended by itself."""

BOARD_BYTES = 4 * 1024 * 1024
FIRST_LOOK, LATER_LOOKS = 0.02, 0.05
"""Seconds between two looks at a running child."""

PRELOADED = """
    abc array ast base64 bisect binascii builtins calendar cmath codecs collections
    collections.abc colorsys contextlib copy csv dataclasses datetime decimal difflib enum errno
    fnmatch fractions functools gc hashlib heapq hmac html html.entities html.parser inspect io
    itertools json keyword locale math numbers operator pprint queue quopri random re
    secrets signal statistics string stringprep struct sys textwrap threading time timeit token
    tokenize traceback types typing unicodedata urllib urllib.parse uuid warnings weakref zlib
    encodings.ascii encodings.base64_codec encodings.charmap encodings.cp1252 encodings.cp437
    encodings.hex_codec encodings.idna encodings.latin_1 encodings.punycode
    encodings.raw_unicode_escape encodings.rot_13 encodings.unicode_escape encodings.utf_16
    encodings.utf_16_be encodings.utf_16_le encodings.utf_32 encodings.utf_7 encodings.utf_8_sig
    _strptime graphlib ipaddress zoneinfo os os.path posixpath ntpath reprlib sched cmd shlex
    linecache platform getpass atexit
""".split()
"""Standard modules a candidate may import: everything else would have to be read from a file."""


def load_neighbour(name: str) -> ModuleType:
    """Load a file of this folder, or ``literals`` beside it, under a private name."""
    folder = Path(__file__).resolve().parent
    path = (folder.parent if name == "literals" else folder) / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"_pau_{name}", path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def send(kind: int, body: bytes = b"") -> None:
    """Write one frame to the supervisor; end if it is gone."""
    data = FRAME.pack(len(body), kind) + body
    while data:
        data = data[os.write(1, data) :]


def receive() -> bytes | None:
    """Read one frame from the supervisor; None at its end."""
    head = receive_exactly(FRAME.size)
    return None if head is None else receive_exactly(FRAME.unpack(head)[0])


def receive_exactly(size: int) -> bytes | None:
    """Read so many bytes; None at the end of the stream."""
    parts = []
    while size:
        part = os.read(0, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def limit_resources(job: dict[str, Any]) -> None:
    """Set the kernel's limits for this process, never above what it was given."""
    seconds = job["load_seconds"] * (1 + len(job["drivers"]))
    seconds += job["call_seconds"] * len(job["calls"]) * (2 if job["repeat"] else 1)
    for resource_name, wanted in (
        (resource.RLIMIT_AS, job["memory_bytes"]),
        (resource.RLIMIT_CPU, int(seconds) + 2),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 16),
    ):
        hard = resource.getrlimit(resource_name)[1]
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource_name, (limit, limit))


class Watch:
    """Waits for one child and ends it when it is late."""

    def __init__(self, child: int, board: mmap.mmap, job: dict[str, Any], wake: int) -> None:
        self.child, self.board, self.wake = child, board, wake
        self.call_limit = max(job["call_seconds"], job["load_seconds"])
        self.grace = max(0.3, 0.5 * job["call_seconds"])
        self.job = job
        self.committed = -1
        self.cpu_at_progress = 0.0
        self.idle = 0.0

    def wait(self) -> tuple[int, int, Any]:
        """Wait status, who ended the child, and its resource usage."""
        ended_by = 0
        pause = FIRST_LOOK
        looked, cpu = time.monotonic(), 0.0
        told = looked
        while True:
            child, status, usage = os.wait4(self.child, os.WNOHANG)
            if child:
                return status, ended_by, usage
            ready, _, _ = select.select([self.wake], [], [], pause)
            if ready:
                os.read(self.wake, 4096)
                continue
            pause = LATER_LOOKS
            now = time.monotonic()
            if now - told > 1.0:
                send(ALIVE)
                told = now
            cpu_now = self.cpu_seconds()
            ended_by = ended_by or self.look(now - looked, cpu_now, cpu_now - cpu)
            looked, cpu = now, cpu_now
            if ended_by:
                os.kill(self.child, signal.SIGKILL)

    def cpu_seconds(self) -> float:
        """CPU time of the child so far (its clock has a number made of the process id)."""
        try:
            return time.clock_gettime((~self.child << 3) | 2)
        except OSError:
            return 0.0

    def look(self, wall: float, cpu: float, cpu_used: float) -> int:
        """Decide who has to end the child now: 0 nobody, 1 CPU, 2 idleness."""
        committed = struct.unpack_from("<Q", self.board, 0)[0]
        if committed != self.committed:
            self.committed, self.cpu_at_progress, self.idle = committed, cpu, 0.0
            return 0
        limit = self.job["call_seconds"] if committed else self.job["load_seconds"]
        if self.job["drivers"]:
            limit = self.call_limit
        limit *= 2 if self.job["repeat"] else 1
        if cpu - self.cpu_at_progress > limit + self.grace:
            return 1
        if cpu_used < 0.01 * wall:
            self.idle += wall
        return 2 if self.idle > self.job["wall_seconds"] else 0


class Zygote:
    """Forks a child for each job."""

    def __init__(self, surroundings: int, measures: bool) -> None:
        self.surroundings = surroundings
        self.worker = load_neighbour("worker")
        self.literals = load_neighbour("literals")
        self.coverage = None
        if measures:
            self.coverage = load_neighbour("measure").start(self.worker.FILE_NAME)
        self.board = mmap.mmap(-1, BOARD_BYTES)
        self.wake, wake_end = os.pipe()
        os.set_blocking(wake_end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        compile("def warm(a):\n    return [a, -a]\n", "<warm>", "exec")

    def serve(self) -> None:
        """Answer jobs until the supervisor goes away."""
        gc.collect()
        gc.freeze()
        send(READY)
        while (request := receive()) is not None:
            job = marshal.loads(request)
            job["recorded"] = list(job["recorded"])
            child = self.fork()
            if child is None:
                send(FAILED, b"fork")
                continue
            if child == 0:
                self.be_child(job)
            status, ended_by, usage = Watch(child, self.board, job, self.wake).wait()
            committed, done = struct.unpack_from("<QQ", self.board, 0)
            committed = min(committed, BOARD_BYTES - 16)
            cpu = usage.ru_utime + usage.ru_stime
            head = ENDING.pack(status, ended_by, cpu, committed, done == 1)
            send(ENDED, head + self.board[16 : 16 + committed])

    def fork(self) -> int | None:
        """Fork, patiently; None if the system has no process left."""
        struct.pack_into("<QQ", self.board, 0, 0, 0)
        for attempt in range(8):
            try:
                return os.fork()
            except BlockingIOError:
                time.sleep(0.01 * 2**attempt)
        return None

    def be_child(self, job: dict[str, Any]) -> None:
        """Do the job and never come back."""
        code = EXIT_HARNESS
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            board = self.worker.Board(self.board)
            child = self.worker.Child(job, board, self.literals, self.surroundings)
            os.closerange(0, 64)
            limit_resources(job)
            child.run(self.coverage)
            code = EXIT_DONE
        except self.worker.BoardFullError:
            code = EXIT_BOARD_FULL
        finally:
            os._exit(code)


def main() -> None:
    """Set the interpreter up and serve."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in PRELOADED:
        importlib.import_module(name)
    Zygote(int(sys.argv[1]), sys.argv[2] == "coverage").serve()


if __name__ == "__main__":
    main()

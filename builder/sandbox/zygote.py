"""The fork server: a small interpreter of its own that forks one child for each job.

It enters the layers that are inherited (namespaces, Landlock, no capabilities) once, before it
serves; each child adds its limits and its list of system calls. No foreign code ever runs in
the server itself, so nothing that one job does can reach the next.
"""

# ``signal`` wraps each call in look-ups of enumerations, which every child would pay for; the
# module behind it has no type stub.
import _signal  # type: ignore[import-not-found]
import contextlib
import encodings
import gc
import hashlib
import importlib
import linecache
import logging
import marshal
import mmap
import os
import pkgutil
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, Final

from builder.sandbox import board, elsewhere, guard, layers, seccomp, watch, wire, worker

MODULES: Final = """
    __future__ abc array ast atexit base64 binascii bisect builtins bz2 calendar cmath cmd
    codecs collections collections.abc colorsys contextlib contextvars copy copyreg csv
    dataclasses datetime decimal difflib enum errno fnmatch fractions functools gc graphlib
    hashlib heapq hmac html html.entities html.parser inspect io ipaddress itertools json
    keyword linecache locale logging marshal math ntpath numbers operator os os.path pathlib
    pickle platform posixpath pprint queue quopri random re reprlib sched secrets shlex signal
    stat statistics string stringprep struct sys textwrap threading time timeit token tokenize
    traceback types typing unicodedata urllib urllib.parse uuid warnings weakref zlib _strptime
"""
"""What a candidate may import, besides all codecs. It is loaded before the first job, because a
child cannot read files; every other standard module is kept out."""

_PRIVATE: Final = frozenset(["ctypes", "_ctypes", "resource", "sqlite3", "_sqlite3"])
"""Standard modules that the server needs and keeps from candidates."""
_FOREIGN: Final = frozenset(["builder", "coverage"])
"""Modules outside the standard library, which a candidate does not find."""

_own_process_id = os.getpid  # kept, because the guard replaces it for candidates

# What signal.signal wraps. The wrapper makes members of enumerations, and what that touches for
# the first time after a fork costs a child a tenth of a millisecond.
_set_handler = _signal.signal
_CHILD_ENDED, _BY_DEFAULT = int(signal.SIGCHLD), int(signal.SIG_DFL)


class Zygote:
    """Forks a child for each job."""

    def __init__(self, surroundings: int, measures: bool, held: frozenset[str]) -> None:
        """Load everything, while files can be read.

        Args:
            surroundings: 0 or 1.
            measures: whether coverage.py watches the children.
            held: the layers that have to hold.
        """
        self.surroundings, self.held = surroundings, held
        if surroundings == 1:
            elsewhere.move_clock()
        _load_modules()
        self.measure = _start_coverage() if measures else None
        self.refused_modules = guard.refusable_modules() | _PRIVATE
        self.base_memory = layers.address_space_bytes()
        self.memory = mmap.mmap(-1, board.SIZE)
        _warm_up()

    def enter_layers(self, supervisor: int) -> None:
        """Enter the layers that children inherit; returns in the process that is to serve.

        Raises:
            OSError: one of them cannot be had.
        """
        if layers.NAMESPACES in self.held:
            layers.enter_namespaces()
        layers.become_nobody()
        if sys.platform == "linux":
            layers.die_with_parent(supervisor)
        if layers.NAMESPACES in self.held:
            server = fork_patiently()
            if server is None:
                raise OSError("no process left")
            if server:
                _stand_by(server)
            layers.die_with_parent(0)  # the parent is outside this world of processes
        else:
            wire.send(1, wire.SERVER, b"%d" % os.getpid())
        if sys.platform == "linux":
            layers.forbid_new_privileges()
            layers.drop_capabilities()
            layers.hide_memory()
        if layers.LANDLOCK in self.held:
            layers.forbid_files()

    def serve(self) -> None:
        """Answer jobs until the supervisor goes away."""
        wake, wake_end = os.pipe()
        os.set_blocking(wake_end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        self.process_id = _own_process_id()
        hidden = frozenset() if self.measure else _PRIVATE | _FOREIGN
        self.hidden_modules = [name for name in sys.modules if name.partition(".")[0] in hidden]
        if layers.SECCOMP in self.held:
            seccomp.child_filter(0, self.measure is not None)  # assembled once, for all children
        self.board = board.Board(self.memory)
        self.marks = guard.Marks(self.board.note_forbidden)
        guard.install(self.marks, self.refused_modules)
        signal.signal(signal.SIGPROF, self.marks.on_tick)
        random.seed(worker.first_seed(self.surroundings))
        gc.collect()
        gc.freeze()
        written = memoryview(self.memory)
        wire.send(1, wire.READY)
        while True:
            _, request = wire.receive(0)
            job = marshal.loads(request)
            board.HEADER.pack_into(self.memory, 0, 0, 0, 0)
            child = fork_patiently()
            if child is None:
                wire.send(1, wire.NO_PROCESS)
                continue
            if child == 0:
                self._be_child(job)
            status, ended_by, usage = watch.Watch(child, self.memory, job, wake).wait()
            if layers.SECCOMP not in self.held:
                _end_group(child)
            committed, state, forbidden = board.HEADER.unpack_from(self.memory, 0)
            end = board.HEADER.size + min(committed, board.SIZE - board.HEADER.size)
            cpu = usage.ru_utime + usage.ru_stime
            head = wire.ENDING.pack(status, ended_by, cpu, min(state, board.DONE), forbidden == end)
            wire.send(1, wire.ENDED, head, written[board.HEADER.size : end])

    def _be_child(self, job: dict[str, Any]) -> None:
        """Do the job and never come back."""
        code = wire.EXIT_HARNESS
        try:
            signal.set_wakeup_fd(-1)
            _set_handler(_CHILD_ENDED, _BY_DEFAULT)
            job["recorded"] = list(job["recorded"])
            child = worker.Child(job, self.board, self.marks, self.surroundings)
            try:
                self._seal(job)
            except OSError as error:
                self.board.write(board.LOADED, board.HARNESS_ERROR, 0.0, "", str(error))
                os._exit(code)
            for name in self.hidden_modules:
                del sys.modules[name]
            self.board.note_state(board.SEALED)
            child.run(self.measure)
            code = wire.EXIT_DONE
        except board.BoardFullError:
            code = wire.EXIT_BOARD_FULL
        finally:
            os._exit(code)

    def _seal(self, job: dict[str, Any]) -> None:
        """Enter the layers of a child; after this it can compute and nothing else."""
        if sys.platform == "linux":
            layers.die_with_parent(self.process_id)
        if layers.SECCOMP not in self.held:
            os.setpgid(0, 0)
        layers.close_descriptors()
        layers.limit_resources(self.base_memory + job["memory_bytes"], job["cpu_seconds"])
        if layers.SECCOMP in self.held:
            quiet_files = self.measure is not None
            seccomp.install(seccomp.child_filter(_own_process_id(), quiet_files))


def fork_patiently() -> int | None:
    """Fork; None if the system has had no process left for two seconds."""
    for attempt in range(7):
        try:
            return os.fork()
        except (BlockingIOError, MemoryError):
            time.sleep(0.016 * 2**attempt)
    return None


def _load_modules() -> None:
    for name in MODULES.split():
        importlib.import_module(name)
    for codec in pkgutil.iter_modules(encodings.__path__, "encodings."):
        with contextlib.suppress(ImportError):  # two are for Windows only
            importlib.import_module(codec.name)


def _start_coverage() -> Callable[[str], tuple[str, str]]:
    from builder.sandbox import measure

    return measure.start(worker.FILE_NAME)


def _warm_up() -> None:
    """Do once what would otherwise read a file, or cost time, in every child."""
    logging.logProcesses = False
    for name in ("getlines", "updatecache", "checkcache", "lazycache"):
        setattr(linecache, name, lambda *_: [])
    time.tzset()
    time.strftime("%c")
    hashlib.md5(b"").hexdigest()
    exec(compile("def warm(a):\n    return [a, -a]\n", "<warm>", "exec"), {})


def _stand_by(server: int) -> None:
    """Tell the supervisor who serves, wait for its end, and end."""
    wire.send(1, wire.SERVER, b"%d" % server)
    os.closerange(0, 64)
    os.waitpid(server, 0)
    os._exit(0)


def _end_group(child: int) -> None:
    """End whatever a child left running, where no layer kept it from making processes."""
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        return


def main(arguments: list[str]) -> None:
    """Set up and serve.

    Args:
        arguments: 0 or 1 for the surroundings, ``plain`` or ``coverage``, the layers joined by
            commas, and the process id of the supervisor.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    surroundings, mode, held, supervisor = arguments
    try:
        zygote = Zygote(int(surroundings), mode == "coverage", frozenset(held.split(",")))
        zygote.enter_layers(int(supervisor))
    except OSError as error:
        wire.send(1, wire.LAYER_FAILED, str(error).encode())
        return
    try:
        zygote.serve()
    except wire.SilenceError:
        os._exit(0)
    except BaseException:
        os.write(2, traceback.format_exc().encode(errors="replace"))
        os._exit(1)

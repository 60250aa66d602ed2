"""What the child notices about the code it runs: lateness, printing, and forbidden attempts.

The walls are the kernel's (``layers``, ``seccomp``). This module only sees to it that a try is
reported even if the code hides the refusal, and that a candidate finds nothing to read, print
to or import beyond the pure standard modules. It imports nothing of ours.
"""

import os as _os
import pkgutil as _pkgutil
import random as _random
import resource as _resource
import sys as _sys
import time as _time
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import FrameType
from typing import Any, Final

_len, _max, _PermissionError, _StopIteration, _ImportError = (
    len,
    max,
    PermissionError,
    StopIteration,
    ImportError,
)
_clock, _wall_clock = _time.thread_time, _time.perf_counter
_usage, _OWN_USAGE = _resource.getrusage, _resource.RUSAGE_SELF
_CLOCK_SECONDS: Final = 0.001
"""Wall seconds after which the CPU clock is read again. Reading it is a system call, which costs
ten times what a look at the wall does; between two readings no more CPU than wall time passes."""
_LEAST_SECONDS: Final = 1e-9
_MANY_NAPS: Final = 20
_startswith, _endswith = str.startswith, str.endswith

_STANDARD_FOLDER: Final = _os.path.dirname(_os.__file__) + "/"  # noqa: PTH120

_NEVER_PURE: Final = """
    builtins.input builtins.breakpoint sys.settrace sys.setprofile sys.addaudithook
    sys._current_frames sys._current_exceptions sys.remote_exec
    open os.system os.exec os.posix_spawn os.spawn os.fork os.forkpty os.kill os.killpg
    os.listdir os.scandir os.remove os.rename os.rmdir os.mkdir os.link os.symlink os.chmod
    os.chown os.truncate os.utime os.chdir os.putenv os.unsetenv os.startfile
    signal.pthread_kill pty.spawn resource.setrlimit fcntl.fcntl fcntl.ioctl
    socket.__new__ socket.connect socket.bind socket.getaddrinfo socket.gethostbyname
    subprocess.Popen shutil.rmtree
"""
"""Audit events that no pure function causes, whoever calls."""
_ALWAYS_FORBIDDEN: Final = frozenset(_NEVER_PURE.split())

_FORBIDDEN_BY_CANDIDATE: Final = frozenset(
    ["sys._getframe", "gc.get_objects", "gc.get_referrers", "gc.get_referents"]
)
"""Audit events that the standard library may cause for itself."""

_FRAME_ATTRIBUTES: Final = frozenset(["tb_frame", "f_code", "gi_code", "cr_code", "__code__"])

_FOREIGN_FRAME: Final = 2
"""Where the frame that caused an event is, seen from ``on_audit``: behind the hook."""
_FRAME_FETCHERS: Final = ("/inspect.py", "/traceback.py")

_MACHINE_QUESTIONS: Final = """
    getpid getppid getpgid getpgrp getsid getuid geteuid getgid getegid getgroups getlogin uname
    cpu_count process_cpu_count sched_getaffinity times getloadavg umask nice getpriority sysconf
    confstr isatty get_terminal_size
"""
"""Functions of ``os`` that tell of the machine and have no audit event."""


class Late(BaseException):
    """The time of the call is over."""


class Flood(BaseException):
    """More was printed than the limit."""


_Late, _Flood = Late, Flood


class Marks:
    """What was noted about the foreign code that runs now."""

    __slots__ = (
        "_cpu_read",
        "_note_forbidden",
        "_read_at",
        "_switches",
        "_wall",
        "_watched",
        "armed",
        "drew",
        "forbidden",
        "late",
        "limit",
        "noted",
        "printed_left",
        "printed_limit",
        "started",
        "wall_limit",
    )

    def __init__(self, note_forbidden: Callable[[], None]) -> None:
        self._note_forbidden = note_forbidden
        self.armed = False
        """Whether foreign code is running, so that a tick may raise."""
        self.noted = False
        """Whether anything of the following is no longer as it was at the beginning."""
        self.late = False
        self.forbidden = False
        self.drew = False
        """Whether bytes were drawn from the system's random source."""
        self.printed_left = 0
        self.printed_limit = 0
        """Characters that one piece of foreign code may print."""
        self.started = 0.0
        """Reading of the wall clock when the code began."""
        self.limit = 0.0
        """CPU seconds that it may take."""
        self.wall_limit = 0.0
        """Wall seconds that code which sleeps again and again may take."""
        self._cpu_read, self._read_at = 0.0, -1.0
        self._watched, self._wall, self._switches = -1.0, 0.0, 0

    def begin(self, limit: float) -> None:
        """Start the clock for one piece of foreign code, which may take ``limit`` CPU seconds."""
        if self.noted:
            self.noted = self.late = self.forbidden = self.drew = False
        self.printed_left = self.printed_limit
        self.limit = limit
        self.started = now = _wall_clock()
        if now - self._read_at > _CLOCK_SECONDS:
            self._cpu_read, self._read_at = _clock(), now

    def cpu_seconds(self) -> float:
        """CPU time since the beginning, at most a millisecond wrong and never 0.

        A short piece of code is given its wall time.
        """
        wall = _wall_clock() - self.started
        return wall if 0 < wall < _CLOCK_SECONDS else _max(self._cpu_used(), _LEAST_SECONDS)

    def _cpu_used(self) -> float:
        """CPU time since the beginning, never more than was used."""
        return _clock() - self._cpu_read - (self.started - self._read_at)

    def on_tick(self, _signal_number: int, _frame: object) -> None:
        """Raise in code that is late, at every tick until it ends."""
        if self.armed and (self._cpu_used() >= self.limit or self._is_napping()):
            self.late = self.noted = True
            raise _Late

    def _is_napping(self) -> bool:
        """Whether the code has given its core away again and again for all its wall time.

        The watchdog sees long sleeps; many short ones look to it like a busy machine.
        """
        wall, switches = _wall_clock(), _usage(_OWN_USAGE).ru_nvcsw
        if self._watched != self.started:
            self._watched, self._wall, self._switches = self.started, wall, switches
        return wall - self._wall >= self.wall_limit and switches - self._switches >= _MANY_NAPS

    def note_attempt(self) -> None:
        """Note a forbidden attempt of the foreign code, here and on the board."""
        if self.armed:
            self.forbidden = self.noted = True
            self._note_forbidden()

    def refuse(self) -> None:
        """Note a forbidden attempt and raise what a refusing system would."""
        self.note_attempt()
        raise _PermissionError("not permitted")

    def on_audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note the events of foreign code that mean a forbidden attempt."""
        if event in _ALWAYS_FORBIDDEN or _startswith(event, "ctypes."):
            if event == "open" and arguments[1] is not None and arguments[2] == 0:
                return  # the parser, in C, looking for the line of a syntax error
            self.refuse()
        if event in _FORBIDDEN_BY_CANDIDATE or (
            event == "object.__getattr__" and arguments[1] in _FRAME_ATTRIBUTES
        ):
            self.armed = False  # looking at a frame is an event too
            try:
                trusted = _is_library(_sys._getframe(_FOREIGN_FRAME), event)
            finally:
                self.armed = True
            if not trusted:
                self.refuse()


def _is_library(frame: FrameType, event: str) -> bool:
    """Whether the library does this for itself; some of it fetches frames for its callers."""
    name = frame.f_code.co_filename
    if _startswith(name, "<frozen "):
        return True
    fetches = event == "sys._getframe" and _endswith(name, _FRAME_FETCHERS)
    return _startswith(name, _STANDARD_FOLDER) and not fetches


class Sink:
    """Stands for standard output and error: counts what is written and keeps nothing."""

    encoding = "utf-8"
    errors = "strict"
    newlines = None
    closed = False
    name = "<nothing>"
    mode = "w"

    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def write(self, text: str | bytes) -> int:
        """Swallow ``text``.

        Raises:
            Flood: it was too much.
        """
        marks = self._marks
        marks.printed_left -= _len(text)
        if marks.printed_left < 0:
            marks.noted = True
            raise _Flood
        return _len(text)

    @property
    def buffer(self) -> "Sink":
        """Takes bytes: itself."""
        return self

    def writelines(self, lines: Any) -> None:
        """Swallow all ``lines``."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def isatty(self) -> bool:
        """Nobody watches."""
        return False

    def writable(self) -> bool:
        """It takes text."""
        return True

    def readable(self) -> bool:
        """It gives none."""
        return False


class EmptyInput:
    """Stands for standard input: asking for it is forbidden."""

    encoding = "utf-8"
    errors = "strict"
    closed = False
    name = "<nothing>"
    mode = "r"

    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def read(self, _size: int = -1) -> str:
        """Refuse."""
        self._marks.refuse()
        return ""

    readline = readlines = __next__ = read

    def __iter__(self) -> "EmptyInput":
        return self

    def isatty(self) -> bool:
        """Nobody types."""
        return False


class Importer:
    """The only finder of modules: everything that may be imported has been loaded before."""

    def __init__(self, marks: Marks, refused: frozenset[str]) -> None:
        """Take the names of modules that exist but have not been loaded."""
        self._marks = marks
        self._refused = refused

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Refuse modules of the standard library; know no others.

        Raises:
            ImportError: it is a module that the sandbox keeps out.
        """
        if name in self._refused or name.partition(".")[0] in self._refused:
            self._marks.note_attempt()
            raise _ImportError(f"the sandbox has no module {name}")
        return None


def refusable_modules() -> frozenset[str]:
    """Names of standard modules that exist and have not been loaded; reads folders."""
    names = set(_sys.stdlib_module_names)
    for package in list(_sys.modules.values()):
        if hasattr(package, "__path__"):
            prefix = package.__name__ + "."
            names.update(found.name for found in _pkgutil.iter_modules(package.__path__, prefix))
    return frozenset(names - set(_sys.modules))


def _refusing(marks: Marks, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, for everybody but foreign code."""

    def refuse(*arguments: Any, **keywords: Any) -> Any:
        if marks.armed:
            marks.refuse()
        return function(*arguments, **keywords)

    return refuse


def install(marks: Marks, refused: frozenset[str]) -> None:
    """Give the coming candidate an empty world and report what it does against the rules."""
    sink: Any = Sink(marks)
    _sys.stdout = _sys.__stdout__ = sink  # type: ignore[misc]
    _sys.stderr = _sys.__stderr__ = sink  # type: ignore[misc]
    _sys.stdin = _sys.__stdin__ = EmptyInput(marks)  # type: ignore[assignment, misc]
    _sys.argv = [""]
    for name in _os.environ.keys() - {"TZ"}:  # which the C library reads again and again
        del _os.environ[name]
    _sys.path.clear()
    _sys.path_importer_cache.clear()
    _sys.meta_path[:] = [Importer(marks, refused)]
    _sys.unraisablehook = lambda _: None

    draw = _os.urandom

    def urandom(size: int) -> bytes:
        if marks.armed:
            marks.drew = marks.noted = True
        return draw(size)

    _os.urandom = _random._urandom = urandom  # type: ignore[attr-defined]
    for name in _MACHINE_QUESTIONS.split():
        if hasattr(_os, name):
            setattr(_os, name, _refusing(marks, getattr(_os, name)))

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if marks.armed:
            marks.on_audit(event, arguments)

    _sys.addaudithook(hook)  # a function: the interpreter needs half a microsecond for a method

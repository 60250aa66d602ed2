"""A watched yard for hostile code: bait, traps, and a look around after every case.

What a verdict says does not show whether a wall held; this does. Everything watched is our own
(a folder, a secret, two ports, this process), except the two shared folders for temporary
files, where a finding has to repeat itself before it counts.
"""

import contextlib
import ctypes
import os
import secrets
import shutil
import signal
import socket
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final

from builder.sandbox import layers

SECRET_VARIABLE: Final = "HOSTILE_SECRET"
SHARED_FOLDERS: Final = (Path(tempfile.gettempdir()), Path("/dev/shm"))
_WATCHED_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
_MADE_UP_NAMES: Final = ("tmp", "psm_", "sem.")
_PR_SET_CHILD_SUBREAPER: Final = 36


class Yard:
    """Bait and traps around this process; a context manager.

    While it stands, orphans of descendants become children of this process, so that none can
    slip away by losing its parent.
    """

    def __init__(self) -> None:
        """Set up files, ports and signal handlers."""
        self.secret = secrets.token_hex(16)
        self._folder = Path(tempfile.mkdtemp(prefix="pau-yard-"))
        self._folder.chmod(0o755)
        self._bait_folder = self._folder / "bait"
        self._bait_folder.mkdir()
        self._bait_folder.chmod(0o777)
        self._bait = self._bait_folder / "secret.txt"
        self._drop = self._folder / "drop"
        self._put_bait()
        self._tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for trap in (self._tcp, self._udp):
            trap.bind(("127.0.0.1", 0))
            trap.setblocking(False)
        self._tcp.listen()
        self._signals: list[int] = []
        self._handlers = self._watch_signals()
        self._old_secret = os.environ.get(SECRET_VARIABLE)
        os.environ[SECRET_VARIABLE] = self.secret
        _adopt_orphans(True)
        self._descendants: set[int] = set()
        self._descriptors: int | None = None

    @property
    def placeholders(self) -> dict[str, str]:
        """What the placeholders of a catalogue stand for."""
        return {
            "@CANARY@": str(self._bait),
            "@CANARYDIR@": str(self._bait_folder),
            "@DROP@": str(self._drop),
            "@PORT@": str(self._tcp.getsockname()[1]),
            "@UDP@": str(self._udp.getsockname()[1]),
        }

    def settle(self) -> None:
        """Take what is there now (the sandbox's servers) as belonging there."""
        self._descendants = set(_descendants())
        self._descriptors = _count_descriptors()

    @staticmethod
    def shared_files(code: str) -> set[str]:
        """Files in the shared folders that ``code`` may have made.

        Other programs work there too, so only those count that belong to the user whom a child
        of root becomes, that bear a name from the code, or one as Python makes them up.
        """
        found: set[str] = set()
        for folder in SHARED_FOLDERS:
            with contextlib.suppress(OSError):
                found.update(str(path) for path in folder.iterdir() if _may_be_of(path, code))
        return found

    def escapes(self) -> list[str]:
        """What got out since the last look, in words; puts the bait back."""
        seen: list[str] = []
        checks: tuple[tuple[str, Callable[[], bool]], ...] = (
            ("the secret file was changed", self._bait_changed),
            ("a file was left", self._file_left),
            ("a connection came", self._connected),
            ("a datagram came", self._datagram_came),
            ("a process was left", self._process_left),
            ("a signal came", lambda: bool(self._signals)),
            ("descriptors were left open", self._descriptors_grew),
        )
        seen = [words for words, found in checks if found()]
        self._signals.clear()
        self._put_bait()
        return seen

    def close(self) -> None:
        """Take everything away again."""
        _adopt_orphans(False)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if self._old_secret is None:
            os.environ.pop(SECRET_VARIABLE, None)
        else:
            os.environ[SECRET_VARIABLE] = self._old_secret
        self._tcp.close()
        self._udp.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> "Yard":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _put_bait(self) -> None:
        for path in (self._drop, *self._bait_folder.iterdir()):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path != self._bait:
                with contextlib.suppress(OSError):
                    path.unlink()
        self._bait.write_text(self.secret)
        self._bait.chmod(0o666)

    def _bait_changed(self) -> bool:
        try:
            mode = stat.S_IMODE(self._bait.stat().st_mode)
            return (self._bait.read_text(), mode) != (self.secret, 0o666)
        except OSError:
            return True

    def _file_left(self) -> bool:
        inside = set(self._folder.iterdir()) | set(self._bait_folder.iterdir())
        return bool(inside - {self._bait_folder, self._bait})

    def _connected(self) -> bool:
        try:
            self._tcp.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def _datagram_came(self) -> bool:
        try:
            self._udp.recv(1)
        except BlockingIOError:
            return False
        return True

    def _process_left(self) -> bool:
        left = set(_descendants()) - self._descendants
        for process in left:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(process, 0)
        return bool(left)

    def _descriptors_grew(self) -> bool:
        return self._descriptors is not None and _count_descriptors() > self._descriptors

    def _watch_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}

        def note(number: int, _frame: FrameType | None) -> None:
            self._signals.append(number)

        return {number: signal.signal(number, note) for number in _WATCHED_SIGNALS}


def _may_be_of(path: Path, code: str) -> bool:
    owner = path.lstat().st_uid
    if os.geteuid() == 0:
        return owner == layers.NOBODY or path.name in code
    return owner == os.geteuid() and (path.name in code or path.name.startswith(_MADE_UP_NAMES))


def _adopt_orphans(adopt: bool) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0)


def _count_descriptors() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    except OSError:
        return 0


def _descendants() -> Iterator[int]:
    """Process ids of everything that descends from this process, zombies too."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    todo = [os.getpid()]
    while todo:
        for child in children.get(todo.pop(), ()):
            yield child
            todo.append(child)

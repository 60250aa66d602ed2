"""The child's part: load one module, make its calls, write what was seen to the board.

Runs inside the sandbox, in a process forked for one job, next to code that nobody vetted. So it
imports nothing of ours, keeps every function that it needs under a name of its own (a candidate
may patch ``builtins``), never asks a foreign object to describe itself, and hands over plain
bytes. The supervisor imports this module for the format alone.
"""

import builtins as _builtins
import itertools as _itertools
import json as _json
import marshal as _marshal
import operator as _operator
import random as _random
import signal as _signal
import struct as _struct
import sys as _sys
import time as _time
import types as _types
from collections.abc import Callable
from typing import Any, Final

FILE_NAME: Final = "/candidate.py"
"""Made-up name under which every candidate is compiled, and measured by coverage.py."""
MAX_RECORDED: Final = 200
"""Most distinct calls that the drivers of one job may record."""

VERDICTS: Final = (
    "ok",
    "error",
    "timeout",
    "memory",
    "too_large",
    "forbidden",
    "nondeterministic",
    "stateful",
    "unserialisable",
    "crash",
    "harness_error",
)
"""Values of ``Verdict`` in the order of their codes on the board."""
(
    _OK,
    _ERROR,
    _TIMEOUT,
    _MEMORY,
    _TOO_LARGE,
    _FORBIDDEN,
    _NONDETERMINISTIC,
    _STATEFUL,
    _UNSERIALISABLE,
    _CRASH,
    _HARNESS_ERROR,
) = range(len(VERDICTS))

# What a record on the board is about.
LOADED: Final = 1
OUTCOME: Final = 2
RECORDED: Final = 3
DRIVER_ENDED: Final = 4
LINES_AND_ARCS: Final = 5

HEADER: Final = _struct.Struct("<QQ")
"""Start of the board: the bytes committed after it, and 1 once the child has finished."""
RECORD: Final = _struct.Struct("<BBdIIiI")
"""Kind, verdict, CPU seconds, bytes of value and exception, bytes of the arguments afterwards
(-1: none), count of probe hits (each a little-endian int of four bytes)."""

_pack_header, _pack_record = HEADER.pack_into, RECORD.pack
_Exception, _BaseException, _MemoryError, _ValueError = (
    Exception,
    BaseException,
    MemoryError,
    ValueError,
)
_StopIteration = StopIteration
_type, _len, _tuple, _list, _set, _sorted = type, len, tuple, list, set, sorted
_int, _str, _ascii, _all, _map = int, str, ascii, all, map
_encode, _replace, _join = str.encode, str.replace, str.join
_append, _add = list.append, set.add
_compile, _eval, _exec = compile, eval, exec
_marshal_dumps, _marshal_loads = _marshal.dumps, _marshal.loads
_scan_json = _json.JSONDecoder().scan_once
_clock = _time.thread_time
_repeat, _length_hint = _itertools.repeat, _operator.length_hint
_seed, _random_state = _random.seed, _random.getstate
_type_name = type.__dict__["__name__"].__get__


class _Late(BaseException):
    """The time of the call is over."""


class _Flood(BaseException):
    """More was printed than the limit."""


class BoardFullError(BaseException):
    """The board has no room for the next record; the next child goes on."""


class Board:
    """Writes records to the memory that the child shares with the server."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self._room = _len(memory)
        self._end = HEADER.size
        _pack_header(memory, 0, 0, 0)

    def write(
        self,
        kind: int,
        verdict: int,
        cpu: float,
        value: str = "",
        exception: str = "",
        after: str | None = None,
        hits: Any = (),
    ) -> None:
        """Append one record and commit it.

        Raises:
            BoardFullError: it does not fit.
        """
        exception_bytes = _encode(exception, "ascii", "backslashreplace")
        after_length = -1 if after is None else _len(after)
        head = _pack_record(
            kind, verdict, cpu, _len(value), _len(exception_bytes), after_length, _len(hits)
        )
        body = head + _encode(value, "ascii") + exception_bytes
        if after is not None:
            body += _encode(after, "ascii")
        if hits:
            body += _struct.pack("<%dI" % _len(hits), *hits)
        end = self._end + _len(body)
        if end > self._room:
            raise BoardFullError
        self._memory[self._end : end] = body
        self._end = end
        _pack_header(self._memory, 0, end - HEADER.size, 0)

    def finish(self) -> None:
        """Say that everything asked for was done."""
        _pack_header(self._memory, 0, self._end - HEADER.size, 1)


class Sink:
    """Stands for standard output and error: counts what is written and keeps nothing."""

    encoding = "utf-8"
    errors = "strict"
    newlines = None
    closed = False
    name = "<nothing>"
    mode = "w"

    def __init__(self, marks: "Marks") -> None:
        self._marks = marks

    def write(self, text: str) -> int:
        """Swallow ``text``."""
        marks = self._marks
        marks.printed_left -= _len(text)
        if marks.printed_left < 0:
            raise _Flood
        return _len(text)

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
    """Stands for standard input: it is at its end, and asking for it is noted."""

    encoding = "utf-8"
    errors = "strict"
    closed = False
    name = "<nothing>"
    mode = "r"

    def __init__(self, marks: "Marks") -> None:
        self._marks = marks

    def read(self, _size: int = -1) -> str:
        """Note the attempt and give the empty text."""
        self._marks.forbidden = True
        return ""

    readline = read

    def readlines(self, _hint: int = -1) -> list[str]:
        """Note the attempt and give no line."""
        self._marks.forbidden = True
        return []

    def __iter__(self) -> "EmptyInput":
        return self

    def __next__(self) -> str:
        self._marks.forbidden = True
        raise _StopIteration

    def isatty(self) -> bool:
        """Nobody types."""
        return False


class Marks:
    """What the harness notes about the call that runs now."""

    __slots__ = ("armed", "forbidden", "late", "limit", "printed_left", "started")

    def __init__(self) -> None:
        self.armed = False
        """Whether foreign code is running, so that a tick may raise."""
        self.late = False
        self.forbidden = False
        self.printed_left = 0
        self.started = 0.0
        """CPU time of the process when the call began."""
        self.limit = 0.0
        """CPU seconds that it may take."""

    def begin(self, limit: float, printed: int) -> None:
        """Start the clock for one piece of foreign code."""
        self.late = self.forbidden = False
        self.limit = limit
        self.printed_left = printed
        self.started = _clock()

    def on_tick(self, _signal_number: int, _frame: object) -> None:
        """Raise in code that is late, at every tick until it ends."""
        if self.armed and _clock() - self.started >= self.limit:
            self.late = True
            raise _Late

    def judge(self, verdict: int) -> int:
        """The verdict, unless a mark says worse, whatever the code answered afterwards."""
        if self.forbidden:
            return _FORBIDDEN
        if self.late:
            return _TIMEOUT
        if self.printed_left < 0:
            return _TOO_LARGE
        return verdict


def read_arguments(text: str, namespace: dict[str, Any]) -> tuple[Any, Callable[[], Any] | None]:
    """Make the values of a canonical literal of a tuple or dict.

    Plain literals (no tuples, sets or special types inside) are read as JSON, which is 15 times
    cheaper than compiling them.

    Returns:
        The value, and how to make another one equal to it.
    """
    inner = text[1:-2] if text[-2:] == ",)" else text[1:-1]
    if text[0] == "(" and not ("(" in inner or '"' in inner or "\\" in inner):
        as_json = "[" + _replace(inner, "'", '"') + "]"
        try:
            value, end = _scan_json(as_json, 0)
            if end == _len(as_json):
                return _tuple(value), lambda: _tuple(_scan_json(as_json, 0)[0])
        except (_ValueError, _StopIteration):
            pass
    code = _compile(text, "<literal>", "eval")
    return _eval(code, namespace), lambda: _eval(code, namespace)


class Child:
    """One job in one process."""

    def __init__(self, job: dict[str, Any], board: Board, literals: Any, surroundings: int) -> None:
        self.job = job
        self.board = board
        self.namespace = dict(literals.NAMESPACE)
        self.dumps = literals.dumps
        self.too_large = literals.LiteralTooLargeError
        self.literal_error = literals.LiteralError
        self.value_limit: int = job["value_characters"]
        self.marks = Marks()
        self.random_seed = 1_000_003 * (surroundings + 1)
        self.draws_randomly = "random" in job["code"]

    def run(self, coverage: Any) -> None:
        """Do the whole job; whatever is not done when the process dies, the next child does."""
        job, board, marks = self.job, self.board, self.marks
        _sys.stdout = _sys.__stdout__ = Sink(marks)  # type: ignore[assignment, misc]
        _sys.stderr = _sys.__stderr__ = Sink(marks)  # type: ignore[assignment, misc]
        _sys.stdin = _sys.__stdin__ = EmptyInput(marks)  # type: ignore[assignment, misc]
        _signal.signal(_signal.SIGPROF, marks.on_tick)
        tick = max(0.005, min(0.05, job["call_seconds"] / 4))
        _signal.setitimer(_signal.ITIMER_PROF, tick, tick)
        _seed(self.random_seed)
        target, module = self.load()
        if target is not None:
            for driver in job["drivers"]:
                self.drive(driver, target, module)
            self.make_calls(target, module)
            if coverage is not None:
                lines, arcs = coverage(FILE_NAME)
                self.board.write(LINES_AND_ARCS, _OK, 0.0, lines, arcs)
        board.finish()

    def load(self) -> tuple[Any, dict[str, Any]]:
        """Execute the module and find the entry point in it (None if there is none to call)."""
        job, marks = self.job, self.marks
        module = _types.ModuleType("candidate")
        _sys.modules["candidate"] = module
        names = module.__dict__
        probe = job["probe"]
        if probe is not None:
            names[probe[0]] = _set().add
            names[probe[1]] = _repeat(None).__next__
        marks.begin(job["load_seconds"], job["printed_characters"])
        target, verdict, exception = None, _OK, ""
        try:
            marks.armed = True
            code = _compile(job["code"], FILE_NAME, "exec", 0, True)
            _exec(code, names)
            marks.armed = False
        except _BaseException as error:
            marks.armed = False
            verdict, exception = self.name_error(error)
        if verdict == _OK:
            target = names.get(job["entry_point"])
            if target is None:
                verdict, exception = _ERROR, "NameError"
        verdict = marks.judge(verdict)
        if verdict != _ERROR:
            exception = ""
        self.board.write(LOADED, verdict, _clock() - marks.started, "", exception)
        return (target if verdict == _OK else None), names

    def name_error(self, error: BaseException) -> tuple[int, str]:
        """Verdict and type name of what foreign code raised, without asking the object."""
        kind = _type(error)
        if kind is _MemoryError:
            return _MEMORY, ""
        if kind is _Late:
            return _TIMEOUT, ""
        if kind is _Flood:
            return _TOO_LARGE, ""
        return _ERROR, _type_name(kind)[:200]

    def make_calls(self, target: Any, module: dict[str, Any]) -> None:
        """Make every call of the job and write its outcome."""
        job, marks, board = self.job, self.marks, self.board
        limit, printed, repeat = job["call_seconds"], job["printed_characters"], job["repeat"]
        probe = job["probe"]
        hits: Any = ()
        for arguments_text, keywords_text in job["calls"]:
            arguments, again = read_arguments(arguments_text, self.namespace)
            keywords = None
            if keywords_text != "{}":
                keywords, keywords_again = read_arguments(keywords_text, self.namespace)
            ticks = None
            if probe is not None:
                hits = _set()
                ticks = _repeat(None, probe[2] + 1)
                module[probe[0]] = hits.add
                module[probe[1]] = ticks.__next__
            if self.draws_randomly:
                _seed(self.random_seed)
            marks.begin(limit, printed)
            seen = self.call(target, arguments, keywords, arguments_text)
            if ticks is not None and _length_hint(ticks) == 0:
                seen = (_TIMEOUT, "", "", None)
            cpu = _clock() - marks.started
            if repeat and seen[0] in (_OK, _ERROR, _UNSERIALISABLE):
                seen = self.repeat_call(
                    target,
                    seen,
                    again(),
                    None if keywords is None else keywords_again(),
                    arguments_text,
                )
            if hits:
                hits = _sorted(hits)
            verdict, value, exception, after = seen
            board.write(OUTCOME, verdict, cpu, value, exception, after, hits)

    def call(
        self, target: Any, arguments: Any, keywords: Any, arguments_text: str
    ) -> tuple[int, str, str, str | None]:
        """Make one call.

        Returns:
            Verdict, value, exception, arguments afterwards (None if unchanged).
        """
        marks = self.marks
        before = None
        scalars = not ("[" in arguments_text or "{" in arguments_text or "(" in arguments_text[1:])
        if not scalars and "b'" not in arguments_text and 'b"' not in arguments_text:
            try:
                before = _marshal_dumps(arguments, 2)
            except _ValueError:
                pass
        value_text, exception, verdict = "", "", _OK
        try:
            marks.armed = True
            value = target(*arguments) if keywords is None else target(*arguments, **keywords)
            value_text = self.dumps(value, self.value_limit)
            marks.armed = False
        except _BaseException as error:
            marks.armed = False
            kind = _type(error)
            if kind is self.too_large:
                verdict = _TOO_LARGE
            elif kind is self.literal_error:
                verdict = _UNSERIALISABLE
            else:
                verdict, exception = self.name_error(error)
        verdict = marks.judge(verdict)
        if verdict != _OK:
            value_text = ""
            if verdict != _ERROR:
                exception = ""
        if scalars or (before is not None and self.is_unchanged(arguments, before)):
            return verdict, value_text, exception, None
        return verdict, value_text, exception, self.write_changed(arguments, arguments_text)

    def is_unchanged(self, arguments: Any, before: bytes) -> bool:
        """Whether the arguments still have the bytes they had before the call."""
        try:
            return _marshal_dumps(arguments, 2) == before
        except _BaseException:
            return False

    def write_changed(self, arguments: Any, arguments_text: str) -> str | None:
        """Literal of the arguments after the call; None if the same or without literal."""
        try:
            after = self.dumps(arguments, self.value_limit)
        except _BaseException:
            return None
        return None if after == arguments_text else after

    def repeat_call(
        self,
        target: Any,
        first: tuple[int, str, str, str | None],
        arguments: Any,
        keywords: Any,
        arguments_text: str,
    ) -> tuple[int, str, str, str | None]:
        """Make the call again with fresh arguments and compare."""
        first_state = _random_state() if self.draws_randomly else None
        if self.draws_randomly:
            _seed(self.random_seed + 1)
        job = self.job
        self.marks.begin(job["call_seconds"], job["printed_characters"])
        second = self.call(target, arguments, keywords, arguments_text)
        if self.draws_randomly:
            second_state = _random_state()
            _seed(self.random_seed)
            untouched = first_state == _random_state()
            if first_state != second_state and not untouched:
                return (_NONDETERMINISTIC, "", "", None)
        if second[0] in (_TIMEOUT, _MEMORY, _TOO_LARGE, _FORBIDDEN):
            return second
        return first if first == second else (_STATEFUL, "", "", None)

    def drive(self, driver: str, target: Any, module: dict[str, Any]) -> None:
        """Run one driver text in a copy of the module and note the calls it makes."""
        job, marks, board, dumps = self.job, self.marks, self.board, self.dumps
        limit = self.value_limit
        noted = job["recorded"]

        def recorder(*arguments: Any, **keywords: Any) -> Any:
            try:
                call = (dumps(arguments, limit), dumps(keywords, limit))
            except self.literal_error:
                call = None
            if call is not None and call not in noted and _len(noted) < MAX_RECORDED:
                _append(noted, call)
                board.write(RECORDED, _OK, 0.0, call[0], "", call[1])
            return target(*arguments, **keywords)

        names = dict(module)
        names[job["entry_point"]] = names["candidate"] = recorder
        names["__builtins__"] = _builtins
        verdict, exception = _OK, ""
        marks.begin(job["load_seconds"], job["printed_characters"])
        try:
            marks.armed = True
            _exec(_compile(driver, "/driver.py", "exec", 0, True), names)
            marks.armed = False
        except BoardFullError:
            marks.armed = False
            raise
        except _BaseException as error:
            marks.armed = False
            verdict, exception = self.name_error(error)
        board.write(DRIVER_ENDED, marks.judge(verdict), _clock() - marks.started, "", exception)

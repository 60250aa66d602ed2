"""The child's part: load one module, make its calls, write what was seen to the board.

Runs inside the sandbox, in a process forked for one job, next to code that nobody vetted. So it
keeps every function that it needs under a name of its own (a candidate may patch ``builtins``),
never asks a foreign object to describe itself, and hands over plain bytes.
"""

import builtins as _builtins
import itertools as _itertools
import json as _json
import marshal as _marshal
import operator as _operator
import random as _random
import re as _re
import signal as _signal
import sys as _sys
import time as _time
import types as _types
from collections.abc import Callable
from typing import Any, Final

from builder import literals as _literals
from builder.sandbox import board as _board
from builder.sandbox import guard as _guard

FILE_NAME: Final = "/candidate.py"
"""Made-up name under which every candidate is compiled, and measured by coverage.py."""
MAX_RECORDED: Final = 200
"""Most distinct calls that the drivers of one job may record."""
EXTRA_FRAMES: Final = 40
"""By how much the stack is deeper in the second surroundings."""

_OK, _ERROR, _TIMEOUT, _MEMORY = _board.OK, _board.ERROR, _board.TIMEOUT, _board.MEMORY
_TOO_LARGE, _FORBIDDEN = _board.TOO_LARGE, _board.FORBIDDEN
_NONDETERMINISTIC, _STATEFUL = _board.NONDETERMINISTIC, _board.STATEFUL
_UNSERIALISABLE = _board.UNSERIALISABLE
_REPEATABLE = (_OK, _ERROR, _UNSERIALISABLE)
_LOADED, _OUTCOME, _RECORDED = _board.LOADED, _board.OUTCOME, _board.RECORDED
_DRIVER_ENDED, _LINES_AND_ARCS = _board.DRIVER_ENDED, _board.LINES_AND_ARCS
_BoardFull, _Late, _Flood = _board.BoardFullError, _guard.Late, _guard.Flood
_dumps, _NAMESPACE = _literals.dumps, dict(_literals.NAMESPACE)
_LiteralError, _LiteralTooLarge = _literals.LiteralError, _literals.LiteralTooLargeError

_BaseException, _MemoryError, _ValueError = BaseException, MemoryError, ValueError
_StopIteration = StopIteration
_type, _len, _tuple, _set, _dict, _sorted, _range = type, len, tuple, set, dict, sorted, range
_callable, _find, _replace = callable, str.find, str.replace
_compile, _eval, _exec, _append = compile, eval, exec, list.append
_marshal_dumps = _marshal.dumps
_strings_are_without_brackets = _re.compile(r"[^']*(?:'[^'()]*'[^']*)*").fullmatch
_scan_json = _json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_clock = _time.thread_time  # precise, unlike the process clock, while a timer is set
_repeat, _length_hint = _itertools.repeat, _operator.length_hint
_seed, _random_state = _random.seed, _random.getstate
_type_name = type.__dict__["__name__"].__get__

Seen = tuple[int, str, str, str | None]
"""Verdict, value, exception, arguments afterwards (None: unchanged)."""


def read_arguments(text: str) -> Any:
    """Make a new value of a canonical literal of a tuple or dict.

    Most are read as JSON, which is several times cheaper than compiling them. Without escapes
    and double quotes every single quote bounds a string; what JSON does not know (``None``, a
    set, a number as key) it refuses when it reads.
    """
    if text[0] == "(" and not ('"' in text or "\\" in text):
        inner = text[1:-2] if text[-2:] == ",)" else text[1:-1]
        scan: Any = _scan_json
        if "(" in inner and _brackets_are_tuples(inner):
            inner = _replace(_replace(inner, ",)", ")"), "(", '{"":[')
            inner, scan = _replace(inner, ")", "]}"), _scan_json_with_tuples
        as_json = "[" + _replace(inner, "'", '"') + "]"
        try:
            value, end = scan(as_json, 0)
            if end == _len(as_json):
                return _tuple(value)
        except (_ValueError, _StopIteration):
            pass
    return _eval(_compile(text, "<literal>", "eval"), _NAMESPACE)


def _brackets_are_tuples(text: str) -> bool:
    """Whether no string has brackets, and no dict could be taken for a tuple written as one."""
    if "{" in text:
        return False
    return "'" not in text or _strings_are_without_brackets(text) is not None


def _read_tuple(pairs: list[tuple[str, Any]]) -> Any:
    return _tuple(pairs[0][1])


_scan_json_with_tuples = _json.JSONDecoder(  # type: ignore[attr-defined]
    object_pairs_hook=_read_tuple
).scan_once


def first_seed(surroundings: int) -> int:
    """What ``random`` is seeded with before anything foreign runs."""
    return 1_000_003 * (surroundings + 1)


def _freeze(arguments: Any, text: str) -> bytes | None:
    """Bytes that stay the same while the arguments do; None if there are no such bytes.

    ``marshal`` tells every type of a literal apart but bytes and bytearray.
    """
    if "b'" in text or 'b"' in text:
        return None
    try:
        return _marshal_dumps(arguments, 2)
    except _ValueError:
        return None


def _is_unchanged(arguments: Any, frozen: bytes) -> bool:
    try:
        return _marshal_dumps(arguments, 2) == frozen
    except _BaseException:
        return False


class Child:
    """One job in one process."""

    def __init__(
        self, job: dict[str, Any], board: _board.Board, marks: _guard.Marks, surroundings: int
    ) -> None:
        """Get ready, while system calls are still free.

        Args:
            job: as ``supervisor`` writes it.
            board: where to write results.
            marks: what the guard notes; its ``on_tick`` handles SIGPROF.
            surroundings: 0 or 1.
        """
        self.job = job
        self.board = board
        self.marks = marks
        self.random_seed = first_seed(surroundings)
        self.draws_randomly = "random" in job["code"]
        self.frames = EXTRA_FRAMES * surroundings
        marks.wall_limit = job["wall_seconds"]
        tick = max(0.005, min(0.02, job["call_seconds"] / 4))
        _signal.setitimer(_signal.ITIMER_PROF, tick, tick)

    def run(self, coverage: Callable[[str], tuple[str, str]] | None) -> None:
        """Do the whole job; what is not done when the process dies, the next child does.

        Args:
            coverage: gives the lines and arcs of a file that were run, if they are measured.

        Raises:
            BoardFullError: the next child has to go on.
        """
        if self.frames:
            self.frames -= 1
            return self.run(coverage)
        target, module = self.load()
        if target is not None:
            for driver in self.job["drivers"]:
                self.drive(driver, target, module)
            self.make_calls(target, module)
            if coverage is not None:
                lines, arcs = coverage(FILE_NAME)
                self.board.write(_LINES_AND_ARCS, _OK, 0.0, lines, arcs)
        return self.board.note_state(_board.DONE)

    def load(self) -> tuple[Any, dict[str, Any]]:
        """Execute the module; gives the entry point (None if it cannot be called), the names."""
        job, marks = self.job, self.marks
        module = _types.ModuleType("candidate")
        _sys.modules["candidate"] = _sys.modules["__main__"] = module
        names = module.__dict__
        if job["probe"] is not None:
            names[job["probe"][0]] = _set().add
            names[job["probe"][1]] = _repeat(None).__next__
        marks.begin(job["load_seconds"], job["printed_characters"], _clock())
        target, verdict, exception = None, _OK, ""
        try:
            marks.armed = True
            _exec(_compile(job["code"], FILE_NAME, "exec", 0, True), names)
            marks.armed = False
        except _BaseException as error:
            marks.armed = False
            verdict, exception = self.name_error(error)
        if verdict == _OK:
            target = names.get(job["entry_point"])
            if not _callable(target):
                verdict, exception = _ERROR, "NameError"
        verdict = self.judge(verdict)
        if verdict != _ERROR:
            exception = ""
        self.board.write(_LOADED, verdict, _clock() - marks.started, "", exception)
        return (target if verdict == _OK else None), names

    def judge(self, verdict: int) -> int:
        """The verdict, unless a mark says worse, whatever the code answered afterwards."""
        marks = self.marks
        if marks.forbidden:
            return _FORBIDDEN
        if marks.late:
            return _TIMEOUT
        if marks.printed_left < 0:
            return _TOO_LARGE
        return _NONDETERMINISTIC if marks.drew else verdict

    @staticmethod
    def name_error(error: BaseException) -> tuple[int, str]:
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
        """Make every call of the job, as long as patience lasts, and write its outcome."""
        job, marks, board = self.job, self.marks, self.board
        limit, printed, repeat = job["call_seconds"], job["printed_characters"], job["repeat"]
        probe, patience = job["probe"], job["patience"]
        hits: Any = ()
        now = _clock()
        for arguments_text, keywords_text in job["calls"]:
            arguments = read_arguments(arguments_text)
            keywords = None if keywords_text == "{}" else read_arguments(keywords_text)
            ticks = None
            if probe is not None:
                hits = _set()
                ticks = _repeat(None, probe[2] + 1)
                module[probe[0]] = hits.add
                module[probe[1]] = ticks.__next__
            if self.draws_randomly:
                self.random_seed += 2
                _seed(self.random_seed)
            marks.begin(limit, printed, now)
            seen = self.call(target, arguments, keywords, arguments_text)
            now = _clock()
            cpu = now - marks.started
            if ticks is not None and _length_hint(ticks) == 0:
                seen = (_TIMEOUT, "", "", None)
            elif repeat and seen[0] in _REPEATABLE:
                seen = self.repeat_call(target, seen, arguments_text, keywords_text)
                now = _clock()
            if hits:
                hits = _sorted(hits)
            verdict, value, exception, after = seen
            board.write(_OUTCOME, verdict, cpu, value, exception, after, hits)
            if verdict == _TIMEOUT:
                patience -= 1
                if patience <= 0:
                    return

    def call(self, target: Any, arguments: Any, keywords: Any, arguments_text: str) -> Seen:
        """Make one call."""
        marks, limit = self.marks, self.job["value_characters"]
        immutable = not (
            "[" in arguments_text or "{" in arguments_text or _find(arguments_text, "(", 1) > 0
        )
        frozen = None if immutable else _freeze(arguments, arguments_text)
        value_text, exception, verdict = "", "", _OK
        try:
            marks.armed = True
            value = target(*arguments) if keywords is None else target(*arguments, **keywords)
            value_text = _dumps(value, limit)
            marks.armed = False
        except _BaseException as error:
            marks.armed = False
            kind = _type(error)
            if kind is _LiteralTooLarge:
                verdict = _TOO_LARGE
            elif kind is _LiteralError:
                verdict = _UNSERIALISABLE
            else:
                verdict, exception = self.name_error(error)
        verdict = self.judge(verdict)
        if verdict != _OK:
            value_text = ""
            if verdict != _ERROR:
                exception = ""
        if immutable or (frozen is not None and _is_unchanged(arguments, frozen)):
            return verdict, value_text, exception, None
        try:
            after = _dumps(arguments, limit)
        except _BaseException:
            after = arguments_text
        return verdict, value_text, exception, None if after == arguments_text else after

    def repeat_call(
        self, target: Any, first: Seen, arguments_text: str, keywords_text: str
    ) -> Seen:
        """Make the call again with fresh arguments and compare."""
        arguments = read_arguments(arguments_text)
        keywords = None if keywords_text == "{}" else read_arguments(keywords_text)
        job, marks = self.job, self.marks
        first_state = None
        if self.draws_randomly:
            first_state = _random_state()
            _seed(self.random_seed + 1)
        marks.begin(job["call_seconds"], job["printed_characters"], _clock())
        second = self.call(target, arguments, keywords, arguments_text)
        if first_state is not None and first_state != _random_state():
            _seed(self.random_seed)
            if first_state != _random_state():  # it drew, and what it drew depends on the seed
                return (_NONDETERMINISTIC, "", "", None)
        if second[0] not in _REPEATABLE:
            return (second[0], "", "", None)
        return first if first == second else (_STATEFUL, first[1], "", None)

    def drive(self, driver: str, target: Any, module: dict[str, Any]) -> None:
        """Run one driver text in a copy of the module and note the calls it makes."""
        job, marks, board = self.job, self.marks, self.board
        limit, noted = job["value_characters"], job["recorded"]

        def recorder(*arguments: Any, **keywords: Any) -> Any:
            try:
                call = (_dumps(arguments, limit), _dumps(keywords, limit))
            except _LiteralError:
                call = None
            if call is not None and call not in noted and _len(noted) < MAX_RECORDED:
                _append(noted, call)
                board.write(_RECORDED, _OK, 0.0, call[0], "", call[1])
            return target(*arguments, **keywords)

        names = _dict(module)
        names[job["entry_point"]] = names["candidate"] = recorder
        names["__builtins__"] = _builtins
        verdict, exception = _OK, ""
        marks.begin(job["load_seconds"], job["printed_characters"], _clock())
        try:
            marks.armed = True
            _exec(_compile(driver, "/driver.py", "exec", 0, True), names)
            marks.armed = False
        except _BoardFull:
            marks.armed = False
            raise
        except _BaseException as error:
            marks.armed = False
            verdict, exception = self.name_error(error)
        cpu = _clock() - marks.started
        board.write(_DRIVER_ENDED, self.judge(verdict), cpu, "", exception)

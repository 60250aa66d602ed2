"""The child's part: load one module, make its calls, write what was seen to the board.

Runs inside the sandbox, in a process forked for one job, next to code that nobody vetted. So it
keeps every function that it needs under a name of its own (a candidate may patch ``builtins``),
never asks a foreign object to describe itself, and hands over plain bytes.
"""

import builtins as _builtins
import itertools as _itertools
import operator as _operator
import random as _random
import signal as _signal
import sys as _sys
import types as _types
from collections.abc import Callable
from typing import Any, Final

from builder import literals as _literals
from builder.sandbox import arguments as _arguments
from builder.sandbox import board as _board
from builder.sandbox import guard as _guard
from builder.sandbox.scales import Scales as _Scales

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
_dumps = _literals.dumps
_LiteralError, _LiteralTooLarge = _literals.LiteralError, _literals.LiteralTooLargeError
_read, _read_all = _arguments.read, _arguments.read_all
_is_unchanged, _UNCHANGEABLE = _arguments.is_unchanged, _arguments.UNCHANGEABLE

_BaseException, _MemoryError = BaseException, MemoryError
_type, _len, _set, _dict, _callable = type, len, set, dict, callable
_compile, _exec, _append, _clear = compile, exec, list.append, set.clear
_repeat, _length_hint = _itertools.repeat, _operator.length_hint
_seed, _random_state = _random.seed, _random.getstate
_type_name = type.__dict__["__name__"].__get__

Seen = tuple[int, str, str, str | None]
"""Verdict, value, exception, arguments afterwards (None: unchanged)."""


def first_seed(surroundings: int) -> int:
    """What ``random`` is seeded with before anything foreign runs."""
    return 1_000_003 * (surroundings + 1)


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
        self.value_limit = job["value_characters"]
        self.frames = EXTRA_FRAMES * surroundings
        marks.wall_limit, marks.printed_limit = job["wall_seconds"], job["printed_characters"]
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
            hit_name, tick_name, weigh_name, _ = job["probe"]
            names[hit_name] = _set().add
            names[tick_name] = _repeat(None).__next__
            names[weigh_name] = _Scales().weigh
        marks.begin(job["load_seconds"])
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
        self.board.write(_LOADED, verdict, marks.cpu_seconds(), "", exception)
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
        """Verdict on an exception and name of its type, without asking the object."""
        kind = _type(error)
        if kind is _MemoryError:
            return _MEMORY, ""
        if kind is _Late:
            return _TIMEOUT, ""
        if kind is _Flood or kind is _LiteralTooLarge:
            return _TOO_LARGE, ""
        if kind is _LiteralError:
            return _UNSERIALISABLE, ""
        return _ERROR, _type_name(kind)[:200]

    def make_calls(self, target: Any, module: dict[str, Any]) -> None:
        """Make every call of the job, as long as patience lasts, and write its outcome."""
        job, marks, write = self.job, self.marks, self.board.write
        limit, repeat, probe = job["call_seconds"], job["repeat"], job["probe"]
        patience, draws_randomly = job["patience"], self.draws_randomly
        hits: Any = _set()
        ticks = None
        if probe is not None:
            hit_name, tick_name, weigh_name, budget = probe
            turns, scales = budget + 1, _Scales()
            module[hit_name], module[weigh_name] = hits.add, scales.weigh
        for text, keywords, arguments, frozen in _read_all(job["calls"]):
            if probe is not None:
                ticks = scales.turns = _repeat(None, turns)
                module[tick_name] = ticks.__next__
            if draws_randomly:
                self.random_seed += 2
                _seed(self.random_seed)
            marks.begin(limit)
            seen = self.call(target, arguments, frozen, text, keywords)
            cpu = marks.cpu_seconds()
            if ticks is not None and _length_hint(ticks) == 0:
                seen = (_TIMEOUT, "", "", None)
            elif repeat and seen[0] in _REPEATABLE:
                seen = self.repeat_call(target, seen, frozen, text, keywords)
            verdict, value, exception, after = seen
            write(_OUTCOME, verdict, cpu, value, exception, after, hits)
            if hits:
                _clear(hits)
            if verdict == _TIMEOUT:
                patience -= 1
                if patience <= 0:
                    return

    def call(self, target: Any, arguments: Any, frozen: Any, text: str, keywords: str) -> Seen:
        """Make one call; ``text`` and ``keywords`` are the literals of its arguments."""
        marks, limit = self.marks, self.value_limit
        named = None if keywords == "{}" else _read(keywords)
        exception, verdict = "", _OK
        try:
            marks.armed = True
            value = target(*arguments) if named is None else target(*arguments, **named)
            value_text = _dumps(value, limit)
            marks.armed = False
        except _BaseException as error:
            marks.armed = False
            value_text = ""
            verdict, exception = self.name_error(error)
        if marks.noted:
            verdict = self.judge(verdict)
            value_text = value_text if verdict == _OK else ""
            exception = exception if verdict == _ERROR else ""
        if frozen is _UNCHANGEABLE or _is_unchanged(arguments, frozen):
            return verdict, value_text, exception, None
        try:
            after = _dumps(arguments, limit)
        except _BaseException:
            after = text
        return verdict, value_text, exception, None if after == text else after

    def repeat_call(self, target: Any, first: Seen, frozen: Any, text: str, keywords: str) -> Seen:
        """Make the call again with fresh arguments and compare."""
        arguments = _read(text)
        first_state = None
        if self.draws_randomly:
            first_state = _random_state()
            _seed(self.random_seed + 1)
        self.marks.begin(self.job["call_seconds"])
        second = self.call(target, arguments, frozen, text, keywords)
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
        marks.begin(job["load_seconds"])
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
        board.write(_DRIVER_ENDED, self.judge(verdict), marks.cpu_seconds(), "", exception)

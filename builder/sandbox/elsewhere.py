"""The second surroundings: another clock, so that answers which depend on it differ."""

import sys
import time
from collections.abc import Callable
from typing import Any, Final

CLOCK_SHIFT: Final = 61_345_677
"""Seconds, nearly two years, by which the second surroundings live later; odd, and not a whole
number of minutes, hours, days or weeks."""


def move_clock() -> None:
    """Set the clocks of this interpreter forward.

    Has to come before ``datetime`` is loaded: the C version of it reads the system's clock by
    itself, so the version in Python is made to load, which asks ``time``.
    """
    sys.modules["_datetime"] = None  # type: ignore[assignment]
    for name in ("time", "monotonic", "perf_counter"):
        setattr(time, name, _later(getattr(time, name), CLOCK_SHIFT))
        setattr(time, name + "_ns", _later(getattr(time, name + "_ns"), CLOCK_SHIFT * 10**9))
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, _now_by_default(getattr(time, name), time.time))
    time.asctime = _now_by_default(time.asctime, lambda: time.localtime())
    format_time = time.strftime

    def strftime(pattern: str, *moment: Any) -> str:
        return format_time(pattern, *(moment or (time.localtime(),)))

    time.strftime = strftime
    clock_gettime = time.clock_gettime
    time.clock_gettime = lambda clock: clock_gettime(clock) + (CLOCK_SHIFT if clock >= 0 else 0)


def _later(clock: Callable[[], Any], shift: int) -> Callable[[], Any]:
    return lambda: clock() + shift


def _now_by_default(function: Callable[..., Any], now: Callable[[], Any]) -> Callable[..., Any]:
    def with_default(moment: Any = None) -> Any:
        return function(now() if moment is None else moment)

    return with_default

"""The watchdog of the fork server: waits for one child and ends it when it is late.

The child stops most late calls by itself, with a timer. What it cannot stop (one long call into
C, code that swallows every exception, a sleep) is ended here. CPU time is what counts, so a busy
machine makes nothing late; wall time only counts against a child that leaves its core idle.
"""

import contextlib
import os
import select
import signal
import struct
import time
from typing import Any, Final

from builder.sandbox import layers, wire

FIRST_LOOK: Final = 0.02
LATER_LOOKS: Final = 0.05
"""Seconds until the first look at a child, and between the others."""
TELL_SECONDS: Final = 1.0
"""How often the supervisor is told that the job goes on."""
IDLE_WINDOW: Final = 0.5
"""Seconds over which idleness is judged; CPU clocks of others may jump by 10 ms."""
IDLE_SHARE: Final = 0.05
"""A child that uses less than this part of its fair share of a core is not working."""
IDLE_FLOOR: Final = 0.008
"""Nor is one that uses less than this part of a core: no machine is as busy as that."""


class Watch:
    """Watches one child."""

    def __init__(self, child: int, board: Any, job: dict[str, Any], wake: int) -> None:
        """Begin.

        Args:
            child: its process id.
            board: the memory it writes to; the first eight bytes count what is committed.
            job: what it does.
            wake: descriptor that becomes readable when a child ends.
        """
        self._child, self._board, self._wake = child, board, wake
        times = 2 if job["repeat"] else 1
        self._call_limit = times * job["call_seconds"]
        self._load_limit = job["load_seconds"]
        if job["drivers"]:
            self._call_limit = max(self._call_limit, self._load_limit)
        self._wall_limit = job["wall_seconds"]
        self._committed = -1
        self._cpu_at_progress = 0.0
        self._idle = 0.0
        self._window_start, self._window_cpu = time.monotonic(), 0.0

    def wait(self) -> tuple[int, int, Any]:
        """Wait for the end: wait status, who ended the child, its resource usage.

        Raises:
            SilenceError: the supervisor is gone.
        """
        waiting = select.poll()
        waiting.register(self._wake, select.POLLIN)
        waiting.register(0, 0)  # only reports that the supervisor hung up
        ended_by, pause, told = wire.BY_ITSELF, FIRST_LOOK, time.monotonic()
        while True:
            child, status, usage = os.wait4(self._child, os.WNOHANG)
            if child:
                return status, ended_by, usage
            for descriptor, _ in waiting.poll(pause * 1000):
                if descriptor == 0:
                    self._end_child()
                    raise wire.SilenceError
                os.read(self._wake, 4096)
                break
            else:
                pause = LATER_LOOKS
                if time.monotonic() - told > TELL_SECONDS:
                    wire.send(1, wire.ALIVE)
                    told = time.monotonic()
                ended_by = ended_by or self._look()
                if ended_by:
                    self._end_child()

    def _end_child(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGKILL)

    def _look(self) -> int:
        """Decide who has to end the child now, if anybody."""
        now, cpu = time.monotonic(), self._cpu_seconds()
        committed: int = struct.unpack_from("<Q", self._board, 0)[0]
        if committed != self._committed:
            self._committed, self._cpu_at_progress, self._idle = committed, cpu, 0.0
            self._window_start, self._window_cpu = now, cpu
            return wire.BY_ITSELF
        limit = self._call_limit if committed else self._load_limit
        if cpu - self._cpu_at_progress > limit + max(0.3, 0.5 * limit):
            return wire.BY_CPU_WATCH
        if now - self._window_start >= IDLE_WINDOW:
            fair_share = 1 / max(1.0, layers.load_per_core())
            wall, used = now - self._window_start, cpu - self._window_cpu
            if used < max(IDLE_SHARE * fair_share, IDLE_FLOOR) * wall:
                self._idle += wall
            self._window_start, self._window_cpu = now, cpu
        return wire.BY_IDLE_WATCH if self._idle > self._wall_limit else wire.BY_ITSELF

    def _cpu_seconds(self) -> float:
        """CPU time of the child so far; on Linux its clock has a number made of its id."""
        try:
            return time.clock_gettime((~self._child << 3) | 2)
        except OSError:
            return 0.0

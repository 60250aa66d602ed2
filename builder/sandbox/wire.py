"""What goes over the pipes between a supervisor and its fork servers.

Frames: a head with length and kind, then a body. Jobs go down as ``marshal`` bytes, which only
the trusted side ever writes; what comes up is packed with ``struct`` and never unpickled.
"""

import os
import select
import struct
import time
from typing import Final

FRAME: Final = struct.Struct("<IB")
"""Head of a frame: bytes of the body, kind."""

JOB: Final = 0
READY: Final = 1
ALIVE: Final = 2
"""Still busy with the job: sent every second."""
ENDED: Final = 3
NO_PROCESS: Final = 4
"""The system refused another process."""
SERVER: Final = 6
"""Process id of the server, as text."""
LAYER_FAILED: Final = 5
"""A layer of isolation could not be entered; the body says which and why."""

ENDING: Final = struct.Struct("<iBdBB")
"""Body of ENDED: wait status, who ended the child, CPU seconds, how far it came by its board, 1
if it last tried something forbidden. The committed records follow."""

BY_ITSELF: Final = 0
BY_CPU_WATCH: Final = 1
BY_IDLE_WATCH: Final = 2

EXIT_DONE: Final = 0
EXIT_BOARD_FULL: Final = 101
EXIT_HARNESS: Final = 102


class SilenceError(Exception):
    """The other side is gone, or said nothing for too long."""


def send(descriptor: int, kind: int, *parts: bytes | memoryview) -> None:
    """Write one frame with a body of some parts.

    Raises:
        SilenceError: the other side is gone.
    """
    left = [
        memoryview(FRAME.pack(sum(map(len, parts)), kind)),
        *(memoryview(part) for part in parts),
    ]
    try:
        while left:
            written = os.writev(descriptor, left)
            while left and written >= len(left[0]):
                written -= len(left.pop(0))
            if left:
                left[0] = left[0][written:]
    except BrokenPipeError:
        raise SilenceError from None


def receive(descriptor: int, patience: float | None = None) -> tuple[int, bytes]:
    """Read one frame: kind and body.

    Args:
        descriptor: where to read.
        patience: seconds that the whole frame may take; None: any time.

    Raises:
        SilenceError: the stream ended or the time ran out.
    """
    deadline = None if patience is None else time.monotonic() + patience
    size, kind = FRAME.unpack(_receive_exactly(descriptor, FRAME.size, deadline))
    return kind, _receive_exactly(descriptor, size, deadline)


def _receive_exactly(descriptor: int, size: int, deadline: float | None) -> bytes:
    parts: list[bytes] = []
    while size:
        if deadline is not None:
            waiting = select.poll()  # unlike select.select it takes any descriptor number
            waiting.register(descriptor, select.POLLIN)
            if not waiting.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise SilenceError
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise SilenceError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)

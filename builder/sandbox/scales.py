"""Takes turns from the budget of a call for the size of what its builtins work on.

It imports nothing of ours, so that its text can also be sent into the sandbox.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from itertools import islice, repeat
from math import isqrt
from typing import Any

EACH, SCANNED, COPIED, LOOKED_UP = 3, 6, 8, 4
"""An element costs a turn divided by two to this power: where an object is made or compared for
each; where a text or a collection is read through; where it is copied as a block; and where a
value is looked for, which costs nothing if it is hashed."""
_HASHED = frozenset((set, frozenset, dict, Counter, defaultdict, OrderedDict, range))
_SIZED = _HASHED.union((str, bytes, bytearray, list, tuple, deque))
"""Types whose length can be asked for without running anything foreign."""
_SHORT = 1 << 256
_type, _len, _int, _isqrt, _islice, _next = type, len, int, isqrt, islice, next


class Scales:
    """Weighs values against the turns that are left."""

    __slots__ = ("turns",)

    def __init__(self) -> None:
        self.turns: Iterator[None] = repeat(None)
        """What gives way to each turn, and ends with the budget."""

    def weigh(self, value: Any, shift: int) -> Any:
        """Take a turn for every two to the power of ``shift`` elements; return the value.

        For an int it is the square root of the third power of its length in 32 bits: what it takes
        to multiply two such ints (Karatsuba and Ofman 1962).

        Raises:
            StopIteration: no turn is left.
        """
        kind = _type(value)
        if kind in _SIZED:
            if shift == LOOKED_UP and kind in _HASHED:
                return value
            cost = _len(value) >> shift
        elif kind is _int and not -_SHORT < value < _SHORT:
            digits = value.bit_length() >> 5
            cost = digits * _isqrt(digits) >> shift
        else:
            return value
        if cost:
            for _ in _islice(self.turns, cost - 1):
                pass
            _next(self.turns)
        return value

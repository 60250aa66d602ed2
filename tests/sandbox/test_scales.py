"""Scales take turns for the size of a value, and nothing else is done to it."""

from collections import deque
from itertools import repeat
from typing import Any

import pytest

from builder.sandbox.scales import COPIED, EACH, LOOKED_UP, SCANNED, Scales


def cost(value: Any, shift: int) -> int:
    """Turns that a value takes."""
    scales, turns = Scales(), repeat(None, 10**6)
    scales.turns = turns
    assert scales.weigh(value, shift) is value
    return 10**6 - turns.__length_hint__()


@pytest.mark.parametrize(
    "value",
    [range(4096), [0] * 4096, (0,) * 4096, "a" * 4096, b"a" * 4096, deque(range(4096))],
    ids=lambda value: type(value).__name__,
)
def test_a_collection_costs_turns_for_its_elements(value: Any) -> None:
    assert [cost(value, shift) for shift in (EACH, SCANNED, COPIED)] == [512, 64, 16]


def test_an_int_costs_what_it_takes_to_multiply_it() -> None:
    assert cost(1 << 32 * 4096, EACH) == cost(-(1 << 32 * 4096), EACH) == 512 * 64


@pytest.mark.parametrize("value", [0, -7, 2.5, None, True, [], "abc", {1: 2}, object()])
def test_what_is_small_costs_nothing(value: Any) -> None:
    assert cost(value, EACH) == 0


def test_looking_up_what_is_hashed_costs_nothing() -> None:
    hashed = [set(range(999)), dict.fromkeys(range(999)), range(999)]
    assert [cost(value, LOOKED_UP) for value in hashed] == [0, 0, 0]
    assert cost(list(range(999)), LOOKED_UP) > 0


def test_foreign_code_is_not_asked_for_a_length() -> None:
    class Boasting(list[int]):
        def __len__(self) -> int:
            raise AssertionError

    assert cost(Boasting(), EACH) == 0


@pytest.mark.parametrize("left", [0, 1, 511, 512])
def test_the_end_of_the_budget_is_an_exception(left: int) -> None:
    scales = Scales()
    scales.turns = repeat(None, left)
    if left == 512:
        assert scales.weigh(range(4096), EACH) == range(4096)
    else:
        with pytest.raises(StopIteration):
            scales.weigh(range(4096), EACH)

"""Bounds are set where everything outside was seen to fail, and nowhere else."""

from collections.abc import Callable, Iterable
from typing import Any

from builder.literals import loads
from builder.sandbox.protocol import Verdict
from builder.synthesis.domain import Domain, Int, Kind, List, NoneKind, Str, Union
from builder.synthesis.narrow import Trial, narrow
from builder.synthesis.strategies import pool


def trials(
    inputs: Iterable[tuple[Any, ...]],
    returns: Callable[..., bool],
    verdict: Verdict = Verdict.ERROR,
    exception: str = "ValueError",
) -> list[Trial]:
    return [
        Trial(arguments, Verdict.OK)
        if returns(*arguments)
        else Trial(arguments, verdict, exception)
        for arguments in inputs
    ]


def narrowed(kind: Kind, returns: Callable[..., bool], **failure: Any) -> Kind:
    inputs = [(loads(text),) for text in pool(kind)]
    return narrow(Domain((kind,), 1), trials(inputs, returns, **failure)).parameters[0]


def test_ints_that_always_fail_below_a_bound_are_outside() -> None:
    assert narrowed(Int(), lambda x: x >= 0) == Int(low=0)
    assert narrowed(Int(), lambda x: x >= 1) == Int(low=1)
    assert narrowed(Int(), lambda x: x >= 2) == Int(low=2)


def test_a_single_success_outside_keeps_a_bound_away() -> None:
    assert narrowed(Int(), lambda x: x >= 0 or x == -5) == Int()


def test_failures_that_have_nothing_to_do_with_a_bound_set_none() -> None:
    assert narrowed(Int(), lambda x: x % 2 == 0) == Int()


def test_an_upper_bound_needs_calls_that_took_too_much() -> None:
    inputs = [(number,) for number in range(0, 200, 7)]

    def bounds(**failure: Any) -> tuple[Kind, ...]:
        seen = trials(inputs, lambda x: x <= 30, **failure)
        return narrow(Domain((Int(),), 1), seen).parameters

    assert bounds() == (Int(),)
    assert bounds(verdict=Verdict.TIMEOUT) == (Int(high=30),)
    assert bounds(exception="RecursionError") == (Int(high=30),)


def test_a_bound_lies_where_calls_were_made_on_both_sides() -> None:
    seen = trials([(x,) for x in (-9, -7, -6, -4, -3, -2, 5, 6, 7, 8)], lambda x: x >= 5)
    assert narrow(Domain((Int(),), 1), seen).parameters == (Int(low=0),)


def test_the_one_empty_value_of_a_single_argument_is_evidence_enough() -> None:
    assert narrowed(Str(), lambda text: text != "") == Str(min_size=1)
    pairs = [(x, y) for x in ("", "a", "b", "c") for y in ("u", "v")][1:]
    seen = trials(pairs, lambda x, y: x != "")
    assert narrow(Domain((Str(), Str()), 2), seen).parameters == (Str(), Str())


def test_empty_collections_that_fail_are_outside() -> None:
    kind = List(element=Int())
    inputs = [(items,) for items in ([], [1], [1, 2], [3], [4, 5, 6], [7], [8, 9])]
    seen = trials(inputs * 8, lambda items: len(items) >= 1)
    assert narrow(Domain((kind,), 1), seen) == Domain((List(element=Int(), min_size=1),), 1)


def test_a_most_size_needs_calls_that_took_too_much() -> None:
    kind = List(element=Int())
    slow = narrowed(kind, lambda items: len(items) <= 3, verdict=Verdict.TIMEOUT)
    assert slow == List(element=Int(), max_size=3)
    assert narrowed(kind, lambda items: len(items) <= 3) == kind


def test_bounds_are_found_inside_other_kinds() -> None:
    kind = List(element=Int())
    found = narrowed(kind, lambda items: all(item >= 0 for item in items))
    assert found == List(element=Int(low=0))


def test_an_alphabet_needs_faults_of_form() -> None:
    digits = narrowed(Str(), str.isdigit)
    assert isinstance(digits, Str)
    assert digits.min_size == 1
    assert digits.alphabet == "0123456789"
    other = narrowed(Str(), str.isdigit, exception="TypeError")
    assert isinstance(other, Str)
    assert other.alphabet is None


def test_an_option_that_always_fails_is_dropped() -> None:
    assert narrowed(Union((Int(), Str())), lambda x: type(x) is int) == Int()


def test_the_argument_at_fault_is_narrowed_and_no_other() -> None:
    numbers = range(-6, 7)
    seen = trials([(x, y) for x in numbers for y in numbers], lambda x, y: y >= 1)
    assert narrow(Domain((Int(), Int()), 2), seen).parameters == (Int(), Int(low=1))


def test_variadic_arguments_are_narrowed_together() -> None:
    seen = trials([(x, y) for x in range(-6, 7) for y in range(9)], lambda x, y: x >= 0)
    assert narrow(Domain((), 0, variadic=Int()), seen).variadic == Int(low=0)


def test_what_never_fails_stays_as_it_is() -> None:
    domain = Domain((Union((Int(), NoneKind())),), 1)
    assert narrow(domain, trials([(x,) for x in range(50)], lambda x: True)) == domain

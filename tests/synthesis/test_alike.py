"""Changing alike: what arguments have in common stays."""

import random

from builder.synthesis.alike import change_alike


def changes(arguments: tuple[object, ...], times: int = 60) -> list[tuple[object, ...]]:
    source = random.Random(0)
    return [change_alike(arguments, source) for _ in range(times)]


def test_equal_arguments_stay_equal_and_change() -> None:
    found = changes((6, 6, 6))
    assert all(len(set(arguments)) == 1 for arguments in found)
    assert all(arguments != (6, 6, 6) for arguments in found)


def test_a_value_that_occurs_inside_another_argument_still_does() -> None:
    for value, items in changes((12, [12, 12])):
        assert items == [value, value]


def test_keys_and_values_of_dicts_change_with_the_rest() -> None:
    for mapping, key in changes(({"a": "a"}, "a")):
        assert mapping == {key: key}


def test_values_of_other_types_are_left_alone() -> None:
    for arguments in changes((1, True, 1.0)):
        assert [type(value) for value in arguments] == [int, bool, float]
        assert arguments[1] is True


def test_arguments_without_such_a_value_stay_as_they_are() -> None:
    assert changes((None, [], {True: None}), times=1) == [(None, [], {True: None})]


def test_the_same_source_gives_the_same_changes() -> None:
    assert changes(("ab", ["ab", "c"])) == changes(("ab", ["ab", "c"]))

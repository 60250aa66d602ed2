"""A literal is read once."""

from builder.shared_values import shared_value


def test_the_same_literal_gives_the_same_object() -> None:
    assert shared_value("([1, 2], {'a': {3}})") == ([1, 2], {"a": {3}})
    assert shared_value("([1, 2], {'a': {3}})") is shared_value("([1, 2], {'a': {3}})")


def test_equal_values_of_different_literals_keep_their_types() -> None:
    assert [type(shared_value(text)) for text in ("1", "1.0", "True")] == [int, float, bool]

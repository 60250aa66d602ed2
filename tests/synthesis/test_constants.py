"""Constants of the code come with their neighbours."""

from builder.synthesis.constants import MOST_OF_A_TYPE, mine


def test_ints_come_with_the_ints_beside_them_and_the_negative() -> None:
    assert mine("x = 7\n").ints == (7, 8, 6, -7)


def test_numbers_are_offered_as_floats_and_ints() -> None:
    assert 7.0 in mine("x = 7\n").floats
    assert mine("x = 2.5\n").floats == (2.5, 3.0, 2.0)
    assert 2 in mine("x = 2.5\n").ints


def test_texts_come_with_their_words_and_then_their_characters() -> None:
    assert mine("x = 'big red'\n").texts[:3] == ("big red", "big", "red")
    assert {"b", "i", "g", " "} <= set(mine("x = 'big red'\n").texts)


def test_truth_values_and_none_are_no_numbers() -> None:
    constants = mine("x = [True, None, ...]\n")
    assert (constants.ints, constants.floats, constants.texts) == ((), (), ())


def test_a_long_table_does_not_flood_the_search() -> None:
    constants = mine(f"x = {list(range(1000))!r}\n")
    assert len(constants.ints) <= MOST_OF_A_TYPE


def test_what_is_too_long_or_too_large_is_left_out() -> None:
    constants = mine(f"x = 10 ** 9, 1000000007, {'a' * 100!r}\n")
    assert 1000000007 not in constants.ints
    assert constants.texts == ()

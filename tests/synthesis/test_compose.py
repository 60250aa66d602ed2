"""Arguments of one call suit each other often enough."""

import random

from builder.synthesis.compose import compose, draw, related, values
from builder.synthesis.domain import Int, List, Set, Str


def composed(*kinds: object) -> list[tuple[object, ...]]:
    source = random.Random(1)
    return [compose(kinds, source) for _ in range(200)]  # type: ignore[arg-type]


def test_numbers_are_often_places_in_a_sequence() -> None:
    calls = composed(List(element=Int(), min_size=1), Int(low=0))
    assert sum(index < len(items) for items, index in calls) > 40  # type: ignore[arg-type, operator]


def test_texts_are_often_parts_of_other_texts() -> None:
    assert sum(part in text for text, part in composed(Str(), Str())) > 40  # type: ignore[operator]


def test_sequences_are_often_equally_long() -> None:
    calls = composed(List(element=Int()), List(element=Int()))
    assert sum(len(one) == len(other) for one, other in calls) > 40  # type: ignore[arg-type]


def test_values_are_of_their_kinds() -> None:
    kinds = (List(element=Int(), min_size=2), Int(low=3), Str(1), Set(element=Int()))
    assert all(
        kind.contains(value)
        for call in composed(*kinds)
        for kind, value in zip(kinds, call, strict=True)
    )


def test_drawing_leans_to_what_comes_first() -> None:
    source = random.Random(1)
    first = set(values(Int())[:10])
    plain = sum(draw(Int(), source, lean=1) in first for _ in range(300))
    leaning = sum(draw(Int(), source, lean=3) in first for _ in range(300))
    assert leaning > 1.5 * plain


def test_without_a_fitting_part_the_old_value_stays() -> None:
    assert related(["abc", 5], 1, Int(low=100), random.Random(1)) == 5

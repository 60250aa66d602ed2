"""How alike two trees are: shared shingles by all."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from builder.release.duplicates.near import Shingles, shingles, similar_pairs
from builder.release.duplicates.normal_form import normal_tree

COUNT = """
def test_func(arg0):
    total = 0
    for item in arg0:
        if item in 'aeiou':
            total += 1
    return total
"""


def cut(code: str) -> Shingles:
    return shingles(normal_tree(code))


def jaccard(one: Shingles, other: Shingles) -> float:
    return len(one & other) / len(one | other)


def test_a_small_change_leaves_most_shingles() -> None:
    changed = COUNT.replace("'aeiou'", "'xyz'")
    assert 0.8 < jaccard(cut(COUNT), cut(changed)) < 1


def test_variables_are_all_alike() -> None:
    swapped = "def test_func(arg0, arg1):\n    return arg1 - arg0\n"
    assert cut(swapped) == cut("def test_func(arg0, arg1):\n    return arg0 - arg1\n")


def test_what_occurs_twice_counts_twice() -> None:
    assert len(shingles(ast.parse("[f(1), f(1)]"))) > len(shingles(ast.parse("[f(1)]")))


def test_other_names_and_constants_make_other_shingles() -> None:
    tree = ast.parse("len(x)")
    assert shingles(tree) != shingles(ast.parse("max(x)"))
    assert shingles(ast.parse("f(1)")) != shingles(ast.parse("f(True)"))


SETS = st.lists(
    st.sets(st.sampled_from("abcdefgh"), min_size=1).map(
        lambda letters: frozenset((letter, 0) for letter in letters)
    ),
    max_size=12,
)


@given(SETS, st.sampled_from([0.5, 0.8, 1.0]))
def test_exactly_the_similar_pairs_are_found(sets: list[Shingles], least: float) -> None:
    found = {(low, high): share for low, high, share in similar_pairs(sets, least)}
    wanted = {
        (low, high): share
        for low in range(len(sets))
        for high in range(low + 1, len(sets))
        if (share := jaccard(sets[low], sets[high])) >= least
    }
    assert found == wanted

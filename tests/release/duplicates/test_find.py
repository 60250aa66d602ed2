"""Which functions count as the same, and by what measure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from builder.release.duplicates.ask import Caller
from builder.release.duplicates.find import Measure, compare
from builder.release.duplicates.function import Function
from builder.synthesis.domain import AnyLiteral, Int, List, Str, Union
from tests.release.duplicates.conftest import Make

LISTS = [f"({values!r},)" for values in ([1, 2], [], [3, 1, 2], [5, 5], [9], [0, -1], [4, 4, 1])]
MORE_LISTS = [f"({[n, n % 3, 7]!r},)" for n in range(30)]
TEXTS = [f"({text!r},)" for text in ("ab", "", "bca", "xx", "q", "Zaz", "aab")]
NUMBERS = [f"({number},)" for number in (1, 0, 2, 3, 5, 7, 10, 4)]
INTS = List(element=Int())

LOOPED_SUM = "total = 0\nfor item in arg0:\n    total += item\nreturn total"


def found(
    functions: Sequence[Function], ask: Caller, elsewhere: int = 0
) -> Mapping[str, tuple[str, set[Measure]]]:
    """Return for each function that gives way, by name, its twin and the measures."""
    comparison = compare(functions, elsewhere, ask)
    return {
        functions[number].name: (functions[finding.twin].name, set(finding.evidence))
        for number, finding in comparison.findings.items()
    }


def test_the_later_of_two_equal_trees_gives_way(make: Make, ask: Caller) -> None:
    one = make("one", "total = sum(arg0)\nreturn total", [INTS], LISTS)
    two = make("two", "return sum(arg0)", [INTS], MORE_LISTS)
    assert found([one, two], ask) == {"two": ("one", {Measure.TREE})}


def test_equal_trees_are_the_same_whatever_types_they_take(make: Make, ask: Caller) -> None:
    one = make("one", "return arg0 + arg0", [INTS], LISTS)
    two = make("two", "return arg0 + arg0", [Str()], TEXTS)
    assert found([one, two], ask) == {"two": ("one", {Measure.TREE})}


def test_equal_answers_are_the_same_behaviour(make: Make, ask: Caller) -> None:
    one = make("one", "return [x * 2 for x in arg0]", [INTS], LISTS)
    two = make("two", "return list(map(lambda x: x + x, arg0))", [INTS], MORE_LISTS)
    assert found([one, two], ask) == {"two": ("one", {Measure.BEHAVIOUR})}


def test_one_other_answer_is_another_behaviour(make: Make, ask: Caller) -> None:
    one = make("one", "return [x * 2 for x in arg0]", [INTS], LISTS)
    two = make("two", "return [x * 2 if x != 19 else 0 for x in arg0]", [INTS], MORE_LISTS)
    assert found([one, two], ask) == {}


def test_bounds_of_a_domain_are_no_difference(make: Make, ask: Caller) -> None:
    factorial = "n = 1\nfor k in range(2, arg0 + 1):\n    n *= k\nreturn n"
    recursive = "return 1 if arg0 == 0 else arg0 * test_func(arg0 - 1)"
    one = make("one", factorial, [Int()], [*NUMBERS, "(-3,)", "(-1,)"])
    two = make("two", recursive, [Int(low=0)], NUMBERS[::-1])
    assert found([one, two], ask) == {"two": ("one", {Measure.BEHAVIOUR})}


def test_a_function_that_takes_more_types_is_another_one(make: Make, ask: Caller) -> None:
    flat = make("flat", LOOPED_SUM, [INTS], LISTS)
    deep = "return sum(test_func(x) if type(x) is list else x for x in arg0)"
    mixed = List(element=Union((Int(), INTS)))
    nested = make("nested", deep, [mixed], [*LISTS, "([[1], 2],)", "([[1, [2]], 3],)", "([[]],)"])
    assert found([flat, nested], ask) == {}


def test_nearly_equal_trees_have_to_agree_on_nearly_all(make: Make, ask: Caller) -> None:
    largest = "m = arg0[0]\nfor x in arg0:\n    if x > m:\n        m = x\nreturn (m, len(arg0))"
    inputs = [text for text in LISTS + MORE_LISTS if text != "([],)"]
    one = make("one", largest, [INTS], inputs)
    reworded = make("reworded", largest.replace("x > m", "x >= m"), [INTS], inputs)
    smallest = make("smallest", largest.replace("x > m", "x < m"), [INTS], inputs)
    assert found([one, reworded, smallest], ask) == {
        "reworded": ("one", {Measure.NEAR_TREE, Measure.BEHAVIOUR})
    }


def test_one_function_is_enough_of_each_that_does_what_a_builtin_does(
    make: Make, ask: Caller
) -> None:
    lists = make("of lists", "return len(arg0)", [INTS], LISTS + MORE_LISTS)
    letters = [f"({chr(97 + n) * n!r},)" for n in range(26)]
    counted = "n = 0\nfor _ in arg0:\n    n += 1\nreturn n"
    texts = make("of texts", counted, [Str()], TEXTS + letters)
    assert found([lists, texts], ask) == {"of texts": ("of lists", {Measure.TRIVIAL})}


def test_a_few_answers_do_not_make_a_function_trivial(make: Make, ask: Caller) -> None:
    pairs = [f"([{(a, b)!r}, {(b, a)!r}],)" for a, b in ((1, 2), (4, 5), (0, 9), (3, 7), (6, 8))]
    by_second = make("sorted by second", "return sorted(arg0, key=lambda p: p[1])", [INTS], pairs)
    backwards = make("backwards", "return arg0[::-1]", [INTS], LISTS + MORE_LISTS)
    assert found([by_second, backwards], ask) == {}


def test_a_function_gives_way_only_to_one_that_stays(make: Make, ask: Caller) -> None:
    one = make("one", "return [x * 2 for x in arg0]", [INTS], LISTS)
    two = make("two", "return [x + x for x in arg0]", [INTS], LISTS)
    three = make("three", "return list(map(lambda x: 2 * x, arg0))", [INTS], MORE_LISTS)
    assert {twin for twin, _ in found([one, two, three], ask).values()} == {"one"}


def test_functions_elsewhere_never_give_way_and_are_nobodys_rivals(make: Make, ask: Caller) -> None:
    own = make("own", "return [x + x for x in arg0]", [INTS], LISTS + MORE_LISTS)
    other = make("other", "return [x + 1 for x in arg0]", [INTS], LISTS)
    outside = replace(
        make("outside", "return [x * 2 for x in arg0]", [AnyLiteral()], []), domain_is_known=False
    )
    assert found([outside, own, other], ask, elsewhere=1) == {
        "own": ("outside", {Measure.BEHAVIOUR})
    }
    assert compare([outside, own, other], 1, ask).rivals == {2: (0, 0)}


def test_rivals_take_the_context_and_some_agree_on_it(make: Make, ask: Caller) -> None:
    double = make("double", "return arg0 * 2", [Int()], ["(0,)", "(2,)", *NUMBERS[2:]])
    square = make("square", "return arg0 * arg0", [Int()], ["(3,)", "(0,)", *NUMBERS[2:]])
    negate = make("negate", "return -arg0", [Int()], NUMBERS)
    text = make("text", "return arg0 * 3", [Str()], TEXTS)
    rivals = compare([double, square, negate, text], 0, ask).rivals
    assert rivals == {0: (2, 1), 1: (2, 0), 2: (2, 0), 3: (0, 0)}


def test_a_row_whose_tests_another_passes_gets_an_input_that_tells_them_apart(
    make: Make, ask: Caller
) -> None:
    plain = make("plain", "return len(arg0)", [INTS], LISTS)
    longest = "([0, 1, 2, 3, 4, 5],)"
    capped = make("capped", "return min(len(arg0), 5)", [INTS], [*LISTS[:6], longest])
    comparison = compare([plain, capped], 0, ask)
    assert comparison.findings == {}
    assert comparison.telling == {0: (longest,)}

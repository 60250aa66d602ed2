"""Inputs fall into categories, and a suite leaves none out."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.config import Settings
from builder.literals import loads
from builder.records import Method, Parameter, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.categories import Category, categories
from builder.synthesis.search import Exploration, explore

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=5).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, {"0", "even"}),
        (-7, {"negative", "odd"}),
        (25, {"large", "odd"}),
        (1.0, {"1", "whole"}),
        (-0.5, {"negative", "fractional"}),
        (float("nan"), {"fractional"}),
        (True, {"True"}),
        ("", {"0 long"}),
        ("b", {"1 long", "islower"}),
        ("Abba", {"with repetitions", "both cases"}),
        (" 7 a", {"with repetitions", "islower", "with digits", "blanks around"}),
        ([], {"0 long"}),
        ([2, 4], {"all different", "rising", "with even"}),
        ([3, 3], {"all alike", "rising", "with odd"}),
        ([5, 2, 9, 2, 1], {"long", "with repetitions", "up and down", "with odd", "with even",
                           "with 1"}),
        ([[]], {"1 long", "with 0 long"}),
        ([Decimal("sNaN"), Decimal("sNaN")], set()),
        ({"": 0}, {"1 long", "with 0 long", "with 0", "with even"}),
    ],
)  # fmt: skip
def test_categories_of_one_value(value: object, expected: set[str]) -> None:
    assert categories((value,)) == {((0,), name) for name in expected}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (2, 2, {"same"}),
        (2, 3.5, {"less"}),
        ("b", "abc", {"more", "lacks", "turned: holds"}),
        ([1, 2], 1, {"inside", "holds"}),
        (7, [1, 2], {"turned: beyond", "turned: lacks"}),
        ([1], [2, 3], {"not as long", "lacks", "turned: lacks"}),
        ({1}, 2.5, {"lacks"}),
        ({"a": 1}, [1], {"turned: lacks"}),
        ("a", 1.5, set()),
        (Decimal("sNaN"), [Decimal(1)], set()),
        ([Decimal("sNaN")], [Decimal(1)], set()),
    ],
)
def test_categories_of_a_pair(one: object, other: object, expected: set[str]) -> None:
    found = categories((one, other))
    assert {name for places, name in found if places == (0, 1)} == expected


@given(st.lists(VALUES, max_size=3).map(tuple))
def test_each_argument_has_the_categories_that_it_has_alone(values: tuple[object, ...]) -> None:
    found = categories(values)
    for place, value in enumerate(values):
        alone = {name for _, name in categories((value,))}
        assert {name for places, name in found if places == (place,)} == alone


CODE = """\
def test_func(arg0, arg1):
    ret = ''
    while arg0 > 0:
        ret = str(arg0 % arg1) + ret
        arg0 //= arg1
    return ret
"""


PARAMETERS = (Parameter("arg0", "number"), Parameter("arg1", "base"))


def built(code: str, seeds: tuple[str, ...], sandbox: Sandbox) -> tuple[Exploration, Suite]:
    method = Method(code, code.splitlines()[0], PARAMETERS, "", "f")
    found = explore(method, seeds, sandbox, 0)
    assert isinstance(found, Exploration)
    suite = build_suite(method, found, sandbox, Settings())
    assert isinstance(suite, Suite)
    return found, suite


def test_the_borders_of_what_a_method_takes_are_tested(sandbox: Sandbox) -> None:
    found, suite = built(CODE, ("(8, 3)", "(234, 2)"), sandbox)
    tests = [loads(test.input) for test in suite.tests]
    assert any(number == 0 for number, _ in tests)
    seen = frozenset[Category]().union(*map(categories, tests))
    context = [example.input for example in suite.context]
    for each in found.observations:
        if each.example.input not in context:
            assert categories(loads(each.example.input)) <= seen


def test_borders_are_tested_with_more_than_one_outcome(sandbox: Sandbox) -> None:
    code = "def test_func(arg0, arg1):\n    return arg0 * arg0 == 4 * arg1 * arg1\n"
    _, suite = built(code, ("(2, 1)", "(3, 1)", "(6, 3)"), sandbox)
    negative = {test.output for test in suite.tests if min(loads(test.input)) < 0}
    assert negative == {"True", "False"}

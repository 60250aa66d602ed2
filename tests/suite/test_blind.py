"""The method, seeing only part of an argument, must fail a suite."""

from collections.abc import Iterator

import pytest

from builder.config import Settings
from builder.literals import loads
from builder.records import Example, Method, Parameter, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.blind import Blind, blind_to_parts, passing_blind, unmask
from builder.suite.build import build_suite
from builder.suite.views import VIEWS
from builder.synthesis.domain import Domain, Int, Kind, List, Str
from builder.synthesis.search import Exploration, Observation


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def method(body: str) -> Method:
    return Method(
        code=f"def test_func(arg0, arg1):\n    return {body}\n",
        header="def test_func(arg0, arg1):",
        parameters=(Parameter("arg0", "a"), Parameter("arg1", "b")),
        original="",
        original_entry_point="f",
    )


def observed(*pairs: tuple[str, str]) -> list[Observation]:
    return [Observation(Example(*pair, "corpus"), ()) for pair in pairs]


def domain(*kinds: Kind) -> Domain:
    return Domain(kinds, len(kinds))


FROZEN = Blind(1, value="'z'")
COUNT = method("arg0.count(arg1)")
WORDS = domain(Str(), Str())
TOLD = observed(("('sum', 'm')", "1"), ("('too', 'o')", "2"))
UNTOLD = observed(("('tea', 'z')", "0"), ("('milk', 'q')", "0"), ("('rye', 'x')", "0"))


def examples(seen: list[Observation]) -> list[Example]:
    return [each.example for each in seen]


def test_a_method_that_ignores_an_argument_passes_tests_that_do_not_need_it(
    sandbox: Sandbox,
) -> None:
    passing = passing_blind(COUNT, examples(UNTOLD), sandbox)
    assert FROZEN in passing
    assert passing_blind(COUNT, examples([*UNTOLD, *TOLD]), sandbox) == ()


def test_a_known_input_unmasks_it(sandbox: Sandbox) -> None:
    found = unmask(COUNT, WORDS, [*UNTOLD, *TOLD], [FROZEN], sandbox)
    assert found.observations == ()
    assert FROZEN in found.unmasked["('sum', 'm')"]


def test_where_none_does_parts_of_other_arguments_are_tried(sandbox: Sandbox) -> None:
    found = unmask(COUNT, WORDS, UNTOLD, [FROZEN], sandbox)
    assert found.observations
    for seen in found.observations:
        assert FROZEN in found.unmasked[seen.example.input]
        text, part = loads(seen.example.input)
        assert seen.example.output == str(text.count(part)) != "0"


def test_an_argument_that_is_never_looked_at_is_left_alone(sandbox: Sandbox) -> None:
    seen = observed(("('a', 'b')", "1"), ("('ab', 'b')", "2"))
    found = unmask(method("len(arg0)"), WORDS, seen, [Blind(1, value="'b'")], sandbox)
    assert (found.observations, found.unmasked) == ((), {})


def test_replaced_arguments_stay_in_the_domain(sandbox: Sandbox) -> None:
    short = domain(List(element=Int(low=0, high=9)), Int(low=0, high=3))
    seen = observed(("([9, 9], 0)", "9"), ("([9, 8], 0)", "9"))
    found = unmask(method("arg0[arg1]"), short, seen, [Blind(1, value="0")], sandbox)
    assert found.observations
    for new in found.observations:
        assert short.contains(loads(new.example.input))


def test_a_method_of_one_argument_is_not_frozen(sandbox: Sandbox) -> None:
    one = Method("def test_func(arg0):\n    return arg0\n", "", (Parameter("arg0", "a"),), "", "f")
    assert passing_blind(one, examples(observed(("(1,)", "1"))), sandbox) == ()


def test_a_suite_holds_a_test_that_unmasks(sandbox: Sandbox) -> None:
    more = observed(("('one', 'b')", "0"), ("('two', 'b')", "0"), ("('six', 'b')", "0"),
                    ("('aa', 'a')", "2"), ("('oo', 'o')", "2"))  # fmt: skip
    exploration = Exploration(WORDS, (*UNTOLD, *more), tried=8, failed=0)
    suite = build_suite(COUNT, exploration, sandbox, Settings(min_mutation_score=0))
    assert isinstance(suite, Suite)
    passing = passing_blind(COUNT, suite.tests, sandbox)
    assert not any(impostor.place == 1 for impostor in passing)


@pytest.mark.parametrize(
    ("overlooked", "kind", "body", "known"),
    [
        ("the order", List(element=Int()), "arg0[:1]", "([1, 2],)"),
        ("the order, from the largest", List(element=Str()), "max(arg0, key=len)",
         "(['cd', 'ab'],)"),
        ("the direction", List(element=Int()), "arg0[1]", "([1, 2, 1],)"),
        ("repetitions", List(element=Int()), "len(arg0)", "([1, 2],)"),
        ("all but the first elements", List(element=Int()), "sum(arg0)", "([1, 2],)"),
        ("all but the last elements", Str(), "len(arg0)", "('ab',)"),
        ("upper and lower case", Str(), "arg0.count('a')", "('abba',)"),
        ("upper and lower case", Str(), "arg0 == arg0[::-1]", "('aba',)"),
        ("blanks around", Str(), "len(arg0)", "('ab',)"),
        ("signs between letters", Str(), "arg0.isalnum()", "('ab',)"),
        ("the sign", Int(), "arg0 + 1", "(3,)"),
        ("the sign", List(element=Int()), "sum(arg0)", "([1, 2],)"),
        ("how large it is", Int(), "arg0 + 1", "(3,)"),
    ],
)  # fmt: skip
def test_what_may_be_overlooked_is_shown(
    overlooked: str, kind: Kind, body: str, known: str, sandbox: Sandbox
) -> None:
    one = Method(
        f"def test_func(arg0):\n    return {body}\n", "", (Parameter("arg0", "a"),), "", ""
    )
    blind = Blind(0, overlooked)
    found = unmask(one, domain(kind), observed((known, "0")), [blind], sandbox)
    assert found.observations
    for new in found.observations:
        assert blind in found.unmasked[new.example.input]
        assert kind.contains(*loads(new.example.input))


def test_what_makes_no_difference_is_not_looked_for(sandbox: Sandbox) -> None:
    total = Method(
        "def test_func(arg0):\n    return sum(arg0)\n", "", (Parameter("arg0", "a"),), "", ""
    )
    seen = observed(("([3, 1, 2],)", "6"))
    found = unmask(total, domain(List(element=Int())), seen, [Blind(0, "the order")], sandbox)
    assert (found.observations, found.unmasked) == ((), {})


def test_every_argument_is_looked_at_in_every_way() -> None:
    assert len(blind_to_parts(WORDS)) == 2 * len(VIEWS)

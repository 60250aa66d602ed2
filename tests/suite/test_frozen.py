"""The method with one argument frozen must fail a suite."""

from collections.abc import Iterator

import pytest

from builder.config import Settings
from builder.literals import loads
from builder.records import Example, Method, Parameter, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.frozen import Frozen, passing_frozen, thaw
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


COUNT = method("arg0.count(arg1)")
WORDS = domain(Str(), Str())
TOLD = observed(("('sum', 'm')", "1"), ("('too', 'o')", "2"))
UNTOLD = observed(("('tea', 'z')", "0"), ("('milk', 'q')", "0"), ("('rye', 'x')", "0"))


def examples(seen: list[Observation]) -> list[Example]:
    return [each.example for each in seen]


def test_a_method_that_ignores_an_argument_passes_tests_that_do_not_need_it(
    sandbox: Sandbox,
) -> None:
    passing = passing_frozen(COUNT, examples(UNTOLD), sandbox)
    assert Frozen(1, "'z'") in passing
    assert passing_frozen(COUNT, examples([*UNTOLD, *TOLD]), sandbox) == ()


def test_a_known_input_unmasks_it(sandbox: Sandbox) -> None:
    found = thaw(COUNT, WORDS, [*UNTOLD, *TOLD], [Frozen(1, "'z'")], sandbox)
    assert found.observations == ()
    assert Frozen(1, "'z'") in found.unmasked["('sum', 'm')"]


def test_where_none_does_parts_of_other_arguments_are_tried(sandbox: Sandbox) -> None:
    found = thaw(COUNT, WORDS, UNTOLD, [Frozen(1, "'z'")], sandbox)
    assert found.observations
    for seen in found.observations:
        assert Frozen(1, "'z'") in found.unmasked[seen.example.input]
        text, part = loads(seen.example.input)
        assert seen.example.output == str(text.count(part)) != "0"


def test_an_argument_that_is_never_looked_at_is_left_alone(sandbox: Sandbox) -> None:
    seen = observed(("('a', 'b')", "1"), ("('ab', 'b')", "2"))
    found = thaw(method("len(arg0)"), WORDS, seen, [Frozen(1, "'b'")], sandbox)
    assert (found.observations, found.unmasked) == ((), {})


def test_replaced_arguments_stay_in_the_domain(sandbox: Sandbox) -> None:
    short = domain(List(element=Int(low=0, high=9)), Int(low=0, high=3))
    seen = observed(("([9, 9], 0)", "9"), ("([9, 8], 0)", "9"))
    found = thaw(method("arg0[arg1]"), short, seen, [Frozen(1, "0")], sandbox)
    assert found.observations
    for new in found.observations:
        assert short.contains(loads(new.example.input))


def test_a_method_of_one_argument_is_not_frozen(sandbox: Sandbox) -> None:
    one = Method("def test_func(arg0):\n    return arg0\n", "", (Parameter("arg0", "a"),), "", "f")
    assert passing_frozen(one, examples(observed(("(1,)", "1"))), sandbox) == ()


def test_a_suite_holds_a_test_that_unmasks(sandbox: Sandbox) -> None:
    more = observed(("('one', 'b')", "0"), ("('two', 'b')", "0"), ("('six', 'b')", "0"),
                    ("('aa', 'a')", "2"), ("('oo', 'o')", "2"))  # fmt: skip
    exploration = Exploration(WORDS, (*UNTOLD, *more), tried=8, failed=0)
    suite = build_suite(COUNT, exploration, sandbox, Settings(min_mutation_score=0))
    assert isinstance(suite, Suite)
    passing = passing_frozen(COUNT, suite.tests, sandbox)
    assert not any(impostor.place == 1 for impostor in passing)

"""Types that only a way that was never taken asks for."""

import pytest

from builder.literals import loads
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.domain import Domain, Float, Int, List, Str
from builder.synthesis.search import Exploration, explore
from builder.synthesis.widen import widenings
from tests.synthesis.methods import method_of

COMPARES = "def test_func(arg0):\n    return arg0 is None\n"


def kinds(code: str, domain: Domain) -> list[str]:
    return [
        str(kind)
        for wider in widenings(code, domain, [])
        for kind, old in zip(wider.domain.parameters, domain.parameters, strict=True)
        if kind != old
    ]


def test_a_number_may_be_of_the_other_type_and_a_text_a_number() -> None:
    domain = Domain((Int(), Float(), Str(), List(element=Int())), 4)
    found = kinds("def test_func(a, b, c, d):\n    return 1\n", domain)
    assert found == ["int or float", "float or int", "str or float", "str or int"]


def test_an_argument_may_be_none_where_the_code_compares_with_none() -> None:
    assert kinds(COMPARES, Domain((List(element=Int()),), 1)) == ["list of int or None"]
    code = "def test_func(arg0):\n    return arg0 or None\n"
    assert kinds(code, Domain((List(element=Int()),), 1)) == []


def test_every_input_is_new_in_the_wider_domain() -> None:
    domain = Domain((Int(), Str()), 2)
    for wider in widenings(COMPARES, domain, [(1, "a"), (2, "b")]):
        assert wider.inputs
        for text in wider.inputs:
            assert wider.domain.contains(loads(text))
            assert not domain.contains(loads(text))


@pytest.mark.parametrize(
    ("body", "seed", "kind"),
    [
        ("return 'no' if arg0 is None else arg0[:1]", "('a',)", "str or None"),
        (
            "return str(arg0) + '.00' if str(arg0).find('.') < 0 else str(arg0)",
            "(2.5,)",
            "float or int",
        ),
        ("return 'part' if arg0 % 1 else 'whole' + str(arg0 > 3)", "(2,)", "int or float"),
        ("return 'part' if arg0 > 3 else 'small'", "(2,)", "int"),
        ("return 'part' if 0 < arg0 < 1 else [0] * arg0", "(2,)", "int"),
    ],
)
def test_a_type_is_taken_in_where_it_takes_a_missing_way_and_is_answered(
    sandbox: Sandbox, body: str, seed: str, kind: str
) -> None:
    found = explore(method_of(f"def test_func(arg0):\n    {body}\n"), (seed,), sandbox, 0)
    assert isinstance(found, Exploration)
    assert [str(each) for each in found.domain.parameters] == [kind]

"""Neutral names everywhere, and no change of meaning."""

import ast

import pytest
from hypothesis import assume, given, settings

from builder.intake.anonymise import anonymise
from builder.intake.extract import extract
from builder.intake.prove import prove_equal
from builder.intake.unfit import UnfitError
from builder.reasons import Reason
from builder.records import Method, Parameter
from builder.sandbox.supervisor import Sandbox
from tests.intake.golden_cases import CASES, GoldenCase, candidate
from tests.intake.programs import LAW, PROGRAMS


def anonymised(code: str, entry_point: str | None = None) -> Method:
    return anonymise(extract(candidate(code, entry_point=entry_point)))


def rejected(code: str) -> tuple[Reason, str]:
    with pytest.raises(UnfitError) as caught:
        anonymised(code)
    return caught.value.reason, caught.value.detail


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_text_is_the_golden_one(case: GoldenCase) -> None:
    assert anonymise(extract(case.candidate())).code == case.anonymised


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_anonymous_stays_as_it_is(case: GoldenCase) -> None:
    assert anonymised(case.anonymised, entry_point="test_func").code == case.anonymised


@settings(LAW, max_examples=60)
@given(PROGRAMS)
def test_any_program_keeps_its_meaning(sandbox: Sandbox, code: str) -> None:
    try:
        method = anonymised(code, entry_point="target")
    except UnfitError:
        assume(False)

    assert prove_equal(method, ["(1,)", "(1, 2)", "(7, [3])"], sandbox) is None


def test_the_parameters_are_recorded_with_what_the_text_no_longer_says() -> None:
    method = anonymised(
        "def pick(items: list[int], *, at: 'int' = 0, unless=None):\n"
        "    return unless or items[at]\n"
    )

    assert method.header == "def test_func(arg0, arg1=0, arg2=None):"
    assert method.parameters == (
        Parameter("arg0", "items", annotation="list[int]"),
        Parameter("arg1", "at", annotation="'int'", default="0"),
        Parameter("arg2", "unless", default="None"),
    )
    assert method.keyword_only == ("at", "unless")
    assert method.arity == 3


def test_star_arguments_are_one_parameter_and_further_keywords_none() -> None:
    method = anonymised("def pick(first, *rest: int, **options):\n    return rest or first\n")

    assert method.header == "def test_func(arg0, *arg1, **kwargs):"
    assert method.parameters == (
        Parameter("arg0", "first"),
        Parameter("arg1", "rest", annotation="int", variadic=True),
    )


def test_the_original_is_what_the_corpus_wrote_without_its_driver_code() -> None:
    code = "def twice(n):  # two times\n    return 2 * n\n\n\nprint(twice(2))\n"

    method = anonymised(code)

    assert method.original == "def twice(n):  # two times\n    return 2 * n\n"
    assert method.original_entry_point == "twice"


def test_the_original_loads_although_nobody_defined_its_annotations() -> None:
    method = anonymised(
        "def depth(root: TreeNode) -> Depth:\n    return 0 if root is None else 1\n"
    )

    assert method.original.startswith("from __future__ import annotations\n")


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("def f(x):\n    return f.__name__ + x\n", "f.__name__"),
        (
            "class Pea:\n    pass\ndef f(x):\n    return type(Pea()).__name__ + x\n",
            "type(Pea()).__name__",
        ),
        (
            "def double(amount):\n    return 2 * amount\n"
            "def f(x):\n    return [double][0](amount=x)\n",
            "the keyword amount of a call whose function is not known",
        ),
        (
            "def f(x, size=1):\n    return f(**{'size': 2, 'x': x}) if size == 1 else x\n",
            "a function of the module is called with **",
        ),
        (
            "def f(x):\n    total: int\n    return total\n",
            "total is declared and never given a value",
        ),
        (
            "__f = 1\nclass Pea:\n    def get(self):\n        return __f\n"
            "def g(x):\n    return Pea().get()\n",
            "__f may be private to a class",
        ),
        (
            "size = 3\nclass Pea:\n    size = size + 1\ndef g(x):\n    return Pea.size + x\n",
            "size has two meanings in the body of a class",
        ),
        (
            "import math\nif math.pi > 3:\n    def minus(a, b): return a - b\n"
            "else:\n    def minus(b, a): return a - b\n"
            "def f(x):\n    return minus(a=x, b=1)\n",
            "a stands at two places",
        ),
        (
            "def rest(x, **more):\n    return more\ndef f(y):\n    return rest(1, arg0=y)\n",
            "the keyword arg0 would name another parameter",
        ),
        (
            "class Pea:\n    arg0 = 1\ndef f(x):\n    return Pea.arg0 + x\n",
            "the attribute arg0 has a name that is given to others",
        ),
    ],
)
def test_a_name_that_cannot_be_replaced_is_named(code: str, detail: str) -> None:
    reason, said = rejected(code)

    assert reason is Reason.NOT_RENAMEABLE
    assert said.startswith(detail)


def test_an_alias_keeps_off_a_name_that_is_in_use() -> None:
    method = anonymised("import math as m\ndef f(x):\n    math = x\n    return m.floor(math)\n")

    assert "import math as module0\n" in method.code
    assert "module0.floor(math)" in method.code


def test_no_two_names_of_one_scope_become_one() -> None:
    for case in CASES:
        tree = ast.parse(case.anonymised)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.Lambda):
                names = [item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)]
                assert len(names) == len(set(names)), case.name

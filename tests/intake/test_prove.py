"""Proof by running: equal where equal, and every difference is seen."""

from dataclasses import replace

import pytest

from builder.intake.anonymise import anonymise
from builder.intake.extract import extract
from builder.intake.prove import check_repeatable, original_call, prove_equal
from builder.reasons import Reason
from builder.records import Method
from builder.sandbox.protocol import Call
from builder.sandbox.supervisor import Sandbox
from tests.intake.golden_cases import candidate


def method(original: str, changed: str | None = None) -> Method:
    """The method of a module, with another text for the anonymised one if given."""
    made = anonymise(extract(candidate(original)))
    return made if changed is None else replace(made, code=changed)


FIRST = "def first(items): return items[0]\n"


def test_a_faithful_copy_is_proven(sandbox: Sandbox) -> None:
    assert prove_equal(method(FIRST), ["([3, 4],)", "('ab',)", "([],)"], sandbox) is None


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ("def test_func(arg0): return arg0[-1]\n", "([1, 2],): 1 became 2"),
        ("def test_func(arg0): return arg0[0] * 1.0\n", "([1, 2],): 1 became 1.0"),
        ("def test_func(arg0): return True\n", "([1, 2],): 1 became True"),
        (
            "def test_func(arg0): return arg0.pop(0)\n",
            "([1, 2],): 1 became 1 with arguments ([2],)",
        ),
        (
            "def test_func(arg0): return next(iter(arg0))\n",
            "([],): IndexError became StopIteration",
        ),
        (
            "def test_func(arg0): return arg0[0] if arg0 else None\n",
            "([],): IndexError became None",
        ),
        ("def test_func(arg0): return first(arg0)\n", "([1, 2],): 1 became NameError"),
        ("test_func = 1 / 0\n", "loading: ok became ZeroDivisionError"),
    ],
)
def test_a_difference_is_named(changed: str, difference: str, sandbox: Sandbox) -> None:
    assert prove_equal(method(FIRST, changed), ["([1, 2],)", "([],)"], sandbox) == difference


def test_a_call_that_runs_into_a_limit_proves_nothing(sandbox: Sandbox) -> None:
    slow = "def f(x):\n    while x: pass\n    return 1\n"
    assert prove_equal(method(slow), ["(1,)", "(0,)"], sandbox) is None
    assert prove_equal(method(slow, "def test_func(arg0): return 1"), ["(1,)"], sandbox) is None


def test_keyword_only_parameters_reach_the_original_by_name() -> None:
    made = method("def f(a, *, b, c=3): return a\n")
    assert original_call(made, "([1], 2)") == Call("([1],)", "{'b': 2}")
    assert original_call(made, "(1, 2, 4)") == Call("(1,)", "{'b': 2, 'c': 4}")
    assert original_call(method("def f(a, b): return a\n"), "(1, 2)") == Call("(1, 2)", "{}")


def test_what_happens_to_keyword_only_arguments_does_not_confuse(sandbox: Sandbox) -> None:
    made = method("def f(a, *, b):\n    a.append(1)\n    b.append(2)\n    return a\n")
    assert prove_equal(made, ["([], [])"], sandbox) is None


def test_a_pure_function_is_repeatable(sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    arg0.append(1)\n    return arg0\n"
    assert check_repeatable(code, ["([],)", "(3,)"], sandbox) is None


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def test_func(arg0): return list(set(arg0))", Reason.NONDETERMINISTIC),
        ("def test_func(arg0): return id(test_func)", Reason.NONDETERMINISTIC),
        (
            "seen = []\ndef test_func(arg0):\n    seen.append(arg0)\n    return len(seen)",
            Reason.STATEFUL,
        ),
        (
            "def test_func(arg0, arg1=[]):\n    arg1.append(arg0)\n    return arg1",
            Reason.STATEFUL,
        ),
        ("def test_func(arg0): return open('/etc/passwd').read()", Reason.FORBIDDEN),
        ("import os\ndef test_func(arg0): os._exit(0)", Reason.CRASHES),
        ("def test_func(arg0): return (x for x in arg0)", Reason.UNSERIALISABLE),
        ("def test_func(arg0):\n    while True: pass", Reason.TOO_SLOW),
        ("def test_func(arg0): return 'x' * 10**7", Reason.TOO_LARGE),
        ("test_func = 1 / 0", Reason.DOES_NOT_LOAD),
    ],
)
def test_what_is_not_is_rejected_with_its_reason(
    code: str, reason: Reason, sandbox: Sandbox
) -> None:
    inputs = ["(['red', 'green', 'blue', 'pink', 'grey', 'black'],)"]
    finding = check_repeatable(code, inputs, sandbox)

    assert finding is not None
    assert finding[0] is reason


def test_one_bad_call_among_good_ones_is_no_reason_if_it_merely_fails(sandbox: Sandbox) -> None:
    code = "def test_func(arg0): return (x for x in arg0) if arg0 else len(arg0)"
    assert check_repeatable(code, ["([1],)", "([],)", "(1,)"], sandbox) is None

"""The corpus' own calls become argument tuples."""

import pytest

from builder.intake.anonymise import anonymise
from builder.intake.extract import extract
from builder.intake.mine import argument_tuple, mine
from builder.intake.unfit import UnfitError
from builder.reasons import Reason
from builder.records import Method
from builder.sandbox.protocol import Call
from builder.sandbox.supervisor import Sandbox
from tests.intake.golden_cases import candidate


def mined(code: str, *drivers: str, sandbox: Sandbox) -> tuple[str, ...]:
    extracted = extract(candidate(code, entry_point="f", drivers=drivers))
    return mine(anonymise(extracted), extracted, drivers, sandbox)


PAIR = "def f(x, y=2):\n    return x, y\n"


def test_every_call_of_a_driver_is_recorded_once(sandbox: Sandbox) -> None:
    driver = "assert f(1) == (1, 2)\nf([1], y='a')\nf(1)\nf(2, 3)"
    assert mined(PAIR, driver, sandbox=sandbox) == ("(1,)", "([1], 'a')", "(2, 3)")


def test_values_that_are_no_literals_are_evaluated(sandbox: Sandbox) -> None:
    driver = "n = 3\nf(range(n), dict(a=n))\nf(sorted({2, 1}), n * 'x')"
    assert mined(PAIR, driver, sandbox=sandbox) == ("(range(0, 3, 1), {'a': 3})", "([1, 2], 'xxx')")


def test_a_call_counts_before_it_is_made(sandbox: Sandbox) -> None:
    code = "def f(x):\n    x.append(1)\n    return x\n"
    assert mined(code, "f([])\nf([5])", sandbox=sandbox) == ("([],)", "([5],)")


def test_calls_of_the_target_by_itself_do_not_count(sandbox: Sandbox) -> None:
    code = "def f(x): return f(x - 1) if x else 0\n"
    assert mined(code, "f(3)", sandbox=sandbox) == ("(3,)",)


def test_a_driver_that_fails_leaves_the_others(sandbox: Sandbox) -> None:
    drivers = "not python", "assert f(1) == 0\nf(2)", "while True: pass", "f(3)"
    assert mined(PAIR, *drivers, sandbox=sandbox) == ("(1,)", "(3,)")


def test_objects_are_not_recorded(sandbox: Sandbox) -> None:
    assert mined(PAIR, "f(object())\nf(len)\nf(None)", sandbox=sandbox) == ("(None,)",)


def test_a_driver_finds_what_the_module_defines_beside_the_target(sandbox: Sandbox) -> None:
    code = (
        "import math\nbase = [1]\ndef made(n): return Maker().make(n)\n"
        "class Maker:\n    def make(self, n): return base * n\n" + PAIR
    )
    driver = "f(made(2), math.floor(1.5))"
    assert mined(code, driver, sandbox=sandbox) == ("([1, 1], 1)",)


def test_driver_code_of_the_module_is_run_too(sandbox: Sandbox) -> None:
    code = (
        PAIR + "def main():\n    f('main')\nitems = [4]\nfor item in items:\n    f(item)\nmain()\n"
    )
    assert mined(code, sandbox=sandbox) == ("(4,)", "('main',)")


def test_a_main_guard_is_open_for_drivers(sandbox: Sandbox) -> None:
    assert mined(PAIR + "if __name__ == '__main__':\n    f(1)\n", sandbox=sandbox) == ("(1,)",)


def test_a_module_that_does_not_load_is_rejected(sandbox: Sandbox) -> None:
    with pytest.raises(UnfitError) as caught:
        mined("size = 1 / 0\ndef f(x): return x + size\n", "f(1)", sandbox=sandbox)
    assert (caught.value.reason, caught.value.detail) == (Reason.DOES_NOT_LOAD, "ZeroDivisionError")


def method(header: str) -> Method:
    return anonymise(extract(candidate(f"def f({header}): return 1\n")))


@pytest.mark.parametrize(
    ("header", "arguments", "keywords", "expected"),
    [
        ("a, b", "(1, 2)", "{}", "(1, 2)"),
        ("a, b", "(1,)", "{'b': 2}", "(1, 2)"),
        ("a, b", "()", "{'b': 2, 'a': 1}", "(1, 2)"),
        ("a, b=3", "(1,)", "{}", "(1,)"),
        ("a, b=3, c=4", "(1,)", "{'c': 5}", "(1, 3, 5)"),
        ("a, *, b", "(1,)", "{'b': 2}", "(1, 2)"),
        ("a, *, b=3, c=4", "(1,)", "{'c': 5}", "(1, 3, 5)"),
        ("a, *rest", "(1, 2, 3)", "{}", "(1, 2, 3)"),
        ("a, *rest", "()", "{'a': 1}", "(1,)"),
        ("a, b", "(1,)", "{}", None),
        ("a, b", "(1, 2, 3)", "{}", None),
        ("a, *, b", "(1, 2)", "{}", None),
        ("a", "(1,)", "{'b': 2}", None),
        ("a, **rest", "(1,)", "{'b': 2}", None),
        ("a, b=len, c=4", "(1,)", "{'c': 5}", None),
    ],
)
def test_a_call_becomes_the_tuple_that_the_anonymised_function_takes(
    header: str, arguments: str, keywords: str, expected: str | None
) -> None:
    assert argument_tuple(method(header), Call(arguments, keywords)) == expected

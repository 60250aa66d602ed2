"""Finding the function that a row is about."""

import pytest

from builder.intake.target import find_target, parse
from builder.intake.unfit import UnfitError
from builder.reasons import Reason
from tests.intake.golden_cases import candidate


def target_of(code: str, entry_point: str | None = None, drivers: tuple[str, ...] = ()) -> str:
    row = candidate(code, entry_point=entry_point, drivers=drivers)
    return find_target(parse(code), row).name


def reason_of(code: str, entry_point: str | None = None) -> Reason:
    with pytest.raises(UnfitError) as caught:
        target_of(code, entry_point)
    return caught.value.reason


HELPER_LAST = "def f(x): return g(x)\ndef g(x): return x\n"


def test_the_entry_point_is_the_target_wherever_it_stands() -> None:
    assert target_of(HELPER_LAST, "g") == "g"


def test_without_one_it_is_the_function_that_no_other_uses() -> None:
    assert target_of(HELPER_LAST) == "f"


def test_a_function_that_calls_itself_is_still_used_by_no_other() -> None:
    assert target_of("def f(x): return f(x - 1) if x else g(x)\ndef g(x): return x\n") == "f"


def test_a_function_used_by_a_class_is_a_helper() -> None:
    code = "def g(x): return x\nclass C:\n    h = g(1)\ndef f(x): return C.h + x\n"
    assert target_of(code) == "f"


def test_of_several_it_is_the_one_that_the_module_calls() -> None:
    code = "def f(x): return x\ndef g(x): return x\n"
    assert target_of(code + "print(g(1))\n") == "g"


def test_of_several_it_is_the_one_that_the_drivers_call() -> None:
    code = "def f(x): return x\ndef g(x): return x\n"
    assert target_of(code, drivers=("not python at all", "assert f(1) == 1")) == "f"


def test_a_main_function_without_parameters_is_driver_code() -> None:
    code = (
        "def f(x): return x\ndef g(x): return x\ndef main():\n    print(g(int(input())))\nmain()\n"
    )
    assert target_of(code) == "g"


def test_a_lambda_with_a_name_is_a_function() -> None:
    assert target_of("double = lambda x: 2 * x\n") == "double"


def test_the_last_of_two_definitions_counts() -> None:
    tree = parse("def f(x): return 1\ndef f(x, y): return 2\n")
    assert find_target(tree, candidate("", entry_point="f")) is tree.body[1]


CHAIN = "def f(x):\n    if x: return 0\n" + "".join(
    f"    elif x == {number}: return {number}\n" for number in range(200)
)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def f(x):\nreturn x\n", Reason.NOT_PYTHON),
        ("def f(x):\n\tif x:\n        return x\n", Reason.NOT_PYTHON),
        ("return 3\n", Reason.NOT_PYTHON),
        ("def f(x): return x\0\n", Reason.NOT_PYTHON),
        ("x = " + "(" * 500 + ")" * 500, Reason.NOT_PYTHON),
        ("def f(x): return x" + " + 0" * 300 + "\n", Reason.TOO_DEEP),
        (CHAIN, Reason.TOO_DEEP),
        ("print('hello')\n", Reason.NO_FUNCTION),
        ("class C:\n    def f(self, x): return x\n", Reason.CLASS_TARGET),
        ("def f(x): return x\ndef g(x): return x\n", Reason.AMBIGUOUS_TARGET),
        ("def f(x): return g(x)\ndef g(x): return f(x)\n", Reason.AMBIGUOUS_TARGET),
    ],
)
def test_a_row_without_one_clear_target_is_rejected(code: str, reason: Reason) -> None:
    assert reason_of(code) is reason


def test_an_entry_point_that_is_a_class_or_a_method_is_rejected_as_such() -> None:
    code = "class C:\n    def f(self, x): return x\ndef g(x): return x\n"
    assert reason_of(code, "C") is Reason.CLASS_TARGET
    assert reason_of(code, "f") is Reason.CLASS_TARGET
    assert reason_of(code, "h") is Reason.NO_FUNCTION


def test_syntax_that_only_younger_pythons_read_is_not_taken() -> None:
    assert reason_of("def f[T](x: T) -> T: return x\n") is Reason.NOT_PYTHON

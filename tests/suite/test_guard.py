"""What a model may put into a validator: tests of arguments, and nothing that reaches out."""

import pytest

from builder.suite.guard import objection
from builder.suite.validator import VALIDATOR, write_validator
from builder.synthesis.domain import (
    Complex,
    Dict,
    Domain,
    Float,
    Int,
    Kind,
    List,
    NoneKind,
    Rare,
    Record,
    Set,
    Str,
    Tuple,
    Union,
)

HEADER = f"def {VALIDATOR}(arg0, arg1=1):\n    "


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "if type(arg0) is not int: raise TypeError('arg0 must be an int')",
        "for item in arg0:\n        if item <= 0: raise ValueError(f'arg0 holds {item!r}')",
        "if not all(len(part) == 2 for part in arg0.split(',')): raise ValueError('arg0')",
        "count = sum(1 for sign in arg0 if sign.isdigit())\n    assert count < 3",
        "def inner(x): return x > 0\n    if not inner(arg0): raise ValueError('arg0')",
        "raise TypeError('arg0 is a ' + type(arg0).__name__)",
    ],
)
def test_tests_of_arguments_are_allowed(body: str) -> None:
    assert objection(HEADER + body, VALIDATOR, "arg0, arg1=1") is None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import os", "import is not allowed"),
        ("open('/etc/passwd')", "open is not allowed"),
        ("eval(arg0)", "eval is not allowed"),
        ("test_func(arg0)", "test_func is not allowed"),
        ("validate_input_args(arg0)", "validate_input_args is not allowed"),
        ("print(arg0)", "print is not allowed"),
        ("().__class__.__bases__", "the attribute __bases__ is not allowed"),
        ("'{0.__class__}'.format(arg0)", "the attribute format is not allowed"),
        ("while True: pass", "while is not allowed"),
        ("global x", "global is not allowed"),
        ("arg0[0] = 1", "no element may be set"),
        ("arg0.x = 1", "no attribute may be set"),
        ("yield 1", "yield is not allowed"),
        ("__builtins__", "__builtins__ is not allowed"),
    ],
)
def test_whatever_reaches_out_is_refused(body: str, said: str) -> None:
    assert said in (objection(HEADER + body, VALIDATOR, "arg0, arg1=1") or "")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (f"x = 1\n{HEADER}pass", "hold nothing else"),
        ("def other(arg0, arg1=1): pass", "must define validate_input_args"),
        (f"@print\n{HEADER}pass", "without decorators"),
        (f"def {VALIDATOR}(arg0): pass", "its parameters must be (arg0, arg1=1)"),
        (f"def {VALIDATOR}(arg0, arg1=open('x')): pass", "its parameters must be"),
    ],
)
def test_only_the_one_function_may_stand_there(code: str, said: str) -> None:
    assert said in (objection(code, VALIDATOR, "arg0, arg1=1") or "")


@pytest.mark.parametrize(
    "kind",
    [
        Union(options=(Int(low=0), NoneKind(), Str(alphabet="ab"))),
        List(element=Tuple(elements=(Int(), Float()))),
        Dict(key=Str(), value=Set(element=Complex())),
        Record(items=(("a", Int()), ("b", Str(min_size=1)))),
        Rare(type_name="Fraction"),
    ],
    ids=str,
)
def test_the_validators_that_the_builder_writes_itself_would_pass(kind: Kind) -> None:
    from builder.records import Parameter

    code = write_validator(Domain((kind,), 1), [Parameter("arg0", "x")])
    assert objection(code, VALIDATOR, "arg0") is None

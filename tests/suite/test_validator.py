"""The validator's text says exactly what the domain says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.records import Parameter
from builder.suite.validator import validated_code, write_validator
from builder.synthesis.domain import (
    AnyLiteral,
    Bool,
    Bytes,
    Dict,
    Domain,
    Float,
    FrozenSet,
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
    VariableTuple,
)

SIZES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"min_size": st.integers(0, 2), "max_size": st.none() | st.just(3)}
)
SIMPLE: list[st.SearchStrategy[Kind]] = [
    st.sampled_from([NoneKind(), Bool(), Int(), Float(), Rare("range"), Rare("Counter")]),
    st.builds(Int, low=st.none() | st.integers(-3, 0), high=st.none() | st.integers(0, 3)),
    st.builds(Float, low=st.none() | st.just(-1.5), allow_nan=st.booleans()),
    st.builds(Float, high=st.none() | st.just(1.5), allow_infinity=st.booleans()),
    SIZES.map(lambda sizes: Str(**sizes)),
    st.builds(Str, alphabet=st.sampled_from(["ab", "'\"\\{"])),
    SIZES.map(lambda sizes: Bytes(**sizes)),
]


def containers(part: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
    names = st.sampled_from(["a", "it's", 'say "{x}"'])
    return st.one_of(
        st.builds(lambda kind, sizes: List(element=kind, **sizes), part, SIZES),
        st.builds(lambda kind: VariableTuple(element=kind), part),
        st.builds(lambda kind: Set(element=kind), st.one_of(SIMPLE)),
        st.builds(lambda kind: FrozenSet(element=kind), st.one_of(SIMPLE)),
        st.builds(lambda key, value: Dict(key=key, value=value), st.one_of(SIMPLE), part),
        st.lists(part, max_size=3).map(lambda kinds: Tuple(tuple(kinds))),
        st.dictionaries(names, part, max_size=2).map(lambda kinds: Record(tuple(kinds.items()))),
    )


def unions(part: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
    plain = part.filter(lambda kind: not isinstance(kind, Union))
    return st.lists(plain, min_size=2, max_size=3).map(lambda kinds: Union(tuple(kinds)))


PLAIN_KINDS = st.recursive(st.one_of(SIMPLE), containers, max_leaves=4)
KINDS = st.recursive(st.one_of(SIMPLE), lambda part: containers(part) | unions(part), max_leaves=5)
HASHABLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-4, 4),
    st.floats(width=16),
    st.text("ab'\"\\{c", max_size=4),
    st.binary(max_size=4),
)
VALUES = st.recursive(
    HASHABLE | st.just(range(3)),
    lambda part: st.one_of(
        st.lists(part, max_size=4),
        st.lists(part, max_size=3).map(tuple),
        st.sets(HASHABLE, max_size=3),
        st.frozensets(HASHABLE, max_size=3),
        st.dictionaries(HASHABLE | st.sampled_from(["a", "it's"]), part, max_size=3),
    ),
    max_leaves=6,
)


def validator(domain: Domain, *parameters: Parameter) -> Any:
    namespace: dict[str, Any] = {}
    exec(write_validator(domain, parameters), namespace)  # the text is the toolkit's own
    return namespace["validate_input_args"]


def sentence(validate: Any, *arguments: object) -> str | None:
    try:
        validate(*arguments)
    except (TypeError, ValueError) as error:
        return str(error)
    return None


ARG0 = Parameter("arg0", "value")


@given(KINDS, st.data())
def test_it_raises_exactly_outside_the_domain(kind: Kind, data: st.DataObject) -> None:
    validate = validator(Domain((kind,), 1), ARG0)
    for value in data.draw(st.lists(VALUES | inside(kind), min_size=3, max_size=6)):
        wrong = sentence(validate, value)
        assert (wrong is None) == kind.contains(value), (kind, value, wrong)


@given(PLAIN_KINDS, st.data())
def test_without_unions_it_says_it_in_the_same_words(kind: Kind, data: st.DataObject) -> None:
    validate = validator(Domain((kind,), 1), ARG0)
    for value in data.draw(st.lists(VALUES | inside(kind), min_size=3, max_size=6)):
        assert sentence(validate, value) == kind.violation(value, "arg0")


def inside(kind: Kind) -> st.SearchStrategy[Any]:
    """Values near a kind: its shape, with parts that are often inside."""
    match kind:
        case Union(options=options):
            return st.one_of([inside(option) for option in options])
        case List(element=element):
            return st.lists(inside(element), max_size=4)
        case VariableTuple(element=element):
            return st.lists(inside(element), max_size=3).map(tuple)
        case Dict(key=Str(), value=value):
            return st.dictionaries(st.text("ab", max_size=2), inside(value), max_size=3)
        case Tuple(elements=elements):
            return st.tuples(*map(inside, elements))
        case Record(items=items):
            return st.fixed_dictionaries({key: inside(value) for key, value in items})
        case Int():
            return st.integers(-4, 4)
        case Float():
            return st.floats()
        case Str():
            return st.text("ab'", max_size=4)
    return VALUES


def test_wrong_types_and_wrong_values_are_different_errors() -> None:
    validate = validator(Domain((Int(low=1),), 1), ARG0)
    with pytest.raises(TypeError, match="arg0 must be int, not bool"):
        validate(True)
    with pytest.raises(ValueError, match="arg0 must be at least 1"):
        validate(0)


def test_any_literal_is_let_through() -> None:
    assert write_validator(Domain((AnyLiteral(),), 1), [ARG0]) == (
        "def validate_input_args(arg0):\n    pass\n"
    )


def test_it_takes_the_parameters_of_the_method() -> None:
    domain = Domain((Int(), Int()), 1, variadic=Str())
    parameters = [ARG0, Parameter("arg1", "b", default="2"), Parameter("arg2", "c", variadic=True)]
    assert write_validator(domain, parameters).startswith(
        "def validate_input_args(arg0, arg1=2, *arg2):\n"
    )
    validate = validator(domain, *parameters)
    assert sentence(validate, 1) is None
    assert sentence(validate, 1, 2, "a", "b") is None
    assert sentence(validate, 1, 2, "a", 3) == "an argument of *arg2 must be str, not int"


@pytest.mark.parametrize("default", ["None", "''", "[1, 2]"])
def test_a_default_is_allowed_although_it_is_outside_the_domain(default: str) -> None:
    domain = Domain((Int(), Int()), 1)
    validate = validator(domain, ARG0, Parameter("arg1", "b", default=default))
    assert sentence(validate, 1) is None
    assert sentence(validate, 1, 2.5) == "arg1 must be int, not float"


def run_validated(code: str, domain: Domain, *parameters: Parameter) -> Any:
    namespace: dict[str, Any] = {}
    exec(validated_code(code, write_validator(domain, parameters)), namespace)
    return namespace["test_func"]


def test_the_first_statement_of_the_method_calls_the_validator() -> None:
    code = "def test_func(arg0):\n    return arg0 + 1\n"
    assert validated_code(code, write_validator(Domain((Int(),), 1), [ARG0])) == (
        "def validate_input_args(arg0):\n"
        "    if type(arg0) is not int:\n"
        "        raise TypeError('arg0 must be int, not ' + type(arg0).__name__)\n"
        "\n"
        "def test_func(arg0):\n"
        "    validate_input_args(arg0)\n"
        "    return arg0 + 1\n"
    )


def test_inner_calls_of_a_recursive_method_may_leave_the_domain() -> None:
    code = (
        "def test_func(arg0):\n    if arg0 <= 0:\n        return 0\n"
        "    return 1 + test_func(arg0 - 2)\n"
    )
    method = run_validated(code, Domain((Int(low=1),), 1), ARG0)
    assert method(3) == 2
    with pytest.raises(ValueError, match="at least 1"):
        method(-1)


def test_recursion_through_a_helper_may_leave_the_domain_too() -> None:
    code = (
        "def helper0(arg0):\n    return test_func(arg0 - 2)\n\n"
        "def test_func(arg0):\n    return 0 if arg0 <= 0 else 1 + helper0(arg0)\n"
    )
    method = run_validated(code, Domain((Int(low=1),), 1), ARG0)
    assert method(3) == 2
    with pytest.raises(ValueError, match="at least 1"):
        method(-1)


def test_defaults_and_further_arguments_are_passed_on() -> None:
    code = (
        "LIMIT = 5\n\ndef test_func(arg0, arg1=LIMIT, *arg2):\n"
        "    return test_func(arg0[1:], arg1, *arg2) if arg0 else (arg1, arg2)\n"
    )
    parameters = [
        Parameter("arg0", "a"),
        Parameter("arg1", "b", default="LIMIT"),
        Parameter("arg2", "c", variadic=True),
    ]
    method = run_validated(code, Domain((List(element=Int()), Int()), 1, Int()), *parameters)
    assert method([1, 2]) == (5, ())
    assert method([1, 2], 7, 8, 9) == (7, (8, 9))

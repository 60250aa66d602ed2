"""JSON schemas for kinds: what a model can be held to, and what comes back exactly."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.literals import dumps
from builder.synthesis.domain import (
    AnyLiteral,
    Bool,
    Bytes,
    Complex,
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
from builder.synthesis.schema import (
    UndecodableError,
    arguments_of,
    schema_of,
    schema_of_inputs,
    value_of,
)
from builder.synthesis.strategies import strategy

NUMBER = Union(options=(Int(), Float(), NoneKind()))
KINDS: list[Kind] = [
    NoneKind(),
    Bool(),
    Int(low=0, high=9),
    Float(low=-1.0),
    Complex(),
    Str(),
    Str(alphabet="()[]^-\\"),
    Bytes(),
    List(element=Int()),
    VariableTuple(element=Str()),
    Set(element=Int()),
    FrozenSet(element=Tuple(elements=(Int(), Str()))),
    Dict(key=Int(), value=List(element=Str())),
    Tuple(elements=(Int(), Float(), Bool())),
    Record(items=(("name", Str()), ("age", Int()))),
    NUMBER,
    List(element=NUMBER),
    Rare(type_name="Fraction"),
    AnyLiteral(),
]


def plain(kind: Kind, value: Any) -> Any:
    """Write a value as a model that keeps to the schema would."""
    match kind:
        case Union(options=options):
            return plain(next(option for option in options if option.contains(value)), value)
        case List(element=element) | VariableTuple(element=element):
            return [plain(element, item) for item in value]
        case Set(element=element) | FrozenSet(element=element):
            return [plain(element, item) for item in sorted(value, key=dumps)]
        case Dict(key=key, value=part):
            return [{"key": plain(key, k), "value": plain(part, v)} for k, v in value.items()]
        case Tuple(elements=elements):
            pairs = zip(elements, value, strict=True)
            return {f"item{n}": plain(part, item) for n, (part, item) in enumerate(pairs)}
        case Record(items=items):
            return {name: plain(dict(items)[name], part) for name, part in value.items()}
        case NoneKind() | Bool() | Int() | Float() | Str():
            return value
    return dumps(value)


@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=25)
@given(data=st.data())
def test_a_value_written_as_its_schema_asks_comes_back_exactly(
    kind: Kind, data: st.DataObject
) -> None:
    value = data.draw(strategy(kind))
    sent = json.loads(json.dumps(plain(kind, value)))
    assert dumps(value_of(kind, sent)) == dumps(value)


@pytest.mark.parametrize(
    "kind", [Bytes(), Complex(), *map(Rare, ("range", "Decimal", "Fraction", "bytearray"))], ids=str
)
@settings(max_examples=25)
@given(data=st.data())
def test_what_keeps_to_the_pattern_of_a_literal_is_one(kind: Kind, data: st.DataObject) -> None:
    pattern = schema_of(kind)["pattern"]
    text = data.draw(st.from_regex(pattern.removesuffix("$") + r"\Z", alphabet=st.characters()))
    assert kind.contains(value_of(kind, text))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_object_is_closed_and_needs_all_that_it_has(kind: Kind) -> None:
    def walk(schema: Any) -> None:
        if isinstance(schema, list):
            for part in schema:
                walk(part)
        elif isinstance(schema, dict):
            if schema.get("type") == "object":
                assert schema["additionalProperties"] is False
                assert schema["required"] == list(schema["properties"])
            for part in schema.values():
                walk(part)

    walk(schema_of_inputs(Domain((kind,), 1), 5))


def test_the_alphabet_of_a_text_becomes_a_pattern() -> None:
    pattern = schema_of(Str(alphabet="()[]^-\\"))["pattern"]
    assert re.fullmatch(pattern, "([^-\\])")
    assert not re.fullmatch(pattern, "(a)")


def test_json_keeps_whole_floats_apart_from_ints() -> None:
    assert dumps(value_of(Float(), 3)) == "3.0"
    assert dumps(value_of(Int(), 3)) == "3"
    assert type(value_of(Float(), 2**70)) is int  # not exact as a float: for the domain to refuse


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (List(element=Int()), 3),
        (Tuple(elements=(Int(), Int())), {"item0": 1}),
        (Set(element=List(element=Int())), [[1]]),
        (Dict(key=Int(), value=Int()), [{"key": 1}]),
        (Bytes(), "b'unfinished"),
        (Bytes(), "__import__('os')"),
        (AnyLiteral(), "open('/etc/passwd')"),
        (Union(options=(Int(), NoneKind())), "text"),
    ],
)
def test_what_is_not_of_the_form_is_an_error(kind: Kind, sent: object) -> None:
    with pytest.raises(UndecodableError):
        value_of(kind, sent)


def test_arguments_may_be_left_out_and_be_more() -> None:
    domain = Domain((Int(), Int()), required=1, variadic=Str())
    assert arguments_of(domain, {"arg0": 1}) == (1,)
    assert arguments_of(domain, {"arg0": 1, "arg1": 2, "more": ["a", "b"]}) == (1, 2, "a", "b")
    forms = schema_of_inputs(domain, 3)["properties"]["inputs"]["items"]["anyOf"]
    assert [form["required"] for form in forms] == [["arg0", "arg1", "more"], ["arg0"]]


@pytest.mark.parametrize(
    "sent",
    [[], {"arg1": 1}, {"arg0": 1, "arg1": 2, "arg2": 3}, {"x": 1}, {"arg0": 1, "more": [1]}],
)
def test_an_argument_that_the_function_has_not_is_an_error(sent: object) -> None:
    with pytest.raises(UndecodableError):
        arguments_of(Domain((Int(), Int()), required=1), sent)

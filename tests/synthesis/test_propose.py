"""Proposals of a model: asked for with what is missing, taken only inside the domain."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from builder.model.client import Model
from builder.records import Method, Parameter
from builder.synthesis.domain import Domain, Int, List
from builder.synthesis.propose import Change, Proposals, propose
from tests.model.bench import Bench
from tests.model.server import ModelServer, Say

METHOD = Method(
    code="def test_func(arg0, arg1):\n    if arg1 > 3:\n        return []\n    return arg0\n",
    header="def test_func(arg0, arg1):",
    parameters=(Parameter("arg0", "a"), Parameter("arg1", "b")),
    original="",
    original_entry_point="f",
)
DOMAIN = Domain((List(element=Int()), Int(low=0)), required=2)
ORIGIN = "model:proposer"


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[Callable[[object], tuple[ModelServer, Model]]]:
    with ExitStack() as stack:
        bench = Bench(tmp_path, stack)

        def answer(content: object) -> tuple[ModelServer, Model]:
            text = content if isinstance(content, str) else json.dumps({"inputs": content})
            server = bench.serve(lambda ask: Say(text))
            return server, bench.model(server, models={"propose": "proposer"})

        yield answer


def test_proposals_inside_the_domain_become_canonical_literals(
    answering: Callable[[object], tuple[ModelServer, Model]],
) -> None:
    _, model = answering([{"arg0": [3, 1], "arg1": 4}, {"arg0": [], "arg1": 0}])
    assert propose(METHOD, DOMAIN, model) == Proposals(("([3, 1], 4)", "([], 0)"), ORIGIN)


def test_what_is_repeated_known_or_outside_is_counted_and_left_out(
    answering: Callable[[object], tuple[ModelServer, Model]],
) -> None:
    _, model = answering(
        [
            {"arg0": [1], "arg1": 1},
            {"arg0": [1], "arg1": 1},
            {"arg0": [2], "arg1": 2},
            {"arg0": [2], "arg1": -2},
            {"arg0": "no list", "arg1": 2},
            {"arg0": [True], "arg1": 2},
            {"arg0": [1]},
            "nothing",
        ]
    )
    found = propose(METHOD, DOMAIN, model, known=["([2], 2)"])
    assert found == Proposals(("([1], 1)",), ORIGIN, repeated=2, outside=5)


def test_the_model_is_shown_what_is_missing_and_held_to_a_schema(
    answering: Callable[[object], tuple[ModelServer, Model]],
) -> None:
    server, model = answering([{"arg0": [1], "arg1": 4}])
    propose(
        METHOD,
        DOMAIN,
        model,
        known=["([1], 0)"],
        lines=[3],
        changes=[Change(2, ">", ">=")],
        count=3,
    )
    (ask,) = server.asks
    assert "line 3: return []" in ask.words
    assert "line 2: > becomes >=" in ask.words
    assert "([1], 0)" in ask.words
    schema = ask.body["response_format"]["json_schema"]["schema"]["properties"]["inputs"]
    assert schema["maxItems"] == 3
    assert schema["items"]["properties"]["arg1"] == {"type": "integer", "minimum": 0}


@pytest.mark.parametrize(
    "text", ["no JSON", "{}", "[]", '{"inputs": []}', '{"inputs": 3}', "1" * 5000]
)
def test_an_answer_without_proposals_is_none_with_a_reason(
    answering: Callable[[object], tuple[ModelServer, Model]], text: str
) -> None:
    _, model = answering(text)
    found = propose(METHOD, DOMAIN, model)
    assert found.inputs == ()
    assert found.problem

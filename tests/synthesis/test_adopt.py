"""Proposed inputs: run and confirmed like any other, then one more spring of the suite."""

from collections.abc import Iterator

import pytest

from builder.reasons import Reason
from builder.records import Method, Parameter, Rejection
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.adopt import adopt
from builder.synthesis.domain import Domain, Int
from builder.synthesis.propose import Proposals
from builder.synthesis.search import Exploration


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def method(body: str) -> Method:
    return Method(
        code=f"def test_func(arg0):\n{body}",
        header="def test_func(arg0):",
        parameters=(Parameter("arg0", "n"),),
        original="",
        original_entry_point="f",
    )


NOTHING = Exploration(Domain((Int(),), 1), (), tried=10, failed=2)
INVERSE = method("    if arg0 == 8191:\n        return 'rare'\n    return [100 // arg0]\n")


def proposed(*inputs: str) -> Proposals:
    return Proposals(inputs, "model:proposer")


def test_proposals_on_which_the_method_returns_become_observations(sandbox: Sandbox) -> None:
    grown = adopt(INVERSE, NOTHING, proposed("(8191,)", "(0,)", "(7,)"), sandbox)
    assert isinstance(grown, Exploration)
    seen = [(each.example.input, each.example.output) for each in grown.observations]
    assert seen == [("(8191,)", "'rare'"), ("(7,)", "[14]")]
    assert {each.example.origin for each in grown.observations} == {"model:proposer"}
    assert grown.observations[0].hits != grown.observations[1].hits
    assert (grown.tried, grown.failed) == (13, 3)


def test_what_was_observed_before_stays_as_it_was(sandbox: Sandbox) -> None:
    once = adopt(INVERSE, NOTHING, proposed("(7,)"), sandbox)
    assert isinstance(once, Exploration)
    assert adopt(INVERSE, once, proposed("(7,)"), sandbox) is once
    assert adopt(INVERSE, once, proposed(), sandbox) is once


def test_a_proposal_that_shows_state_rejects_the_method(sandbox: Sandbox) -> None:
    stateful = method("    if arg0 > 5:\n        test_func.n = getattr(test_func, 'n', 0) + 1\n"
                      "        return test_func.n\n    return 0\n")  # fmt: skip
    found = adopt(stateful, NOTHING, proposed("(6,)"), sandbox)
    assert isinstance(found, Rejection)
    assert found.reason in (Reason.STATEFUL, Reason.NONDETERMINISTIC)

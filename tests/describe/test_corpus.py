"""From the words of a corpus to a description that holds, or the reason why there is none."""

from collections.abc import Iterator

import pytest

from builder.describe.contradiction import contradiction
from builder.describe.corpus import Description, corpus_description
from builder.reasons import Reason, Stage
from builder.records import Candidate, Method, Parameter, Rejection
from builder.sandbox.supervisor import Sandbox
from tests.corpora import real_candidates, real_corpus
from tests.factories import candidate

ADD = Method(
    code="",
    header="",
    parameters=(Parameter("arg0", "first_number"), Parameter("arg1", "y")),
    original="def helper_of_add(x):\n    return x\n\ndef add_up(first_number, y):\n"
    "    return helper_of_add(first_number) + y\n",
    original_entry_point="add_up",
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def describe(text: str | None, sandbox: Sandbox) -> Description | Rejection | None:
    return corpus_description(candidate(description=text), ADD, sandbox)


def test_a_text_is_cleaned_of_examples_names_and_requests(sandbox: Sandbox) -> None:
    text = "Write a function add_up that adds first_number to y.\n\n>>> add_up(1, 2)\n3\n"

    assert describe(text, sandbox) == Description("Adds arg0 to arg1.", "corpus")


def test_words_that_the_errata_put_in_place_say_so(sandbox: Sandbox) -> None:
    mended = candidate(description="Add two numbers.", description_origin="errata")

    assert corpus_description(mended, ADD, sandbox) == Description("Add two numbers.", "errata")


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_a_corpus_without_words_has_no_description(text: str | None, sandbox: Sandbox) -> None:
    assert describe(text, sandbox) is None


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ("Add.\nadd_up(1, 2) == 4", Reason.DESCRIPTION_CONTRADICTED, "gives 3, not 4"),
        ("Edit the code below.", Reason.DESCRIPTION_UNFIT, "other code: code below"),
        ("It calls helper_of_add once.", Reason.DESCRIPTION_UNFIT, "old name helper_of_add"),
        ("add_up(1, 2) == 3", Reason.DESCRIPTION_UNFIT, "says nothing"),
    ],
)
def test_an_unusable_text_is_rejected_with_the_reason(
    text: str, reason: Reason, detail: str, sandbox: Sandbox
) -> None:
    rejection = describe(text, sandbox)

    assert isinstance(rejection, Rejection)
    assert (rejection.stage, rejection.reason) == (Stage.DESCRIBE, reason)
    assert detail in rejection.detail


def method(code: str) -> Method:
    return Method("", "", (), code, "f")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("def f(x): return x + 1", "f(1) == 2 and f(2) -> 3"),
        ("def f(x): return x + 1", "f(1) returns 2.0"),
        ("def f(x): return x / 3", "f(1) == 0.333"),
        ("def f(x): return (x,)", "f('a') ==> ('a')"),
        ("def f(x): return [(x, 1.0)]", "f(2) == [(2, 1)]"),
        ("def f(x): return {x: 1}", "f(2) == {2: 1.0}"),
        ("def f(x): return x", "f(a) => False, f(some_list) = 3, f(n) == f(n - 1) + 1"),
        ("def f(x): return x", "f(1) == 1 + undefined"),
        ("raise ValueError", "f(1) == 2"),
        ("def f(x): return x", "It returns x."),
    ],
)
def test_examples_that_hold_or_cannot_be_checked_contradict_nothing(
    code: str, text: str, sandbox: Sandbox
) -> None:
    assert contradiction(text, method(code), sandbox) is None


@pytest.mark.parametrize(
    ("code", "text", "detail"),
    [
        ("def f(x): return x", "f(1) == 1 but f(2) == 3", "f(2) gives 2, not 3"),
        ("def f(x): return [x]", "f(2) == (2,)", "f(2) gives [2], not (2,)"),
        ("def f(x): return x", ">>> f([1,\n 2])\n[2, 1]", "f([1, 2]) gives [1, 2], not [2, 1]"),
        ("def f(x): return x[0]", "f([]) == None", "f([]) gives IndexError, not None"),
        ("def f(x): return str(x)", "f(1) == 1", "f(1) gives '1', not 1"),
    ],
)
def test_an_example_that_does_not_hold_is_told(
    code: str, text: str, detail: str, sandbox: Sandbox
) -> None:
    assert contradiction(text, method(code), sandbox) == detail


def _method_of(found: Candidate) -> Method:
    return Method("", "", (), found.code, found.entry_point or "")


def test_the_wrong_examples_of_humaneval_are_found_without_errata(sandbox: Sandbox) -> None:
    wrong = [
        raw.source_id
        for row in real_corpus("humaneval").rows
        if isinstance(raw := row.source.convert(row), Candidate)
        and contradiction(raw.description or "", _method_of(raw), sandbox)
    ]

    assert wrong == ["HumanEval/47", "HumanEval/116", "HumanEval/130"]


@pytest.mark.parametrize("name", ["humaneval", "mbpp"])
def test_every_description_of_the_test_corpora_is_fit(name: str, sandbox: Sandbox) -> None:
    for found in real_candidates(name).values():
        assert isinstance(corpus_description(found, _method_of(found), sandbox), Description), (
            found.source_id
        )

"""The whole intake: from a row to a method proven on the corpus' own calls."""

import pytest

from builder.intake.take_in import Intake, take_in
from builder.reasons import Reason, Stage
from builder.records import Rejection
from builder.sandbox.supervisor import Sandbox
from tests.intake.golden_cases import CASES, GoldenCase, candidate


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_golden_case_is_proven_on_its_calls(case: GoldenCase, sandbox: Sandbox) -> None:
    intake = take_in(case.candidate(), sandbox)

    assert isinstance(intake, Intake), intake
    assert intake.method.code == case.anonymised
    assert len(intake.seeds) >= len(case.calls)


@pytest.mark.parametrize(
    ("code", "stage", "reason"),
    [
        ("def f(x) return x", Stage.SCREEN, Reason.NOT_PYTHON),
        ("class C:\n    def f(self, x): return x", Stage.SCREEN, Reason.CLASS_TARGET),
        ("def f(x): return open(x)", Stage.SCREEN, Reason.TOUCHES_FILES),
        ("def f(x): return f.__name__", Stage.ANONYMISE, Reason.NOT_RENAMEABLE),
        ("def is_odd(x): return 'is_odd' * x", Stage.ANONYMISE, Reason.LEAK),
        ("size = 1 / 0\ndef f(x): return size + x", Stage.PROVE, Reason.DOES_NOT_LOAD),
    ],
)
def test_a_row_is_lost_with_stage_reason_and_detail(
    code: str, stage: Stage, reason: Reason, sandbox: Sandbox
) -> None:
    rejection = take_in(candidate(code), sandbox)

    assert isinstance(rejection, Rejection)
    assert (rejection.source, rejection.source_id) == ("own", "own/0")
    assert (rejection.stage, rejection.reason) == (stage, reason)


def test_a_name_that_is_seen_at_run_time_is_caught_by_the_proof(sandbox: Sandbox) -> None:
    code = "class Leaf:\n    pass\n\n\ndef f(x):\n    return str(type(Leaf())).split('.')[-1] * x\n"
    rejection = take_in(candidate(code, drivers=("f(1)",)), sandbox)

    assert isinstance(rejection, Rejection)
    assert rejection.reason is Reason.CHANGED_BEHAVIOUR
    assert rejection.detail == '(1,): "Leaf\'>" became "Class0\'>"'


def test_a_row_without_calls_is_taken_in_without_seeds(sandbox: Sandbox) -> None:
    intake = take_in(candidate("def f(x): return x\n"), sandbox)

    assert isinstance(intake, Intake)
    assert intake.seeds == ()

"""The order of the stages: one candidate becomes one task, or a rejection."""

import json
from dataclasses import replace

from builder.config import Settings
from builder.describe.corpus import Description, corpus_description
from builder.intake.prove import prove_equal
from builder.intake.take_in import take_in
from builder.reasons import Reason, Stage
from builder.records import Candidate, Difficulty, Method, Rejection, Suite, Task
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.difficulty import measure_difficulty
from builder.suite.validator import write_validator
from builder.synthesis.domain import Domain
from builder.synthesis.search import explore


def build_row(candidate: Candidate, settings: Settings, sandbox: Sandbox) -> Task | Rejection:
    """Take a candidate through every stage.

    The result depends on the candidate and the settings alone.

    Raises:
        HarnessError: the sandbox failed.
    """
    result = _build(candidate, settings, sandbox)
    if isinstance(result, Rejection):
        return replace(result, source=candidate.source, source_id=candidate.source_id)
    return result


def _build(candidate: Candidate, settings: Settings, sandbox: Sandbox) -> Task | Rejection:
    intake = take_in(candidate, sandbox)
    if isinstance(intake, Rejection):
        return intake
    method = intake.method
    exploration = explore(method, intake.seeds, sandbox, settings.seed)
    if isinstance(exploration, Rejection):
        return exploration
    suite = build_suite(method, exploration, sandbox, settings)
    if isinstance(suite, Rejection):
        return suite
    inputs = [example.input for example in suite.context + suite.tests]
    difference = prove_equal(method, inputs, sandbox)
    if difference is not None:
        return _reject(candidate, Stage.PROVE, Reason.CHANGED_BEHAVIOUR, difference)
    description = _describe(candidate, method, settings, sandbox)
    if isinstance(description, Rejection):
        return description
    domain = exploration.domain
    difficulty = measure_difficulty(method.code, domain, suite.tests, sandbox)
    return _task(candidate, method, domain, suite, description, difficulty)


def _describe(
    candidate: Candidate, method: Method, settings: Settings, sandbox: Sandbox
) -> Description | Rejection | None:
    """Return the description; None only where the settings allow a row to have none."""
    description = corpus_description(candidate, method, sandbox)
    if isinstance(description, Description):
        return description
    if settings.allow_missing_description:
        return None
    if description is None:
        return _reject(candidate, Stage.DESCRIBE, Reason.NO_DESCRIPTION)
    return description


def _reject(candidate: Candidate, stage: Stage, reason: Reason, detail: str = "") -> Rejection:
    return Rejection(candidate.source, candidate.source_id, stage, reason, detail)


def _task(
    candidate: Candidate,
    method: Method,
    domain: Domain,
    suite: Suite,
    description: Description | None,
    difficulty: Difficulty,
) -> Task:
    return Task(
        task_id=candidate.task_id,
        split=candidate.split,
        header=method.header,
        code=method.code,
        validator=write_validator(domain, method.parameters),
        description=description.text if description else None,
        description_origin=description.origin if description else "",
        suite=suite,
        arity=method.arity,
        source=candidate.source,
        source_id=candidate.source_id,
        source_revision=candidate.revision,
        source_variant=candidate.variant,
        license=candidate.license,
        link=candidate.link,
        domain=json.dumps(domain.to_json()),
        difficulty=difficulty,
    )

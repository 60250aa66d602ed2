"""The order of the stages: one candidate becomes one task, or a rejection."""

import json
from dataclasses import replace

from builder.config import Settings
from builder.describe.corpus import Description, corpus_description
from builder.describe.model import DESCRIBE, Attempt, Described, describe
from builder.intake.prove import prove_equal
from builder.intake.take_in import take_in
from builder.model.client import Model
from builder.reasons import Reason, Stage
from builder.records import Candidate, Difficulty, Method, Rejection, Suite, Task
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.constrain import CONSTRAIN, constrain
from builder.suite.difficulty import measure_difficulty
from builder.suite.enlarge import enlarge
from builder.suite.further import with_tests
from builder.suite.readings import Reading, misread
from builder.suite.validator import write_validator
from builder.synthesis.domain import Domain
from builder.synthesis.propose import PROPOSE
from builder.synthesis.search import Exploration, explore


def build_row(
    candidate: Candidate, settings: Settings, sandbox: Sandbox, model: Model | None = None
) -> Task | Rejection:
    """Take a candidate through every stage.

    The result depends on the candidate, the settings and what the model answers alone.

    Args:
        candidate: the row.
        settings: what determines the result.
        sandbox: runs everything foreign.
        model: whom to ask for what no corpus has; None: nobody.

    Raises:
        WaitingForModelError: a model cannot answer now.
        PauError: a model cannot answer at all, or its budget is spent.
        HarnessError: the sandbox failed.
    """
    result = _Row(candidate, settings, sandbox, model).build()
    if isinstance(result, Rejection):
        return replace(result, source=candidate.source, source_id=candidate.source_id)
    return result


class _Row:
    """One candidate on its way."""

    def __init__(
        self, candidate: Candidate, settings: Settings, sandbox: Sandbox, model: Model | None
    ) -> None:
        self._candidate, self._settings = candidate, settings
        self._sandbox, self._model = sandbox, model

    def build(self) -> Task | Rejection:
        sandbox = self._sandbox
        intake = take_in(self._candidate, sandbox)
        if isinstance(intake, Rejection):
            return intake
        method = intake.method
        exploration = explore(method, intake.seeds, sandbox, self._settings.seed)
        if isinstance(exploration, Rejection):
            return exploration
        exploration, suite = self._suite(method, exploration)
        if isinstance(suite, Rejection):
            return suite
        found = self._words(method, suite)
        if isinstance(found, Described):
            suite, found = self._sharpened(method, exploration, suite, found)
        if self._candidate.further:
            further, most = self._candidate.further, self._settings.maximum_tests
            suite = with_tests(method, suite, further, most, sandbox)
            if isinstance(suite, Rejection):
                return suite
            if self._model is not None and isinstance(found, Described):
                # How well it lets code be written is measured on all tests.
                found = self._asked(self._model, method, suite, found.best.description)
        inputs = [example.input for example in suite.context + suite.tests]
        difference = prove_equal(method, inputs, sandbox)
        if difference is not None:
            return Rejection("", "", Stage.PROVE, Reason.CHANGED_BEHAVIOUR, difference)
        described = self._kept(found)
        if isinstance(described, Rejection):
            return described
        domain = exploration.domain
        validator = self._validator(method, domain, suite)
        difficulty = measure_difficulty(method.code, domain, suite.tests, sandbox)
        return _task(self._candidate, method, domain, suite, described, validator, difficulty)

    def _suite(
        self, method: Method, exploration: Exploration
    ) -> tuple[Exploration, Suite | Rejection]:
        suite = build_suite(method, exploration, self._sandbox, self._settings)
        if self._model is None or PROPOSE not in self._model.models:
            return exploration, suite
        return enlarge(method, exploration, suite, self._model, self._sandbox, self._settings)

    def _validator(self, method: Method, domain: Domain, suite: Suite) -> str:
        validator = write_validator(domain, method.parameters)
        if self._model is None or CONSTRAIN not in self._model.models:
            return validator
        found = constrain(method, domain, validator, suite, self._model, self._sandbox)
        return found.validator or validator

    def _words(self, method: Method, suite: Suite) -> Described | Description | Rejection | None:
        """Find the description: with a model the best there is, else that of the corpus."""
        own = corpus_description(self._candidate, method, self._sandbox)
        if self._model is None or DESCRIBE not in self._model.models:
            return own
        return self._asked(self._model, method, suite, own)

    def _asked(
        self, model: Model, method: Method, suite: Suite, own: Description | Rejection | None
    ) -> Described | Rejection:
        return describe(
            method,
            suite,
            own if isinstance(own, Description) else None,
            model,
            self._sandbox,
            min_code_match=self._settings.min_code_match,
            best_of=self._settings.best_of,
        )

    def _sharpened(
        self, method: Method, exploration: Exploration, suite: Suite, described: Described
    ) -> tuple[Suite, Described]:
        """Choose the tests anew where code passes them that is not the method."""
        assert self._model is not None
        readings = [Reading(code) for code in described.passing_code]
        if not misread(readings, exploration.observations, self._sandbox):
            return suite, described
        sharper = build_suite(method, exploration, self._sandbox, self._settings, readings)
        if isinstance(sharper, Rejection):
            return suite, described
        again = self._asked(self._model, method, sharper, described.best.description)
        return (suite, described) if isinstance(again, Rejection) else (sharper, again)

    def _kept(
        self, found: Described | Description | Rejection | None
    ) -> Attempt | Rejection | None:
        """Return the description; None only where the settings allow a row to have none."""
        if isinstance(found, Described):
            return found.best
        if isinstance(found, Description):
            return Attempt(found)
        if self._settings.allow_missing_description:
            return None
        return found or Rejection("", "", Stage.DESCRIBE, Reason.NO_DESCRIPTION)


def _task(
    candidate: Candidate,
    method: Method,
    domain: Domain,
    suite: Suite,
    described: Attempt | None,
    validator: str,
    difficulty: Difficulty,
) -> Task:
    return Task(
        task_id=candidate.task_id,
        split=candidate.split,
        header=method.header,
        code=method.code,
        validator=validator,
        description=described.text if described else None,
        description_origin=described.description.origin if described else "",
        description_code_match=described.code_match if described else None,
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

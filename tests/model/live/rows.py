"""Ten rows of HumanEval, taken all the way to a description by a model."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from builder.config import Settings
from builder.describe.corpus import Description, corpus_description
from builder.describe.model import Described, describe
from builder.intake.corpus import ingest, open_corpus
from builder.intake.take_in import take_in
from builder.model.endpoint import Endpoint
from builder.model.live import Patience
from builder.model.settings import ModelSettings, models_by_task, open_model
from builder.records import Candidate, Method, Rejection, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.synthesis.domain import Domain
from builder.synthesis.propose import Proposals, propose
from builder.synthesis.search import explore
from sources.registry import find_source

COUNT = 10
MOST_TOKENS = 96


@dataclass(frozen=True)
class Draft:
    """A row that wants a description."""

    task_id: str
    method: Method
    domain: Domain
    suite: Suite
    own: Description | None


@dataclass(frozen=True)
class Finished:
    """What the model made of it."""

    task_id: str
    proposals: Proposals
    described: Described | Rejection


def drafts(sandbox: Sandbox, count: int = COUNT) -> Iterator[Draft]:
    """Build rows without a model."""
    for candidate in ingest(open_corpus(find_source("humaneval"), [])):
        assert isinstance(candidate, Candidate)
        intake = take_in(candidate, sandbox)
        assert not isinstance(intake, Rejection)
        found = explore(intake.method, intake.seeds, sandbox, 0)
        assert not isinstance(found, Rejection)
        suite = build_suite(intake.method, found, sandbox, Settings())
        assert not isinstance(suite, Rejection)
        own = corpus_description(candidate, intake.method, sandbox)
        own = own if isinstance(own, Description) else None
        yield Draft(candidate.task_id, intake.method, found.domain, suite, own)
        count -= 1
        if not count:
            return


def settings_for(address: str, store: Path) -> ModelSettings:
    """Return the settings of a run with the served model; it may be slow on a busy machine."""
    return ModelSettings(
        models_by_task("smollm2-135m", {}),
        store,
        Endpoint("none", address),
        most_tokens=MOST_TOKENS,
        attempts=2,
        concurrency=2,
        patience=Patience(sending=600.0),
    )


def finish(rows: list[Draft], settings: ModelSettings, sandbox: Sandbox) -> list[Finished]:
    """Take rows through the stages that ask a model."""
    finished = []
    with open_model(settings) as model:
        for row in rows:
            known = [example.input for example in row.suite.context + row.suite.tests]
            proposals = propose(row.method, row.domain, model, known=known, count=3)
            described = describe(row.method, row.suite, row.own, model, sandbox)
            finished.append(Finished(row.task_id, proposals, described))
    return finished


def record(rows: list[Draft], settings: ModelSettings) -> None:
    """Do the same in a process that is going to be killed."""
    with Sandbox() as sandbox:
        finish(rows, settings, sandbox)

"""Ten rows of HumanEval, taken all the way to a description by a model."""

from collections.abc import Iterator, Sequence
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
from builder.records import Method, Rejection, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.synthesis.propose import Proposals, propose
from builder.synthesis.search import Exploration, explore
from sources.registry import find_source
from tests.model.live.served import ServedModel

COUNT = 10
MOST_TOKENS = 64


@dataclass(frozen=True)
class Draft:
    """A row that wants a description."""

    task_id: str
    method: Method
    exploration: Exploration
    suite: Suite
    own: Description | None


@dataclass(frozen=True)
class Finished:
    """What the model made of it."""

    task_id: str
    proposals: Proposals
    described: Described | Rejection


def drafts(
    sandbox: Sandbox, source: str = "humaneval", files: Sequence[Path] = ()
) -> Iterator[Draft]:
    """Build the rows of a corpus without a model, as far as that goes."""
    for candidate in ingest(open_corpus(find_source(source), list(files))):
        if isinstance(candidate, Rejection):
            continue
        intake = take_in(candidate, sandbox)
        if isinstance(intake, Rejection):
            continue
        found = explore(intake.method, intake.seeds, sandbox, 0)
        if isinstance(found, Rejection):
            continue
        suite = build_suite(intake.method, found, sandbox, Settings())
        if isinstance(suite, Rejection):
            continue
        own = corpus_description(candidate, intake.method, sandbox)
        own = own if isinstance(own, Description) else None
        yield Draft(candidate.task_id, intake.method, found, suite, own)


def settings_for(served: ServedModel, store: Path) -> ModelSettings:
    """Return the settings of a run with the served model; it may be slow on a busy machine."""
    return ModelSettings(
        models_by_task(served.name, {}),
        store,
        Endpoint("none", served.address),
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
            proposals = propose(row.method, row.exploration.domain, model, known=known, count=3)
            described = describe(row.method, row.suite, row.own, model, sandbox)
            finished.append(Finished(row.task_id, proposals, described))
    return finished


def record(rows: list[Draft], settings: ModelSettings) -> None:
    """Do the same in a process that is going to be killed."""
    with Sandbox() as sandbox:
        finish(rows, settings, sandbox)

"""What a small real model makes of forty rows: a demonstration, never data to publish.

Run it from the checkout: ``python -m benchmarks.model_demo --cruxeval cruxeval.jsonl``. The model
(Qwen2.5-Coder-1.5B-Instruct, about 1.1 GB) comes from the package registry and runs on this
machine; plan an hour. Running it again asks nothing that was answered.
"""

import argparse
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.config import Settings
from builder.describe.corpus import Description, corpus_description
from builder.describe.model import Described, describe
from builder.intake.corpus import ingest, open_corpus
from builder.intake.take_in import take_in
from builder.model.client import Model
from builder.model.endpoint import Endpoint
from builder.model.ledger import summary
from builder.model.live import Patience
from builder.model.settings import ModelSettings, models_by_task, open_model, spending
from builder.records import Method, Rejection, Suite
from builder.sandbox.supervisor import Sandbox
from builder.suite.build import build_suite
from builder.suite.kill import mutation_kills
from builder.synthesis.adopt import adopt
from builder.synthesis.propose import Change, propose
from builder.synthesis.search import Exploration, explore
from sources.registry import find_source
from tests.model.live.served import ServedModel

MODEL = "qwen2.5-coder-1.5b"
MOST_TOKENS = 400
GOOD_MATCH = 0.8
_KILLING_INPUTS = 60


@dataclass(frozen=True)
class Draft:
    """A row that wants a description."""

    task_id: str
    method: Method
    exploration: Exploration
    suite: Suite
    own: Description | None
    seeds: tuple[str, ...]
    """Calls that the corpus makes itself."""


@dataclass
class Tally:
    """What the report tells."""

    rows: int = 0
    by_model: int = 0
    """Rows whose description the model wrote."""
    none: int = 0
    good: int = 0
    """Rows whose description has a code match of 0.8 or more, whoever wrote it."""
    good_by_model: int = 0
    proposed: int = 0
    inside: int = 0
    ran: int = 0
    arcs: int = 0
    """Branch arcs that only proposed inputs took."""
    mutants: int = 0
    """Mutants that only proposed inputs killed."""


def main() -> None:
    """Take the rows through the model stage and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--cruxeval", type=Path, help="file of the corpus; without it HumanEval only"
    )
    parser.add_argument("--rows", type=int, default=20, help="rows of each corpus")
    parser.add_argument("--store", type=Path, default=Path("outputs/model-demo.sqlite"))
    options = parser.parse_args()
    served = ServedModel(MODEL)
    settings = ModelSettings(
        models_by_task(served.name, {}),
        options.store,
        Endpoint("none", served.address),
        most_tokens=MOST_TOKENS,
        attempts=2,
        concurrency=1,
        patience=Patience(sending=600.0),
    )
    tally = Tally()
    try:
        with Sandbox() as sandbox, open_model(settings) as model:
            for row in rows_of(sandbox, options.cruxeval, options.rows):
                spring(row, model, sandbox, tally)
                account(row, describe(row.method, row.suite, row.own, model, sandbox), tally)
    finally:
        served.stop()
    print(f"{tally}\n" + "\n".join(summary(spending(settings))))


def rows_of(sandbox: Sandbox, cruxeval: Path | None, count: int) -> Iterator[Draft]:
    """Yield the rows to work on."""
    yield from itertools.islice(drafts(sandbox), count)
    if cruxeval is not None:
        yield from itertools.islice(drafts(sandbox, "cruxeval", [cruxeval]), count)


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
        yield Draft(candidate.task_id, intake.method, found, suite, own, tuple(intake.seeds))


def spring(row: Draft, model: Model, sandbox: Sandbox, tally: Tally) -> None:
    """Ask for inputs, and count what they alone reach."""
    known = [seen.example.input for seen in row.exploration.observations]
    before = mutation_kills(row.method, known[:_KILLING_INPUTS], sandbox)
    code = row.method.code.encode()
    changes = [
        Change(one.line, code[one.start : one.end].decode(), one.text) for one in before.survivors
    ]
    lines = row.suite.coverage.missing_lines
    found = propose(
        row.method, row.exploration.domain, model, known=known, lines=lines, changes=changes
    )
    tally.proposed += len(found.inputs) + found.repeated + found.outside
    tally.inside += len(found.inputs)
    grown = adopt(row.method, row.exploration, found, sandbox)
    if isinstance(grown, Rejection):
        return
    new = grown.observations[len(row.exploration.observations) :]
    tally.ran += len(new)
    reached = {hit for seen in row.exploration.observations for hit in seen.hits}
    tally.arcs += len({hit for seen in new for hit in seen.hits} - reached)
    after = mutation_kills(row.method, [seen.example.input for seen in new], sandbox)
    tally.mutants += len(set(before.survivors) - set(after.survivors)) if new else 0


def account(row: Draft, described: Described | Rejection, tally: Tally) -> None:
    """Count a row and show its description."""
    tally.rows += 1
    if isinstance(described, Rejection):
        tally.none += 1
        print(f"{row.task_id}: none ({described.detail})", flush=True)
        return
    best = described.best
    is_good = (best.code_match or 0) >= GOOD_MATCH
    by_model = best.description.origin.startswith("model:")
    tally.by_model += by_model
    tally.good += is_good
    tally.good_by_model += is_good and by_model
    print(
        f"{row.task_id}: {best.code_match:.2f} {best.description.origin}: {best.text}", flush=True
    )


if __name__ == "__main__":
    main()

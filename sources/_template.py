"""NAME OF THE CORPUS: how many rows, who made them, and what a row holds.

Copy this file to ``sources/<name>.py`` and change every line. A source that lives in a package of
its own registers ``SOURCE`` under the entry-point group ``pau.sources`` instead. Files whose name
begins with an underscore are not sources.
"""

from builder.reasons import Reason
from builder.records import Candidate, Rejection
from sources.contract import HubPart, Row, Source
from sources.mining import parse, with_setup


def convert(row: Row) -> Candidate | Rejection:
    """Read one row. Never run any of its code: offer the statements that call it as drivers."""
    if parse(row.fields["solution"]) is None:
        return row.reject(Reason.NOT_PYTHON)
    return row.candidate(
        code=row.fields["solution"],
        entry_point=row.fields["function"],
        drivers=with_setup(["import math"], row.fields["tests"]),
        description=row.fields["question"],
    )


SOURCE = Source(
    name="template",
    title="The corpus' own name",
    home="https://example.org/corpus",
    license="MIT",  # an SPDX identifier; where copies disagree, the strictest
    citation="Author (year). Title. Where it appeared.",
    split="train",  # or "test"
    hub_id="owner/name",
    revision="0" * 40,  # the full commit hash on the Hub: never a branch, which moves
    hub_parts=(HubPart(config=None, split="train"),),
    columns={"id": str, "question": str, "solution": str, "function": str, "tests": list},
    convert=convert,
    id_column="id",  # leave it out where the corpus has no ids: a hash of the columns is used
)

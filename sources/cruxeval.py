"""CruxEval: 800 short functions written by a model, each with one input and its output."""

from builder.records import Candidate, Rejection
from sources.contract import HubPart, Row, Source


def convert(row: Row) -> Candidate | Rejection:
    """Read one function; its input is the text between the brackets of a call."""
    return row.candidate(
        code=row.fields["code"],
        entry_point="f",
        drivers=[f"f({row.fields['input']})"],
    )


SOURCE = Source(
    name="cruxeval",
    title="CRUXEval",
    home="https://github.com/facebookresearch/cruxeval",
    license="MIT",
    citation="Gu et al. (2024). CRUXEval: A Benchmark for Code Reasoning, Understanding and "
    "Execution. arXiv:2401.03065.",
    split="test",
    hub_id="cruxeval-org/cruxeval",
    revision="b96af0450242eb4da433032b90998f25588a5d0f",
    hub_parts=(HubPart(None, "test"),),
    columns={"id": str, "code": str, "input": str, "output": str},
    convert=convert,
    id_column="id",
)

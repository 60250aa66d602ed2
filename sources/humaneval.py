"""HumanEval: 164 hand-written problems, each a signature with a docstring, a body and tests."""

from builder.records import Candidate, Rejection
from sources.contract import HubPart, PackageFile, Row, Source
from sources.mining import docstring_calls, docstring_of


def convert(row: Row) -> Candidate | Rejection:
    """Read one problem: its tests call the target through ``check``, its docstring directly."""
    entry_point = row.fields["entry_point"]
    code = row.fields["prompt"] + row.fields["canonical_solution"]
    docstring = docstring_of(code, entry_point)
    # Some tests draw random inputs: the same ones in every build.
    checks = f"import random\nrandom.seed(0)\n{row.fields['test']}\ncheck({entry_point})\n"
    return row.candidate(
        code=code,
        entry_point=entry_point,
        drivers=[checks, *docstring_calls(docstring, entry_point)],
        description=docstring or None,
    )


SOURCE = Source(
    name="humaneval",
    title="HumanEval",
    home="https://github.com/openai/human-eval",
    license="MIT",
    citation="Chen et al. (2021). Evaluating Large Language Models Trained on Code. "
    "arXiv:2107.03374.",
    split="test",
    hub_id="openai/openai_humaneval",
    revision="7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544",
    hub_parts=(HubPart("openai_humaneval", "test"),),
    columns={
        "task_id": str,
        "prompt": str,
        "entry_point": str,
        "canonical_solution": str,
        "test": str,
    },
    convert=convert,
    id_column="task_id",
    package=PackageFile("human-eval", "human_eval/data/HumanEval.jsonl.gz"),
)

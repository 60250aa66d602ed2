"""CodeAlpaca: instructions with answers by a language model, in many programming languages.

Only answers that look like a Python function are candidates. Where the answer goes on to call
what it defines, those statements are drivers, and so is every reading of the row's input.
"""

from builder.reasons import Reason
from builder.records import Candidate, Rejection
from sources.contract import HubPart, Row, Source, unix_lines
from sources.mining import (
    docstring_calls,
    docstring_of,
    functions,
    input_calls,
    module_drivers,
    parse,
    python_part,
    single_target,
)


def convert(row: Row) -> Candidate | Rejection:
    """Read one answer."""
    code = python_part(unix_lines(row.fields["output"]))
    tree = parse(code)
    if tree is None and not code.startswith("def "):
        return row.reject(Reason.NOT_PYTHON)
    if tree is not None and not functions(tree):
        return row.reject(Reason.NO_FUNCTION)
    target = None if tree is None else single_target(tree)
    drivers: list[str] = []
    if tree is not None and target is not None:
        drivers += module_drivers(tree, target.name)
        drivers += docstring_calls(docstring_of(code, target.name), target.name)
        drivers += input_calls(row.fields["input"], target)
    return row.candidate(
        code=code,
        entry_point=None if target is None else target.name,
        drivers=drivers,
        description=row.fields["instruction"],
    )


SOURCE = Source(
    name="codealpaca",
    title="Code Alpaca",
    home="https://github.com/sahil280114/codealpaca",
    # The card on the Hub says CC-BY-4.0, the authors' own repository says non-commercial.
    license="CC-BY-NC-4.0",
    citation="Chaudhary (2023). Code Alpaca: An Instruction-following LLaMA model for code "
    "generation. https://github.com/sahil280114/codealpaca.",
    split="train",
    hub_id="sahil2801/CodeAlpaca-20k",
    revision="152bb5e9a29651266b018106053980070a0521a1",
    hub_parts=(HubPart(None, "train"),),
    columns={"instruction": str, "input": str, "output": str},
    convert=convert,
)

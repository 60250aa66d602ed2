"""Measures the intake: how many rows of each corpus are proven right after anonymising.

    python benchmarks/anonymise.py --corpora DIR

``DIR`` holds the files as their publishers name them. A row counts as proven when original and
anonymised function agree on every call that the corpus makes of it, in the sandbox, and the
anonymised one gives the same again in other surroundings.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from builder.intake.corpus import ingest, open_corpus
from builder.intake.prove import check_repeatable
from builder.intake.take_in import take_in
from builder.records import Candidate, Rejection
from builder.sandbox.supervisor import Sandbox
from sources.registry import find_source

FILES: Final = {
    "humaneval": ["HumanEval.jsonl.gz"],
    "mbpp": ["mbpp.jsonl", "sanitized-mbpp.json"],
    "cruxeval": ["cruxeval.jsonl"],
    "codealpaca": ["code_alpaca_2k.json", "new_codealpaca.json"],
}
PROVEN: Final = "proven on the corpus' own calls"
NO_CALLS: Final = "taken in, but the corpus makes no call with literal arguments"


def main() -> None:
    """Print a table for each corpus, and each lost row with ``--rows``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", type=Path, required=True, help="folder of the corpus files")
    parser.add_argument("--source", action="append", choices=FILES, help="only this corpus")
    parser.add_argument("--rows", action="store_true", help="name every row that is not proven")
    options = parser.parse_args()
    with Sandbox() as sandbox:
        for name in options.source or FILES:
            _measure(name, options.corpora, options.rows, sandbox)


def _measure(name: str, folder: Path, show_rows: bool, sandbox: Sandbox) -> None:
    started = time.perf_counter()
    counts: Counter[str] = Counter()
    for row_id, result, detail in _results(name, folder, sandbox):
        counts[result] += 1
        if show_rows and result != PROVEN:
            print(f"    {row_id}: {result}: {detail}")
    seconds = time.perf_counter() - started
    print(f"{name}: {counts[PROVEN]} of {counts.total()} proven, {seconds:.0f} s")
    for result, count in counts.most_common():
        print(f"  {count:6}  {result}")


def _results(name: str, folder: Path, sandbox: Sandbox) -> Iterator[tuple[str, str, str]]:
    corpus = open_corpus(find_source(name), [folder / file for file in FILES[name]])
    for row in ingest(corpus):
        yield row.source_id, *_result(row, sandbox)


def _result(row: Candidate | Rejection, sandbox: Sandbox) -> tuple[str, str]:
    intake = take_in(row, sandbox) if isinstance(row, Candidate) else row
    if isinstance(intake, Rejection):
        return f"{intake.stage}: {intake.reason}", intake.detail
    if not intake.seeds:
        return NO_CALLS, ""
    finding = check_repeatable(intake.method.code, intake.seeds, sandbox)
    return (PROVEN, "") if finding is None else (f"repeat: {finding[0]}", finding[1])


if __name__ == "__main__":
    main()

"""The public corpora, for tests that need real rows; such a test skips where they are absent."""

import functools
import os
from pathlib import Path

import pytest

from builder.intake.corpus import Corpus, ingest, open_corpus
from builder.records import Candidate, Rejection
from sources.registry import find_source

FOLDER = Path(
    os.environ.get("PAU_CORPORA", Path(__file__).parents[2] / "shared" / "corpora")
).resolve()
FILES = {
    "humaneval": ("HumanEval.jsonl.gz",),
    "mbpp": ("mbpp.jsonl", "sanitized-mbpp.json"),
    "cruxeval": ("cruxeval.jsonl",),
    "codealpaca": ("code_alpaca_2k.json", "new_codealpaca.json"),
}


def corpus_files(name: str) -> list[Path]:
    """Return the files of a corpus, or skip the test."""
    paths = [FOLDER / file for file in FILES.get(name, ())]
    if not paths or not all(path.exists() for path in paths):
        pytest.skip(f"no files of {name}: name their folder in PAU_CORPORA")
    return paths


@functools.cache
def real_corpus(name: str) -> Corpus:
    """Return a corpus from its package or its files, or skip the test."""
    source = find_source(name)
    return open_corpus(source) if source.package else open_corpus(source, corpus_files(name))


@functools.cache
def real_results(name: str) -> tuple[Candidate | Rejection, ...]:
    """Return what every row of a corpus becomes at ingest, or skip the test."""
    return tuple(ingest(real_corpus(name)))


def real_candidates(name: str) -> dict[str, Candidate]:
    """Return the candidates of a corpus by id, or skip the test."""
    return {item.source_id: item for item in real_results(name) if isinstance(item, Candidate)}

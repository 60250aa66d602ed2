"""What the page says of a release as a whole."""

from pathlib import Path
from typing import Any

import pytest

from builder.release.packed import read_funnel, read_manifest, read_rows
from builder.release.report.overview import overview


@pytest.fixture
def whole(release_folder: Path) -> dict[str, Any]:
    return overview(
        read_manifest(release_folder), read_rows(release_folder), read_funnel(release_folder)
    )


def test_each_split_has_its_figures(whole: dict[str, Any]) -> None:
    assert {split: figures["rows"] for split, figures in whole["figures"].items()} == {
        "train": 1,
        "test": 2,
    }


def test_the_published_numbers_of_parameters_are_beside_ours(whole: dict[str, Any]) -> None:
    assert whole["publishedArity"] == {1: 377, 2: 311, 3: 52, 4: 1}
    assert whole["figures"]["test"]["arity"] == {1: 1, 2: 1}


def test_the_funnel_has_the_sentence_of_each_reason(whole: dict[str, Any]) -> None:
    assert whole["funnel"]["reasons"]["no_argument"] == "The target takes no argument."
    assert whole["funnel"]["sources"]["garden"]["kept"] == 2


def test_sources_are_told_as_the_manifest_has_them(whole: dict[str, Any]) -> None:
    assert whole["sources"]["meadow"]["split"] == "train"
    assert whole["sources"]["meadow"]["license"] == "CC-BY-4.0"

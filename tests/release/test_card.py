"""The dataset card: a head for the Hub, and a page for readers."""

import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from huggingface_hub import DatasetCard

from builder.reasons import Reason, Stage
from builder.records import Rejection
from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from builder.release.rows import CANARY
from builder.sandbox.protocol import Level


@pytest.fixture
def card(release_folder: Path) -> DatasetCard:
    loaded: DatasetCard = DatasetCard.load(
        release_folder / "README.md", ignore_metadata_errors=False
    )
    return loaded


def test_the_head_names_the_files_of_each_config(card: DatasetCard) -> None:
    assert card.data.get("configs") == [
        {
            "config_name": "default",
            "default": True,
            "data_files": [
                {"split": "train", "path": "data/train-00000-of-00001.parquet"},
                {"split": "test", "path": "data/test-00000-of-00001.parquet"},
            ],
        },
        {
            "config_name": "typed",
            "data_files": [
                {"split": "train", "path": "typed/train-00000-of-00001.parquet"},
                {"split": "test", "path": "typed/test-00000-of-00001.parquet"},
            ],
        },
    ]


def test_several_licences_are_other_with_a_file_that_is_there(
    card: DatasetCard, release_folder: Path
) -> None:
    assert card.data.get("license") == "other"
    assert card.data.get("license_name") == "cc-by-4.0-and-mit"
    assert (release_folder / card.data.get("license_link")).exists()


def test_one_licence_is_named(without_train: ReleaseInput, tmp_path: Path) -> None:
    write_release(without_train, tmp_path / "release")
    data = DatasetCard.load(tmp_path / "release" / "README.md").data
    assert data.get("license") == "mit"
    assert "license_link" not in data


def test_a_corpus_without_rows_is_no_origin(content: ReleaseInput, tmp_path: Path) -> None:
    lost = Rejection("meadow", "Meadow/1", Stage.SUITE, Reason.CONSTANT)
    without_meadow = replace(
        content, tasks=content.tasks[::2], rejections=(*content.rejections, lost)
    )
    write_release(without_meadow, tmp_path / "release")
    data = DatasetCard.load(tmp_path / "release" / "README.md").data
    assert data.get("source_datasets") == ["extended|example/garden"]
    assert "Meadow" not in (tmp_path / "release" / "LICENSE.md").read_text()


def test_every_table_has_as_many_cells_in_each_row(card: DatasetCard) -> None:
    lines = card.text.splitlines()
    tables = [
        list(group) for is_row, group in groupby(lines, lambda x: x.startswith("|")) if is_row
    ]
    assert len(tables) >= 6
    for table in tables:
        assert re.fullmatch(r"\|( -+:? \|)+", table[1]), table[1]
        assert len({line.count("|") for line in table}) == 1, table


def test_the_table_of_sources_gives_licence_rows_and_version(card: DatasetCard) -> None:
    assert (
        "| [The Garden Corpus](https://example.org/garden) | test | 2 | 3 |"
        " [MIT](https://spdx.org/licenses/MIT.html) | sha256:garden |"
    ) in card.text


def test_attribution_is_in_the_card_and_in_the_licence_file(
    card: DatasetCard, release_folder: Path
) -> None:
    for text in (card.text, (release_folder / "LICENSE.md").read_text()):
        assert "Gardener et al. (2025). Garden." in text
        assert "Gardener et al. (2025). Meadow." in text


def test_the_card_tells_how_many_rows_are_exact_in_default(card: DatasetCard) -> None:
    assert "1 of the 1 rows of train and 1 of the 2 rows of test" in card.text


def test_the_card_tells_what_was_lost_and_why(card: DatasetCard) -> None:
    assert (
        "| ingest | `not_python`: The text is not a Python module that parses. |  | 1 |"
        in card.text
    )
    assert "| | rows read | 3 | 3 |" in card.text
    assert "| | rows kept | 2 | 1 |" in card.text


def test_the_card_carries_the_canary(card: DatasetCard) -> None:
    assert CANARY in card.text


def test_weak_isolation_is_told(without_train: ReleaseInput, tmp_path: Path) -> None:
    for level in Level:
        write_release(replace(without_train, level=level), tmp_path / level)
        text = (tmp_path / level / "README.md").read_text()
        assert ("weaker isolation" in text) == (level in (Level.PARTIAL, Level.PROCESS_ONLY))

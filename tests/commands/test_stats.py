"""``pau-build stats``: the figures of a release as tables."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.commands.stats import stats
from builder.errors import PauError


@pytest.fixture
def lines(release_folder: Path) -> list[str]:
    result = CliRunner().invoke(stats, [str(release_folder)])
    assert result.exit_code == 0, result.exception
    return [" ".join(line.split()) for line in result.output.splitlines()]


def test_each_split_has_a_column(lines: list[str]) -> None:
    assert lines[0] == "train test"
    assert "rows 1 2" in lines
    assert "mean branch coverage 100.00% 75.00%" in lines
    assert "changes its arguments 1 (100%) ." in lines
    assert "without description 1 (100%) ." in lines
    assert "median outcome entropy . 1.50" in lines
    assert "context fits another . 1 ( 50%)" in lines


def test_the_numbers_of_parameters_stand_beside_the_published_ones(lines: list[str]) -> None:
    start = lines.index("parameters train test published")
    assert lines[start + 1 : start + 5] == [
        "1 1 (100%) 1 ( 50%) 377 ( 51%)",
        "2 . 1 ( 50%) 311 ( 42%)",
        "3 . . 52 ( 7%)",
        "4 . . 1 ( 0%)",
    ]


def test_the_most_frequent_type_comes_first(lines: list[str]) -> None:
    start = lines.index("types of arguments train test")
    assert lines[start + 1] == "list 1 2"


def test_suite_sizes_are_a_histogram(lines: list[str]) -> None:
    start = lines.index("tests of a suite, test")
    assert lines[start + 1] == "4 2 " + 30 * "#"


def test_the_funnel_is_told(lines: list[str]) -> None:
    assert "rows in 3 3 6" in lines
    assert "kept 2 1 3" in lines


def test_everything_fits_into_80_columns(release_folder: Path) -> None:
    result = CliRunner().invoke(stats, [str(release_folder)])
    assert max(map(len, result.output.splitlines())) <= 80


def test_a_damaged_funnel_is_told_in_one_line(release_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(release_folder, tmp_path / "copy")
    (folder / "funnel.json").write_text("{")
    result = CliRunner().invoke(stats, [str(folder)])
    assert isinstance(result.exception, PauError)
    assert "funnel.json: cannot be read as a funnel" in str(result.exception)


def test_a_damaged_file_of_rows_is_told_in_one_line(release_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(release_folder, tmp_path / "copy")
    next((folder / "typed").glob("test-*")).write_bytes(b"PAR1")
    result = CliRunner().invoke(stats, [str(folder)])
    assert isinstance(result.exception, PauError)
    assert "test-00000-of-00001.parquet: cannot be read" in str(result.exception)

"""``pau-build verify``: a line for each difference, and the exit code says whether there is one."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.commands.verify import verify
from builder.errors import BelowBarError, PauError

ANY_ISOLATION = ["--isolation", "process-only"]


def test_a_good_release_ends_with_one_line_of_counts(release_folder: Path) -> None:
    result = CliRunner().invoke(verify, [str(release_folder), *ANY_ISOLATION])
    assert result.exit_code == 0
    assert result.output == f"{release_folder}: 3 rows and 18 examples replayed, no difference\n"


def test_each_difference_is_a_line_and_the_exit_code_is_3(
    release_folder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(release_folder, tmp_path / "copy")
    (folder / "LICENSE.md").unlink()
    (folder / "notes.txt").touch()
    result = CliRunner().invoke(verify, [str(folder), *ANY_ISOLATION])
    assert result.output.splitlines() == [
        "LICENSE.md: is missing",
        "notes.txt: is not part of the release",
    ]
    assert isinstance(result.exception, BelowBarError)
    assert result.exception.exit_code == 3
    assert "2 differences" in str(result.exception)


@pytest.mark.parametrize("name", ["nothing", "."])
def test_a_folder_without_a_release_is_wrong_use(tmp_path: Path, name: str) -> None:
    result = CliRunner().invoke(verify, [str(tmp_path / name), *ANY_ISOLATION])
    assert isinstance(result.exception, PauError)
    assert result.exception.exit_code == 2

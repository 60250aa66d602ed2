"""Reading a release back: what another version wrote is refused with a reason."""

import shutil
from pathlib import Path

import pyarrow.parquet
import pytest

from builder.errors import PauError
from builder.release.packed import parquet_path, read_rows


def test_rows_are_read_back(release_folder: Path) -> None:
    rows = read_rows(release_folder)
    assert list(rows) == ["train", "test"]
    assert all(rows.values())


@pytest.mark.parametrize("column", ["description_code_match", "task_id"])
def test_a_release_without_a_column_names_it(
    release_folder: Path, column: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(release_folder, tmp_path / "release")
    path = folder / parquet_path("typed", "test")
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.drop_columns([column]), path)
    with pytest.raises(PauError, match=f"no column {column}: another version"):
        read_rows(folder)

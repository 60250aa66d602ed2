"""``pau-build diff``: as words or as JSON."""

import json
from pathlib import Path

from click.testing import CliRunner

from builder.commands.diff import diff
from builder.errors import PauError


def test_words_are_the_default(release_folder: Path) -> None:
    result = CliRunner().invoke(diff, [str(release_folder), str(release_folder)])
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "- train: 1 rows (as many as before)",
        "- test: 2 rows (as many as before)",
        "- the rows are the same",
    ]


def test_json_has_every_part(release_folder: Path) -> None:
    names = [str(release_folder), str(release_folder)]
    result = CliRunner().invoke(diff, [*names, "--format", "json"])
    content = json.loads(result.output)
    assert content["rows"][0] == {"split": "train", "name": "rows", "before": 1, "after": 1}
    assert content["added"] == content["removed"] == content["changed"] == []


def test_a_folder_without_a_release_is_wrong_use(release_folder: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(diff, [str(release_folder), str(tmp_path)])
    assert isinstance(result.exception, PauError)
    assert "not a release" in str(result.exception)

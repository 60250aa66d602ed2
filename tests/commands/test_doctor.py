"""What ``pau-build doctor`` shows, and how it ends."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.commands.doctor import doctor
from builder.errors import PauError
from builder.sandbox import probe

GOOD = {"id": "adds", "code": "def test_func(x):\n    return x + 1\n", "args": "(1,)", "must": "ok"}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(doctor, [*arguments])


def run_cases(tmp_path: Path, *cases: dict[str, str]) -> Result:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": cases}))
    return run("--cases", str(file), "--isolation", "process-only")


def test_it_shows_the_level_every_layer_and_the_limits() -> None:
    result = run()
    assert result.exit_code == 0
    first, *rest = result.output.splitlines()
    assert first == probe.isolation().line
    for layer in probe.isolation().layers:
        assert any(layer.name in line and layer.proof in line for line in rest)
    assert "1 s of CPU time" in rest[-1] and "512 MiB" in rest[-1]


def test_right_cases_end_with_0_and_a_line_each(tmp_path: Path) -> None:
    result = run_cases(tmp_path, {**GOOD, "expect": "2"}, {**GOOD, "id": "again"})
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[-3].split() == ["adds", "ok", "right;", "escapes:", "none"]
    level = probe.isolation().level
    assert lines[-1] == f"2 cases at level {level}: 2 right, 0 wrong, 0 with an escape."


def test_a_wrong_case_ends_with_3(tmp_path: Path) -> None:
    result = run_cases(tmp_path, {**GOOD, "must": "error"})
    assert result.exit_code == 3
    assert "WRONG (right: error)" in result.output


def test_a_missing_file_is_named() -> None:
    result = run("--cases", "none.json")
    assert isinstance(result.exception, PauError)
    assert "none.json: cannot be read" in str(result.exception)


def test_a_missing_layer_comes_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    weak = probe.Isolation((probe.Layer("landlock", False, "not there", "get a newer kernel"),))
    monkeypatch.setattr(probe, "isolation", lambda: weak)
    result = run()
    assert "Missing: landlock (not there)" in result.output
    assert "To mend it: get a newer kernel." in result.output


def test_below_strong_the_catalogue_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weak = probe.Isolation((probe.Layer("landlock", False, "not there"),))
    monkeypatch.setattr(probe, "isolation", lambda: weak)
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": [GOOD]}))
    result = run("--cases", str(file))
    assert isinstance(result.exception, PauError)
    assert "--isolation process-only" in str(result.exception)

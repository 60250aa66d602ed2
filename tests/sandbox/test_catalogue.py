"""The catalogue of hostile functions: ours on every kind of host, the wider one where it lies."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from builder.errors import PauError
from builder.sandbox import catalogue, probe
from builder.sandbox.protocol import Level
from builder.sandbox.supervisor import Sandbox
from tests.sandbox.programs import ROOT, python

OURS = Path(__file__).with_name("hostile.json")
WIDER = ROOT.parent / "shared" / "hostile" / "cases.json"
SYSTEM_PYTHON = Path("/usr/bin/python3")

RUN = (
    "from pathlib import Path\n"
    "from builder.sandbox import catalogue, probe\nfrom builder.sandbox.protocol import Level\n"
    "from builder.sandbox.supervisor import Sandbox\n"
    "from tests.sandbox.conftest import SHORT\n"
    "with Sandbox(SHORT, Level.PROCESS_ONLY) as sandbox:\n"
    f"    for result in catalogue.run(catalogue.read(Path({str(OURS)!r})), sandbox):\n"
    "        if not result.is_right or result.escapes:\n            print(result.line)\n"
    "print(probe.isolation().level)\n"
)
"""Prints what went wrong, and the level."""

needs_strong = pytest.mark.skipif(
    probe.is_weaker(probe.isolation().level, Level.STRONG), reason="this host is not strong"
)
AS_USER = (
    "import os, sys\nos.setgroups([])\nos.setresgid(12345, 12345, 12345)\n"
    "os.setresuid(12345, 12345, 12345)\nos.execv(sys.argv[1], sys.argv[1:])\n"
)


@needs_strong
@pytest.mark.parametrize("file", [OURS, WIDER], ids=["ours", "wider"])
def test_every_case_is_judged_right_and_nothing_escapes(file: Path, sandbox: Sandbox) -> None:
    if not file.exists():
        pytest.skip(f"no {file}")
    results = list(catalogue.run(catalogue.read(file), sandbox))
    assert len(results) >= 60
    assert [r.line for r in results if not r.is_right or r.escapes] == []


@needs_strong
def test_so_it_is_where_namespaces_are_blocked() -> None:
    assert python(RUN, "namespaces").stdout.split() == [Level.STRONG.value]


@needs_strong
@pytest.mark.skipif(os.geteuid() != 0, reason="this test run is by an ordinary user already")
def test_so_it_is_for_an_ordinary_user() -> None:
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    show = [str(SYSTEM_PYTHON), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    if not SYSTEM_PYTHON.exists() or wanted not in subprocess.check_output(show, text=True):
        pytest.skip(f"no Python {wanted} that an ordinary user can read")
    packages = str(Path(pytest.__file__).parents[1])
    environment = {"PYTHONPATH": f"{ROOT}:{packages}", "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(
        [sys.executable, "-c", AS_USER, str(SYSTEM_PYTHON), "-c", RUN],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        cwd="/",
    )
    if "Permission" in result.stderr:
        pytest.skip("the checkout cannot be read by an ordinary user")
    assert (result.stdout.split(), result.stderr) == ([probe.isolation().level.value], "")


class TestReading:
    def read(self, tmp_path: Path, content: object) -> catalogue.Catalogue:
        file = tmp_path / "cases.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return catalogue.read(file)

    def test_a_case_has_its_verdicts_and_its_value(self, tmp_path: Path) -> None:
        case = {"id": "a", "code": "x", "args": "(1,)", "must": "ok", "expect": "2"}
        (read,) = self.read(tmp_path, {"cases": [{**case, "accept": ["error"]}]}).cases
        assert read == catalogue.Case("a", "x", "(1,)", frozenset({"ok", "error"}), "2")

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("{", "is not JSON"),
            ([], 'has no list "cases"'),
            ({"cases": [{"id": "a", "code": "x"}]}, "case a has no .*'must'"),
            ({"cases": [{"id": "a", "code": "x", "must": "ok", "args": "f()"}]}, "no literal"),
            ({"cases": ["a"]}, "case number 0"),
        ],
    )
    def test_a_bad_catalogue_is_named_with_its_case(
        self, tmp_path: Path, content: object, message: str
    ) -> None:
        with pytest.raises(PauError, match=message):
            self.read(tmp_path, content)

    def test_a_missing_catalogue_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(PauError, match=r"none\.json: cannot be read"):
            catalogue.read(tmp_path / "none.json")


def test_no_place_for_the_bait_is_said_in_one_line(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    control = catalogue.Case("control", "", "()", frozenset())
    with pytest.raises(PauError, match="TMPDIR"):
        next(catalogue.run(catalogue.Catalogue((), control), sandbox))


def test_a_wrong_value_is_wrong_though_the_verdict_is_right(sandbox: Sandbox) -> None:
    case = catalogue.Case("one", "def test_func():\n    return 1\n", "()", frozenset({"ok"}), "2")
    control = catalogue.Case("control", case.code, "()", frozenset({"ok"}), "1")
    (result,) = catalogue.run(catalogue.Catalogue((case,), control), sandbox)
    assert not result.is_right and "WRONG" in result.line


def test_numbers_with_many_digits_are_compared(sandbox: Sandbox) -> None:
    code = "def test_func():\n    return 10 ** 5000\n"
    case = catalogue.Case("many", code, "()", frozenset({"ok"}), "1" + "0" * 5000)
    control = catalogue.Case("control", code, "()", frozenset({"ok"}))
    (result,) = catalogue.run(catalogue.Catalogue((case,), control), sandbox)
    assert result.is_right

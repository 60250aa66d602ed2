"""The store: what was finished is there again, and nothing stale ever is."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from builder.config import Settings
from builder.errors import PauError
from builder.reasons import Reason, Stage
from builder.records import Rejection
from builder.store import Result, open_store, result_key
from tests.factories import candidate, task

REJECTION = Rejection(
    "own",
    "own/0",
    Stage.SUITE,
    Reason.CONSTANT,
    "always '\ud800'".encode("ascii", "backslashreplace").decode(),
)


@pytest.mark.parametrize("result", [task(), task(description=None), REJECTION])
def test_a_stored_result_comes_back_equal(result: Result, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with open_store(path) as store:
        store.put("key", result)
    with open_store(path) as store:
        assert store.get("key") == result


def test_an_unknown_key_has_no_result(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.sqlite") as store:
        assert store.get("key") is None


@pytest.mark.parametrize(
    "other",
    [
        result_key(candidate(code="def clamp(): pass"), Settings(), "full"),
        result_key(candidate(revision="2"), Settings(), "full"),
        result_key(candidate(), Settings(seed=1), "full"),
        result_key(candidate(), replace(Settings(), allow_missing_description=True), "full"),
        result_key(candidate(), Settings(), "strong"),
    ],
)
def test_whatever_determines_a_result_is_in_its_key(other: str) -> None:
    assert result_key(candidate(), Settings(), "full") != other


def test_the_same_inputs_have_the_same_key() -> None:
    assert result_key(candidate(), Settings(), "full") == result_key(
        candidate(), Settings(), "full"
    )


def test_a_file_that_is_no_store_is_named_with_the_cure(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_text("not a database, but long enough to be looked at by SQLite" * 20)
    with pytest.raises(PauError, match=r"store\.sqlite.*delete the file"), open_store(path):
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PauError, match="file"), open_store(tmp_path / "file" / "store.sqlite"):
        pass


def test_results_put_before_a_kill_are_there_afterwards(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from builder.reasons import Reason, Stage\nfrom builder.records import Rejection\n"
        "from builder.store import open_store\n"
        "with open_store(Path(sys.argv[1])) as store:\n"
        "    store.put('key', Rejection('own', '0', Stage.SUITE, Reason.CONSTANT))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "store.sqlite"
    done = subprocess.run([sys.executable, "-c", program, str(path)], env=os.environ, timeout=60)
    assert done.returncode == -signal.SIGKILL
    with open_store(path) as store:
        assert store.get("key") == Rejection("own", "0", Stage.SUITE, Reason.CONSTANT)

"""Worker processes: the result does not depend on them, whatever happens to them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.config import Settings
from builder.errors import HarnessError, PauError
from builder.model.client import Mode, WaitingForModelError
from builder.model.settings import ModelSettings
from builder.records import Candidate, Task
from builder.sandbox.protocol import Level
from builder.store import Result
from builder.workers import build_rows, shares
from tests.factories import CLAMP, candidate

CANDIDATES = [
    candidate(source_id=f"own/{n}", code=CLAMP.replace("return high", f"return high + {n}"))
    for n in range(4)
]


def results(workers: int) -> dict[str, Result]:
    done = build_rows(CANDIDATES, Settings(), Level.PARTIAL, workers)
    return {
        candidate.task_id: result
        for candidate, result in done
        if not isinstance(result, WaitingForModelError)
    }


def children_of(parent: int) -> list[int]:
    """Return the processes whose parent is ``parent``."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(status.parent.name))
    return found


def test_the_result_does_not_depend_on_the_number_of_workers() -> None:
    one = results(workers=1)
    assert all(isinstance(result, Task) for result in one.values())
    assert results(workers=2) == one


@given(calls=st.integers(1, 99), workers=st.integers(1, 99))
def test_workers_together_make_as_many_calls_at_a_time_as_are_allowed(
    calls: int, workers: int
) -> None:
    divided = shares(calls, workers)
    assert len(divided) == workers
    assert sum(divided) == max(calls, workers)
    assert max(divided) - min(divided) <= 1


def test_no_candidate_gives_no_result() -> None:
    assert list(build_rows([], Settings(), Level.PARTIAL, 2)) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the worker by /proc")
def test_a_row_whose_worker_is_killed_is_built_by_the_next_one() -> None:
    done = build_rows(iter(CANDIDATES), Settings(), Level.PARTIAL, 1)
    found = [next(done)]
    for child in children_of(os.getpid()):
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(child, signal.SIGKILL)
    found += done
    assert [candidate.task_id for candidate, _ in found] == [c.task_id for c in CANDIDATES]
    assert all(isinstance(result, Task) for _, result in found)


def test_what_keeps_a_worker_from_asking_is_told_as_the_user_can_mend_it(tmp_path: Path) -> None:
    store = tmp_path / "replies.sqlite"
    store.write_text("this is no database, but as long as the first page of one" * 99)
    models = ModelSettings({"describe": "some-model"}, store, mode=Mode.REPLAY)
    with pytest.raises(PauError, match="the store of model replies cannot be used"):
        list(build_rows(CANDIDATES, Settings(), Level.PARTIAL, 2, models))


def test_a_failure_of_the_toolkit_names_the_row() -> None:
    broken = Candidate("own", "own/9", "test", "MIT", "1", "", None, "f")  # type: ignore[arg-type]
    with pytest.raises(HarnessError, match="own/9"):
        list(build_rows([broken], Settings(), Level.PARTIAL, 1))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the workers by /proc")
def test_workers_end_when_the_run_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom builder.config import Settings\n"
        "from builder.sandbox.protocol import Level\nfrom builder.workers import build_rows\n"
        "from tests.factories import candidate\n"
        "if __name__ == '__main__':\n"
        "    many = (candidate(source_id=str(n)) for n in range(10_000))\n"
        "    for _ in build_rows(many, Settings(), Level.PARTIAL, 2):\n"
        "        print('row', flush=True)\n"
    )
    script = tmp_path / "run.py"
    script.write_text(program)
    root = Path(__file__).parent.parent
    run = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert run.stdout is not None
    run.stdout.readline()
    family = descendants_of(run.pid)
    assert len(family) >= 4  # two workers, each with a server of its sandbox
    run.kill()
    run.wait()
    run.stdout.close()
    deadline = time.monotonic() + 20
    while (left := [pid for pid in family if Path(f"/proc/{pid}").exists()]) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.1)
    assert left == []


def descendants_of(parent: int) -> list[int]:
    children = children_of(parent)
    return children + [pid for child in children for pid in descendants_of(child)]

"""The sandbox when something else goes wrong: killed, stopped, starved, crowded."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder.errors import HarnessError
from builder.sandbox import server, zygote
from builder.sandbox.protocol import Job, Level, Verdict
from builder.sandbox.supervisor import Sandbox
from tests.sandbox.conftest import SHORT
from tests.sandbox.programs import ROOT, descendants, eventually, is_running, python, values

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")

WORK = "def f(x):\n    return sum(i * i for i in range(x))\n"
LONG = "(2500000,)"
"""About 0.2 seconds of work."""
LONG_VALUE = str(sum(i * i for i in range(2500000)))


@pytest.fixture
def own() -> Iterator[Sandbox]:
    """A sandbox of the test's own, which it may break."""
    with Sandbox(SHORT, Level.PROCESS_ONLY) as sandbox:
        values(sandbox, WORK, "(1,)")
        yield sandbox


def server_of(sandbox: Sandbox) -> int:
    process = sandbox._servers[0, False].process_id
    assert process is not None
    return process


def send(number: int, process: int) -> None:
    """Send a signal to the children of a server."""
    for child in descendants(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)


def soon(action: Callable[[], object], seconds: float = 0.1) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.start()
    return timer


class TestKilled:
    def test_a_killed_child_is_made_again(self, own: Sandbox) -> None:
        parent = server_of(own)
        soon(lambda: send(signal.SIGKILL, parent))
        assert values(own, WORK, LONG, "(3,)") == [LONG_VALUE, "5"]

    def test_a_child_that_is_killed_every_time_crashes(self, own: Sandbox) -> None:
        parent, ended = server_of(own), threading.Event()

        def kill() -> None:
            while not ended.wait(0.005):
                send(signal.SIGKILL, parent)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            assert own.run(Job(WORK, "f")).loaded.verdict in (Verdict.CRASH, Verdict.OK)
            assert values(own, WORK, LONG) in (["crash"], [])
        finally:
            ended.set()
            killer.join()

    def test_a_killed_server_is_started_again(self, own: Sandbox) -> None:
        soon(lambda: os.kill(server_of(own), signal.SIGKILL))
        assert values(own, WORK, LONG) == [LONG_VALUE]
        assert values(own, WORK, "(3,)") == ["5"]

    def test_a_server_killed_between_jobs_is_started_again(self, own: Sandbox) -> None:
        os.kill(server_of(own), signal.SIGKILL)
        assert values(own, WORK, "(3,)") == ["5"]

    def test_a_server_that_always_dies_is_the_sandboxs_failure(
        self, own: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = server.Server.run

        def die(self: server.Server, job: dict[str, object]) -> server.Ending:
            assert self.process_id is not None
            os.kill(self.process_id, signal.SIGKILL)
            return run(self, job)

        monkeypatch.setattr(server.Server, "run", die)
        with pytest.raises(HarnessError, match="died twice"):
            own.run(Job(WORK, "f"))

    def test_nothing_is_left_when_the_supervisor_is_killed(self) -> None:
        program = (
            "from builder.sandbox.protocol import Call, Job, Level, Limits\n"
            "from builder.sandbox.supervisor import Sandbox\n"
            "sandbox = Sandbox(Limits(call_seconds=60), Level.PROCESS_ONLY)\n"
            "sandbox.run(Job('f = len', 'f'))\nsandbox.run(Job('f = len', 'f'), 1)\n"
            "print('ready', flush=True)\n"
            "sandbox.run(Job('def f():\\n    while True: pass\\n', 'f', (Call('()'),)))\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", program]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as tool:
            assert tool.stdout is not None
            tool.stdout.readline()
            assert eventually(lambda: len(list(descendants(tool.pid))) >= 3)
            below = list(descendants(tool.pid))
            tool.kill()
        assert eventually(lambda: not any(is_running(process) for process in below))


class TestInterrupted:
    def test_an_interrupted_job_does_not_answer_the_next_one(self, own: Sandbox) -> None:
        soon(lambda: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            values(own, "def f(x):\n    while True:\n        pass\n", "(1,)", "(2,)")
        assert values(own, WORK, "(3,)") == ["5"]


class TestStopped:
    def test_a_stopped_child_is_late(self, own: Sandbox) -> None:
        parent = server_of(own)
        soon(lambda: send(signal.SIGSTOP, parent))
        assert values(own, WORK, LONG)[0] in (LONG_VALUE, "timeout")
        assert values(own, WORK, "(3,)") == ["5"]

    def test_a_stopped_server_is_ended_and_started_again(
        self, own: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(server, "PATIENCE_SECONDS", 1.5)
        stopped = server_of(own)
        os.kill(stopped, signal.SIGSTOP)
        assert values(own, WORK, "(3,)") == ["5"]
        assert not is_running(stopped)


class TestCrowded:
    def test_no_process_for_a_moment_is_waited_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answers: list[int | Exception] = [4711, MemoryError(), BlockingIOError()]

        def fork() -> int:
            answer = answers.pop()
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(os, "fork", fork)
        assert zygote.fork_patiently() == 4711

    @pytest.mark.skipif(os.geteuid() != 0, reason="the limit does not hold root, but its servers")
    def test_no_process_for_a_child_is_said_in_one_line(self) -> None:
        program = (
            "import resource\n"
            "hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]\n"
            "resource.setrlimit(resource.RLIMIT_NPROC, (0, hard))\n"
            "from builder.errors import HarnessError\n"
            "def go():\n    " + SMALL_RUN.replace("\n", "\n    ") + "\n"
            "try:\n    go()\nexcept HarnessError as error:\n    print(error)\n"
        )
        assert "no process left" in python(program).stdout

    def test_no_process_for_a_server_is_said_in_one_line(self) -> None:
        program = (
            "from builder.sandbox.supervisor import Sandbox\n"
            "from builder.errors import HarnessError\n"
            "try:\n    Sandbox()\nexcept HarnessError as error:\n    print(error)\n"
        )
        assert "no process left" in python(program, "fork").stdout

    def test_a_thousand_open_descriptors_are_no_trouble(self) -> None:
        program = (
            "import os, resource\n"
            "soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
            "resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))\n"
            "held = [os.open('/dev/null', 0) for _ in range(1200)]\n"
        )
        assert python(program + SMALL_RUN).stdout.split() == ["3", "timeout"]

    def test_without_a_descriptor_to_spare_it_is_said_in_one_line(self) -> None:
        program = (
            "import os, resource\n"
            "from builder.errors import HarnessError\n"
            "from builder.sandbox import probe, supervisor\nprobe.isolation()\n"
            "from tests.sandbox import conftest\n"
            "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
            "resource.setrlimit(resource.RLIMIT_NOFILE, (20, hard))\n"
            "held = []\n"
            "try:\n    while True:\n        held.append(os.open('/dev/null', 0))\n"
            "except OSError:\n    pass\n"
            "def go():\n    " + SMALL_RUN.replace("\n", "\n    ") + "\n"
            "try:\n    go()\nexcept HarnessError as error:\n    print(error)\n"
        )
        assert "Too many open files" in python(program).stdout


SMALL_RUN = (
    "from builder.sandbox.protocol import Call, Job, Level\n"
    "from builder.sandbox.supervisor import Sandbox\n"
    "from tests.sandbox.conftest import SHORT\n"
    "code = 'def f(x):\\n    while x < 0: pass\\n    return x\\n'\n"
    "with Sandbox(SHORT, Level.PROCESS_ONLY) as sandbox:\n"
    "    report = sandbox.run(Job(code, 'f', (Call('(3,)'), Call('(-1,)'))))\n"
    "print(report.outcomes[0].value, report.outcomes[1].verdict)\n"
)
"""Prints ``3 timeout``."""


class TestInherited:
    def test_blocked_signals_do_not_stop_the_clock(self) -> None:
        program = (
            "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n"
        )
        assert python(program + SMALL_RUN).stdout.split() == ["3", "timeout"]

    def test_ignored_signals_do_not_stop_the_clock(self) -> None:
        program = (
            "import signal\n"
            "for number in (signal.SIGCHLD, signal.SIGPROF, signal.SIGXCPU, signal.SIGTERM):\n"
            "    signal.signal(number, signal.SIG_IGN)\n"
        )
        assert python(program + SMALL_RUN).stdout.split() == ["3", "timeout"]

    def test_no_folder_for_temporary_files_is_needed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("TMPDIR", "TEMP", "TMP"):
            monkeypatch.setenv(name, "/nonexistent")
        assert python(SMALL_RUN).stdout.split() == ["3", "timeout"]

    @pytest.mark.skipif(os.geteuid() != 0, reason="hiding /proc takes root")
    def test_no_proc_is_needed(self) -> None:
        program = (
            "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
            "assert libc.unshare(0x20000) == 0\n"
            "assert libc.mount(b'none', b'/', None, 1 << 14 | 1 << 18, None) == 0\n"
            "assert libc.mount(b'none', b'/proc', b'tmpfs', 0, None) == 0\n"
            "import os\nassert os.listdir('/proc') == []\n"
        )
        found = python(program + SMALL_RUN)
        if "AssertionError" in found.stderr:
            pytest.skip("this root may not mount")
        assert found.stdout.split() == ["3", "timeout"]

    def test_the_hash_seed_of_the_tool_does_not_matter(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        show = SMALL_RUN.replace("report.outcomes[0].value", "report").replace(
            "'def f(x):\\n    while x < 0: pass\\n    return x\\n'",
            "'def f(x):\\n    return list({str(i) for i in range(9)})\\n'",
        )
        cut = "import re\nprint = lambda report, _: __builtins__.print(report.outcomes[0].value)\n"
        found = set()
        for seed in ("3", "4"):
            monkeypatch.setenv("PYTHONHASHSEED", seed)
            found.add(python(cut + show).stdout)
        assert len(found) == 1 and found != {""}


class TestNothingLeft:
    def test_no_process_and_no_descriptor_stays_after_closing(self) -> None:
        before = (len(os.listdir("/proc/self/fd")), set(descendants(os.getpid())))  # noqa: PTH208
        with Sandbox(SHORT, Level.PROCESS_ONLY) as sandbox:
            for surroundings in (0, 1):
                values(sandbox, WORK, "(3,)", surroundings=surroundings)
            sandbox.run(Job(WORK, "f", coverage=True))
        after = (len(os.listdir("/proc/self/fd")), set(descendants(os.getpid())))  # noqa: PTH208
        assert after == before

    def test_many_functions_leave_memory_and_descriptors_as_they_were(self, own: Sandbox) -> None:
        def resident() -> int:
            pages = Path(f"/proc/{server_of(own)}/statm").read_text().split()[1]
            return int(pages) * resource.getpagesize()

        crash = "import os\ndef f(x):\n    os._exit(3)\n"
        for code in (WORK, crash):
            values(own, code, "(3,)")
        memory, descriptors = resident(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        for number in range(150):
            values(own, crash if number % 5 == 0 else WORK, "(3,)")
        assert resident() - memory < 1 << 20
        assert len(os.listdir("/proc/self/fd")) == descriptors  # noqa: PTH208
        assert list(descendants(server_of(own))) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="it takes a capability away from root")
def test_a_layer_that_fails_after_the_probe_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The level was found with Landlock; then the kernel refuses it to the server."""
    program = (
        "from builder.errors import HarnessError\n"
        "from builder.sandbox import probe\n"
        "found = probe.Isolation(tuple(\n"
        "    probe.Layer(name, True, 'claimed') for name in ('landlock', 'seccomp', 'limits')))\n"
        "probe.isolation = lambda: found\n"
        "def go():\n    " + SMALL_RUN.replace("\n", "\n    ") + "\n"
        "try:\n    go()\nexcept HarnessError as error:\n    print('HARNESS', error)\n"
    )
    assert "HARNESS a layer of the sandbox failed: " in python(program, "landlock").stdout
    assert "HARNESS a child of the sandbox could not be sealed" in python(program, "seccomp").stdout

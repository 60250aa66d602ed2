"""Each layer of isolation: what it stops, and that nothing else would have stopped it.

Every attack runs twice, in a process that entered all the layers of a fork server, and in one
that entered all but the layer in question. The first has to fail and the second to succeed, in
its effects. The list of system calls is left out of it (it would stop everything); it has tests
of its own, and so have the layers that only a child enters.
"""

import ctypes
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.sandbox import layers, probe
from tests.sandbox.programs import eventually, is_running, python

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the layers are those of Linux"),
    pytest.mark.skipif(
        not {layers.NAMESPACES, layers.LANDLOCK} <= probe.isolation().held,
        reason="this system has no namespaces or no Landlock, so leaving one out shows nothing",
    ),
]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to lose")

STEPS = {
    "namespaces": "layers.enter_namespaces()",
    "nobody": "layers.become_nobody()",
    "process 1": "if os.fork(): os._exit(os.waitstatus_to_exitcode(os.wait()[1]))",
    "no new privileges": "layers.forbid_new_privileges()",
    "capabilities": "layers.drop_capabilities()",
    "files": "layers.forbid_files()",
}
HEAD = "import ctypes, os, socket, sys\nfrom builder.sandbox import layers\n"


def attack(action: str, *, without: str = "", first: str = "") -> str:
    """Make an attack from the place of a fork server; gives what it printed."""
    entered = [step for name, step in STEPS.items() if name != without]
    program = f"{HEAD}{first}\n" + "\n".join(entered) + f"\n{action}\n"
    result = python(program)
    return result.stdout.strip() or result.stderr.strip().rpartition("\n")[2]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter and write to; pytest's own are for its user alone."""
    with tempfile.TemporaryDirectory(prefix="pau-test-") as name:
        path = Path(name)
        path.chmod(0o777)
        (path / "secret").write_text("the secret")
        (path / "secret").chmod(0o644)
        yield path


@pytest.fixture
def datagrams() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(0.2)
        yield listener


class TestNamespaces:
    def sends(self, listener: socket.socket, without: str = "") -> bool:
        port = listener.getsockname()[1]
        attack(
            f"socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))",
            without=without,
        )
        try:
            return listener.recv(1) == b"x"
        except TimeoutError:
            return False

    def test_nothing_is_sent(self, datagrams: socket.socket) -> None:
        assert not self.sends(datagrams)

    def test_without_them_a_datagram_arrives(self, datagrams: socket.socket) -> None:
        assert self.sends(datagrams, without="namespaces")

    def test_other_processes_cannot_be_seen(self) -> None:
        look = f"print(os.getpriority(os.PRIO_PROCESS, {os.getpid()}))"
        assert "ProcessLookupError" in attack(look)
        assert attack(look, without="namespaces").lstrip("-").isdigit()

    def test_shared_memory_of_others_cannot_be_found(self) -> None:
        library = ctypes.CDLL(None)
        key = 0x5041 + os.getpid()
        memory = library.shmget(key, 4096, 0o1666)
        try:
            look = f"print(ctypes.CDLL(None).shmget({key}, 0, 0) >= 0)"
            assert attack(look) == "False"
            assert attack(look, without="namespaces") == "True"
        finally:
            library.shmctl(memory, 0, None)

    def test_the_name_of_the_machine_is_another_ones(self) -> None:
        look = "print(os.readlink('/proc/self/ns/uts'))"
        here = os.readlink("/proc/self/ns/uts")  # noqa: PTH115
        assert attack(look) not in ("", here)
        assert attack(look, without="namespaces") == here

    def test_a_daemon_ends_with_process_1(self) -> None:
        leave = (
            "r, w = os.pipe()\n"
            "if os.fork() == 0:\n    os.setsid()\n    os.write(w, b'x')\n"
            "    import time; time.sleep(60); os._exit(0)\n"
            "os.read(r, 1)\nprint(os.getpid(), flush=True)\nos._exit(0)\n"
        )
        marker = f"pau-daemon-{os.getpid()}"
        name = f"ctypes.CDLL(None).prctl(15, b'{marker[-15:]}', 0, 0, 0)"

        def left() -> list[int]:
            found = []
            for path in Path("/proc").glob("[0-9]*/comm"):
                try:
                    if path.read_text().strip() == marker[-15:]:
                        found.append(int(path.parent.name))
                except OSError:
                    continue
            return found

        attack(leave, first=name)
        assert eventually(lambda: not left(), 3)
        program = leave.replace("time.sleep(60)", "os.closerange(0, 3); time.sleep(5)")
        attack(program, first=name, without="namespaces")
        assert [process for process in left() if is_running(process)]
        for process in left():
            os.kill(process, 9)


class TestLandlock:
    def test_no_file_can_be_read(self, folder: Path) -> None:
        read = f"print(open({str(folder / 'secret')!r}).read())"
        assert "Permission denied" in attack(read)
        assert attack(read, without="files") == "the secret"

    def test_no_folder_can_be_listed(self, folder: Path) -> None:
        look = f"print(os.listdir({str(folder)!r}))"
        assert "Permission denied" in attack(look)
        assert attack(look, without="files") == "['secret']"

    @pytest.mark.parametrize(
        "action", ["open({!r}, 'w')", "os.mkdir({!r})", "os.symlink('/', {!r})", "os.mkfifo({!r})"]
    )
    def test_nothing_can_be_made(self, folder: Path, action: str) -> None:
        made = folder / "made"
        attack(action.format(str(made)))
        assert not made.is_symlink() and not made.exists()
        attack(action.format(str(made)), without="files")
        assert made.is_symlink() or made.exists()

    def test_no_program_can_be_started(self) -> None:
        start = "os.execv('/bin/echo', ['echo', 'started'])"
        assert "Permission denied" in attack(start)
        assert attack(start, without="files") == "started"


class TestNobody:
    @needs_root
    def test_files_of_root_cannot_be_changed(self, folder: Path) -> None:
        """Landlock knows no right for this."""
        secret = folder / "secret"
        action = f"os.chmod({str(secret)!r}, 0)"
        attack(action)
        assert secret.stat().st_mode & 0o777 == 0o644
        attack(action, without="nobody")
        assert secret.stat().st_mode & 0o777 == 0

    def test_it_says_whether_it_worked(self) -> None:
        assert attack("", first="print(layers.become_nobody())") == "True"


class TestCapabilities:
    """An own user namespace gives all of them; entered by someone who is not root."""

    RENAME = "print(ctypes.CDLL(None).sethostname(b'renamed', 7))"

    def test_an_own_user_namespace_gives_no_power(self) -> None:
        assert attack(self.RENAME, first="layers.become_nobody()") == "-1"

    def test_without_dropping_them_it_does(self) -> None:
        found = attack(self.RENAME, first="layers.become_nobody()", without="capabilities")
        assert found == "0"


class TestNoNewPrivileges:
    @needs_root
    def test_a_setuid_program_gives_no_power(self, folder: Path) -> None:
        program = folder / "id"
        program.write_bytes(Path("/usr/bin/id").read_bytes())
        program.chmod(0o4755)
        start = f"os.execv({str(program)!r}, ['id', '-u'])"
        nobody = f"{HEAD}layers.become_nobody()\n"
        if python(nobody + start).stdout.strip() != "0":
            pytest.skip("this file system ignores setuid programs")
        found = python(f"{nobody}layers.forbid_new_privileges()\n{start}")
        assert found.stdout.strip() == str(layers.NOBODY)


class TestMemory:
    def test_no_other_process_of_the_user_reads_it(self) -> None:
        program = (
            f"{HEAD}layers.become_nobody()\n"
            "r, w = os.pipe()\nready, tell = os.pipe()\n"
            "child = os.fork()\n"
            "if child == 0:\n    {}\n    os.write(tell, b'x')\n    os.read(r, 1)\n    os._exit(0)\n"
            "os.read(ready, 1)\n"
            "try:\n    os.open(f'/proc/{{child}}/mem', os.O_RDONLY)\n    print('read')\n"
            "except PermissionError:\n    print('refused')\n"
            "os.write(w, b'x')\n"
        )
        assert python(program.format("layers.hide_memory()")).stdout.strip() == "refused"
        # A process that changed its user is hidden until it says otherwise.
        show = "ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)"
        assert python(program.format(show)).stdout.strip() == "read"


class TestParent:
    def orphan(self, layer: str) -> int:
        """Process id of a sleeper whose parent has ended."""
        program = (
            f"{HEAD}import time\nparent = os.getpid()\nr, w = os.pipe()\n"
            f"if os.fork() == 0:\n    {layer}\n    os.write(w, b'x')\n    os.closerange(0, 3)\n"
            "    time.sleep(30)\n    os._exit(0)\n"
            "os.read(r, 1)\n"
            "print(open('/proc/self/task/%d/children' % parent).read(), flush=True)\n"
            "os._exit(0)\n"
        )
        return int(python(program).stdout)

    def test_a_child_ends_with_its_parent(self) -> None:
        process = self.orphan("layers.die_with_parent(parent)")
        assert eventually(lambda: not is_running(process), 5)

    def test_without_it_a_child_lives_on(self) -> None:
        process = self.orphan("pass")
        assert is_running(process)
        os.kill(process, 9)

    def test_a_parent_that_ended_before_is_noticed(self) -> None:
        assert "ended already" in python(f"{HEAD}layers.die_with_parent(1 << 22)").stderr


class TestDescriptors:
    def written(self, layer: str) -> bytes:
        reading, writing = os.pipe()
        try:
            program = f"{HEAD}{layer}\ntry:\n    os.write({writing}, b'forged')\nexcept OSError:\n"
            python(f"{program}    os._exit(0)", descriptors=(writing,))
        finally:
            os.close(writing)
        with os.fdopen(reading, "rb") as stream:
            return stream.read()

    def test_nothing_open_is_left(self) -> None:
        assert self.written("layers.close_descriptors()") == b""

    def test_without_it_a_pipe_can_be_written_to(self) -> None:
        assert self.written("") == b"forged"


class TestLimits:
    LIMIT = "layers.limit_resources(layers.address_space_bytes() + (64 << 20), 1)"

    def end(self, action: str, layer: str = LIMIT) -> tuple[int, str]:
        result = python(f"{HEAD}import time\nfile = open(os.devnull)\n{layer}\n{action}\n")
        return result.returncode, result.stdout.strip() + result.stderr.strip()

    def test_memory_ends(self) -> None:
        action = "print(len(bytearray(1 << 28)))"
        assert "MemoryError" in self.end(action)[1]
        assert self.end(action, "")[1] == str(1 << 28)

    def test_cpu_time_ends_what_listens_to_nothing(self) -> None:
        action = (
            "import signal\n"
            "end = time.process_time() + 1.6\n"
            "while time.process_time() < end: pass\n"
        )
        assert self.end(action)[0] == -24
        assert self.end(action, "")[0] == 0

    def test_no_descriptor_can_be_opened(self) -> None:
        assert "Too many open files" in self.end("open('/dev/null')")[1]
        assert self.end("open('/dev/null')", "") == (0, "")

    def test_no_file_can_grow(self, folder: Path) -> None:
        file = folder / "file"
        first = (
            f"import signal\nsignal.signal(25, signal.SIG_IGN)\nout = open({str(file)!r}, 'wb', 0)"
        )
        self.end("out.write(b'x')", f"{first}\n{self.LIMIT}")
        assert file.stat().st_size == 0
        self.end("out.write(b'x')", first)
        assert file.stat().st_size == 1

    def test_no_process_can_be_made_by_a_user(self) -> None:
        nobody = "layers.become_nobody()"
        assert "BlockingIOError" in self.end("os.fork()", f"{nobody}\n{self.LIMIT}")[1]
        assert self.end("os.fork()", nobody)[0] == 0

    def test_they_never_rise_above_what_was_given(self) -> None:
        given = "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (5, 5))"
        action = "print(resource.getrlimit(resource.RLIMIT_CPU))"
        limit = "layers.limit_resources(1 << 40, 100)"
        assert self.end(action, f"{given}\n{limit}")[1] == "(5, 5)"


def test_the_environment_of_a_server_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    from builder.sandbox.server import Server

    monkeypatch.setenv("HOSTILE_SECRET", "the secret")
    server = Server(0, False, layers.ALL)
    try:
        environment = Path(f"/proc/{server.process_id}/environ")
        shown = subprocess.run(["cat", environment], capture_output=True).stdout
        assert b"the secret" not in shown
    finally:
        server.close()

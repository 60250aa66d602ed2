"""The watched yard sees what gets out: every trap is sprung once, by the test itself."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.sandbox.yard import SECRET_VARIABLE, Yard

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")


@pytest.fixture
def yard() -> Iterator[Yard]:
    with Yard() as made:
        made.settle()
        yield made


def place(yard: Yard, name: str) -> Path:
    return Path(yard.placeholders[name])


def test_a_quiet_yard_reports_nothing(yard: Yard) -> None:
    assert yard.escapes() == []


def test_a_changed_secret_is_seen_and_mended(yard: Yard) -> None:
    place(yard, "@CANARY@").write_text("x")
    assert yard.escapes() == ["the secret file was changed"]
    assert yard.escapes() == []


def test_a_changed_mode_is_seen(yard: Yard) -> None:
    place(yard, "@CANARY@").chmod(0o600)
    assert yard.escapes() == ["the secret file was changed"]


def test_a_removed_secret_is_seen(yard: Yard) -> None:
    place(yard, "@CANARY@").unlink()
    assert yard.escapes() == ["the secret file was changed"]


@pytest.mark.parametrize("name", ["@DROP@", "@CANARYDIR@"])
def test_a_new_file_is_seen(yard: Yard, name: str) -> None:
    path = place(yard, name)
    (path / "new" if path.is_dir() else path).write_text("x")
    assert yard.escapes() == ["a file was left"]
    assert yard.escapes() == []


def test_a_new_folder_is_seen_and_removed(yard: Yard) -> None:
    (place(yard, "@DROP@") / "inner").mkdir(parents=True)
    assert yard.escapes() == ["a file was left"]
    assert yard.escapes() == []


def test_a_connection_is_seen(yard: Yard) -> None:
    socket.create_connection(("127.0.0.1", int(yard.placeholders["@PORT@"]))).close()
    assert yard.escapes() == ["a connection came"]


def test_a_datagram_is_seen(yard: Yard) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", int(yard.placeholders["@UDP@"])))
    assert yard.escapes() == ["a datagram came"]


def test_a_signal_is_seen(yard: Yard) -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    assert yard.escapes() == ["a signal came"]


def test_an_open_descriptor_is_seen(yard: Yard) -> None:
    reading, writing = os.pipe()
    assert yard.escapes() == ["descriptors were left open"]
    os.close(reading)
    os.close(writing)


def test_a_daemon_that_lost_its_parent_is_seen_and_ended(yard: Yard) -> None:
    program = (
        "import os, time\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\nprint(os.getpid(), flush=True)\nos.closerange(0, 3)\ntime.sleep(60)\n"
    )
    daemon = int(subprocess.check_output([sys.executable, "-c", program]))
    assert yard.escapes() == ["a process was left"]
    with pytest.raises(ProcessLookupError):
        os.kill(daemon, 0)


def test_the_secret_is_in_the_environment_while_it_stands() -> None:
    with Yard() as yard:
        assert os.environ[SECRET_VARIABLE] == yard.secret
    assert SECRET_VARIABLE not in os.environ


def test_nothing_of_it_stays() -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGUSR1)]
    with Yard() as yard:
        folder = place(yard, "@DROP@").parent
        assert folder.exists()
    assert not folder.exists()
    assert handlers == [signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGUSR1)]


def test_files_of_other_programs_in_shared_folders_do_not_count() -> None:
    other = Path("/tmp") / f"other-program-{os.getpid()}"
    other.touch()
    try:
        assert str(other) not in Yard.shared_files("def test_func(): pass")
        assert str(other) in Yard.shared_files(f"open('{other}')")
    finally:
        other.unlink()

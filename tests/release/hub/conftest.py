"""The test hub, commands that use it, and two releases to publish there."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from tests.hub.commands import Commands, Ended
from tests.hub.server import TestHub, User

WRITER = "hf_" + "w" * 32
READER = "hf_" + "r" * 32
PROPOSER = "hf_" + "p" * 32
REPO = "gardeners/pau"


@pytest.fixture(scope="session")
def _hub() -> Iterator[TestHub]:
    users = {
        WRITER: User("ann"),
        READER: User("bob", "read"),
        PROPOSER: User("cid", "propose"),
    }
    with TestHub(users) as hub:
        yield hub


@pytest.fixture
def hub(_hub: TestHub) -> Iterator[TestHub]:
    """Return an empty hub that knows a writer, a reader and a proposer."""
    _hub.forget()
    yield _hub
    assert not _hub.unknown, "the hub was asked for what it does not know"
    assert not _hub.waiting_faults(), "a fault never happened"


@pytest.fixture(scope="session")
def commands(_hub: TestHub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    """Run ``pau-build`` in processes of their own."""
    with Commands(_hub.url, tmp_path_factory.mktemp("commands")) as running:
        yield running


class Pusher:
    """Pushes releases, and sees to it that no token is ever shown."""

    def __init__(self, commands: Commands, unchecked: bool) -> None:
        self._commands, self._unchecked = commands, unchecked

    @property
    def pid(self) -> int:
        """Of the push in progress."""
        return self._commands.pid

    def __call__(
        self, folder: Path, tag: str, *options: str, token: str | None = WRITER, yes: bool = True
    ) -> Ended:
        """Run ``pau-build push``."""
        more = ["--yes", *options] if yes else options
        target = f"{REPO}@{tag}"
        arguments = ["push", target, "--release", str(folder), "--isolation", "process-only"]
        ended = self._commands(*arguments, *more, token=token, unchecked=self._unchecked)
        for secret in (WRITER, READER, PROPOSER):
            assert secret not in ended.out + ended.err
        return ended


@pytest.fixture
def push(commands: Commands) -> Pusher:
    """Run ``pau-build push``, with ``--yes`` unless told otherwise."""
    return Pusher(commands, unchecked=False)


@pytest.fixture
def send(commands: Commands) -> Pusher:
    """Run ``pau-build push --yes`` without the checks that come before anything is sent."""
    return Pusher(commands, unchecked=True)


@pytest.fixture(scope="session")
def first(content: ReleaseInput, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a release."""
    return _release(content, tmp_path_factory)


@pytest.fixture(scope="session")
def second(content: ReleaseInput, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of another release: it has no train split, and one row more says less."""
    tasks = tuple(replace(t, description=None) for t in content.tasks if t.split == "test")
    changed = replace(
        content, tasks=tasks, rejections=content.rejections[:1], corpora=content.corpora[:1]
    )
    return _release(changed, tmp_path_factory)


def _release(content: ReleaseInput, places: pytest.TempPathFactory) -> Path:
    folder = places.mktemp("publishing") / "release"
    write_release(content, folder)
    return folder

"""A push that is killed between any two requests, then run again: it ends in the same state."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hub.server import Request, TestHub
from tests.hub.storage import Repository, is_complete
from tests.release.hub.conftest import REPO, Pusher
from tests.release.hub.test_push_faults import DEEDS, PREPARATIONS, assert_one_release


def killing(push: Pusher) -> Callable[[Request], None]:
    """Return what kills the push in progress."""
    return lambda _: os.kill(push.pid, signal.SIGKILL)


def assert_no_half_release(repository: Repository) -> None:
    for tag in repository.tags.values():
        assert is_complete(repository.commits[tag.commit].tree)
    head = repository.head
    assert head.title == "Begin" or is_complete(head.tree)


@pytest.mark.parametrize("landed", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("deed", DEEDS)
def test_killed_around_a_deed(
    first: Path, hub: TestHub, send: Pusher, deed: str, landed: bool
) -> None:
    method, path = DEEDS[deed]
    hub.fail(method, path, killing(send), landed=landed)
    assert send(first, "v1.0.0").status == -signal.SIGKILL
    if REPO in hub.repositories:
        assert_no_half_release(hub.repositories[REPO])
    assert send(first, "v1.0.0").status == 0
    assert_one_release(hub.repositories[REPO])


@pytest.mark.parametrize("deed", ["check of the card", "check of a large file"])
def test_killed_while_it_prepares_a_deed(
    first: Path, hub: TestHub, send: Pusher, deed: str
) -> None:
    hub.fail(*PREPARATIONS[deed], killing(send))
    assert send(first, "v1.0.0").status == -signal.SIGKILL
    assert len(hub.repositories[REPO].history) == 1
    assert send(first, "v1.0.0").status == 0
    assert_one_release(hub.repositories[REPO])


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/resolve/.*/SHA256SUMS"), ("GET", "/revision/v1.1.0")]
)
def test_killed_while_it_reads_back(
    first: Path, second: Path, hub: TestHub, send: Pusher, method: str, path: str
) -> None:
    send(first, "v1.0.0")
    repository = hub.repositories[REPO]
    earlier = repository.tags["v1.0.0"]
    hub.fail(method, path, killing(send))
    assert send(second, "v1.1.0").status == -signal.SIGKILL
    assert_no_half_release(repository)
    assert send(second, "v1.1.0").status == 0
    assert repository.tags["v1.0.0"] == earlier
    assert [c.title for c in repository.history] == ["Release v1.1.0", "Release v1.0.0", "Begin"]
    assert repository.tags["v1.1.0"].commit == repository.head.oid


@pytest.mark.parametrize("landed", [False, True], ids=["before", "after"])
def test_killed_while_it_proposes(first: Path, hub: TestHub, send: Pusher, landed: bool) -> None:
    repository = hub.create(REPO)
    hub.fail("POST", "/commit/", killing(send), landed=landed)
    assert send(first, "v1.0.0", "--pr").status == -signal.SIGKILL
    assert send(first, "v1.0.0", "--pr").status == 0
    assert len(repository.pull_requests) == 1
    assert len(repository.history) == 1

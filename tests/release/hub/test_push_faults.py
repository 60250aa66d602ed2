"""A push through a Hub that fails: it ends with one complete release, or with none and a cure."""

from pathlib import Path

import pytest

from tests.hub.server import ENDLESS, Cut, Reaction, Status, TestHub
from tests.hub.storage import Repository, is_complete
from tests.release.hub.conftest import REPO, WRITER, Pusher

DEEDS = {
    "create": ("POST", "/api/repos/create"),
    "large file": ("PUT", "/store/"),
    "commit": ("POST", "/commit/"),
    "tag": ("POST", "/tag/"),
}
PREPARATIONS = {
    "check of the card": ("POST", "/validate-yaml"),
    "question how to send": ("POST", "/preupload/"),
    "question what to send": ("POST", "/objects/batch"),
    "check of a large file": ("POST", "/store/"),
}
"""They leave no trace, so it makes no difference whether they took effect."""
QUESTIONS = [
    ("GET", f"/api/datasets/{REPO}$"),
    ("GET", "/refs$"),
    ("GET", "/tree/"),
    ("GET", "/revision/"),
    ("HEAD", "/resolve/"),
    ("GET", "/resolve/"),
]
BUSY = Status(429, headers={"RateLimit": '"api";r=0;t=7'})


def assert_one_release(repository: Repository, tag: str = "v1.0.0") -> None:
    assert [commit.title for commit in repository.history] == ["Release v1.0.0", "Begin"]
    assert list(repository.tags) == [tag]
    assert repository.tags[tag].commit == repository.head.oid
    assert is_complete(repository.head.tree)
    assert repository.private


@pytest.mark.parametrize("deed", DEEDS)
def test_a_deed_that_fails_is_done_again(
    first: Path, hub: TestHub, send: Pusher, deed: str
) -> None:
    method, path = DEEDS[deed]
    for reaction in (Status(500), BUSY, Cut()):
        hub.fail(method, path, reaction)
    ended = send(first, "v1.0.0")
    assert ended.status == 0, ended
    assert_one_release(hub.repositories[REPO])


@pytest.mark.parametrize("reaction", [Status(503), Cut()], ids=["503", "cut"])
@pytest.mark.parametrize("deed", DEEDS)
def test_a_deed_whose_answer_is_lost_is_not_done_twice(
    first: Path, hub: TestHub, send: Pusher, deed: str, reaction: Reaction
) -> None:
    method, path = DEEDS[deed]
    hub.fail(method, path, reaction, landed=True)
    ended = send(first, "v1.0.0")
    assert ended.status == 0, ended
    assert_one_release(hub.repositories[REPO])


@pytest.mark.parametrize("reaction", [Status(502), BUSY, Cut()], ids=["502", "429", "cut"])
def test_every_question_that_fails_is_asked_again(
    first: Path, hub: TestHub, send: Pusher, reaction: Reaction
) -> None:
    for method, path in QUESTIONS:
        hub.fail(method, path, reaction)
    ended = send(first, "v1.0.0")
    assert ended.status == 0, ended
    assert_one_release(hub.repositories[REPO])


def test_it_waits_as_long_as_the_hub_asks(first: Path, hub: TestHub, send: Pusher) -> None:
    hub.fail("POST", "/commit/", Status(429, headers={"RateLimit": '"api";r=0;t=41'}))
    hub.fail("POST", "/tag/", Status(503, headers={"Retry-After": "42"}))
    told = send(first, "v1.0.0").err
    assert "status 429: as the test wants it; looking again in 41 s" in told
    assert "status 503: as the test wants it; looking again in 42 s" in told


@pytest.mark.parametrize("deed", ["commit", "tag"])
def test_a_hub_that_fails_for_ever_leaves_no_tag_and_a_cure(
    first: Path, hub: TestHub, send: Pusher, deed: str
) -> None:
    method, path = DEEDS[deed]
    hub.fail(method, path, Status(500), times=ENDLESS)
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "run the same command again later, it goes on where it stopped" in ended.last_line
    assert all(not repository.tags for repository in hub.repositories.values())
    hub.faults.clear()
    assert send(first, "v1.0.0").status == 0
    assert_one_release(hub.repositories[REPO])


@pytest.mark.parametrize("status", [400, 403, 413])
def test_a_refusal_is_not_argued_with(first: Path, hub: TestHub, send: Pusher, status: int) -> None:
    hub.fail("POST", "/commit/", Status(status, f"no, {WRITER}"), times=ENDLESS)
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert f"commit: the Hub refuses (status {status}: no, <token>)" in ended.last_line
    assert sum("/commit/" in request.path for request in hub.requests) == 1
    assert not hub.repositories[REPO].tags

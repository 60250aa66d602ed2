"""A push while somebody else writes: nothing of theirs is lost, no tag is moved."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hub.routes import answer
from tests.hub.server import Cut, Request, Status, TestHub
from tests.hub.storage import ATTRIBUTES, Blob, Repository, Tag, is_complete
from tests.release.hub.conftest import PROPOSER, REPO, Pusher


def test_a_file_that_somebody_changes_meanwhile_stops_it(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO)
    hub.fail("POST", "/commit/", lambda _: repository.change({"README.md": b"theirs"}))
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "somebody else changed README.md meanwhile" in ended.last_line
    assert repository.head.tree["README.md"].data == b"theirs"
    assert len(repository.history) == 2
    assert not repository.tags


def test_a_file_that_somebody_changes_before_the_commit_is_made_stops_it(
    first: Path, second: Path, hub: TestHub, send: Pusher
) -> None:
    send(first, "v1.0.0")
    repository = hub.repositories[REPO]
    hub.fail("POST", "/commit/", lambda _: repository.change({"README.md": b"theirs"}))
    ended = send(second, "v1.1.0")
    assert "somebody else changed README.md meanwhile" in ended.last_line
    assert repository.head.tree["README.md"].data == b"theirs"


def test_a_commit_that_changes_no_file_of_the_release_is_no_matter(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO)
    hub.fail("POST", "/commit/", lambda _: repository.change({ATTRIBUTES: b"*.bin\n"}))
    assert send(first, "v1.0.0").status == 0
    assert [commit.title for commit in repository.history] == ["Release v1.0.0", "By hand", "Begin"]
    assert repository.head.tree[ATTRIBUTES].data == b"*.bin\n"
    assert repository.tags["v1.0.0"].commit == repository.head.oid


@pytest.mark.parametrize("path", ["/repos/create", "/commit/", "/tag/"])
def test_two_pushes_of_one_release_at_once_are_one_release(
    first: Path, hub: TestHub, send: Pusher, path: str
) -> None:
    def twin(request: Request) -> None:
        answer(hub, request)

    hub.fail("POST", path, twin)
    assert send(first, "v1.0.0").status == 0
    repository = hub.repositories[REPO]
    assert [commit.title for commit in repository.history] == ["Release v1.0.0", "Begin"]
    assert repository.tags["v1.0.0"].commit == repository.head.oid


def test_a_tag_that_somebody_sets_meanwhile_is_not_moved(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO)
    theirs = Tag(repository.head.oid, "theirs")
    hub.fail("POST", "/tag/", lambda _: repository.tags.update({"v1.0.0": theirs}))
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "somebody else made the tag v1.0.0 meanwhile" in ended.last_line
    assert repository.tags == {"v1.0.0": theirs}


def test_a_repository_that_becomes_public_meanwhile_gets_nothing_more(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    hub.fail("POST", "/repos/create", lambda _: hub.create(REPO, private=False))
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "became public meanwhile" in ended.last_line
    assert len(hub.repositories[REPO].history) == 1


@pytest.mark.parametrize("options", [[], ["--pr"]], ids=["main", "pr"])
def test_what_does_not_show_yet_is_waited_for_not_done_again(
    first: Path, hub: TestHub, send: Pusher, options: list[str]
) -> None:
    repository = hub.create(REPO)
    stale = {"id": REPO, "sha": repository.head.oid, "private": False}
    answers = [
        ("GET", f"/api/datasets/{REPO}$", stale),
        ("GET", "/discussions$", {"discussions": [], "count": 0, "start": 0}),
    ]

    def hide(_: Request) -> None:
        for method, path, content in answers[: 1 + len(options)]:
            hub.fail(method, path, Status(200, body=json.dumps(content).encode()), times=2)

    hub.fail("POST", "/commit/", hide, landed=True)
    ended = send(first, "v1.0.0", *options)
    assert ended.status == 0, ended
    assert ended.err.count("what was done does not show yet; looking again") == 2
    assert ended.err.count("sending 12 files") == 1
    assert len(repository.commits) == 2


def _gone(hub: TestHub) -> None:
    hub.repositories.clear()


def _untagged(hub: TestHub) -> None:
    hub.repositories[REPO].tags.clear()


@pytest.mark.parametrize(
    ("happens", "told"), [(_gone, "is gone"), (_untagged, "the tag v1.0.0 is gone")]
)
def test_what_disappears_meanwhile_stops_it(
    first: Path,
    second: Path,
    hub: TestHub,
    send: Pusher,
    happens: Callable[[TestHub], None],
    told: str,
) -> None:
    send(first, "v1.0.0")
    send(second, "v1.1.0")
    hub.requests.clear()
    hub.fail("GET", f"/api/datasets/{REPO}$", lambda _: None)
    hub.fail("GET", f"/api/datasets/{REPO}$", lambda _: happens(hub))
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert told in ended.last_line
    assert hub.writes() == []


def _proposals(repository: Repository) -> list[str]:
    return [pull.title for pull in repository.pull_requests]


def test_a_proposal_changes_neither_main_nor_tags(first: Path, hub: TestHub, send: Pusher) -> None:
    repository = hub.create(REPO)
    ended = send(first, "v1.0.0", "--pr", token=PROPOSER)
    assert ended.status == 0, ended
    assert f"pull request 1: {hub.url}/datasets/{REPO}/discussions/1" in ended.out
    assert len(repository.history) == 1
    assert not repository.tags
    assert is_complete(repository.resolve("refs/pr/1").tree)


def test_a_proposal_is_made_once(first: Path, hub: TestHub, send: Pusher) -> None:
    repository = hub.create(REPO)
    send(first, "v1.0.0", "--pr")
    assert send(first, "v1.0.0", "--pr").status == 0
    assert _proposals(repository) == ["Release v1.0.0"]


def test_a_proposal_whose_answer_is_lost_is_made_once(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO)
    hub.fail("POST", "/commit/", Cut(), landed=True)
    assert send(first, "v1.0.0", "--pr").status == 0
    assert _proposals(repository) == ["Release v1.0.0"]


def test_whether_a_proposal_was_made_is_never_guessed(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO)
    hub.fail("POST", "/commit/", Status(502))
    ended = send(first, "v1.0.0", "--pr")
    assert ended.status == 2
    assert "it is not known whether the pull request was opened" in ended.last_line
    assert send(first, "v1.0.0", "--pr").status == 0
    assert _proposals(repository) == ["Release v1.0.0"]


def test_a_proposal_of_the_same_name_with_other_files_does_not_count(
    first: Path, second: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO)
    send(second, "v1.0.0", "--pr")
    assert send(first, "v1.0.0", "--pr").status == 0
    assert len(_proposals(repository)) == 2


def test_once_a_proposal_is_merged_a_push_only_sets_the_tag(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO)
    send(first, "v1.0.0", "--pr")
    repository.merge(1)
    hub.requests.clear()
    assert "nothing to propose" in send(first, "v1.0.0", "--pr").out
    assert send(first, "v1.0.0").status == 0
    assert [request.path.split("/")[-2] for request in hub.writes()] == ["tag"]
    assert repository.tags["v1.0.0"].commit == repository.head.oid


def test_what_the_hub_silently_drops_is_noticed(first: Path, hub: TestHub, send: Pusher) -> None:
    repository = hub.create(REPO)

    def drop(_: Request) -> None:
        tree = {**repository.head.tree, "LICENSE.md": Blob(b"cut", False)}
        repository.add_commit("main", tree, "Release v1.0.0", repository.head.oid)

    hub.fail("GET", f"/api/datasets/{REPO}$", lambda _: None)
    hub.fail("POST", "/commit/", drop)
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "somebody else changed LICENSE.md meanwhile" in ended.last_line
    assert not repository.tags

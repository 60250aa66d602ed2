"""``pau-build push``: what it sends, and what it refuses to send."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from builder.records import Task
from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from builder.release.packed import CHECKSUMS, checksums
from tests.hub.server import Status, TestHub
from tests.hub.storage import ATTRIBUTES, Tree, is_complete
from tests.release.hub.conftest import PROPOSER, READER, REPO, WRITER, Pusher


def _sent_by_hand(folder: Path) -> dict[str, bytes]:
    """Return the files of a release but for the two that a push makes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != CHECKSUMS
    }


def _bytes(tree: Tree) -> dict[str, bytes]:
    made = {ATTRIBUTES, CHECKSUMS, "CHANGELOG.md"}
    return {path: blob.data for path, blob in tree.items() if path not in made}


def test_a_new_repository_is_private_and_holds_the_very_files(
    first: Path, hub: TestHub, push: Pusher
) -> None:
    ended = push(first, "v1.0.0")
    repository = hub.repositories[REPO]
    assert ended.status == 0, ended
    assert repository.private
    assert [commit.title for commit in repository.history] == ["Release v1.0.0", "Begin"]
    assert _bytes(repository.head.tree) == _sent_by_hand(first)
    assert is_complete(repository.head.tree)


def test_the_tag_is_annotated_and_names_the_commit(first: Path, hub: TestHub, send: Pusher) -> None:
    ended = send(first, "v1.0.0")
    repository = hub.repositories[REPO]
    assert repository.tags["v1.0.0"].commit == repository.head.oid
    assert repository.tags["v1.0.0"].message == "Release v1.0.0"
    assert f"v1.0.0 is commit {repository.head.oid}, read back and equal" in ended.out


def test_a_dry_run_shows_the_plan_and_sends_nothing(
    first: Path, hub: TestHub, push: Pusher
) -> None:
    ended = push(first, "v1.0.0", yes=False)
    assert ended.status == 0
    assert hub.writes() == []
    size = (first / "README.md").stat().st_size
    assert re.search(rf"add +{size:,} bytes  README.md\n", ended.out)
    assert "will be created, private" in ended.out
    assert "checked: 3 rows replayed" in ended.out
    assert ended.out.endswith("nothing was sent; add --yes to do it\n")


def test_a_dry_run_needs_no_login_where_all_can_read(
    first: Path, hub: TestHub, push: Pusher
) -> None:
    hub.create(REPO)
    assert push(first, "v1.0.0", yes=False, token=None).status == 0


def test_the_receipt_says_what_stands_where(first: Path, hub: TestHub, send: Pusher) -> None:
    ended = send(first, "v1.0.0")
    path = Path(ended.out.splitlines()[-1].removeprefix("receipt: "))
    receipt = json.loads(path.read_text())
    tree = hub.repositories[REPO].head.tree
    assert path.parent.parent == first.parent
    assert (receipt["repository"], receipt["tag"]) == (REPO, "v1.0.0")
    assert receipt["commit"] == hub.repositories[REPO].head.oid
    assert {name: file["sha256"] for name, file in receipt["files"].items()} == {
        name: blob.sha256 for name, blob in tree.items() if name != ATTRIBUTES
    }


def test_the_next_release_replaces_the_files_and_leaves_the_earlier_tag(
    first: Path, second: Path, hub: TestHub, send: Pusher
) -> None:
    send(first, "v1.0.0")
    repository = hub.repositories[REPO]
    tag = repository.tags["v1.0.0"]
    assert send(second, "v1.1.0").status == 0
    assert _bytes(repository.head.tree) == _sent_by_hand(second)
    assert repository.tags["v1.0.0"] == tag
    assert _bytes(repository.resolve("v1.0.0").tree) == _sent_by_hand(first)


def test_the_changelog_grows_by_what_changed(
    first: Path, second: Path, hub: TestHub, send: Pusher
) -> None:
    send(first, "v1.0.0")
    send(second, "v1.1.0")
    text = hub.repositories[REPO].head.tree["CHANGELOG.md"].data.decode()
    newest, oldest = text.split("## ")[1:]
    assert newest.startswith("v1.1.0\n\nCompared with v1.0.0:\n\n- train: 0 rows (-1)\n")
    assert "meadow is not among its sources (1): `meadow/1`" in newest
    assert "2 rows changed: `description` in 2" in newest
    assert oldest == "v1.0.0\n\nThe first release.\n\n- train: 1 rows\n- test: 2 rows\n"


def test_the_same_release_again_changes_nothing(first: Path, hub: TestHub, send: Pusher) -> None:
    send(first, "v1.0.0")
    hub.requests.clear()
    ended = send(first, "v1.0.0")
    assert ended.status == 0
    assert "v1.0.0 names these very files already" in ended.out
    assert hub.writes() == []


def test_an_earlier_release_again_changes_nothing_either(
    first: Path, second: Path, hub: TestHub, send: Pusher
) -> None:
    send(first, "v1.0.0")
    send(second, "v1.1.0")
    hub.requests.clear()
    assert send(first, "v1.0.0").status == 0
    assert hub.writes() == []


def test_the_same_rows_under_another_tag_are_no_new_commit(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    send(first, "v1.0.0")
    assert send(first, "v1.0.1").status == 0
    repository = hub.repositories[REPO]
    assert len(repository.history) == 2
    assert repository.tags["v1.0.1"].commit == repository.tags["v1.0.0"].commit


def test_a_tag_is_never_moved(first: Path, second: Path, hub: TestHub, send: Pusher) -> None:
    send(first, "v1.0.0")
    tag = hub.repositories[REPO].tags["v1.0.0"]
    hub.requests.clear()
    ended = send(second, "v1.0.0")
    assert ended.status == 2
    assert "a tag is never moved" in ended.last_line
    assert hub.writes() == []
    assert hub.repositories[REPO].tags["v1.0.0"] == tag


def test_a_repository_that_exists_keeps_its_visibility(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    repository = hub.create(REPO, private=False)
    assert send(first, "v1.0.0").status == 0
    assert not repository.private


def test_a_file_that_no_release_wrote_stops_it(first: Path, hub: TestHub, send: Pusher) -> None:
    hub.create(REPO).change({"notes/todo.txt": b"by hand"})
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "notes/todo.txt: not as any release wrote it" in ended.last_line
    assert hub.writes() == []


def test_a_file_changed_by_hand_since_the_release_stops_it(
    first: Path, second: Path, hub: TestHub, send: Pusher
) -> None:
    send(first, "v1.0.0")
    hub.repositories[REPO].change({"README.md": b"better words"})
    ended = send(second, "v1.1.0")
    assert ended.status == 2
    assert "README.md: not as any release wrote it" in ended.last_line
    assert hub.repositories[REPO].head.tree["README.md"].data == b"better words"


def test_foreign_files_that_are_named_are_replaced(first: Path, hub: TestHub, send: Pusher) -> None:
    repository = hub.create(REPO)
    repository.change({"README.md": b"a stub", "old.csv": b"1,2", "data/x.parquet": b"PAR1"})
    names = ["README.md", "old.csv", "data/x.parquet"]
    ended = send(first, "v1.0.0", *[x for name in names for x in ("--replace", name)])
    assert ended.status == 0, ended
    assert is_complete(repository.head.tree)


def test_a_commit_that_was_given_up_is_replaced_and_forgotten(
    first: Path, second: Path, hub: TestHub, send: Pusher
) -> None:
    send(first, "v1.0.0")
    send(second, "v1.1.0")
    del hub.repositories[REPO].tags["v1.1.0"]
    assert send(first, "v1.2.0").status == 0
    assert b"v1.1.0" not in hub.repositories[REPO].head.tree["CHANGELOG.md"].data


def test_a_branch_of_the_name_of_the_tag_stops_it(first: Path, hub: TestHub, send: Pusher) -> None:
    repository = hub.create(REPO)
    repository.branches["v1.0.0"] = repository.head.oid
    assert "a branch is called v1.0.0" in send(first, "v1.0.0").last_line


def test_without_a_login_nothing_is_asked(first: Path, hub: TestHub, send: Pusher) -> None:
    ended = send(first, "v1.0.0", token=None)
    assert ended.status == 2
    assert "you are not logged in to the Hub" in ended.last_line
    assert hub.requests == []


@pytest.mark.parametrize(
    ("token", "cure"),
    [
        ("hf_" + "x" * 32, "it does not know your token"),
        (READER, "your token lacks the right"),
        (PROPOSER, "your token lacks the right"),
    ],
)
def test_a_token_without_the_right_is_told_what_it_lacks(
    first: Path, hub: TestHub, send: Pusher, token: str, cure: str
) -> None:
    hub.create(REPO)
    ended = send(first, "v1.0.0", token=token)
    assert ended.status == 2
    assert len(ended.err.splitlines()) <= 2
    assert cure in ended.last_line
    assert len(hub.repositories[REPO].history) == 1


@pytest.mark.parametrize("tag", ["main", "1.0.0", "v1.0", "v1.0.0/x"])
def test_a_tag_has_the_form_of_a_version(first: Path, hub: TestHub, send: Pusher, tag: str) -> None:
    ended = send(first, tag)
    assert ended.status == 2
    assert "write the tag as vMAJOR.MINOR.PATCH" in ended.last_line


def test_a_folder_that_was_changed_since_it_was_built_is_not_sent(
    first: Path, hub: TestHub, send: Pusher, tmp_path: Path
) -> None:
    folder = shutil.copytree(first, tmp_path / "release")
    (folder / "README.md").write_text("other words")
    ended = send(folder, "v1.0.0")
    assert ended.status == 3
    assert "README.md: was changed" in ended.last_line
    assert hub.requests == []


def test_a_row_that_does_not_replay_is_not_sent(
    content: ReleaseInput, hub: TestHub, push: Pusher, first_large: Task, tmp_path: Path
) -> None:
    wrong = replace(first_large, code=first_large.code.replace("return None", "return 7"))
    tasks = (wrong, *(task for task in content.tasks if task.task_id != wrong.task_id))
    write_release(replace(content, tasks=tasks), tmp_path / "release")
    ended = push(tmp_path / "release", "v1.0.0")
    assert ended.status == 3
    assert "garden/2: test_func([1], 3) gives 7, not None" in ended.out
    assert hub.writes() == []


def test_a_release_that_holds_the_writers_token_is_not_sent(
    first: Path, hub: TestHub, push: Pusher, tmp_path: Path
) -> None:
    folder = shutil.copytree(first, tmp_path / "release")
    with (folder / "LICENSE.md").open("a") as file:
        file.write(f"\nleft here: {WRITER}\n")
    (folder / CHECKSUMS).write_text(checksums(folder))
    ended = push(folder, "v1.0.0")
    assert ended.status == 3
    assert "LICENSE.md: seems to hold the token that you are logged in with" in ended.out
    assert hub.writes() == []


def test_no_token_is_ever_sent_as_content(first: Path, hub: TestHub, send: Pusher) -> None:
    send(first, "v1.0.0")
    assert all(WRITER.encode() not in request.body for request in hub.requests)
    assert all(WRITER not in request.path + str(request.query) for request in hub.requests)


def test_what_the_hub_says_is_told_without_the_token_and_on_one_line(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    hub.create(REPO)
    hub.fail("POST", "/commit/", Status(400, f"your token {WRITER} is no good"))
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "your token <token> is no good" in ended.last_line


def test_a_card_that_the_hub_refuses_stops_it_before_the_commit(
    first: Path, hub: TestHub, send: Pusher
) -> None:
    hub.create(REPO)
    said = {"errors": [{"message": "license: must be nice"}], "warnings": []}
    hub.fail("POST", "/validate-yaml", Status(400, body=json.dumps(said).encode()))
    ended = send(first, "v1.0.0")
    assert ended.status == 2
    assert "license: must be nice" in ended.last_line
    assert len(hub.repositories[REPO].history) == 1


def test_what_comes_back_changed_gets_no_tag(first: Path, hub: TestHub, send: Pusher) -> None:
    size = (first / "LICENSE.md").stat().st_size
    headers = {"X-Repo-Commit": "0" * 40, "ETag": '"other"'}
    hub.fail("GET", "/resolve/.*/LICENSE.md", Status(200, "", headers, b"x" * size))
    ended = send(first, "v1.0.0")
    assert ended.status == 3
    assert "does not give back what was sent (LICENSE.md: differs)" in ended.last_line
    assert hub.repositories[REPO].tags == {}


def test_a_receipt_that_cannot_be_written_does_not_hide_that_it_is_done(
    first: Path, hub: TestHub, send: Pusher, tmp_path: Path
) -> None:
    shutil.copytree(first, tmp_path / "release")
    (tmp_path / "receipts").write_text("a file")
    ended = send(tmp_path / "release", "v1.0.0")
    assert ended.status == 2
    assert "the push itself is done" in ended.last_line
    assert "v1.0.0" in hub.repositories[REPO].tags

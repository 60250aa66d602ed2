"""Releases on the Hub for those who only read: ``verify`` and ``diff``."""

import json
from pathlib import Path

import pytest

from builder.release.hub.fetch import HubName, hub_name
from tests.hub.commands import Commands, Ended
from tests.hub.server import Status, TestHub
from tests.hub.storage import Tag
from tests.release.hub.conftest import READER, REPO, Pusher


def verify(commands: Commands, name: str, token: str | None = None) -> Ended:
    return commands("verify", name, "--isolation", "process-only", token=token)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("org/pau@v1.0.0", HubName("org/pau", "v1.0.0")),
        ("a-b/c_d.e@refs/pr/3", HubName("a-b/c_d.e", "refs/pr/3")),
        ("outputs/release", None),
        ("./org/pau@v1", None),
        ("org/pau", None),
        ("org/pau@", None),
        ("pau@v1.0.0", None),
    ],
)
def test_a_name_on_the_hub_has_a_revision(text: str, name: HubName | None) -> None:
    assert hub_name(text) == name


def test_a_folder_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "org" / "pau@v1").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert hub_name("org/pau@v1") is None


def test_anybody_can_verify_a_public_release(
    first: Path, hub: TestHub, send: Pusher, commands: Commands
) -> None:
    hub.create(REPO)
    send(first, "v1.0.0")
    hub.requests.clear()
    ended = verify(commands, f"{REPO}@v1.0.0")
    commit = hub.repositories[REPO].head.oid
    assert ended.status == 0, ended
    assert ended.out.splitlines() == [
        f"{REPO}@v1.0.0 is commit {commit}",
        f"{REPO}@v1.0.0: 3 rows and 18 examples replayed, no difference",
    ]
    assert hub.writes() == []


def test_a_private_release_needs_a_login(
    first: Path, hub: TestHub, send: Pusher, commands: Commands
) -> None:
    send(first, "v1.0.0")
    assert verify(commands, f"{REPO}@v1.0.0", token=READER).status == 0
    ended = verify(commands, f"{REPO}@v1.0.0")
    assert ended.status == 2
    assert "log in with `hf auth login`" in ended.last_line


def test_files_that_are_not_those_of_the_release_are_told(
    first: Path, hub: TestHub, send: Pusher, commands: Commands
) -> None:
    send(first, "v1.0.0")
    repository = hub.repositories[REPO]
    commit = repository.change({"notes.txt": b"by hand", "LICENSE.md": None})
    repository.tags["v1.0.1"] = Tag(commit.oid, "")
    ended = verify(commands, f"{REPO}@v1.0.1", token=READER)
    assert ended.status == 3
    assert ended.out.splitlines()[1:] == [
        "LICENSE.md: is missing",
        "notes.txt: is not part of the release",
    ]
    assert f"{REPO}@v1.0.1: 2 differences" in ended.last_line


def test_what_datasets_reads_from_the_hub_is_read_past_its_cache(
    first: Path, second: Path, hub: TestHub, send: Pusher, commands: Commands
) -> None:
    send(first, "v1.0.0")
    blob = hub.repositories[REPO].head.tree["README.md"]
    headers = {"X-Repo-Commit": hub.repositories[REPO].head.oid, "ETag": f'"{blob.etag}"'}
    without_train = blob.data.replace(
        b"  - split: train\n    path: ", b"  - split: test\n    path: "
    )
    padded = without_train + b"\n" * (len(blob.data) - len(without_train))
    # The file itself is right when it is compared, and wrong when `datasets` asks for it.
    hub.fail("GET", "/resolve/.*/README.md", lambda _: None)
    hub.fail("GET", "/resolve/.*/README.md", Status(200, "", headers, padded))
    ended = verify(commands, f"{REPO}@v1.0.0", token=READER)
    assert ended.status == 3
    assert "datasets cannot load the config default" in ended.out


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (f"{REPO}@v9.9.9", "has no revision v9.9.9"),
        ("nobody/nothing@v1.0.0", "there is no such dataset, or your token may not see it"),
    ],
)
def test_what_is_not_there_is_wrong_use(
    hub: TestHub, commands: Commands, name: str, told: str
) -> None:
    hub.create(REPO)
    ended = verify(commands, name, token=READER)
    assert ended.status == 2
    assert told in ended.last_line


def test_a_dataset_of_another_kind_is_wrong_use(hub: TestHub, commands: Commands) -> None:
    hub.create(REPO).change({"data.csv": b"1,2"})
    ended = verify(commands, f"{REPO}@main", token=READER)
    assert ended.status == 2
    assert f"{REPO}@main: holds no release of pau-build" in ended.last_line


def test_releases_on_the_hub_are_compared_with_folders_and_each_other(
    first: Path, second: Path, hub: TestHub, send: Pusher, commands: Commands
) -> None:
    send(first, "v1.0.0")
    send(second, "v1.1.0")
    names = [f"{REPO}@v1.0.0", f"{REPO}@v1.1.0"]
    on_hub = commands("diff", *names, "--format", "json", token=READER)
    on_disk = commands("diff", str(first), str(second), "--format", "json")
    assert on_hub.status == on_disk.status == 0
    assert json.loads(on_hub.out) == json.loads(on_disk.out)
    assert "the rows are the same" in commands("diff", names[0], str(first), token=READER).out

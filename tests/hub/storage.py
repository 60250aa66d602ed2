"""What the test hub stores: repositories with commits, branches, tags and pull requests."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

ATTRIBUTES = ".gitattributes"
"""Every repository is born with this file, as on the real Hub."""


class RefusedError(Exception):
    """The hub says no.

    Args:
        status: of the HTTP answer.
        message: for people.
        code: what the client's exceptions go by, in the header ``X-Error-Code``.
    """

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


@dataclass(frozen=True)
class Blob:
    """Content of one file."""

    data: bytes
    is_large: bool
    """Whether it was sent through the large file store."""

    @property
    def sha256(self) -> str:
        """Name of the content in the large file store."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def git_oid(self) -> str:
        """Name of the content in git; for a large file, of the pointer to it."""
        data = self.data
        if self.is_large:
            data = f"oid sha256:{self.sha256}\nsize {len(data)}\n".encode()
        return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()

    @property
    def etag(self) -> str:
        """The name by which caches know it."""
        return self.sha256 if self.is_large else self.git_oid


Tree = Mapping[str, Blob]
"""Files by path."""


def is_complete(tree: Tree) -> bool:
    """Whether a tree holds exactly the files of a release, by the checksums in it."""
    if "SHA256SUMS" not in tree:
        return False
    lines = tree["SHA256SUMS"].data.decode().splitlines()
    stated = {path: digest for digest, path in (line.split("  ") for line in lines)}
    own = {ATTRIBUTES, "SHA256SUMS"}
    return stated == {path: blob.sha256 for path, blob in tree.items() if path not in own}


@dataclass(frozen=True)
class Commit:
    """One state of a repository."""

    oid: str
    parent: str | None
    title: str
    tree: Tree


@dataclass(frozen=True)
class Tag:
    """A name for a commit for ever."""

    commit: str
    message: str


@dataclass
class PullRequest:
    """Commits that wait for somebody to take them over."""

    number: int
    title: str
    author: str
    status: str = "open"


@dataclass
class Repository:
    """One dataset repository."""

    name: str
    private: bool
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, Tag] = field(default_factory=dict)
    pull_requests: list[PullRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.add_commit("main", {ATTRIBUTES: Blob(b"*.parquet filter=lfs\n", False)}, "Begin", None)

    @property
    def head(self) -> Commit:
        """The commit at the end of ``main``."""
        return self.commits[self.branches["main"]]

    @property
    def history(self) -> list[Commit]:
        """The commits of ``main``, the newest first."""
        commits = [self.head]
        while commits[-1].parent is not None:
            commits.append(self.commits[commits[-1].parent])
        return commits

    def add_commit(self, ref: str, tree: Tree, title: str, parent: str | None) -> Commit:
        """Put a new commit at the end of a branch or of ``refs/pr/N``."""
        listing = sorted((path, blob.git_oid) for path, blob in tree.items())
        content = repr((len(self.commits), parent, title, listing))
        commit = Commit(hashlib.sha1(content.encode()).hexdigest(), parent, title, dict(tree))
        self.commits[commit.oid] = commit
        self.branches[ref] = commit.oid
        return commit

    def change(self, files: Mapping[str, bytes | None], title: str = "By hand") -> Commit:
        """Commit to ``main`` as another writer does; None deletes a file."""
        tree = dict(self.head.tree)
        for path, data in files.items():
            if data is None:
                del tree[path]
            else:
                tree[path] = Blob(data, path.endswith(".parquet"))
        return self.add_commit("main", tree, title, self.head.oid)

    def merge(self, number: int) -> None:
        """Take a pull request over into ``main``."""
        pull = self.pull_requests[number - 1]
        proposed = self.resolve(f"refs/pr/{number}")
        self.add_commit("main", proposed.tree, f"{pull.title} (#{number})", self.head.oid)
        pull.status = "merged"

    def resolve(self, revision: str) -> Commit:
        """Return the commit that a branch, tag, pull request or hexadecimal name means."""
        name = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        if name in self.branches:
            return self.commits[self.branches[name]]
        if name in self.tags:
            return self.commits[self.tags[name].commit]
        if revision in self.commits:
            return self.commits[revision]
        raise RefusedError(404, f"Invalid rev id: {revision}", "RevisionNotFound")

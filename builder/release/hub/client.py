"""The few requests to the Hub that a release needs.

Questions are asked again until they are answered. Deeds are tried once: if one fails for now, the
caller looks at the state of the Hub before anything else, since it may have been done after all.
"""

import logging
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from huggingface_hub import (
    CommitOperationAdd,
    CommitOperationDelete,
    HfApi,
    constants,
    get_session,
    get_token,
)
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.tqdm import disable_progress_bars

from builder.errors import PauError
from builder.release.hub.state import LEFT_ALONE, RemoteFile, Repository
from builder.release.hub.trouble import Patience, UnsettledError, meaning

SILENCE_SECONDS: Final = 60.0
"""How long the Hub may say nothing before a request counts as failed."""

_KIND: Final = "dataset"
T = TypeVar("T")


class Hub:
    """One dataset repository on the Hub."""

    def __init__(self, repo: str, say: Callable[[str], None]) -> None:
        """Name the repository (``organisation/name``); tell each wait to ``say``.

        Raises:
            PauError: the client is told to stay offline.
        """
        if constants.HF_HUB_OFFLINE:
            raise PauError(f"{repo}: HF_HUB_OFFLINE is set; unset it to reach the Hub")
        self.repo: Final = repo
        self.patience: Final = Patience(say)
        self._api = HfApi(library_name="pau-toolkit")
        disable_progress_bars()
        # Its warnings show whole addresses, and that of an upload is a permission by itself.
        logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
        _wait_no_longer_than(SILENCE_SECONDS)

    @property
    def page(self) -> str:
        """Where a reader finds the repository."""
        return f"{self._api.endpoint}/datasets/{self.repo}"

    def require_login(self) -> None:
        """Refuse to go on without a token.

        Raises:
            PauError: there is none.
        """
        if get_token() is None:
            raise PauError("you are not logged in to the Hub: run `hf auth login`, or set HF_TOKEN")

    def state(self) -> Repository | None:
        """Return the state of the repository; None if there is none that can be seen."""
        info = self._unless(
            RepositoryNotFoundError, lambda: self._api.dataset_info(self.repo), "read"
        )
        if info is None:
            return None
        head = str(info.sha)
        refs = self.ask("read", lambda: self._api.list_repo_refs(self.repo, repo_type=_KIND))
        return Repository(
            head=head,
            private=bool(info.private),
            files=self.files(head),
            tags=frozenset(ref.name for ref in refs.tags),
            branches=frozenset(ref.name for ref in refs.branches),
        )

    def commit_of(self, revision: str) -> str | None:
        """Return the commit that a revision names; None if there is no such revision."""
        info = self._unless(
            RevisionNotFoundError,
            lambda: self._api.dataset_info(self.repo, revision=revision),
            "read",
        )
        return None if info is None else str(info.sha)

    def files(self, revision: str) -> dict[str, RemoteFile]:
        """Return the files of a revision by path, without the one that is left alone."""
        entries = self.ask(
            "read",
            lambda: list(
                self._api.list_repo_tree(
                    self.repo, recursive=True, revision=revision, repo_type=_KIND
                )
            ),
        )
        return {
            entry.path: _remote_file(entry)
            for entry in entries
            if isinstance(entry, RepoFile) and entry.path != LEFT_ALONE
        }

    def download(self, revision: str, folder: Path, paths: Iterable[str]) -> None:
        """Put files of a revision into a folder, past every cache."""
        for path in paths:
            get = partial(self._api.hf_hub_download, self.repo, path, local_dir=folder)
            self.ask("read", partial(get, revision=revision, repo_type=_KIND))
        shutil.rmtree(folder / ".cache", ignore_errors=True)  # the client's notes on the files

    def proposals(self, title: str) -> Iterator[tuple[int, str]]:
        """Yield number and commit of each open pull request with a title."""
        pages = self.ask(
            "read",
            lambda: list(
                self._api.get_repo_discussions(
                    self.repo,
                    repo_type=_KIND,
                    discussion_type="pull_request",
                    discussion_status="open",
                )
            ),
        )
        for discussion in pages:
            if discussion.title == title:
                commit = self.commit_of(f"refs/pr/{discussion.num}")
                if commit is not None:
                    yield discussion.num, commit

    def create(self) -> None:
        """Create the repository, private."""
        self._do(
            "create the repository",
            lambda: self._api.create_repo(self.repo, repo_type=_KIND, private=True),
        )

    def commit(
        self,
        parent: str,
        add: Mapping[str, Path],
        delete: Iterable[str],
        title: str,
        propose: bool,
    ) -> None:
        """Change files in one commit on top of ``parent``, on ``main`` or as a pull request."""
        operations: list[Any] = [CommitOperationAdd(path, file) for path, file in add.items()]
        operations += [CommitOperationDelete(path, is_folder=False) for path in delete]
        self._do(
            "commit",
            lambda: self._api.create_commit(
                self.repo,
                operations,
                commit_message=title,
                repo_type=_KIND,
                parent_commit=parent,
                create_pr=propose,
            ),
        )

    def tag(self, name: str, commit: str, message: str) -> None:
        """Give a commit an annotated tag."""
        self._do(
            "tag",
            lambda: self._api.create_tag(
                self.repo, tag=name, tag_message=message, revision=commit, repo_type=_KIND
            ),
        )

    def _unless(self, absent: type[HfHubHTTPError], ask: Callable[[], T], what: str) -> T | None:
        """Ask a question whose answer may be that there is no such thing."""

        def answer() -> T | None:
            try:
                return ask()
            except GatedRepoError:
                raise
            except absent as error:
                if error.response.status_code != 404:
                    raise  # without a valid token the Hub does not say whether a thing is there
                return None

        return self.ask(what, answer)

    def ask(self, what: str, ask: Callable[[], T]) -> T:
        """Ask a question until it is answered; ``what`` names it for people.

        Raises:
            PauError: the Hub refuses, or fails for too long.
        """
        while True:
            try:
                return self._do(what, ask)
            except UnsettledError as trouble:
                self.patience.wait(trouble)

    def _do(self, what: str, act: Callable[[], T]) -> T:
        try:
            return act()
        except Exception as error:  # the client's errors have no common parent
            raise meaning(error, f"{self.repo}: {what}") from None


def _wait_no_longer_than(seconds: float) -> None:
    """Let the client give up on a Hub that says nothing; many of its calls would wait for ever."""

    def bound(request: Any) -> None:
        waits = request.extensions["timeout"]
        request.extensions["timeout"] = {
            phase: seconds if wait is None else wait for phase, wait in waits.items()
        }

    session = get_session()
    hooks = session.event_hooks
    session.event_hooks = {**hooks, "request": [*hooks["request"], bound]}


def _remote_file(entry: RepoFile) -> RemoteFile:
    if entry.lfs is not None:
        return RemoteFile(entry.size, entry.lfs.sha256, is_large=True)
    return RemoteFile(entry.size, entry.blob_id, is_large=False)

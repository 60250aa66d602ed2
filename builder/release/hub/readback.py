"""Whether the Hub gives back what was sent to it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from huggingface_hub import constants

from builder.errors import PauError
from builder.release.check import unlike_manifest
from builder.release.hub.client import Hub
from builder.release.hub.fetch import downloaded
from builder.release.hub.state import local_files
from builder.release.packed import load_as_users_do, read_manifest


def differences(hub: Hub, commit: str, folder: Path) -> Iterator[str]:
    """Yield a line for each difference between a commit and a release folder.

    Every file is downloaded anew and compared by its SHA-256, and ``datasets`` loads both configs
    from the Hub, past every cache, to exactly the rows of the folder.
    """
    with downloaded(hub, commit) as (held, _):
        theirs, ours = local_files(held), local_files(folder)
    for path in sorted(theirs.keys() | ours.keys()):
        if theirs.get(path) != ours.get(path):
            what = "differs" if path in theirs and path in ours else "is on one side only"
            yield f"{path}: {what}"
            return
    yield from other_rows(hub, commit, folder)


def other_rows(hub: Hub, commit: str, folder: Path) -> Iterator[str]:
    """Yield a line for each config and split of which ``datasets`` loads other rows from the Hub.

    The manifest in ``folder`` says which rows are right.
    """
    try:
        with _empty_client_cache():
            loaded = hub.ask("load", lambda: load_as_users_do(hub.repo, revision=commit))
    except PauError as error:
        yield str(error)
        return
    yield from unlike_manifest(read_manifest(folder), loaded)


@contextmanager
def _empty_client_cache() -> Iterator[None]:
    """Let nothing that was downloaded before answer for the Hub.

    The card comes through the client's own cache, whatever ``datasets`` is told.
    """
    earlier = constants.HF_HUB_CACHE
    with tempfile.TemporaryDirectory(prefix="pau-cache-") as place:
        constants.HF_HUB_CACHE = place
        try:
            yield
        finally:
            constants.HF_HUB_CACHE = earlier

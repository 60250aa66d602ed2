"""Reads a corpus from the Hugging Face Hub at the revision that its source pins."""

import functools
import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from builder.errors import PauError
from sources.contract import Source

PATIENCE_SECONDS: Final = 5.0


class CorpusUnavailableError(PauError):
    """No file was given, no package carries the corpus, and the Hub cannot be read."""


@dataclass(frozen=True, slots=True)
class HubContent:
    """What the Hub held."""

    sha256: str
    """Of the rows as JSON, since the Hub may pack the same rows into other files."""
    rows: list[tuple[str, Any]]
    """Place and value of each row."""


def read_hub(source: Source) -> HubContent:
    """Read every row of a source, part after part.

    Raises:
        CorpusUnavailableError: there is no network, no such data set or no such revision.
    """
    if not _hub_answers():
        raise _unavailable(source, "the Hub does not answer")
    # Imported here because it takes seconds, which a build from files need not spend.
    import datasets

    rows: list[tuple[str, Any]] = []
    for part in source.hub_parts:
        try:
            table = datasets.load_dataset(
                source.hub_id, part.config, split=part.split, revision=source.revision
            )
        except Exception as error:  # the client has no common class for all that can go wrong
            raise _unavailable(source, type(error).__name__) from error
        where = "/".join([source.hub_id, part.config or "default", part.split])
        rows += [(f"{where}, row {number}", row) for number, row in enumerate(table, start=1)]
    content = json.dumps([row for _, row in rows], sort_keys=True)
    return HubContent(hashlib.sha256(content.encode()).hexdigest(), rows)


def _unavailable(source: Source, why: str) -> CorpusUnavailableError:
    return CorpusUnavailableError(
        f"{source.name}: {source.hub_id} cannot be read from the Hub ({why}); "
        f"give its file: --corpus {source.name}=PATH"
    )


@functools.cache
def _hub_answers() -> bool:
    """Ask the Hub once for a sign of life: the client itself retries for half a minute."""
    from huggingface_hub import constants, get_session

    if constants.HF_HUB_OFFLINE:
        return True  # the client then answers from its cache, without a network
    try:
        get_session().head(constants.ENDPOINT, timeout=PATIENCE_SECONDS)
    except Exception:  # httpx or requests, as the version of the client has it
        return False
    return True

"""Finds what must never be published: keys and tokens in the texts of a release."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from builder.errors import PauError

PATTERNS: Final = {
    "a Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}",
    "an OpenAI or Anthropic key": r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}",
    "a GitHub token": r"\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{50,}",
    "a GitLab token": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "an AWS key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a Google key": r"\bAIza[A-Za-z0-9_-]{35}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}",
    "a PyPI token": r"\bpypi-AgE[A-Za-z0-9_-]{50,}",
    "an npm token": r"\bnpm_[A-Za-z0-9]{36,}",
    "a Stripe key": r"\b[rs]k_live_[A-Za-z0-9]{20,}",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a password in an address": r"\bhttps?://[^\s/:@'\"]+:[^\s/:@'\"]+@",
}
_ANY: Final = re.compile("|".join(f"(?P<p{n}>{x})" for n, x in enumerate(PATTERNS.values())))
_NAMES: Final = tuple(PATTERNS)


def find_secrets(folder: Path, own: str | None) -> Iterator[str]:
    """Yield a line for each text of a release that seems to hold a secret; it is not repeated.

    Args:
        folder: the release.
        own: the token of whoever publishes, which may stand nowhere at all.

    Raises:
        PauError: a file cannot be read.
    """
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            place = path.relative_to(folder).as_posix()
            for where, text in _texts(path):
                if kind := secret_in(text, own):
                    yield f"{place}{where}: seems to hold {kind}"


def secret_in(text: str, own: str | None = None) -> str | None:
    """Return what kind of secret a text seems to hold; None if it holds none."""
    if own and own in text:
        return "the token that you are logged in with"
    match = _ANY.search(text)
    return None if match is None or match.lastgroup is None else _NAMES[int(match.lastgroup[1:])]


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each text of a file with its place in it."""
    if path.suffix != ".parquet":
        yield "", path.read_text("utf-8", errors="replace")
        return
    import pyarrow
    import pyarrow.parquet

    try:
        rows = pyarrow.parquet.read_table(path).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise PauError(
            f"{path}: cannot be read ({type(error).__name__}); build the release again"
        ) from None
    for number, row in enumerate(rows):
        yield f" row {number}", "\n".join(_strings(row))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)

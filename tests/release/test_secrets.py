"""Keys and tokens in the texts of a release."""

import shutil
from pathlib import Path

import pytest

from builder.release.packed import parquet_path, write_parquet
from builder.release.rows import typed_row
from builder.release.secrets import PATTERNS, find_secrets, secret_in

# Made of parts, so that no scanner takes this file for a leak.
EXAMPLES = {
    "a Hugging Face token": "hf_" + "aB3" * 12,
    "an OpenAI or Anthropic key": "sk-" + "proj-" + "aB3_" * 12,
    "a GitHub token": "ghp" + "_" + "aB3" * 12,
    "a GitLab token": "glpat" + "-" + "aB3_" * 5,
    "an AWS key": "AKIA" + "AB12" * 4,
    "a Google key": "AIza" + "aB3_5" * 7,
    "a Slack token": "xoxb" + "-" + "1234-" * 5,
    "a PyPI token": "pypi-" + "AgE" + "aB3_5" * 12,
    "an npm token": "npm" + "_" + "aB3" * 12,
    "a Stripe key": "sk" + "_live_" + "aB3" * 8,
    "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "a password in an address": "https://ann:" + "secret@example.org/",
}


@pytest.mark.parametrize("kind", PATTERNS)
def test_every_kind_is_found_within_other_text(kind: str) -> None:
    assert secret_in(f"key = '{EXAMPLES[kind]}' # mine") == kind


@pytest.mark.parametrize(
    "text",
    [
        "def test_func(arg0):\n    return arg0.startswith('sk-')",
        "hf_model, ghp_, AKIA, npm_install",
        "ask-me-anything-about-the-weather-and-so-on-and-on",
        "https://example.org/a:b@c",
        "('ann@example.org',)",
        "99342e7f-b1a0-4eef-97dd-3cc2814f14f4",
    ],
)
def test_what_only_resembles_one_is_none(text: str) -> None:
    assert secret_in(text) is None


def test_the_own_token_is_found_whatever_its_form() -> None:
    assert secret_in("a word: plain", own="plain") == "the token that you are logged in with"


def test_a_release_without_secrets_gives_no_line(release_folder: Path) -> None:
    assert list(find_secrets(release_folder, own=None)) == []


def test_texts_and_rows_are_searched_and_the_secret_is_not_repeated(
    release_folder: Path, tmp_path: Path, first_large: object
) -> None:
    from builder.records import Task

    assert isinstance(first_large, Task)
    folder = shutil.copytree(release_folder, tmp_path / "copy")
    row = typed_row(first_large)
    row["tests"][2]["input"] = repr((EXAMPLES["a GitHub token"],))
    write_parquet([typed_row(first_large), row], "typed", folder / parquet_path("typed", "test"))
    (folder / "LICENSE.md").write_text(EXAMPLES["an AWS key"])
    assert list(find_secrets(folder, own=None)) == [
        "LICENSE.md: seems to hold an AWS key",
        "typed/test-00000-of-00001.parquet row 1: seems to hold a GitHub token",
    ]

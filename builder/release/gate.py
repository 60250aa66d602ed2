"""What must hold of a release before anybody may publish it, checked without a network."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from builder.errors import PauError
from builder.records import Task
from builder.release.evaluation import EVALUATION
from builder.release.licenses import TERMS, refuse_looser
from builder.release.packed import parquet_path, read_manifest, read_rows
from builder.release.rows import CANARY, CONFIGS
from builder.release.secrets import find_secrets
from builder.release.verify import verify_folder
from builder.sandbox.supervisor import Sandbox

if TYPE_CHECKING:
    from huggingface_hub import CardData

MOST_FILES: Final = 50
"""Of one commit; the client splits larger ones in places."""
LARGEST_ROW_CHARACTERS: Final = 1_000_000
"""The Hub's viewer refuses rows of about twice that."""

CARD: Final = "README.md"
_NEEDED: Final = (CARD, "LICENSE.md", "manifest.json", "SHA256SUMS", "CHANGELOG.md")


def publishing_faults(
    folder: Path,
    sandbox: Sandbox,
    own_token: str | None,
    progress: Callable[[Sequence[Task]], Iterable[Task]] = iter,
) -> Iterator[str]:
    """Yield a line for each reason not to publish a folder.

    Args:
        folder: the release, complete as it will be sent.
        sandbox: where its methods are replayed.
        own_token: the token of whoever publishes; it may stand nowhere in the release.
        progress: wraps the tasks while they are replayed.

    Raises:
        PauError: the folder holds no release.
        HarnessError: the sandbox failed.
    """
    broken = False
    for line in verify_folder(folder, sandbox, progress):
        broken = True
        yield line
    if broken:
        return  # what follows reads rows and card, and would say the same again
    yield from _wrong_files(folder)
    yield from _wrong_card(folder)
    yield from _large_rows(folder)
    yield from find_secrets(folder, own_token)


def _wrong_files(folder: Path) -> Iterator[str]:
    present = [path for path in folder.rglob("*") if path.is_file()]
    if len(present) > MOST_FILES:
        yield f"{len(present)} files are more than one commit should hold ({MOST_FILES})"
    has_test = "test" in read_manifest(folder)["splits"]
    for name in (*_NEEDED, EVALUATION) if has_test else _NEEDED:
        if not (folder / name).is_file():
            yield f"{name}: is missing; build the release again"


def _wrong_card(folder: Path) -> Iterator[str]:
    from huggingface_hub import DatasetCard

    try:
        text = (folder / CARD).read_text("utf-8")
        head = DatasetCard(text).data
        configs = {config["config_name"]: config for config in head["configs"]}
        files = {
            name: {(part["split"], part["path"]) for part in config["data_files"]}
            for name, config in configs.items()
        }
    except Exception as error:  # the errors of the client's YAML library come through
        yield f"{CARD}: its YAML head cannot be read ({type(error).__name__})"
        return
    splits = read_manifest(folder)["splits"]
    expected = {c: {(s, parquet_path(c, s)) for s in splits} for c in CONFIGS}
    if files != expected:
        yield f"{CARD}: its configs do not name exactly the files of the release"
    if [name for name, config in configs.items() if config.get("default")] != ["default"]:
        yield f"{CARD}: the config `default` is not the one that is loaded unasked"
    if CANARY not in text:
        yield f"{CARD}: the canary is missing"
    yield from _wrong_license(folder, head)


def _wrong_license(folder: Path, head: "CardData") -> Iterator[str]:
    of_rows = {row["license"] for rows in read_rows(folder).values() for row in rows}
    declared = head.get("license")
    if not all(of_rows):
        yield "some rows have no licence"
    if declared == "other":
        link = head.get("license_link", "")
        if not head.get("license_name") or not (folder / str(link)).is_file():
            yield f"{CARD}: the licence `other` needs license_name, and license_link to a file"
    elif {declared} != {license_id.lower() for license_id in of_rows}:
        spdx = {license_id.lower(): license_id for license_id in TERMS}
        try:
            refuse_looser(spdx.get(str(declared), str(declared)), of_rows)
        except PauError as error:
            yield f"{CARD}: {error}"


def _large_rows(folder: Path) -> Iterator[str]:
    for rows in read_rows(folder).values():
        for row in rows:
            size = len(repr(row))
            if size > LARGEST_ROW_CHARACTERS:
                yield f"{row['task_id']}: {size:,} characters are too many for one row"

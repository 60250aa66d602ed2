"""The receipt of a push: what stands where, and when it was read back."""

import json
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from builder.errors import PauError
from builder.release.hub.client import Hub
from builder.release.hub.plan import Plan
from builder.release.hub.push import Done
from builder.release.packed import read_manifest


def write_receipt(plan: Plan, done: Done, hub: Hub, beside: Path) -> Path:
    """Write the receipt of a push that is done; return where.

    It stands beside the release folder ``beside``, not in it: it is no part of the release.

    Raises:
        PauError: it cannot be written.
    """
    receipt = {
        "repository": hub.repo,
        "tag": None if plan.target.propose else plan.target.tag,
        "pull_request": done.proposal,
        "commit": done.commit,
        "address": f"{hub.page}/tree/{done.commit}",
        "private": plan.private,
        "read_back": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": {
            path: {"bytes": file.size, "sha256": file.sha256} for path, file in plan.files.items()
        },
        "splits": read_manifest(plan.folder)["splits"],
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("pau-toolkit", "datasets", "huggingface_hub")},
        },
    }
    name = f"{hub.repo.replace('/', '--')}@{plan.target.tag}.json"
    path = beside.resolve().parent / "receipts" / name
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(receipt, indent=2) + "\n", "utf-8")
    except OSError as error:
        raise PauError(
            f"{path}: the receipt cannot be written ({error.strerror}); the push itself is done"
        ) from None
    return path

"""A push as the client does it unasked: large files go in chunks (xet), not as files."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hub.commands import ROOT
from tests.hub.server import TestHub
from tests.hub.storage import Blob
from tests.release.hub.conftest import REPO, WRITER
from tests.release.hub.test_push_faults import assert_one_release

COMMAND = [sys.executable, "-c", "from builder.commands.main import main; main()"]


@pytest.mark.skipif(not importlib.util.find_spec("hf_xet"), reason="needs hf_xet")
def test_a_release_whose_large_files_go_in_chunks(
    first: Path, hub: TestHub, tmp_path: Path
) -> None:
    hub.chunks = tmp_path / "chunks"
    for path in first.rglob("*.parquet"):
        # The chunks are in a form of their own: what they make up is told to the hub beforehand.
        data = path.read_bytes()
        hub.large_files[Blob(data, True).sha256] = data
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "HF_ENDPOINT": hub.url,
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_TOKEN": WRITER,
    }
    arguments = ["push", f"{REPO}@v1.0.0", "--release", str(first), "--yes"]
    ended = subprocess.run(
        [*COMMAND, *arguments, "--isolation", "process-only"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended
    assert_one_release(hub.repositories[REPO])
    assert not any("/objects/batch" in request.path for request in hub.requests)
    assert any(path.is_file() for path in hub.chunks.rglob("*"))
    assert WRITER not in ended.stdout + ended.stderr

"""Reading a corpus from the Hub: at the pinned commit, and without a long wait when it is away.

The client reads its settings once, when it is imported, so that each test needs a process of its
own. The server plays the few answers of the Hub that reading one small Parquet file takes.
"""

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

COMMIT = "1" * 40
SCRIPT = f"""
from builder.errors import PauError
from builder.intake.corpus import ingest, open_corpus
from sources.contract import HubPart, Source

source = Source(
    name="own", title="Own", home="https://example.org", license="MIT", citation="Us.",
    split="train", hub_id="owner/own", revision="{COMMIT}", hub_parts=(HubPart(None, "train"),),
    columns={{"id": str, "code": str}}, id_column="id",
    convert=lambda row: row.candidate(code=row.fields["code"], entry_point=None),
)
try:
    corpus = open_corpus(source)
except PauError as error:
    print(type(error).__name__, error)
else:
    print(corpus.origin, corpus.revision, corpus.rows[0].place, next(ingest(corpus)).code)
"""


class Hub(BaseHTTPRequestHandler):
    """Holds one data set with one file, at one commit."""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass

    def _answer(self, with_body: bool) -> None:
        buffer = io.BytesIO()
        table = pyarrow.Table.from_pylist([{"id": "a", "code": "def f(x): return x"}])
        pyarrow.parquet.write_table(table, buffer)
        file = {"type": "file", "path": "train.parquet", "size": len(buffer.getvalue())}
        pages = {
            "/": b"",
            f"/api/datasets/owner/own/revision/{COMMIT}": json.dumps(
                {"id": "owner/own", "sha": COMMIT, "siblings": [{"rfilename": "train.parquet"}]}
            ).encode(),
            f"/api/datasets/owner/own/tree/{COMMIT}": json.dumps([{**file, "oid": "0"}]).encode(),
            f"/datasets/owner/own/resolve/{COMMIT}/train.parquet": buffer.getvalue(),
        }
        page = pages.get(self.path.partition("?")[0])
        self.send_response(404 if page is None else 200)
        self.send_header("Content-Length", str(len(page or b"")))
        self.send_header("ETag", '"file"')
        self.send_header("X-Repo-Commit", COMMIT)
        if page is None:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()
        if with_body:
            self.wfile.write(page or b"")


@pytest.fixture
def hub() -> Iterator[str]:
    """The address of a Hub."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def read_from(endpoint: str, cache: Path, script: str = SCRIPT, **settings: str) -> str:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(cache),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        **settings,
    }
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.strip()


def test_rows_come_from_the_pinned_commit(hub: str, tmp_path: Path) -> None:
    place = "owner/own/default/train, row 1"
    expected = f"owner/own@{COMMIT} {COMMIT} {place} def f(x): return x"

    assert read_from(hub, tmp_path) == expected
    assert read_from("http://127.0.0.1:9", tmp_path, HF_HUB_OFFLINE="1") == expected, "cached"


def test_a_hub_that_is_away_is_told_in_one_line_with_the_cure(tmp_path: Path) -> None:
    answer = read_from("http://127.0.0.1:9", tmp_path)

    assert answer == (
        "CorpusUnavailableError own: owner/own cannot be read from the Hub "
        "(the Hub does not answer); give its file: --corpus own=PATH"
    )


def test_a_commit_that_the_hub_does_not_have_is_unavailable(hub: str, tmp_path: Path) -> None:
    answer = read_from(hub, tmp_path, SCRIPT.replace(COMMIT, "2" * 40))

    assert answer.startswith("CorpusUnavailableError own: owner/own cannot be read from the Hub (")

"""A hub on a real socket: it speaks as much of the Hub's API as releases need, and fails as told.

Standard library only. It keeps everything in memory, logs every request, checks every token, and
injects faults: a status, a cut connection, silence, before or after the request took effect.
"""

import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.hub.routes import Answer, answer
from tests.hub.storage import RefusedError, Repository

ENDLESS = 1_000_000
"""Times that a fault happens if it never stops."""


@dataclass(frozen=True)
class User:
    """Whom a token stands for."""

    name: str
    may: str = "write"
    """``read``, ``propose`` (pull requests only) or ``write``."""


@dataclass(frozen=True)
class Request:
    """One request that came in."""

    number: int
    """0 for the first one since the log was cleared."""
    method: str
    path: str
    """As it was sent, with its escapes, without the query."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def token(self) -> str | None:
        """The token that came with it."""
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token if kind.lower() == "bearer" else None

    @property
    def changes_something(self) -> bool:
        """Whether it is more than a question."""
        return self.method not in ("GET", "HEAD") and "/paths-info/" not in self.path

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class Status:
    """An answer with this status instead of the right one."""

    status: int
    message: str = "as the test wants it"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """None: the message as JSON, as the Hub does it."""


class Cut:
    """The connection is reset."""


class Silence:
    """No answer ever comes."""


Reaction = Status | Cut | Silence | Callable[[Request], object]
"""A function is called, then the request goes its usual way."""


@dataclass
class Fault:
    """What happens to some requests."""

    matches: Callable[[Request], bool]
    reaction: Reaction
    landed: bool
    """Whether the request takes effect before the reaction comes."""
    times: int

    def takes(self, request: Request) -> bool:
        """Use the fault up once if it applies to a request."""
        if self.times == 0 or not self.matches(request):
            return False
        self.times -= 1
        return True


class TestHub:
    """Serves in threads of its own while the block runs."""

    __test__ = False

    def __init__(self, users: Mapping[str, User]) -> None:
        """Know some users by their tokens."""
        self.users = dict(users)
        self.repositories: dict[str, Repository] = {}
        self.large_files: dict[str, bytes] = {}
        """By their SHA-256."""
        self.chunks: Path | None = None
        """Folder for the chunks of large files, for clients that send them so (xet)."""
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        self.unknown: list[Request] = []
        """Requests that it has no right answer for."""
        self._lock = threading.RLock()
        self._closing = threading.Event()

    @property
    def url(self) -> str:
        """Address for ``HF_ENDPOINT``."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True  # the client is gone

            def __getattr__(self, name: str) -> Any:
                if name.startswith("do_"):
                    return lambda: hub._serve(self)
                raise AttributeError(name)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def forget(self) -> None:
        """Be as new, but for the address and the users."""
        with self._lock:
            self.repositories.clear()
            self.large_files.clear()
            self.chunks = None
            self.requests.clear()
            self.faults.clear()
            self.unknown.clear()

    def create(self, name: str, private: bool = False) -> Repository:
        """Make a repository as another writer does."""
        with self._lock:
            if name in self.repositories:
                raise RefusedError(409, "You already created this dataset repo")
            self.repositories[name] = Repository(name, private)
            return self.repositories[name]

    def fail(
        self,
        method: str,
        path: str,
        reaction: Reaction,
        *,
        landed: bool = False,
        times: int = 1,
    ) -> None:
        """Let the next requests of a method whose path matches a pattern end in a fault."""
        pattern = re.compile(path)
        self.faults.append(
            Fault(
                lambda request: request.method == method and bool(pattern.search(request.path)),
                reaction,
                landed,
                times,
            )
        )

    def at(self, number: int, reaction: Reaction, *, landed: bool = False) -> None:
        """Let the request with a number end in a fault."""
        self.faults.append(Fault(lambda request: request.number == number, reaction, landed, 1))

    def waiting_faults(self) -> list[Fault]:
        """Return the faults that have not happened as often as they should; not endless ones."""
        return [fault for fault in self.faults if 0 < fault.times < ENDLESS // 2]

    def writes(self) -> list[Request]:
        """Return the requests so far that were more than questions."""
        return [request for request in self.requests if request.changes_something]

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        with self._lock:
            request = _read(handler, len(self.requests))
            self.requests.append(request)
            fault = next((fault for fault in self.faults if fault.takes(request)), None)
        if fault and not fault.landed and self._react(handler, request, fault.reaction):
            return
        with self._lock:
            try:
                right = answer(self, request)
            except RefusedError as error:
                right = _refusal(error.status, error.message, {"X-Error-Code": error.code})
        if fault and fault.landed and self._react(handler, request, fault.reaction):
            return
        _send(handler, right)

    def _react(self, handler: BaseHTTPRequestHandler, request: Request, reaction: Reaction) -> bool:
        """Do what a fault says; return whether that was the answer."""
        match reaction:
            case Status(status, _, headers, bytes() as body):
                _send(handler, Answer(body, status, headers))
            case Status(status, message, headers):
                _send(handler, _refusal(status, message, headers))
            case Cut():
                linger = struct.pack("ii", 1, 0)
                handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                handler.close_connection = True
                handler.connection.close()
            case Silence():
                handler.close_connection = True
                self._closing.wait()
            case _:
                reaction(request)
                return False
        return True


def _read(handler: BaseHTTPRequestHandler, number: int) -> Request:
    address = urlsplit(handler.path)
    headers = {name.lower(): value for name, value in handler.headers.items()}
    body = handler.rfile.read(int(headers.get("content-length", 0)))
    if headers.get("transfer-encoding") == "chunked":
        body = b"".join(_chunks(handler))
    query = {name: values[-1] for name, values in parse_qs(address.query).items()}
    return Request(number, handler.command, address.path, query, headers, body)


def _chunks(handler: BaseHTTPRequestHandler) -> "list[bytes]":
    chunks = []
    while length := int(handler.rfile.readline(), 16):
        chunks.append(handler.rfile.read(length))
        handler.rfile.readline()
    handler.rfile.readline()
    return chunks


def _refusal(status: int, message: str, headers: Mapping[str, str]) -> Answer:
    told = {"X-Error-Message": message, **{name: text for name, text in headers.items() if text}}
    return Answer({"error": message}, status, told)


def _send(handler: BaseHTTPRequestHandler, right: Answer) -> None:
    handler.send_response(right.status)
    body = right.body()
    for name, value in {"Content-Type": right.content_type, **right.headers}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)
    handler.wfile.flush()

"""A model endpoint on a real socket that answers as told, and misbehaves as told."""

import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Ask:
    """One request that came in."""

    number: int
    """0 for the first one."""
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    """Names in lower case."""

    @property
    def words(self) -> str:
        """What the last message says."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Say:
    """A sound chat completion, or one with a fault inside."""

    text: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    usage: tuple[int, int] | None = (10, 5)
    id: str = "chatcmpl-the-same-for-all"

    def body(self) -> bytes:
        """Return it as the endpoint writes it."""
        message = {"role": "assistant", "content": self.text, "refusal": self.refusal}
        completion: dict[str, Any] = {
            "id": self.id,
            "object": "chat.completion",
            "model": "served-model",
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason}],
        }
        if self.usage is not None:
            asked, answered = self.usage
            completion["usage"] = {"prompt_tokens": asked, "completion_tokens": answered}
        return json.dumps(completion).encode()


@dataclass(frozen=True)
class Raw:
    """Any status and body."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reset:
    """The connection is reset, before any byte or after half of a sound reply."""

    halfway: bool = False


@dataclass(frozen=True)
class Stall:
    """Half of a sound reply comes, then nothing, or a byte now and then."""

    drip_seconds: float | None = None


Reaction = Say | Raw | Reset | Stall


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that break off, or are killed, are part of the tests."""


class ModelServer:
    """Serves in threads of its own while the block runs."""

    def __init__(self, react: Callable[[Ask], Reaction]) -> None:
        """Answer each request with what ``react`` returns for it; it may block."""
        self.asks: list[Ask] = []
        self.react = react
        self.most_at_a_time = 0
        self._busy = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()

    @property
    def base_url(self) -> str:
        """Address for the client."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_POST(self) -> None:
                outer._answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        with self._lock:
            ask = Ask(len(self.asks), handler.path, body, _lower(handler))
            self.asks.append(ask)
            self._busy += 1
            self.most_at_a_time = max(self.most_at_a_time, self._busy)
        try:
            self._write(handler, self.react(ask))
        except OSError:
            handler.close_connection = True  # the client has given up
        finally:
            with self._lock:
                self._busy -= 1

    def _write(self, handler: BaseHTTPRequestHandler, reaction: Reaction) -> None:
        match reaction:
            case Say():
                _send(handler, 200, {}, reaction.body())
            case Raw(body, status, headers):
                _send(handler, status, headers, body)
            case Reset(halfway):
                if halfway:
                    _send_half(handler)
                linger = struct.pack("ii", 1, 0)
                handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                handler.close_connection = True
                handler.connection.close()
            case Stall(drip_seconds):
                _send_half(handler)
                handler.close_connection = True
                while not self._closing.wait(drip_seconds):
                    handler.wfile.write(b" ")
                    handler.wfile.flush()


def _lower(handler: BaseHTTPRequestHandler) -> dict[str, str]:
    return {name.lower(): value for name, value in handler.headers.items()}


def _send(
    handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes
) -> None:
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", **headers}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
    handler.wfile.flush()


def _send_half(handler: BaseHTTPRequestHandler) -> None:
    body = Say("never complete").body()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body) + 100_000))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()

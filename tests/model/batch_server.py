"""A stand-in for the vendor's batches: the real protocol over a real socket, but no vendor.

It takes files and batches as the hosted API documents them, and answers each line as told. What
the real vendor does beyond its documentation is not tested by it.
"""

import json
import re
import threading
from collections.abc import Callable
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.model.server import Raw, Say


class BatchServer:
    """Serves in threads of its own while the block runs."""

    def __init__(self, react: Callable[[dict[str, Any]], Say | Raw | None]) -> None:
        """Answer the body of each line with what ``react`` returns; None: it expires."""
        self.react = react
        self.status = "completed"
        """The state in which batches are found."""
        self.files: dict[str, str] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.lines_taken = 0
        self.drop_next_batch = False
        """Whether to take the next batch and then fall silent."""
        self.strays: list[str] = []
        """Lines to put into every result as well."""

    @property
    def base_url(self) -> str:
        """Address for the client."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer._get(self)

            def do_POST(self) -> None:
                outer._post(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _post(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["content-length"]))
        if handler.path == "/v1/files":
            head = f"content-type: {handler.headers['content-type']}\r\n\r\n"
            form = BytesParser().parsebytes(head.encode() + body)
            parts = {
                part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
                for part in form.walk()
            }
            assert parts["purpose"] == b"batch"
            content = parts["file"]
            assert isinstance(content, bytes)
            name = self._keep(content.decode())
            _answer(handler, {"id": name, "object": "file", "purpose": "batch"})
            return
        if handler.path != "/v1/batches":
            handler.send_error(404)
            return
        asked = json.loads(body)
        assert asked["endpoint"] == "/v1/chat/completions"
        assert asked["completion_window"] == "24h"
        name = f"batch_{len(self.batches)}"
        self.batches[name] = {"id": name, "object": "batch", **asked}
        self.lines_taken += len(self.files[asked["input_file_id"]].splitlines())
        if self.drop_next_batch:
            self.drop_next_batch = False
            handler.connection.close()
            return
        _answer(handler, self._shown(name))

    def _get(self, handler: BaseHTTPRequestHandler) -> None:
        if found := re.fullmatch(r"/v1/files/(\w+)/content", handler.path):
            _answer(handler, self.files[found[1]])
        elif found := re.fullmatch(r"/v1/batches/(\w+)", handler.path):
            _answer(handler, self._shown(found[1]))
        else:
            assert handler.path.startswith("/v1/batches?")
            data = [self._shown(name) for name in self.batches]
            _answer(handler, {"object": "list", "data": data, "has_more": False})

    def _keep(self, content: str) -> str:
        name = f"file_{len(self.files)}"
        self.files[name] = content
        return name

    def _shown(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        total = len(self.files[batch["input_file_id"]].splitlines())
        counts = {"total": total, "completed": total // 2, "failed": 0}
        shown = {**batch, "status": self.status, "created_at": 0, "request_counts": counts}
        if self.status in ("completed", "expired") and "output_file_id" not in batch:
            self._finish(batch)
        return {**shown, **batch}

    def _finish(self, batch: dict[str, Any]) -> None:
        output, errors = list(self.strays), []
        for line in map(json.loads, self.files[batch["input_file_id"]].splitlines()):
            assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
            reaction = self.react(line["body"])
            result = {"id": "batch_req_1", "custom_id": line["custom_id"], "error": None}
            match reaction:
                case None:
                    expired = {"code": "batch_expired", "message": "too late"}
                    errors.append(json.dumps({**result, "response": None, "error": expired}))
                case Say():
                    response = {"status_code": 200, "body": json.loads(reaction.body())}
                    output.append(json.dumps({**result, "response": response}))
                case Raw(body, status, _):
                    response = {"status_code": status, "body": json.loads(body)}
                    errors.append(json.dumps({**result, "response": response}))
        batch["output_file_id"] = self._keep("\n".join(output[::-1]))
        batch["error_file_id"] = self._keep("\n".join(errors)) if errors else None


def _answer(handler: BaseHTTPRequestHandler, content: object) -> None:
    body = content if isinstance(content, str) else json.dumps(content)
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body.encode())))
    handler.end_headers()
    handler.wfile.write(body.encode())

"""The API of the test hub: one function for each kind of request."""

import base64
import hashlib
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

from tests.hub.storage import Blob, Commit, PullRequest, RefusedError, Repository, Tag, Tree

if TYPE_CHECKING:
    from tests.hub.server import Request, TestHub

_DATE = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class Answer:
    """What goes back."""

    content: Any
    """Bytes as they are, all else as JSON."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def content_type(self) -> str:
        """Kind of the body."""
        is_file = isinstance(self.content, bytes)
        return "application/octet-stream" if is_file else "application/json"

    def body(self) -> bytes:
        """Return the body."""
        return (
            self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()
        )


Route = Callable[["TestHub", "Request", dict[str, str]], Answer]
_ROUTES: list[tuple[str, re.Pattern[str], Route]] = []


def route(method: str, path: str) -> Callable[[Route], Route]:
    """Serve a method and path; ``{repo}`` stands for two parts of it, other names for one."""
    pattern = path.replace("{repo}", r"(?P<repo>[\w.-]+/[\w.-]+)").replace(
        "{path}", r"(?P<path>.+)"
    )
    pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern)

    def register(function: Route) -> Route:
        _ROUTES.append((method, re.compile(pattern), function))
        return function

    return register


def answer(hub: "TestHub", request: "Request") -> Answer:
    """Return the right answer to a request.

    Raises:
        RefusedError: the request is not allowed or makes no sense.
    """
    method = "GET" if request.method == "HEAD" else request.method
    for wanted, pattern, function in _ROUTES:
        match = pattern.fullmatch(request.path)
        if wanted == method and match:
            parts = match.groupdict("")
            names = {name: unquote(text) for name, text in parts.items()}
            return function(hub, request, names)
    hub.unknown.append(request)
    raise RefusedError(404, f"no such page: {request}")


def _user_may(hub: "TestHub", request: "Request") -> str:
    """Return what the sender may do: nothing (empty), read, propose or write."""
    if request.token is None:
        return ""
    if request.token not in hub.users:
        raise RefusedError(401, "Invalid credentials in Authorization header")
    return hub.users[request.token].may


def _readable(hub: "TestHub", request: "Request", name: str) -> Repository:
    may = _user_may(hub, request)
    repository = hub.repositories.get(name)
    if repository is None or (repository.private and not may):
        status = 404 if may else 401
        raise RefusedError(status, "Repository not found", "RepoNotFound")
    return repository


def _writable(hub: "TestHub", request: "Request", name: str, need: str = "write") -> Repository:
    repository = _readable(hub, request, name)
    allowed = ("write",) if need == "write" else ("write", "propose")
    if _user_may(hub, request) not in allowed:
        raise RefusedError(403, "Forbidden: you must use a token with write rights")
    return repository


@route("GET", "/api/agent-harnesses")
def agent_harnesses(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    return Answer({})


@route("POST", "/api/repos/create")
def create(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    if _user_may(hub, request) != "write":
        raise RefusedError(403 if request.token else 401, "You may not create this repository")
    wanted = request.json()
    name = f"{wanted['organization']}/{wanted['name']}"
    url = f"{hub.url}/datasets/{name}"
    if name in hub.repositories:
        return Answer({"error": "You already created this dataset repo", "url": url}, 409)
    private = wanted.get("private", False) or wanted.get("visibility") == "private"
    hub.create(name, private=private)
    return Answer({"url": url, "name": name})


@route("POST", "/api/validate-yaml")
def validate_card(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    _, head, _ = request.json()["content"].split("---\n", 2)
    errors = []
    if not re.search(r"^license: [a-z0-9.-]+$", head, re.MULTILINE):
        errors.append({"message": '"license" must be one of the known identifiers'})
    if not re.search(r"^configs:\n- config_name: ", head, re.MULTILINE):
        errors.append({"message": '"configs" must be a list of objects with config_name'})
    return Answer({"errors": errors, "warnings": []}, 400 if errors else 200)


@route("GET", "/api/datasets/{repo}")
def info(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    repository = _readable(hub, request, names["repo"])
    return Answer(_info(repository, repository.head))


@route("GET", "/api/datasets/{repo}/revision/{revision}")
def info_at(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    repository = _readable(hub, request, names["repo"])
    return Answer(_info(repository, repository.resolve(names["revision"])))


def _info(repository: Repository, commit: Commit) -> dict[str, Any]:
    return {
        "_id": "0" * 24,
        "id": repository.name,
        "author": repository.name.partition("/")[0],
        "sha": commit.oid,
        "lastModified": _DATE,
        "createdAt": _DATE,
        "private": repository.private,
        "gated": False,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "tags": [],
        "siblings": [{"rfilename": path} for path in sorted(commit.tree)],
    }


@route("GET", "/api/datasets/{repo}/tree/{revision}(?:/{path})?")
def tree(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    commit = _readable(hub, request, names["repo"]).resolve(names["revision"])
    folder = names["path"].rstrip("/") + "/" if names["path"] else ""
    below = sorted(path for path in commit.tree if path.startswith(folder))
    if folder and not below:
        raise RefusedError(404, f"{folder} does not exist", "EntryNotFound")
    deep = request.query.get("recursive", "").lower() in ("true", "1")
    entries: dict[str, dict[str, Any]] = {}
    for path in below:
        for name in _folders(path):
            if name.startswith(folder) and (deep or "/" not in name[len(folder) :]):
                entries[name] = {"type": "directory", "oid": _oid(name), "size": 0, "path": name}
        if deep or "/" not in path[len(folder) :]:
            entries[path] = _entry(path, commit.tree[path])
    return Answer([entries[path] for path in sorted(entries)])


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]


def _oid(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def _entry(path: str, blob: Blob) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "type": "file",
        "oid": blob.git_oid,
        "size": len(blob.data),
        "path": path,
    }
    if blob.is_large:
        entry["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": 134}
    return entry


@route("POST", "/api/datasets/{repo}/paths-info/{revision}")
def paths_info(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    commit = _readable(hub, request, names["repo"]).resolve(names["revision"])
    if request.headers.get("content-type", "").startswith("application/json"):
        paths = request.json()["paths"]
    else:
        paths = parse_qs(request.body.decode())["paths"]
    entries = []
    for path in paths:
        if path in commit.tree:
            entries.append(_entry(path, commit.tree[path]))
        elif any(name.startswith(f"{path}/") for name in commit.tree):
            entries.append({"type": "directory", "oid": _oid(path), "size": 0, "path": path})
    return Answer(entries)


@route("GET", "/api/datasets/{repo}/refs")
def refs(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    repository = _readable(hub, request, names["repo"])
    branches = {n: oid for n, oid in repository.branches.items() if not n.startswith("refs/pr/")}
    return Answer(
        {
            "branches": [
                {"name": name, "ref": f"refs/heads/{name}", "targetCommit": oid}
                for name, oid in branches.items()
            ],
            "converts": [],
            # An annotated tag is an object of its own, and git's list of refs names that object.
            "tags": [
                {"name": name, "ref": f"refs/tags/{name}", "targetCommit": _oid(f"tag {name}")}
                for name in repository.tags
            ],
        }
    )


@route("POST", "/api/datasets/{repo}/tag/{revision}")
def add_tag(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    repository = _writable(hub, request, names["repo"])
    wanted = request.json()
    if wanted["tag"] in repository.tags:
        raise RefusedError(409, f"Tag reference {wanted['tag']} exists already")
    commit = repository.resolve(names["revision"])
    repository.tags[wanted["tag"]] = Tag(commit.oid, wanted.get("message", ""))
    return Answer({"tag": wanted["tag"]}, 201)


@route("DELETE", "/api/datasets/{repo}/tag/{tag}")
def delete_tag(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    repository = _writable(hub, request, names["repo"])
    if repository.tags.pop(names["tag"], None) is None:
        raise RefusedError(404, "no such tag", "RevisionNotFound")
    return Answer({})


@route("POST", "/api/datasets/{repo}/preupload/{revision}")
def preupload(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    proposed = request.query.get("create_pr") == "1"
    repository = _writable(hub, request, names["repo"], "propose" if proposed else "write")
    present = repository.resolve(names["revision"]).tree
    return Answer(
        {
            "files": [
                {
                    "path": file["path"],
                    "uploadMode": "lfs" if file["path"].endswith(".parquet") else "regular",
                    "shouldIgnore": False,
                    "oid": present[file["path"]].etag if file["path"] in present else None,
                }
                for file in request.json()["files"]
            ]
        }
    )


@route("POST", "/datasets/{repo}.git/info/lfs/objects/batch")
def large_files(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    _writable(hub, request, names["repo"], "propose")
    objects = []
    for wanted in request.json()["objects"]:
        known = {"oid": wanted["oid"], "size": wanted["size"]}
        if wanted["oid"] not in hub.large_files:
            href = f"{hub.url}/store/{wanted['oid']}"
            known["actions"] = {
                "upload": {"href": href, "header": {}},
                "verify": {"href": href, "header": {}},
            }
        objects.append(known)
    return Answer({"transfer": "basic", "objects": objects})


@route("GET", "/api/datasets/{repo}/xet-write-token/{revision}")
def permission_for_chunks(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    """Let the client put chunks of large files into a folder, which nobody reads."""
    _writable(hub, request, names["repo"])
    if hub.chunks is None:
        raise RefusedError(404, "no chunks here")
    permission = {
        "X-Xet-Cas-Url": f"local://{hub.chunks}",
        "X-Xet-Access-Token": "for-chunks",
        "X-Xet-Token-Expiration": str(int(time.time()) + 3600),
    }
    return Answer(
        {
            "casUrl": permission["X-Xet-Cas-Url"],
            "accessToken": permission["X-Xet-Access-Token"],
            "exp": int(permission["X-Xet-Token-Expiration"]),
        },
        headers=permission,
    )


@route("PUT", "/store/{oid}")
def store(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    if request.token is not None:
        raise RefusedError(400, "the address is the permission: send no token here")
    if hashlib.sha256(request.body).hexdigest() != names["oid"]:
        raise RefusedError(400, "the content has another SHA-256")
    hub.large_files[names["oid"]] = request.body
    return Answer(b"")


@route("POST", "/store/{oid}")
def stored(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    if names["oid"] not in hub.large_files:
        raise RefusedError(404, "nothing was stored")
    return Answer({})


@route("POST", "/api/datasets/{repo}/commit/{revision}")
def commit(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    proposed = request.query.get("create_pr") == "1"
    repository = _writable(hub, request, names["repo"], "propose" if proposed else "write")
    header, *operations = [json.loads(line) for line in request.body.splitlines()]
    head = repository.resolve(names["revision"])
    if header["value"].get("parentCommit", head.oid) != head.oid:
        raise RefusedError(412, "A commit has happened since. Please refresh and try again.")
    title = header["value"]["summary"]
    after = _apply(hub, head.tree, operations)
    ref = names["revision"]
    more = {}
    if proposed:
        number = len(repository.pull_requests) + 1
        ref = f"refs/pr/{number}"
        author = hub.users[str(request.token)].name
        repository.pull_requests.append(PullRequest(number, title, author))
        more = {"pullRequestUrl": f"{hub.url}/datasets/{repository.name}/discussions/{number}"}
    made = repository.add_commit(ref, after, title, head.oid)
    url = f"{hub.url}/datasets/{repository.name}/commit/{made.oid}"
    return Answer({"success": True, "commitOid": made.oid, "commitUrl": url, **more})


def _apply(hub: "TestHub", before: Tree, operations: list[dict[str, Any]]) -> Tree:
    after = dict(before)
    for operation in operations:
        value = operation["value"]
        match operation["key"]:
            case "file":
                after[value["path"]] = Blob(base64.b64decode(value["content"]), False)
            case "lfsFile":
                if value["oid"] not in hub.large_files:
                    raise RefusedError(400, f"{value['path']}: its content was never uploaded")
                after[value["path"]] = Blob(hub.large_files[value["oid"]], True)
            case "deletedFile":
                if value["path"] not in after:
                    raise RefusedError(404, "A file with this name doesn't exist", "EntryNotFound")
                del after[value["path"]]
            case unknown:
                raise RefusedError(400, f"unknown operation {unknown}")
    return after


@route("GET", "/api/datasets/{repo}/discussions")
def discussions(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    repository = _readable(hub, request, names["repo"])
    status = request.query.get("status", "all")
    found = [
        {
            "num": pull.number,
            "title": pull.title,
            "author": {"name": pull.author},
            "status": pull.status,
            "isPullRequest": True,
            "createdAt": _DATE,
            "repo": {"name": repository.name, "type": "dataset"},
        }
        for pull in repository.pull_requests
        if status in ("all", pull.status)
    ]
    first = 50 * int(request.query.get("p", "0"))
    return Answer({"discussions": found[first : first + 50], "count": len(found), "start": first})


@route("GET", "/datasets/{repo}/resolve/{revision}/{path}")
def file(hub: "TestHub", request: "Request", names: dict[str, str]) -> Answer:
    commit = _readable(hub, request, names["repo"]).resolve(names["revision"])
    headers = {"X-Repo-Commit": commit.oid, "Accept-Ranges": "bytes"}
    blob = commit.tree.get(names["path"])
    if blob is None:
        raise RefusedError(404, "Entry not found", "EntryNotFound")
    headers["ETag"] = f'"{blob.etag}"'
    if blob.is_large:
        headers["X-Linked-Etag"] = f'"{blob.sha256}"'
        headers["X-Linked-Size"] = str(len(blob.data))
    asked = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
    if asked is None:
        return Answer(blob.data, 200, headers)
    first, last = int(asked[1]), int(asked[2] or len(blob.data) - 1)
    headers["Content-Range"] = f"bytes {first}-{last}/{len(blob.data)}"
    return Answer(blob.data[first : last + 1], 206, headers)

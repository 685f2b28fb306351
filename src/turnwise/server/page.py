"""Serves the studio, the page of the server: the files that `scripts/build_studio.py` builds, and the chat widget.

Addresses of the studio, such as `/c/maria`, all answer with `index.html`, which finds its view itself.
"""

from __future__ import annotations

import gzip
from collections.abc import MutableMapping
from hashlib import sha256
from html import escape
from mimetypes import guess_type
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from turnwise.server.problems import RequestFailed, wrong_method
from turnwise.server.responses import Receive, Reply, Send

STATIC = Path(__file__).parent / "static"
"""The folder of the built studio."""
INDEX = "index.html"
"""The name of the page's HTML file."""
NOT_BUILT = """\
The page is not built. In a checkout of turnwise, run: make studio
The API answers under /api; /openapi.json describes it.
"""
"""The answer where the studio is not built."""
POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"worker-src 'self'; "
    b"base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of the page."""
_VIEWS = frozenset({"", "c", "f", "side", "queue", INDEX})
"""The first parts of the addresses of the studio's views."""
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".md": "text/markdown",
}
_FOR_EVER = b"public, max-age=31536000, immutable"
_ASK_AGAIN = b"no-cache"
_LEAST_COMPRESSED = 1000
MOST_MOUNT_ROOTS = 16
"""For how many roots the page is kept; a server is mounted under one, unless its path has parameters."""
RELIST_INTERVAL_S = 1.0
"""After how many seconds the folder is listed again."""


class File(Struct, frozen=True):
    """A static file as it is sent to browsers."""

    body: bytes
    """The bytes of the file."""
    compressed: bytes
    """The bytes of the file compressed with gzip; empty where that is not smaller."""
    content_type: bytes
    """The media type of the file, as it is sent."""
    tag: bytes
    """The entity tag of the file."""


class Page:
    """An ASGI application that serves the static files of a folder. They are read again when they change.

    Only names in the list of the folder's files are kept, so that no spelling of an address costs memory.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        self.folder = folder
        self._names = _Names(folder)
        self._files: dict[tuple[str, str], tuple[int, File]] = {}

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        try:
            reply = self._reply(scope)
        except RequestFailed as problem:
            reply = problem.reply
        await reply.respond(receive, send)

    def _reply(self, scope: MutableMapping[str, Any]) -> Reply:
        root = scope.get("root_path", "")
        path = scope["path"].removeprefix(root).strip("/")
        headers = dict(scope["headers"])
        is_view = path.partition("/")[0] in _VIEWS or b"text/html" in headers.get(b"accept", b"")
        is_api = path.partition("/")[0] == "api"
        found = None if is_api else self._file(path, root)
        if found is None and (is_api or not is_view):
            raise RequestFailed("unknown_path", f"there is no address {scope['path'][:200]!r}")
        if scope["method"] not in {"GET", "HEAD"}:
            raise wrong_method(["GET"])
        if found is None:
            path, found = INDEX, self._file(INDEX, root)
        if found is None:
            return Reply(NOT_BUILT.encode(), b"text/plain; charset=utf-8", 404)
        return _sent(path, found, headers)

    def _file(self, path: str, root: str) -> File | None:
        """Return a file of the folder; `index.html` names the root under which the server is mounted."""
        name = unquote(path)
        if name not in self._names:
            return None
        place, key = self.folder / name, (name, root if name == INDEX else "")
        try:
            changed = place.stat().st_mtime_ns
            known = self._files.get(key)
            if known is None or known[0] != changed:
                known = self._files[key] = changed, _read(place, root)
                self._bound()
        except OSError:  # it was removed
            return None
        return known[1]

    def _bound(self) -> None:
        """Drop files that are no longer in the folder, and pages of the roots that were asked for first."""
        self._files = {key: one for key, one in self._files.items() if key[0] in self._names}
        pages = [key for key in self._files if key[0] == INDEX]
        for key in pages[:-MOST_MOUNT_ROOTS]:
            del self._files[key]


class _Names:
    """The names of the files in a folder, without hidden ones. A name that is not known is looked for at most once in
    `RELIST_INTERVAL_S`, for a page that is built again meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: frozenset[str] = frozenset()
        self._listed_s = -RELIST_INTERVAL_S

    def __contains__(self, name: str) -> bool:
        now_s = monotonic()
        if name not in self._known and now_s - self._listed_s >= RELIST_INTERVAL_S:
            self._listed_s = now_s
            places = [one.relative_to(self.folder) for one in self.folder.rglob("*") if one.is_file()]
            shown = [one for one in places if not any(part.startswith(".") for part in one.parts)]
            self._known = frozenset(one.as_posix() for one in shown)
        return name in self._known


def _read(place: Path, root: str) -> File:
    body = place.read_bytes()
    if place.name == INDEX and root:
        body = body.replace(b'<base href="/"', f'<base href="{escape(root)}/"'.encode())
    kind = _TYPES.get(place.suffix) or guess_type(place.name)[0] or "application/octet-stream"
    text = kind.startswith("text/") or kind in {"image/svg+xml", "application/json"}
    compressed = gzip.compress(body, mtime=0) if text and len(body) > _LEAST_COMPRESSED else b""
    charset = "; charset=utf-8" if text else ""
    return File(body, compressed, f"{kind}{charset}".encode(), f'"{sha256(body).hexdigest()[:20]}"'.encode())


def _sent(path: str, found: File, headers: dict[bytes, bytes]) -> Reply:
    """Return the response: compressed where the client takes that, 304 where it has the file already."""
    more = [(b"etag", found.tag), (b"vary", b"accept-encoding")]
    more += [(b"cache-control", _FOR_EVER if path.startswith("assets/") else _ASK_AGAIN)]
    more += [(b"content-security-policy", POLICY)]
    if path == "widget.js":
        more += [(b"cross-origin-resource-policy", b"cross-origin")]
    if found.tag in headers.get(b"if-none-match", b""):
        return Reply(b"", found.content_type, 304, tuple(more))
    if found.compressed and b"gzip" in headers.get(b"accept-encoding", b""):
        return Reply(found.compressed, found.content_type, headers=(*more, (b"content-encoding", b"gzip")))
    return Reply(found.body, found.content_type, headers=tuple(more))

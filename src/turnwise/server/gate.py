"""The gate: checks Host and Origin of every request, and adds the security headers to every response."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote

from turnwise.server.addresses import Proxies
from turnwise.server.problems import RequestFailed
from turnwise.server.responses import Receive, Reply, Send

Asgi = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]
"""An ASGI application."""
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The host names of this computer itself."""
API_POLICY = b"default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers of the API."""
_SECURITY: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_DEFAULTS = (
    (b"content-security-policy", API_POLICY),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""Headers that a response may set itself."""
_DEFAULT_NAMES = frozenset(name for name, _ in _DEFAULTS)
_ALL = (*_SECURITY, *_DEFAULTS)


EXPECTED_ORIGIN = "an origin in small letters, such as https://shop.example, without a path"
"""What an origin has to be, for messages."""
EXPECTED_HOST = "the name of a host, such as talks.example, without scheme and port"
"""What the name of a host has to be, for messages."""


def is_origin(text: str) -> bool:
    """Return whether a text is a valid origin of a page, as browsers send it."""
    return re.fullmatch(r"https?://[a-z0-9._-]+(:\d+)?|https?://\[[0-9a-f:.]+\](:\d+)?", text) is not None


def is_host(text: str) -> bool:
    """Return whether a text is a valid host name or address; IPv6 addresses stand in brackets."""
    return re.fullmatch(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]", text) is not None


class Gate:
    """Passes a request on if its Host is one of the server's and its Origin is the same, or an allowed one.

    `hosts` are names without port; `None` allows every host, where a server in front has checked it. `origins` are
    origins of other pages, such as `https://shop.example`, that may use the API with keys of their own (CORS).
    """

    def __init__(
        self,
        inner: Asgi,
        hosts: Iterable[str] | None,
        origins: Iterable[str] = (),
        proxies: Proxies | None = None,
    ) -> None:
        self.inner = inner
        self.proxies = proxies
        self.hosts = None if hosts is None else frozenset(host.lower() for host in hosts)
        self.origins = frozenset(origins)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Check one request (ASGI)."""
        host = origin = ""
        for name, value in scope["headers"]:
            if name == b"host":
                host = value.decode("latin-1").lower()
            elif name == b"origin":
                origin = value.decode("latin-1")
        allowed, is_head = origin if origin in self.origins else "", scope["method"] == "HEAD"

        def guarded(message: MutableMapping[str, Any]) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                _add_headers(message, allowed)
            elif is_head and message.get("body"):
                message = {**message, "body": b""}
            return send(message)

        try:
            self._check(host, origin)
        except RequestFailed as problem:
            return await problem.reply.respond(receive, guarded)
        if allowed and scope["method"] == "OPTIONS":
            return await _PREFLIGHT.respond(receive, guarded)
        if self.proxies is not None and (client := self.proxies.client(scope["headers"])) is not None:
            scope = {**scope, "client": (client, 0)}
        return await self.inner(_with_raw_path(scope), receive, guarded)

    def _check(self, host: str, origin: str) -> None:
        if self.hosts is not None and not self._is_ours(host):
            raise RequestFailed(
                "wrong_host",
                f"this server does not answer for the host {host[:100]!r}",
                hint="allow it with --allow-host",
            )
        if not origin or origin in self.origins:
            return
        authority = origin.partition("://")[2].lower()  # nothing is parsed that could fail: a browser sends no more
        if not authority or authority != host:
            raise RequestFailed("wrong_origin", f"pages of {origin[:100]!r} may not use this server")

    def _is_ours(self, host: str) -> bool:
        assert self.hosts is not None
        before, _, port = host.rpartition(":")
        name = before if port.isdecimal() else host
        return name in self.hosts or ("*" in self.hosts and _is_address(name))


_PREFLIGHT = Reply(
    status=204,
    headers=(
        (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
        (b"access-control-allow-headers", b"authorization, content-type, idempotency-key, last-event-id"),
        (b"access-control-max-age", b"600"),
    ),
)


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _add_headers(message: MutableMapping[str, Any], allowed: str) -> None:
    headers = list(message.get("headers", ()))
    names = {name for name, _ in headers}
    if names.isdisjoint(_DEFAULT_NAMES):
        headers += _ALL
    else:
        headers += _SECURITY
        headers += [header for header in _DEFAULTS if header[0] not in names]
    if allowed:
        headers += [(b"access-control-allow-origin", allowed.encode("latin-1")), (b"vary", b"origin")]
    message["headers"] = headers


def _with_raw_path(scope: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return the scope with its path as it was sent, so that an encoded `/` in an id does not divide it."""
    raw = scope.get("raw_path")
    if raw is None or b"%" not in raw:
        return scope
    root = scope.get("root_path", "")
    path = raw.partition(b"?")[0].decode("latin-1")
    begin = quote(root)
    return {**scope, "path": root + path[len(begin) :] if path.startswith(begin) else path}

"""Connections of the server: limits against clients that send nothing, or take nothing.

A client may take `header_s` for a whole request, and longer for a long body as far as `LEAST_BYTES_PER_S`
or more come in a second; and `stalled_s` until it takes what was sent. A sweep looks at all connections once a second;
so a connection needs no timer of its own.

Where as many are open as the limit allows, a new one takes the place of one that is not used. So only requests that are
being served, such as open streams, keep others out, and these have limits of their own.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from turnwise.server.limits import ServerLimits

SWEEP_INTERVAL_S = 1.0
"""The seconds between two checks of the open connections."""
WRITE_BUFFER_BYTES = 16_384
"""How many bytes wait in a connection before a response waits for its client."""
SLOW_CLIENT_S = 1.0
"""How many seconds the rest of a request, or of a response, may take where another connection needs the place."""
LEAST_BYTES_PER_S = 1_000
"""How many bytes of a body a client sends in a second, at least."""
_RESPONSE = (
    b"HTTP/1.1 %b\r\ncontent-type: application/problem+json\r\nconnection: close\r\n%bcontent-length: %d\r\n\r\n%b"
)
_MALFORMED = (
    b'{"type":"urn:turnwise:problem:malformed","title":"The request cannot be read","status":400,'
    b'"detail":"this is no HTTP request","code":"malformed"}'
)
_FULL = (
    b'{"type":"urn:turnwise:problem:too_many_connections","title":"There are too many connections","status":503,'
    b'"detail":"connections is %d, and as many are open; try again soon","code":"too_many_connections",'
    b'"limit":"connections"}'
)


class Connection(HttpToolsProtocol):
    """An HTTP connection that records since when the server waits for its client."""

    limits: ServerLimits
    """The limits of the server."""
    since: float | None
    """Since when a request is awaited or incomplete, in seconds of the loop's clock; `None` while one is served."""
    stalled_since: float | None = None
    """Since when the client reads nothing of what was sent, in seconds of the loop's clock; `None` while it reads."""
    unused_since: float | None = None
    """Since when no request has been sent, in seconds of the loop's clock; `None` until a request has its response."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a new connection, or close it if there are too many."""
        super().connection_made(transport)
        self.since = self.unused_since = self.loop.time()
        self.transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)
        if self.limits.connections and len(self.connections) > self.limits.connections and not self._take_a_place():
            self._close(b"503 Service Unavailable", _FULL % self.limits.connections, b"retry-after: 1\r\n")

    def _take_a_place(self) -> bool:
        """Close the connection that has been unused longest, else the one whose client keeps the server waiting
        longest; return false if all are in use.
        """
        now, found = self.loop.time(), None
        for one in self.connections:
            assert isinstance(one, Connection)
            since = one.idle_since(now) if one is not self else None
            if since is not None and (found is None or since < found[0]):
                found = since, one
        if found is not None:
            found[1].transport.abort()
        return found is not None

    def idle_since(self, now: float) -> tuple[bool, float] | None:
        """Return whether the client is amid a request or response, and since when; `None` while it is in use."""
        if self.transport.is_closing():
            return None
        if self.unused_since is not None and not self.transport.get_write_buffer_size():
            return False, self.unused_since
        since = self.since if self.unused_since is None else self.unused_since
        return (True, since) if since is not None and now - since > SLOW_CLIENT_S else None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  it is about the parser
        """Answer input that is no HTTP request with a problem.
        No application is called for it, and uvicorn has no option for the words, so this replaces its own method; a
        test sends what is no request.
        """
        self._close(b"400 Bad Request", _MALFORMED)

    def _close(self, status: bytes, problem: bytes, header: bytes = b"") -> None:
        """Answer with a problem without calling the application, and close the connection."""
        self.transport.write(_RESPONSE % (status, header, len(problem), problem))
        self.transport.close()

    def on_message_begin(self) -> None:
        """Record that a request has begun, whose rest is awaited."""
        super().on_message_begin()
        self.since, self.unused_since = self.loop.time(), None

    def on_body(self, body: bytes) -> None:
        """Extend the wait for a request's next part by the length of this part of its body."""
        super().on_body(body)
        if self.since is not None:
            self.since = min(self.since + len(body) / LEAST_BYTES_PER_S, self.loop.time())

    def on_message_complete(self) -> None:
        """Record that the request is complete, so that nothing is awaited."""
        self.since = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Record that the connection is unused, unless a further request has come."""
        super().on_response_complete()
        if self.since is None and not self.pipeline and self.cycle.response_complete:
            self.unused_since = self.loop.time()

    def pause_writing(self) -> None:
        """Record that the client reads nothing of what was sent."""
        self.stalled_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Record that the client reads what was sent again."""
        self.stalled_since = None
        super().resume_writing()

    def check(self, now: float) -> None:
        """Close the connection if its client stalls; `now` is in seconds of the loop's clock.
        It stalls if it has sent, or read, nothing for too long.
        """
        stalled_s = now - self.stalled_since if self.stalled_since is not None else 0.0
        waiting_s = now - self.since if self.since is not None else 0.0
        if stalled_s > self.limits.stalled_s or waiting_s > self.limits.header_s:
            self.transport.abort()


async def cut_stalled(connections: set[Any]) -> None:
    """Check all connections until cancelled, and close those that stall longest where too many bytes wait for them."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(SWEEP_INTERVAL_S)
        now = loop.time()
        for connection in tuple(connections):
            connection.check(now)
        _cut_longest([one for one in tuple(connections) if one.stalled_since is not None])


def _cut_longest(stalled: list[Any]) -> None:
    most = stalled[0].limits.all_waiting_bytes if stalled else 0
    waiting = sum(one.transport.get_write_buffer_size() for one in stalled) if most else 0
    for one in sorted(stalled, key=lambda one: one.stalled_since):
        if waiting <= most:
            break
        waiting -= one.transport.get_write_buffer_size()
        one.transport.abort()

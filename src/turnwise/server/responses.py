"""HTTP responses: whole ones, streamed ones, and the headers that all have."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from msgspec import Struct
from msgspec.json import Encoder

from turnwise.server.wire.requests import Problem

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
"""A function that receives the next message of an ASGI connection."""
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
"""A function that sends a message to an ASGI connection."""
Headers = tuple[tuple[bytes, bytes], ...]
"""The headers of an ASGI response: pairs of name and value."""
JSON = b"application/json"
"""The media type of answers."""
PROBLEM = b"application/problem+json"
"""The media type of problems (RFC 9457)."""
EVENTS = b"text/event-stream"
"""The media type of event streams."""
_encode = Encoder().encode


class Reply(Struct, frozen=True):
    """A whole HTTP response, for answers that are not JSON or need headers."""

    body: bytes = b""
    """The body of the response, as bytes."""
    content_type: bytes = JSON
    """The media type of the body, as it is sent."""
    status: int = 200
    """The HTTP status."""
    headers: Headers = ()
    """Further headers of the response."""

    async def respond(self, receive: Receive, send: Send) -> None:  # noqa: ARG002  as `Streamed`
        """Send the response to the client (ASGI)."""
        size = str(len(self.body)).encode()
        headers = [(b"content-type", self.content_type), (b"content-length", size), *self.headers]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


class Streamed(Protocol):
    """A response that is sent in parts, such as an event stream."""

    async def respond(self, receive: Receive, send: Send) -> None:
        """Send the response until its end, or until the client leaves (ASGI)."""
        ...


def reply(answer: Any, status: int = 200) -> Reply:
    """Return the response with the answer of an operation as JSON; 204 for `None`."""
    if answer is None:
        return Reply(status=204)
    if isinstance(answer, Problem):
        return Reply(_encode(answer), PROBLEM, answer.status)
    return Reply(_encode(answer), JSON, status)

"""What uvicorn alone can do: a route that reads a body and answers, and streams that get the events of each turn.

The answers and events are as many and as long as those of the server that it is compared with. Nothing is decided or
stored. It is started with the bytes of an answer, and the number and the bytes of the events of a turn.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

JSON = ((b"content-type", b"application/json"),)
EVENTS = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"))


class Bare:
    """The application (ASGI)."""

    def __init__(self, answer_bytes: int, events: int, event_bytes: int) -> None:
        self.answer = b"bare" + b"." * (answer_bytes - 4)
        names = [b"entry"] * (events - 1) + [b"turn"]
        self.events = [b"event: %s\ndata: %s\n\n" % (name, b"." * (event_bytes // events - 20)) for name in names]
        self.queues: dict[str, asyncio.Queue[bytes]] = {}

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        """Answer a request."""
        if scope["method"] == "GET":
            await self.stream(scope["query_string"].decode().partition("=")[2], send)
            return
        while (await receive()).get("more_body"):
            pass
        parts = scope["path"].split("/")
        if parts[-1] == "turns" and (queue := self.queues.get(parts[-2])) is not None:
            for event in self.events:
                queue.put_nowait(event)
        headers = (*JSON, (b"content-length", str(len(self.answer)).encode()))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.answer})

    async def stream(self, name: str, send: Any) -> None:
        """Send the events of a conversation."""
        queue = self.queues[name] = asyncio.Queue()
        await send({"type": "http.response.start", "status": 200, "headers": EVENTS})
        await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
        while True:
            await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})


if __name__ == "__main__":
    import uvicorn

    class _Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            print(self.servers[0].sockets[0].getsockname()[1], flush=True)

    application = Bare(*map(int, sys.argv[1:4]))
    silent: Any = {"log_level": "error", "access_log": False, "lifespan": "off", "ws": "none"}
    _Server(uvicorn.Config(application, "127.0.0.1", 0, timeout_keep_alive=600, **silent)).run()

"""An ASGI application that listens in a thread: the event loop of the test's own thread belongs to the browser."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from turnwise.server.run import address_of, listen


@contextmanager
def listening(make: Callable[[], Any]) -> Iterator[str]:
    """Serve the application that `make` returns, made in the thread; yield its address."""
    sock = listen("127.0.0.1", 0)
    servers: list[uvicorn.Server] = []

    def run() -> None:
        servers.append(uvicorn.Server(uvicorn.Config(make(), log_level="warning", timeout_graceful_shutdown=1)))
        servers[0].run(sockets=[sock])

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield address_of(sock)
    finally:
        if servers:
            servers[0].should_exit = True
        thread.join(20)
        assert not thread.is_alive()

"""Runs a server in this process, until it is interrupted or terminated."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import uvicorn

from turnwise.errors import TurnwiseError
from turnwise.server.app import Server

BACKLOG = 2048
KEEP_ALIVE_S = 75
"""How long an idle connection is kept for the next request."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one. Raises `TurnwiseError` if the address is taken."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise TurnwiseError(f"cannot listen on {host}:{port}: {reason}; choose another port with --port") from None


def address_of(listening: socket.socket) -> str:
    """Return the address of the page that a socket serves."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(server: Server, listening: socket.socket, on_ready: Callable[[str], None]) -> int:
    """Serve until an interrupt or SIGTERM, and return the exit code. `on_ready` gets the address once it listens."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(_serve(server, listening, on_ready))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return the faster event loop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


async def _serve(server: Server, listening: socket.socket, on_ready: Callable[[str], None]) -> int:
    config = uvicorn.Config(
        server,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        lifespan="on",
        timeout_graceful_shutdown=max(1, round(server.service.limits.drain_s)),
    )
    serving = _Uvicorn(config)
    received: list[int] = []

    def stop(number: int) -> None:
        serving.should_exit, serving.force_exit = True, bool(received)
        received.append(number)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: loop.call_soon_threadsafe(stop, number))
    serving.on_started = lambda: on_ready(address_of(listening))
    await serving.serve(sockets=[listening])
    return 130 if received[:1] == [signal.SIGINT] else 0


class _Uvicorn(uvicorn.Server):
    """Uvicorn without signal handlers of its own, and with a call when it listens."""

    on_started: Callable[[], None]

    def capture_signals(self) -> AbstractContextManager[None]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Leave the signals as they are."""
        return nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the apps and listen."""
        await super().startup(sockets)
        if self.started:
            self.on_started()

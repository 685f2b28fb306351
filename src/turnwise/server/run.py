"""Runs a server in this process, until it is interrupted or terminated.

On the first signal the server drains: it takes no new turns (`/api/ready` answers 503), asks the clients of streams to
connect again, and finishes the turns that are running. After `drain_s` a request whose turn still runs is answered with
the problem `interrupted`. A second signal ends it at once. The store knows which turns to finish at the next start.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

import uvicorn
from msgspec.structs import replace

from turnwise.errors import TurnwiseError
from turnwise.server.app import Server
from turnwise.server.connections import Connection, cut_stalled
from turnwise.server.open_files import connections_within

LISTEN_BACKLOG = 2048
"""How many connections may wait to be accepted."""
KEEP_ALIVE_S = 75
"""How many seconds a connection may rest between two requests."""


GC_THRESHOLDS = (20_000, 20, 20)
"""The thresholds of the garbage collector. A turn makes hardly any cycles, and the objects of the turns that are under
way at once are far more than Python's default: with it a sixth of the time is spent on collecting.
"""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one. Raises `TurnwiseError` if the address is taken."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=LISTEN_BACKLOG)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise TurnwiseError(f"cannot listen on {host}:{port}: {reason}; choose another port with --port") from None


def address_of(listening: socket.socket) -> str:
    """Return the URL of the page that the server on a socket serves."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(server: Server, listening: socket.socket, on_ready: Callable[[str], None]) -> int:
    """Serve until an interrupt or SIGTERM; return the exit code. `on_ready` is called with the URL once it listens."""
    new_loop = import_module("uvloop").new_event_loop if find_spec("uvloop") else None
    with collect_garbage_rarely(), asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(_serve(server, listening, on_ready))


@contextmanager
def collect_garbage_rarely() -> Generator[None]:
    """Return a context in which garbage is collected rarely, and never among objects that were loaded before.
    That would stop all turns for some time.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _serve(server: Server, listening: socket.socket, on_ready: Callable[[str], None]) -> int:
    limits = server.service.limits
    limits = replace(limits, connections=connections_within(limits.connections))
    config = uvicorn.Config(
        cast("Any", server),
        http=type("ServerConnection", (Connection,), {"limits": limits}),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="on",
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=2,
    )
    serving = _Uvicorn(config)
    serving.on_started = lambda: on_ready(address_of(listening))
    received: list[int] = []
    draining: list[asyncio.Task[None]] = []

    def stop(number: int) -> None:
        received.append(number)
        if len(received) > 1:
            serving.should_exit = serving.force_exit = True
        else:
            draining.append(asyncio.create_task(_drain(server, serving)))

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: loop.call_soon_threadsafe(stop, number))
    sweeping = asyncio.create_task(cut_stalled(serving.server_state.connections), name="turnwise-connections")
    try:
        await serving.serve(sockets=[listening])
    finally:
        for task in (sweeping, *draining):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    return 130 if received[:1] == [signal.SIGINT] else 0


async def _drain(server: Server, serving: uvicorn.Server) -> None:
    """Stop to listen, and let the running turns finish, up to the limit.

    Load balancers see before that the server is not ready: clients should meet another server, and no refusal.
    """
    server.service.is_leaving = True
    await asyncio.sleep(server.service.limits.leave_s)
    for listener in serving.servers:
        listener.close()
    try:
        async with asyncio.timeout(server.service.limits.drain_s):
            await server.service.drain()
    except TimeoutError:
        server.service.is_interrupted = True
        for task in tuple(serving.server_state.tasks):
            task.cancel()  # each answers that it was interrupted
    serving.should_exit = True


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

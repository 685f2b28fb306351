"""A load balancer: each new connection goes to a replica that is ready, as it asks every replica now and then."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from urllib.parse import urlsplit

from support.durable.deployed import Replica

ASKS_EACH_S = 0.2
PATIENCE_S = 30.0


class Balancer:
    """Listens at a port, in a thread with an event loop of its own."""

    def __init__(self, replicas: Sequence[Replica]) -> None:
        self.address = ""
        self._replicas = replicas
        self._ready: tuple[Replica, ...] = ()
        self._next = count()
        self._listens = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._listens.wait()

    async def _serve(self) -> None:
        self._task, self._loop = asyncio.current_task(), asyncio.get_running_loop()
        with suppress(asyncio.CancelledError):
            await self._listen()
        for task in (others := asyncio.all_tasks() - {self._task}):
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _listen(self) -> None:
        async with await asyncio.start_server(self._connected, "127.0.0.1", 0, backlog=512) as listening:
            self.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
            self._listens.set()
            while True:
                ready = await asyncio.gather(*[asyncio.to_thread(one.is_ready) for one in self._replicas])
                self._ready = tuple([one for one, is_ready in zip(self._replicas, ready, strict=True) if is_ready])
                await asyncio.sleep(ASKS_EACH_S)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            async with asyncio.timeout(PATIENCE_S):
                while not self._ready:
                    await asyncio.sleep(ASKS_EACH_S)
            chosen = self._ready[next(self._next) % len(self._ready)]
            port = urlsplit(chosen.address).port
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await asyncio.gather(_copied(reader, to_writer), _copied(to_reader, writer))
            finally:
                to_writer.close()
        writer.close()

    def close(self) -> None:
        """Stop listening."""
        assert self._task is not None
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what comes; then the other side learns that nothing more does."""
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        if writer.can_write_eof():
            writer.write_eof()

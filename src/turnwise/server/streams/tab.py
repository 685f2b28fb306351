"""The stream of one client: events of some conversations, from its cursor on, each once and in order.

A stream keeps only a bounded number of events for its client. A client that is slower reads the rest from the store;
one that takes nothing at all is cut, and resumes at its cursor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from turnwise.api.app import App
from turnwise.server.responses import EVENTS, Receive, Send
from turnwise.server.streams.derive import past
from turnwise.server.streams.feeds import Feeds
from turnwise.server.streams.items import Cursor, Item, Mode, Position, item, retry
from turnwise.server.wire.stream import Draining, Ping

MOST_PENDING = 500
"""How many events wait for a client in memory; it reads more than these from the store."""
RETRY_MS = 1_000
HEADERS = [(b"content-type", EVENTS), (b"cache-control", b"no-store, no-transform"), (b"x-accel-buffering", b"no")]


class Stream:
    """An event stream of some conversations. `cut` ends it from outside."""

    def __init__(
        self,
        feeds: Feeds,
        apps: Mapping[str, App],
        mode: Mode,
        positions: Mapping[str, Position],
        *,
        stalled_s: float,
        now_ms: Callable[[], int],
        is_plain: bool = False,
    ) -> None:
        self.feeds = feeds
        self.apps = apps
        self.mode: Mode = mode
        self.stalled_s = stalled_s
        self.now_ms = now_ms
        self.is_plain = is_plain
        """True where the id of an event is its position in the one journal."""
        self.on_end: Callable[[Stream], object] = lambda _: None
        self.cursor = Cursor(mode, positions)
        self._pending: list[tuple[str, Item]] = []
        self._behind = set(positions)
        """Conversations whose next events are read from the store."""
        self._wake = asyncio.Event()
        self._is_over = False
        self._sending_s: float | None = None
        """Since when the client has taken nothing of what is sent now, by the clock of the loop."""

    # what feeds send ---------------------------------------------------------------------------

    def receive(self, conversation: str, items: Sequence[Item]) -> None:
        """Take events of a feed; where too many wait, read them from the store later."""
        self._wake.set()
        if len(self._pending) + len(items) > MOST_PENDING:
            self._pending = [(name, one) for name, one in self._pending if one.position is None and name == ""]
            self._behind.update(self.cursor.positions)
        elif conversation not in self._behind or items[0].position is None:
            self._pending += [(conversation, one) for one in items]

    def ping(self) -> None:
        """Send an event `ping`, unless others wait."""
        if not self._pending:
            self.receive("", [item("ping", Ping(self.now_ms()))])

    def drain(self, retry_ms: int) -> None:
        """Send what waits, ask the client to connect again, and end."""
        self.receive("", [item("draining", Draining(retry_ms))])
        self.cut()

    def cut(self) -> None:
        """End the stream after what waits."""
        self._is_over = True
        self._wake.set()

    def check(self, now_s: float) -> None:
        """Let go of a client that has taken nothing for too long: nothing is kept for it any more. If it takes bytes
        again, the response ends, and it can resume at its cursor. A check from time to time takes far less than a timer
        for each write.
        """
        if self._sending_s is not None and now_s - self._sending_s >= self.stalled_s:
            self._unsubscribe()
            self._pending.clear()
            self._behind.clear()
            self.cut()

    # what the client gets ----------------------------------------------------------------------

    async def respond(self, receive: Receive, send: Send) -> None:
        """Send events until the client leaves or the stream is cut (ASGI)."""
        leaving = asyncio.ensure_future(_left(receive, self.cut))
        try:
            await self._subscribe()
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await self._send(send, retry(RETRY_MS))
            self.ping()
            while not self._is_over or self._pending:
                await self._flush(send)
                if not self._is_over and not self._behind:
                    await self._wake.wait()
            if not leaving.done():
                await self._send(send, b"", is_last=True)
        finally:
            self._unsubscribe()
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await leaving

    async def _subscribe(self) -> None:
        """Subscribe to all conversations; those without a cursor begin now."""
        for name, app in self.apps.items():
            now = await self.feeds.subscribe(app, name, self.mode, self)
            if name not in self.cursor.positions:
                self.cursor.move(name, now)
            elif self.cursor.positions[name] >= now:
                self._behind.discard(name)
            for text in self.feeds.texts(name) if self.mode != "entries" else ():
                self._pending.append((name, text))

    def _unsubscribe(self) -> None:
        for name in self.apps:
            self.feeds.unsubscribe(name, self.mode, self)
        self.on_end(self)

    async def _flush(self, send: Send) -> None:
        """Send what waits: from the store for conversations that are behind, then from memory."""
        self._wake.clear()
        while self._behind and not self._is_over:
            name = next(iter(self._behind))
            async for items in past(self.apps[name], name, self.mode, self.cursor.positions[name]):
                await self._send(send, self._written([(name, one) for one in items]))
                await asyncio.sleep(0)  # let others have their turn between two pages
                if self._is_over:
                    break
            else:
                self._behind.discard(name)
                await self._close_gap(send, name)
        pending, self._pending = self._pending, []
        if self._behind:
            pending = [(name, one) for name, one in pending if name not in self._behind]
        await self._send(send, self._written(pending))

    async def _close_gap(self, send: Send, name: str) -> None:
        """Send what was committed between the last page and now; from here on the feed sends everything."""
        async for items in past(self.apps[name], name, self.mode, self.cursor.positions[name]):
            await self._send(send, self._written([(name, one) for one in items]))

    def _written(self, items: Sequence[tuple[str, Item]]) -> bytes:
        """Return events as bytes with their ids, without those that the client has."""
        parts: list[bytes] = []
        cursor = self.cursor
        for name, one in items:
            position = one.position
            if position is not None:
                known = cursor.positions.get(name)
                if known is None or position <= known:
                    continue
                cursor.move(name, position)
            if self.is_plain:
                parts += (one.payload, b"id: %d\n\n" % position.seq if position is not None else b"\n")
            else:
                parts += (one.payload, cursor.id_line())
            if one.name == "forgotten":
                cursor.remove(name)
        return b"".join(parts)

    async def _send(self, send: Send, body: bytes, *, is_last: bool = False) -> None:
        """Send bytes."""
        if body or is_last:
            self._sending_s = asyncio.get_running_loop().time()
            await send({"type": "http.response.body", "body": body, "more_body": not is_last})
            self._sending_s = None


async def _left(receive: Receive, cut: Callable[[], None]) -> None:
    """Wait until the client has left, then end the stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    cut()

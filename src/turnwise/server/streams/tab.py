"""The stream of one client: events of some conversations, from its cursor on, each once and in order.

A stream keeps only a bounded number of events and bytes for its client. For a client that is slower it reads the rest
from the store, and it keeps nothing of that while the client takes nothing; one that takes nothing for long is cut, and
resumes at its cursor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress

from turnwise.api.app import App
from turnwise.server.limits import ServerLimits
from turnwise.server.responses import EVENTS, Receive, Send
from turnwise.server.streams.derive import past_events
from turnwise.server.streams.feeds import Feeds
from turnwise.server.streams.items import BEFORE_FIRST, Cursor, Item, Mode, Position, make_item, retry_field
from turnwise.server.streams.waiting import Budget, EventQueue
from turnwise.server.wire.stream import Draining, Ping, Reset

CHUNK_BYTES = 16_384
"""How many bytes are written at once, if no event is larger: the rest waits in the store, not in the connection."""
IDLE_CLIENT_S = 0.25
"""How many seconds events of the store wait for a client that reads nothing, where no other stream waits to read."""
_NOTHING = {"type": "http.response.body", "body": b"", "more_body": True}
"""Sending this waits until the client takes what was sent before, and writes nothing."""
RETRY_MS = 1_000
"""How many milliseconds a client waits before it connects again."""
HEADERS = [(b"content-type", EVENTS), (b"cache-control", b"no-store, no-transform"), (b"x-accel-buffering", b"no")]
"""The headers of an event stream."""


class Stream:
    """The event stream of one client about some conversations."""

    def __init__(
        self,
        feeds: Feeds,
        apps: Mapping[str, App],
        mode: Mode,
        positions: Mapping[str, Position],
        *,
        limits: ServerLimits,
        budget: Budget,
        now_ms: Callable[[], int],
        is_plain: bool = False,
    ) -> None:
        self.feeds = feeds
        self.apps = apps
        self.mode: Mode = mode
        self.stalled_s = limits.stalled_s
        self.now_ms = now_ms
        self.is_plain = is_plain
        """True where the id of an event is its position in the one journal."""
        self.on_end: Callable[[Stream], object] = lambda _: None
        self.cursor = Cursor(mode, positions)
        self._pending = EventQueue(limits.waiting_bytes, budget)
        self._behind = set(positions)
        """Conversations whose next events are read from the store."""
        self._resets: list[Item] = []
        """What says that the client begins a conversation anew."""
        self._wake = asyncio.Event()
        self._is_over = False
        self._sending_s: float | None = None
        """Since when the client has taken nothing of what is sent now, by the clock of the loop."""
        self._probe: asyncio.Future[None] | None = None
        """Done when the client takes something again."""

    # what feeds send ---------------------------------------------------------------------------

    def receive(self, conversation: str, items: Sequence[Item]) -> None:
        """Queue events of a feed; where too many wait, they are read from the store later.
        Events of the stream itself are in no store: a client that takes too few of them is cut, and loads again.
        """
        self._wake.set()
        if self._pending.has_room(items):
            if conversation not in self._behind or items[0].position is None:
                self._pending.add(conversation, items)
            return
        self._pending.keep_own()
        self._behind.update(self.cursor.positions)
        if conversation == "" and self._pending.has_room(items):
            self._pending.add(conversation, items)
        elif conversation == "":
            self._pending.clear()
            self.cut()

    def ping(self) -> None:
        """Send an event `ping`, unless other events wait."""
        if not len(self._pending):
            self.receive("", [make_item("ping", Ping(self.now_ms()))])

    def drain(self, retry_ms: int) -> None:
        """Send the waiting events, ask the client to reconnect after `retry_ms` milliseconds, and end."""
        self.receive("", [make_item("draining", Draining(retry_ms))])
        self.cut()

    def cut(self) -> None:
        """End the stream from outside, for example where a feed failed; waiting events are still sent."""
        self._is_over = True
        self._wake.set()

    def check(self, now_s: float) -> None:
        """Drop the waiting events of a client that has read nothing for too long.
        If it takes bytes again, the response ends, and it can resume at its cursor. A check from time to time takes far
        less than a timer for each write.
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
            await self._send(send, retry_field(RETRY_MS))
            self.ping()
            while not self._is_over or len(self._pending):
                await self._flush(send)
                if not self._is_over and not self._behind:
                    await self._wake.wait()
            await self._taken()
            if not leaving.done():
                await self._send(send, b"", is_last=True)
        finally:
            self._unsubscribe()
            self._pending.clear()
            if self._probe is not None:
                self._probe.cancel()
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await leaving

    async def _subscribe(self) -> None:
        """Subscribe to all conversations; those without a cursor begin now."""
        for name, app in self.apps.items():
            now = await self.feeds.subscribe(app, name, self.mode, self)
            if name not in self.cursor.positions:
                self.cursor.move(name, now)
            elif self.cursor.positions[name] >= now and not await self._is_beyond(app, name, now):
                self._behind.discard(name)
            for text in self.feeds.texts(name) if self.mode != "entries" else ():
                self._pending.add(name, [text])

    async def _is_beyond(self, app: App, name: str, now: Position) -> bool:
        """Return whether the client has a position that the journal has not reached: the conversation was deleted and
        begun again, or a backup was restored. Then tell the client, and begin at the first entry.
        """
        seq = self.cursor.positions[name].seq
        if seq <= now.seq:
            return False
        state = await app.runtime.store.load(name)  # another process may have written more than the feed knows
        last = state.seq if state is not None else 0
        if seq <= last:
            return False
        self.cursor.move(name, BEFORE_FIRST)
        self._resets.append(make_item("reset", Reset(name, seq, last)))
        self._behind.add(name)
        return True

    def _unsubscribe(self) -> None:
        for name in self.apps:
            self.feeds.unsubscribe(name, self.mode, self)
        self.on_end(self)

    async def _flush(self, send: Send) -> None:
        """Send what waits: the events of the stream itself, from the store for conversations that are behind, then from
        memory.
        """
        self._wake.clear()
        if self._behind:
            await self._send_own(send)
        while self._behind and not self._is_over:
            await self._taken()
            async with self.feeds.reading:
                for name in tuple(self._behind)[:1]:  # none, if the stream was let go meanwhile
                    await self._catch_up(send, name)
        while len(self._pending) and not (self._behind and not self._is_over):
            found = [(name, one) for name, one in self._pending.take(CHUNK_BYTES) if name not in self._behind]
            await self._send(send, self._written(found))

    async def _send_own(self, send: Send) -> None:
        """Send what says that the client begins anew before what it begins with."""
        for found in self._resets:
            await self._send(send, found.payload + self._end_of(found))
        self._resets.clear()

    async def _catch_up(self, send: Send, name: str) -> None:
        """Send what the store has of a conversation, as far as the client takes it. At the end, what was committed
        between the last page and now; from there on the feed sends everything.
        """
        if await self._sends_past(send, name):
            self._behind.discard(name)
            if not await self._sends_past(send, name):
                self._behind.add(name)

    async def _sends_past(self, send: Send, name: str) -> bool:
        """Send what the store has of a conversation; false if the client did not take all of it."""
        pages = past_events(self.apps[name], name, self.mode, self.cursor.positions[name])
        async with aclosing(pages):
            async for items in pages:
                if not await self._sends_page(send, name, items):
                    return False
                await asyncio.sleep(0)  # let others have their turn between two pages
        return True

    async def _sends_page(self, send: Send, name: str, items: Sequence[Item]) -> bool:
        """Send events in pieces; false if the client takes nothing, so that the others are read again later."""
        begin = size = 0
        for end, one in enumerate(items, 1):
            size += len(one.payload)
            if size < CHUNK_BYTES and end < len(items):
                continue
            if self._is_over or not await self._is_taking(send):
                return False
            await self._send(send, self._written([(name, one) for one in items[begin:end]]))
            begin, size = end, 0
        return not self._is_over

    async def _is_taking(self, send: Send) -> bool:
        """Return whether the client takes what was sent; wait a little for it where that keeps nobody from reading."""
        if self._probe is None:
            self._sending_s = asyncio.get_running_loop().time()
            self._probe = asyncio.ensure_future(send(_NOTHING))
            await asyncio.sleep(0)
        if not self._probe.done() and not self.feeds.reading.locked():
            await asyncio.wait([self._probe], timeout=IDLE_CLIENT_S)
        if self._probe.done():
            await self._taken()
            return True
        return False

    async def _taken(self) -> None:
        """Wait until the client has taken enough of what was sent."""
        if self._probe is not None:
            await self._probe
            self._probe = self._sending_s = None

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
            parts += (one.payload, self._end_of(one))
            if one.name == "forgotten":
                cursor.remove(name)
        return b"".join(parts)

    def _end_of(self, one: Item) -> bytes:
        """Return the end of an event, with its id."""
        if not self.is_plain:
            return self.cursor.id_line()
        return b"id: %d\n\n" % one.position.seq if one.position is not None else b"\n"

    async def _send(self, send: Send, body: bytes, *, is_last: bool = False) -> None:
        """Send bytes."""
        if body or is_last:
            await self._taken()
            self._sending_s = asyncio.get_running_loop().time()
            await send({"type": "http.response.body", "body": body, "more_body": not is_last})
            self._sending_s = None


async def _left(receive: Receive, cut: Callable[[], None]) -> None:
    """Wait until the client has left, then end the stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    cut()

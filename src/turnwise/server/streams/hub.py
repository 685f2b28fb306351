"""The hub: all open streams of a server, with their pings, their limits, and the changes of the list."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from turnwise.api.app import App
from turnwise.archive.conversation_names import conversation_name
from turnwise.core.state import State
from turnwise.errors import TurnwiseError
from turnwise.runner.ports import Clock
from turnwise.runner.shared_texts import SharedTexts
from turnwise.server.access import Identity
from turnwise.server.limits import ServerLimits
from turnwise.server.problems import RequestFailed, draining_problem
from turnwise.server.streams.feeds import Feeds
from turnwise.server.streams.items import Item, Mode, Position, make_item
from turnwise.server.streams.other_processes import OtherProcesses, TextSender
from turnwise.server.streams.tab import RETRY_MS, Stream
from turnwise.server.streams.waiting import Budget
from turnwise.server.views.summaries import Mark, decision_marks, for_users, summary_of
from turnwise.server.wire.stream import Forgotten, SummarySent

INTERVAL_S = 0.5
"""The seconds between two checks of the open streams."""
LIST_INTERVAL_S = 0.25
"""The shortest time between two events about one conversation in the list, in seconds."""
_log = logging.getLogger("turnwise.server")


class Hub:
    """All open streams of a server. Its background task runs only while there are some."""

    def __init__(self, apps: Mapping[str, App], limits: ServerLimits, clock: Clock) -> None:
        self.apps = apps
        self.limits = limits
        self.clock = clock
        self.feeds = Feeds(self.changed)
        self.budget = Budget(limits.all_waiting_bytes)
        self._streams: dict[Stream, Identity] = {}
        self._open: Counter[tuple[str, str]] = Counter()
        """How many streams are open, streamed turns included, by the limit and by owner or network address."""
        self._listing: set[Stream] = set()
        """The streams that also receive changes of the list."""
        self._dirty: dict[str, State | None] = {}
        self._sending: asyncio.TimerHandle | None = None
        self._summaries: set[asyncio.Task[None]] = set()
        """The events about the list that are being made."""
        self._is_draining = False
        self._ticking: asyncio.Task[None] | None = None
        self._others: OtherProcesses | None = None
        """Follows what other processes do; made with the first stream."""
        for app in apps.values():
            self.observe(app)

    def observe(self, app: App) -> None:
        """Follow what an app commits, and send it to the streams."""
        app.runtime.engine.observe(self.feeds)
        texts: SharedTexts | None = getattr(app.runtime.store, "texts", None)
        if texts is not None:
            app.runtime.engine.observe(TextSender(texts))

    def __len__(self) -> int:
        return len(self._streams)

    # streams -----------------------------------------------------------------------------------

    def open(
        self,
        identity: Identity,
        apps: Mapping[str, App],
        mode: Mode,
        positions: Mapping[str, Position],
        *,
        is_listing: bool = False,
        is_plain: bool = False,
    ) -> Stream:
        """Return a new stream of some conversations, each with its app. Raises `RequestFailed` if too many are open.
        `positions` are those after which each begins. With `is_listing` the stream receives the changes of the list of
        conversations, too; with `is_plain`, for one conversation, the id of an event is its position in the journal.
        """
        if self._is_draining:
            raise draining_problem()
        self.check_room(identity)
        more: dict[str, Any] = {"limits": self.limits, "budget": self.budget, "now_ms": self.clock.now_ms}
        stream = Stream(self.feeds, apps, mode, positions, **more, is_plain=is_plain)
        stream.on_end = self._ended
        self._streams[stream] = identity
        self.count(identity, 1)
        if is_listing:
            self._listing.add(stream)
        if self._ticking is None:
            self._ticking = asyncio.create_task(self._tick(), name="turnwise-streams")
        return stream

    def check_room(self, identity: Identity) -> None:
        """Raise `RequestFailed` if a client, or its network address, has too many streams open.
        A turn that is streamed is one.
        """
        address = self.limits.streams_per_address
        if address and self.limits.connections:
            address = min(address, max(1, self.limits.connections // 4))
        bounds = (("open_streams", identity.owner, self.limits.open_streams),)
        bounds += (("streams_per_address", identity.counted_as, address if identity.counted_as else 0),)
        for limit, name, most in bounds:
            if most and self._open[limit, name] >= most:
                why = f"{limit} is {most}, and as many are open; close one first"
                raise RequestFailed("too_many_streams", why, limit=limit)

    def count(self, identity: Identity, change: int) -> None:
        """Count an opened stream of a client (`change` is 1), or a closed one (-1)."""
        for key in (("open_streams", identity.owner), ("streams_per_address", identity.counted_as)):
            self._open[key] += change
            if self._open[key] <= 0:
                del self._open[key]

    def _ended(self, stream: Stream) -> None:
        identity = self._streams.pop(stream, None)
        if identity is not None:
            self.count(identity, -1)
        self._listing.discard(stream)
        if not self._streams and self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
            if self._others is not None:
                self._others.watch(is_shared=False)

    def drain(self) -> None:
        """Ask all clients to reconnect, and end their streams."""
        self._is_draining = True
        for stream in list(self._streams):
            stream.drain(RETRY_MS)

    async def _tick(self) -> None:
        """Send pings, end streams that stall, and follow what other processes write while there may be some."""
        passed_s = 0.0
        while True:
            await asyncio.sleep(INTERVAL_S)
            passed_s += INTERVAL_S
            now_s = asyncio.get_running_loop().time()
            for stream in list(self._streams):
                stream.check(now_s)
            if passed_s >= self.limits.ping_s:
                passed_s = 0.0
                for stream in list(self._streams):
                    stream.ping()
            with suppress(TurnwiseError):
                self._follow_others()

    def _follow_others(self) -> None:
        runtime = next(iter(self.apps.values())).runtime
        if self._others is None:
            self._others = OtherProcesses(runtime.store, runtime.clock, self.feeds, self)
        self._others.watch(is_shared=runtime.store.is_shared())

    # the list ----------------------------------------------------------------------------------

    def forgotten(self, conversation: str) -> None:
        """Report to all streams that a conversation was deleted."""
        self.feeds.forgotten(conversation)
        self._dirty.pop(conversation, None)
        self._send_to_lists(conversation, make_item("forgotten", Forgotten(conversation)))

    def broadcast(self, name: str, data: Any, visible: Callable[[Identity], bool]) -> None:
        """Send the event `name` with JSON data to the streams that receive changes of the list, if `visible` holds for
        their client.
        """
        self._send(self._listing, make_item(name, data), visible)

    def _send_to_lists(
        self, conversation: str, sent: Item, flow: str | None = None, *, is_inside: bool | None = None
    ) -> None:
        """Send an event about a conversation to who may see it; with `is_inside` only to who sees inside, or not."""
        self._send(
            self._listing,
            sent,
            lambda identity: identity.sees(conversation, flow) and is_inside in (None, identity.sees_inside),
        )

    def _send(self, streams: Iterable[Stream], sent: Item, visible: Callable[[Identity], bool]) -> None:
        for stream in streams:
            if visible(self._streams[stream]):
                stream.receive("", [sent])

    @property
    def is_listing(self) -> bool:
        """Whether any stream receives changes of the list."""
        return bool(self._listing)

    def changed(self, conversation: str, state: State | None) -> None:
        """Record that a conversation of the list changed; it is sent a little later, once for many changes.
        A state that is not known is read then.
        """
        if not self._listing:
            return
        self._dirty[conversation] = state or self._dirty.get(conversation)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().call_later(LIST_INTERVAL_S, self._send_changes)

    def _send_changes(self) -> None:
        self._sending = None
        changed, self._dirty = self._dirty, {}
        task = asyncio.create_task(self._send_summaries(changed), name="turnwise-summaries")
        self._summaries.add(task)
        task.add_done_callback(self._summaries.discard)

    async def _send_summaries(self, changed: Mapping[str, State | None]) -> None:
        for conversation, known in changed.items():
            state = known or await self._ended_state(conversation)
            app = self.apps.get(state.flow) if state is not None else None
            if state is None or app is None:
                continue
            machine, marks, name = app.machine, tuple[Mark, ...](), ""
            with suppress(TurnwiseError):  # the store cannot be read now: the rest of the summary is known
                machine = await app.runtime.machines.shown_of_state(state)
                marks = await decision_marks(app.runtime.store, conversation, state, machine)
                name = await conversation_name(app.runtime.store, conversation, state, machine)
                if await app.runtime.store.load(conversation) is None:
                    continue  # it was deleted meanwhile
            summary = summary_of(conversation, state, machine, app.machine, marks=marks, name=name)
            for is_inside in {self._streams[stream].sees_inside for stream in self._listing}:
                sent = SummarySent(summary if is_inside else for_users(summary))
                self._send_to_lists(conversation, make_item("summary", sent), state.flow, is_inside=is_inside)

    async def _ended_state(self, conversation: str) -> State | None:
        """Return the state that another process has written at the end of a turn; `None` in the middle of one."""
        with suppress(TurnwiseError):
            state = await next(iter(self.apps.values())).runtime.store.load(conversation)
            return state if state is not None and state.doing is None else None
        return None

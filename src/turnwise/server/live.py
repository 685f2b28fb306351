"""Turns that outlive the connection of their client, plain or as an event stream."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.errors import TurnwiseError
from turnwise.runner.conversation_locks import Caller
from turnwise.runner.ports import Accepted
from turnwise.runner.result import Turn
from turnwise.server.problems import interrupted_problem, problem_of_error
from turnwise.server.responses import Receive, Send
from turnwise.server.streams.derive import past_events
from turnwise.server.streams.feeds import Feeds
from turnwise.server.streams.items import AFTER_ENTRY, BEFORE_FIRST, Item, Mode, Position, make_item
from turnwise.server.streams.tab import HEADERS
from turnwise.server.views.turn_messages import turn_messages
from turnwise.server.views.turn_results import result_of
from turnwise.server.wire.requests import NewTurn
from turnwise.server.wire.stream import MessageSent, TurnSent

if TYPE_CHECKING:
    from turnwise.core.state import State
    from turnwise.core.state.events import Entry
    from turnwise.server.access import Identity
    from turnwise.server.service import Service

WATCH_AFTER_S = 0.2
"""After how many seconds of a turn it is checked whether its client has left."""


class StreamedResult:
    """The result of one turn, which the open streams of its conversation may make when it is stored."""

    json: bytes | None = None
    """The result of the turn as JSON; `None` where no stream has made it.
    With it the turn is returned without the earlier entries that it refers to."""

    def __init__(self, chat: Chat, feeds: Feeds) -> None:
        self._chat = chat
        self._feeds = feeds

    def short_turn(self, done: Accepted) -> Turn | None:
        """Return the turn that ended (`done`), without earlier entries, if its result was made; else `None`."""
        chat = self._chat
        reports_others = done.before is not None and bool(done.before.unreported or done.before.unprompted)
        if reports_others:
            return None
        self.json = self._feeds.result(chat.name, done.entries[-1].seq)
        if self.json is None:
            return None
        return Turn(chat.name, chat.machine, done.state, done.entries, done.before)


class CallerChat(Chat):
    """The chat of one request, whose client can leave (`client`).
    With `streamed` its result may be made by streams.

    Nothing that it holds refers to it: the states of its turn are dropped with it, not by the garbage collector later.
    """

    def __init__(self, chat: Chat, streamed: StreamedResult | None = None) -> None:
        short_turn = streamed.short_turn if streamed is not None else None
        super().__init__(chat.runtime, chat.name, existing=True, short_turn=short_turn)
        self.client = self.caller = Caller()


async def run_watched_turn(chat: CallerChat, turn: Awaitable[Turn], receive: Receive) -> Turn:
    """Run a turn to its end, and return it; `receive` (ASGI) reports when the client leaves.
    If it takes long and its client leaves meanwhile, the next turn reports it.
    """
    loop = asyncio.get_running_loop()
    leaving: list[asyncio.Future[None]] = []
    timer = loop.call_later(WATCH_AFTER_S, lambda: leaving.append(_watch(chat, receive)))
    try:
        found = await turn
        if leaving:
            await asyncio.sleep(0)  # a client that left just now is noticed
            if leaving[0].done() and not chat.client.has_left:
                _report_later(chat, found)
        return found
    finally:
        timer.cancel()
        for one in leaving:
            one.cancel()
            with suppress(asyncio.CancelledError):
                await one


def _watch(chat: CallerChat, receive: Receive) -> asyncio.Future[None]:
    """Return a future that ends when the client of a request that was read leaves; the turn then learns of it."""
    leaving = asyncio.ensure_future(_left(receive))
    leaving.add_done_callback(lambda done: None if done.cancelled() else chat.client.leave())
    return leaving


def report_later(chat: CallerChat, turn: asyncio.Future[Turn]) -> None:
    """Have the next turn report a turn whose client has left; an unfinished one is reported when it ends."""
    if not chat.client.has_left and not turn.cancelled() and turn.exception() is None:
        _report_later(chat, turn.result())


def _report_later(chat: Chat, turn: Turn) -> None:
    if not turn.refused and turn.after is not None and turn.entries and not turn.is_duplicate:
        chat.runtime.engine.record_missed(chat.name, turn.number)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class TurnStream:
    """The response to one turn as an event stream. The turn goes on when the client leaves; the next
    request of the conversation reports it.
    """

    def __init__(
        self,
        service: Service,
        identity: Identity,
        app: App,
        chat: CallerChat,
        turn: Awaitable[Turn],
        *,
        is_debug: bool,
    ) -> None:
        self._service = service
        self._identity = identity
        self.feeds = service.hub.feeds
        self.stalled_s = service.limits.stalled_s
        self.app = app
        self.chat = chat
        self.turn = turn
        self.mode: Mode = "debug" if is_debug else "chat"
        self._pending: list[Item] = []
        self._wake = asyncio.Event()
        self._is_stalled = False
        self._is_sending = False
        self._bytes = 0
        """How many bytes wait."""
        self._running: asyncio.Future[Turn] | None = None
        self._reached = 0
        """The end of the last turn whose events the feed has sent."""
        self._is_light = False
        """True while it follows no feed: no turn was stored in parts yet."""
        self._following: asyncio.Task[None] | None = None
        """Begins to follow the feed in the middle of a turn."""
        self._sent = BEFORE_FIRST
        """Up to where the feed's events were received; those before are read from the store."""
        self._is_ordered = True
        """False while events of the store come before those that the feed sends."""
        self._early: list[Item] = []

    def receive(self, conversation: str, items: Sequence[Item]) -> None:  # noqa: ARG002  there is only one
        """Receive events of the conversation's feed, without the turn's result, which is made from the turn."""
        if not self._is_ordered and items[0].position is not None:
            self._early += items
            return
        items = [one for one in items if one.position is None or one.position > self._sent]
        kept = [one for one in items if one.name != "turn"]
        self._pending += kept
        self._bytes += sum(len(one.payload) for one in kept)
        ended = [one.position.seq for one in items if one.name == "turn" and one.position is not None]
        self._reached = max([self._reached, *ended])
        self._wake.set()
        if self._is_sending and self._bytes > self._service.limits.waiting_bytes and self._running is not None:
            self._stall(self._running)

    def committed(self, entries: Sequence[Entry], state: State | None) -> None:
        """Follow the feed of a turn that is stored in parts, so that its messages are sent before it ends.
        A turn that is stored at once, as most are, needs no feed: its messages are made from the turn itself.
        """
        if state is None and self._is_light and not self._is_stalled:
            self._is_light = False
            self._following = asyncio.create_task(self._follow(entries[0].seq), name="turnwise-turn-stream")

    async def _follow(self, first: int) -> None:
        """Receive the events from an entry on: first those that are stored already."""
        self._is_ordered, self._sent = False, Position(first - 1, AFTER_ENTRY)
        try:
            await self.feeds.subscribe(self.app, self.chat.name, self.mode, self)
            async for items in past_events(self.app, self.chat.name, self.mode, self._sent):
                self._is_ordered = True
                self.receive(self.chat.name, items)
                self._is_ordered = False
                self._sent = max([self._sent, *[one.position for one in items if one.position is not None]])
        except TurnwiseError:  # where the store cannot be read, the turn itself reports it
            self.cut()
        early, self._early, self._is_ordered = self._early, [], True
        if early:
            self.receive(self.chat.name, early)

    def cut(self) -> None:
        """Continue without the feed: the turn itself is sent at its end."""
        self._reached = AFTER_ENTRY
        self._wake.set()

    async def respond(self, receive: Receive, send: Send) -> None:
        """Run the turn, and send its events to the client (ASGI)."""
        hub = self._service.hub
        hub.count(self._identity, 1)
        try:
            await self._respond(receive, send)
        finally:
            hub.count(self._identity, -1)

    async def _respond(self, receive: Receive, send: Send) -> None:
        self._is_light = self.mode == "chat" and not self.feeds.has(self.chat.name, self.mode)
        if self._is_light:
            self.feeds.listen(self.chat.name, self)
        else:
            await self._begin()
        running = self._running = asyncio.ensure_future(self.turn)
        running.add_done_callback(lambda _: self._wake.set())
        leaving = _watch(self.chat, receive)
        leaving.add_done_callback(lambda _: self._wake.set())
        try:
            await self._send_all(send, running, leaving)
        except asyncio.CancelledError:
            if not self._service.is_interrupted:
                raise
            problem = make_item("problem", interrupted_problem().problem).payload + b"\n"
            await send({"type": "http.response.body", "body": problem, "more_body": False})
        finally:
            self._unsubscribe()
            if leaving.done() or not running.done():
                self._report_later(running)
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await leaving

    async def _begin(self) -> None:
        """Follow the feed from the beginning."""
        try:
            await self.feeds.subscribe(self.app, self.chat.name, self.mode, self)
        except TurnwiseError:  # where the store cannot be read, the turn itself reports it
            self.cut()

    def _unsubscribe(self) -> None:
        self.feeds.unsubscribe(self.chat.name, self.mode, self)
        self.feeds.ignore(self.chat.name, self)
        if self._following is not None:
            self._following.cancel()

    async def _send_all(self, send: Send, running: asyncio.Future[Turn], leaving: asyncio.Future[None]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        while not leaving.done():
            is_last = running.done() and self._is_complete(running)
            pending, self._pending, self._bytes = self._pending, [], 0
            self._wake.clear()
            parts = [one.payload + b"\n" for one in pending]
            parts += [one.payload + b"\n" for one in self._last(running)] if is_last else []
            if parts or is_last:
                message = {"type": "http.response.body", "body": b"".join(parts), "more_body": not is_last}
                stalling = asyncio.get_running_loop().call_later(self.stalled_s, self._stall, running)
                self._is_sending = True
                await send(message)
                self._is_sending = False
                stalling.cancel()
            if is_last:
                return
            if self._is_stalled:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            await self._wake.wait()

    def _stall(self, running: asyncio.Future[Turn]) -> None:
        """Let go of a client that takes nothing: nothing is kept for it any more, and the turn goes on. If it takes
        bytes again, the response ends.
        """
        self._is_stalled = True
        self._unsubscribe()
        self._pending.clear()
        self._report_later(running)

    def _report_later(self, running: asyncio.Future[Turn]) -> None:
        self.chat.client.leave()
        running.add_done_callback(lambda done: report_later(self.chat, done))

    def _last(self, running: asyncio.Future[Turn]) -> list[Item]:
        """Return the last events: the turn, before it its messages where no feed sends them; or the problem."""
        error = running.exception()
        if error is not None:
            if not isinstance(error, Exception):
                raise error
            return [make_item("problem", problem_of_error(error, NewTurn).problem)]
        turn, name = running.result(), self.chat.name
        if not self._is_light or turn.refused or turn.is_duplicate or not turn.entries:
            return [make_item("turn", TurnSent(name, result_of(turn)))]
        messages = turn_messages(turn)
        sent = [make_item("message", MessageSent(name, message)) for _, message in messages.sent]
        return [*sent, make_item("turn", TurnSent(name, result_of(turn, messages)))]

    def _is_complete(self, running: asyncio.Future[Turn]) -> bool:
        """Return whether the feed has sent everything of a turn that has ended."""
        if running.cancelled() or running.exception() is not None:
            return True
        if self._is_light:
            return True
        turn = running.result()
        return not turn.entries or turn.is_duplicate or self._reached >= turn.entries[0].seq

"""Turns that outlive the connection of their client, plain or as an event stream."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.errors import TurnwiseError
from turnwise.runner.result import Turn
from turnwise.server.problems import failed
from turnwise.server.responses import Receive, Send
from turnwise.server.streams.items import END, Item, Mode, item
from turnwise.server.streams.tab import HEADERS
from turnwise.server.turn_results import result_of
from turnwise.server.wire.stream import TurnSent

if TYPE_CHECKING:
    from turnwise.server.service import Service

WATCH_AFTER_S = 0.2
"""A turn that takes longer is watched for the leaving of its client."""


async def watched(chat: Chat, turn: Awaitable[Turn], receive: Receive) -> Turn:
    """Run a turn to its end. If its client has left meanwhile, the next turn reports it."""
    running = asyncio.ensure_future(turn)
    done, _ = await asyncio.wait((running,), timeout=WATCH_AFTER_S)
    if not done:
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((running,))
            if leaving.done():
                report_later(chat, running)
        finally:
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await leaving
    return running.result()


def report_later(chat: Chat, turn: asyncio.Future[Turn]) -> None:
    """Have the next turn report a turn whose client has left."""
    if not turn.cancelled() and turn.exception() is None and not turn.result().refused:
        found = turn.result()
        if found.after is not None and found.entries and not found.is_duplicate:
            chat.runtime.engine.miss_turn(chat.name, found.number)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class TurnStream:
    """One turn as an event stream. The turn goes on when the client leaves, and then the next turn reports it."""

    def __init__(self, service: Service, app: App, chat: Chat, turn: Awaitable[Turn], *, is_debug: bool) -> None:
        self.feeds = service.hub.feeds
        self.stalled_s = service.limits.stalled_s
        self.app = app
        self.chat = chat
        self.turn = turn
        self.mode: Mode = "debug" if is_debug else "chat"
        self._pending: list[Item] = []
        self._wake = asyncio.Event()
        self._reached = 0
        """The end of the last turn whose events the feed has sent."""

    def receive(self, conversation: str, items: Sequence[Item]) -> None:  # noqa: ARG002  there is only one
        """Take events of the feed, but the result of a turn: it is made from the turn itself."""
        self._pending += [one for one in items if one.name != "turn"]
        ended = [one.position.seq for one in items if one.name == "turn" and one.position is not None]
        self._reached = max([self._reached, *ended])
        self._wake.set()

    def cut(self) -> None:
        """Go on without the feed: the turn itself is sent at its end."""
        self._reached = END
        self._wake.set()

    async def respond(self, receive: Receive, send: Send) -> None:
        """Run the turn, and send its events (ASGI)."""
        try:
            await self.feeds.subscribe(self.app, self.chat.name, self.mode, self)
        except TurnwiseError:  # where the store cannot be read, the turn itself reports it
            self.cut()
        running = asyncio.ensure_future(self.turn)
        running.add_done_callback(lambda _: self._wake.set())
        leaving = asyncio.ensure_future(_left(receive))
        leaving.add_done_callback(lambda _: self._wake.set())
        try:
            await self._send_all(send, running, leaving)
        except TimeoutError:
            pass  # the client takes nothing; the turn goes on
        finally:
            self.feeds.unsubscribe(self.chat.name, self.mode, self)
            if leaving.done() or not running.done():
                running.add_done_callback(lambda done: report_later(self.chat, done))
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await leaving

    async def _send_all(self, send: Send, running: asyncio.Future[Turn], leaving: asyncio.Future[None]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        while not leaving.done():
            is_last = running.done() and self._is_complete(running)
            pending, self._pending = self._pending, []
            self._wake.clear()
            parts = [one.payload + b"\n" for one in pending]
            parts += [one.payload + b"\n" for one in self._last(running)] if is_last else []
            if parts or is_last:
                message = {"type": "http.response.body", "body": b"".join(parts), "more_body": not is_last}
                async with asyncio.timeout(self.stalled_s):
                    await send(message)
            if is_last:
                return
            await self._wake.wait()

    def _last(self, running: asyncio.Future[Turn]) -> list[Item]:
        """Return the last event: the turn, or the problem."""
        error = running.exception()
        if error is not None:
            if not isinstance(error, Exception):
                raise error
            return [item("problem", failed(error).problem)]
        return [item("turn", TurnSent(self.chat.name, result_of(running.result())))]

    def _is_complete(self, running: asyncio.Future[Turn]) -> bool:
        """Return whether the feed has sent everything of a turn that has ended."""
        if running.cancelled() or running.exception() is not None:
            return True
        turn = running.result()
        return not turn.entries or turn.is_duplicate or self._reached >= turn.entries[0].seq

"""Brings the streams of a server up to date with what other processes over its store do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.errors import TurnwiseError
from turnwise.runner.model_port import Delta
from turnwise.runner.ports import Change, Clock, Store
from turnwise.runner.search import ConversationQuery
from turnwise.runner.shared_texts import Piece, SharedTexts
from turnwise.server.streams.feeds import Feed, Feeds

MOST_LISTED = 50
"""How many conversations of the list are looked at where hints were lost, those that changed last."""
LOST_HINT_MS = 5_000
"""How many milliseconds after a change it is noticed at the latest that its hint was lost."""


class Listing(Protocol):
    """The part of a hub that sends changes of the list of conversations."""

    @property
    def is_listing(self) -> bool:
        """Whether any stream receives changes of the list."""
        ...

    def changed(self, conversation: str, state: State | None) -> None:
        """Record that a conversation changed; an unknown state (`None`) is read later."""
        ...

    def forgotten(self, conversation: str) -> None:
        """Report to all streams that a conversation was deleted."""
        ...


class OtherProcesses:
    """Follows the store's changes and text pieces of other processes, while streams are open."""

    def __init__(self, store: Store, clock: Clock, feeds: Feeds, listing: Listing) -> None:
        self._store = store
        self._clock = clock
        self._feeds = feeds
        self._listing = listing
        self._texts: SharedTexts | None = getattr(store, "texts", None)
        self._tasks: list[asyncio.Task[None]] = []
        self._known_ms: int | None = None
        """When a change came last: what changed since then may be unknown where hints were lost."""

    def watch(self, *, is_shared: bool) -> None:
        """Begin to follow other processes, or stop (`is_shared` false). After an error the next call begins anew."""
        if not is_shared or any(task.done() for task in self._tasks):
            for task in self._tasks:
                task.cancel()
            self._tasks = []
        if is_shared and not self._tasks:
            self._tasks = [asyncio.create_task(self._follow_changes(), name="turnwise-changes")]
            if self._texts is not None:
                self._tasks.append(asyncio.create_task(self._follow_texts(self._texts), name="turnwise-texts"))

    async def _follow_texts(self, texts: SharedTexts) -> None:
        with suppress(TurnwiseError):
            async for piece in texts.received():
                self._feeds.send_remote_text(piece.conversation, piece.delta)

    async def _follow_changes(self) -> None:
        with suppress(TurnwiseError):
            async for change in self._store.changes():
                feeds = self._feeds.watched(change.conversation)
                for feed in feeds:
                    if not change.seq:
                        await self._compare(feed)
                    elif change.seq > feed.seq:  # nothing is waited for, or one stream would hold up all others
                        feed.catch_up()
                        self._listing.changed(feed.conversation, None)
                self._feeds.forget_remote_texts(change.conversation)
                if self._listing.is_listing:
                    await self._follow_list(change, is_compared=bool(feeds))
                self._known_ms = self._clock.now_ms()

    async def _compare(self, feed: Feed) -> None:
        """Compare a feed with what is stored: there may be more, or the conversation was deleted."""
        known = feed.seq  # the feed may go on while the store is read, so that what was read is behind it
        state = await self._store.load(feed.conversation)
        if state is None or state.seq < known:
            self._listing.forgotten(feed.conversation)
        elif state.seq > feed.seq:
            feed.catch_up()
            self._listing.changed(feed.conversation, state)

    async def _follow_list(self, change: Change, *, is_compared: bool) -> None:
        """Bring the list up to date about conversations that no stream shows."""
        if change.conversation is None:
            if self._known_ms is not None:
                page = await self._store.find(ConversationQuery(limit=MOST_LISTED))
                for row in page.rows:
                    if row.at_ms >= self._known_ms - LOST_HINT_MS:
                        self._listing.changed(row.conversation, None)
        elif change.seq and not is_compared:
            self._listing.changed(change.conversation, None)
        elif not is_compared and await self._store.load(change.conversation) is None:
            self._listing.forgotten(change.conversation)


class TextSender:
    """Sends the pieces of texts that this process generates to other processes (`runner.streams.Observer`)."""

    def __init__(self, texts: SharedTexts) -> None:
        self._texts = texts

    def committed(self, conversation: str, entries: Sequence[Entry], state: State | None) -> None:  # noqa: ARG002  a method of the port
        """Drop the pieces of a conversation that wait: their text is stored now, or its attempt has failed."""
        self._texts.drop(conversation)

    def generated(self, conversation: str, delta: Delta) -> None:
        """Send a piece of a model's text to the other processes."""
        self._texts.send(Piece(conversation, delta))

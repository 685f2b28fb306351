"""Feeds: the events of each conversation that a client watches, made once for all of its streams."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from turnwise.api.app import App
from turnwise.core.state import State
from turnwise.core.state.events import Entry, Said
from turnwise.runner.model_port import Delta
from turnwise.server.streams.derive import Derivation
from turnwise.server.streams.items import Item, Mode, Position, make_item
from turnwise.server.wire.stream import DeltaSent, Forgotten

MOST_CONCURRENT_READS = 4
"""How many streams read from the store at once."""
_log = logging.getLogger("turnwise.server")


class Subscriber(Protocol):
    """A receiver of the stream events of conversations. It must neither wait nor raise."""

    def receive(self, conversation: str, items: Sequence[Item]) -> None:
        """Receive events of a conversation, in order; those with a position may have been received before."""
        ...

    def cut(self) -> None:
        """End the subscription, because a feed has failed."""
        ...


class Listener(Subscriber, Protocol):
    """The stream of one turn, which is notified of commits and follows a feed only where it needs one."""

    def committed(self, entries: Sequence[Entry], state: State | None) -> None:
        """Receive committed entries; `state` is that after the turn that they end, `None` in the middle of a turn."""
        ...


class Feed:
    """The stream events of one conversation in one mode, for all of its subscribers.
    It follows the commits of this process, and reads from the store what other processes wrote.
    """

    def __init__(self, app: App, conversation: str, mode: Mode) -> None:
        self.app = app
        self.conversation = conversation
        self.mode: Mode = mode
        self.subscribers: set[Subscriber] = set()
        self.seq = 0
        """The position of the last entry that was followed."""
        self._derivation = Derivation(app, conversation, mode)
        self._waiting: deque[Sequence[Entry]] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._is_open = False
        self._result: tuple[int, bytes] | None = None
        """The position at which the last turn that was made at once ends, and its result as JSON."""
        self.is_broken = False
        """True after an error; a broken feed sends nothing more."""
        self.opening = asyncio.ensure_future(self._open())

    async def _open(self) -> None:
        """Begin at the end of what is stored. Entries that are committed meanwhile wait."""
        store, name = self.app.runtime.store, self.conversation
        state = await store.load(name)
        last = state.seq if state is not None else 0
        begin = await self._derivation.stored.begin_of_turn(last) or 0
        await self._derivation.begin(begin)
        await self._derivation.derive(await store.entries(name, begin, last))
        self.seq = last
        self._is_open = True
        if self._waiting:
            self._start()

    @property
    def settled(self) -> Position:
        """The position at which a new subscriber begins."""
        return self._derivation.settled

    def committed(self, entries: Sequence[Entry], state: State | None = None) -> None:
        """Send the events of committed entries; at once, if that needs neither the store nor earlier entries.
        `state` is that after the turn that they end.
        """
        is_next = self._is_open and self._pump is None and entries[0].seq == self.seq + 1
        if is_next and state is not None and self._derivation.is_turn(entries, state):
            self.seq = entries[-1].seq
            items, result = self._derivation.derive_turn(entries, state)
            self._result = (self.seq, result) if result is not None else None
            self.send(items)
            return
        if is_next and not self._derivation.needs_store(entries):
            self.seq = entries[-1].seq
            self.send(self._derivation.derive_now(entries))
            return
        self._waiting.append(entries)
        self._start()

    def result(self, seq: int) -> bytes | None:
        """Return the result, as JSON, of the turn that ends at position `seq`; `None` unless it was made last."""
        return self._result[1] if self._result is not None and self._result[0] == seq else None

    def catch_up(self) -> None:
        """Read entries that other processes wrote, and send their events."""
        if not self._waiting or self._waiting[-1]:  # else what waits will read that, too
            self._waiting.append(())
        self._start()

    def send(self, items: Sequence[Item]) -> None:
        """Send events to all subscribers."""
        if items:
            for subscriber in self.subscribers:
                subscriber.receive(self.conversation, items)

    def close(self) -> None:
        """Stop following the conversation."""
        self.opening.cancel()
        if self._pump is not None:
            self._pump.cancel()

    def _start(self) -> None:
        if self._pump is None and self._is_open:
            self._pump = asyncio.create_task(self._follow(), name=f"turnwise-feed-{self.mode}")

    async def _follow(self) -> None:
        """Follow all entries that wait, in order, and those that are missing between them."""
        try:
            while self._waiting:
                entries = self._waiting.popleft()
                if not entries or entries[0].seq > self.seq + 1:
                    until = entries[0].seq - 1 if entries else None
                    await self._derive(await self.app.runtime.store.entries(self.conversation, self.seq, until))
                await self._derive(entries)
        except Exception:  # noqa: BLE001  whatever fails, clients connect again, and a new feed begins
            _log.exception("%s: its streams are cut", self.conversation)
            self.is_broken = True
            for subscriber in list(self.subscribers):
                subscriber.cut()
        finally:
            self._pump = None

    async def _derive(self, entries: Sequence[Entry]) -> None:
        following = [entry for entry in entries if entry.seq > self.seq]
        if following:
            self.seq = following[-1].seq
            self.send(await self._derivation.derive(following))


class Feeds:
    """All feeds of a server. It observes the commits of its apps (`runner.streams.Observer`)."""

    def __init__(self, on_changed: Callable[[str, State], object]) -> None:
        self._feeds: dict[str, dict[Mode, Feed]] = {}
        self._texts: dict[str, dict[str, Delta]] = {}
        """Per conversation the text of each model call so far that is not stored yet."""
        self._from_elsewhere: set[str] = set()
        """The conversations whose texts another process generates."""
        self._on_changed = on_changed
        self.reading = asyncio.Semaphore(MOST_CONCURRENT_READS)
        """Held by a stream that reads from the store, so that few have a page in memory at once."""
        self._listeners: dict[str, list[Listener]] = {}
        """The streams of turns that follow no feed, by conversation."""

    def committed(self, conversation: str, entries: Sequence[Entry], state: State | None) -> None:
        """Pass entries that an app has committed to the feeds and listeners of their conversation."""
        if conversation in self._texts and (state is not None or any(isinstance(one.event, Said) for one in entries)):
            del self._texts[conversation]
        feeds = self._feeds.get(conversation)
        if feeds is not None:
            for feed in feeds.values():
                feed.committed(entries, state)
        for listener in tuple(self._listeners.get(conversation, ())):
            listener.committed(entries, state)
        if state is not None:
            self._on_changed(conversation, state)

    def has(self, conversation: str, mode: Mode) -> bool:
        """Return whether a conversation has a feed in a `mode`."""
        return mode in self._feeds.get(conversation, ())

    def listen(self, conversation: str, listener: Listener) -> None:
        """Send a stream of one turn the pieces of texts, and committed entries; this needs no feed."""
        self._listeners.setdefault(conversation, []).append(listener)

    def ignore(self, conversation: str, listener: Listener) -> None:
        """Stop sending anything to a stream of one turn."""
        found = self._listeners.get(conversation, [])
        if listener in found:
            found.remove(listener)
        if not found:
            self._listeners.pop(conversation, None)

    def result(self, conversation: str, seq: int) -> bytes | None:
        """Return the result, as JSON, of the turn that ends at position `seq`, if a stream has made it; else `None`."""
        feed = self._feeds.get(conversation, {}).get("chat")
        return feed.result(seq) if feed is not None else None

    def send_remote_text(self, conversation: str, delta: Delta) -> None:
        """Send a piece of a text that another process generates, where a stream shows its conversation."""
        if conversation in self._feeds:
            self.generated(conversation, delta)
            self._from_elsewhere.add(conversation)

    def forget_remote_texts(self, conversation: str | None) -> None:
        """Drop the texts that other processes were generating, of one conversation or of all: they are stored now."""
        for one in tuple(self._from_elsewhere) if conversation is None else {conversation} & self._from_elsewhere:
            self._texts.pop(one, None)
            self._from_elsewhere.discard(one)

    def generated(self, conversation: str, delta: Delta) -> None:
        """Send a piece of a model's text, and keep the text so far for those who subscribe later."""
        self._from_elsewhere.discard(conversation)
        texts = self._texts.setdefault(conversation, {})
        before = texts.get(delta.effect)
        text = before.text + delta.text if before is not None and not delta.is_whole else delta.text
        texts[delta.effect] = Delta(delta.node, delta.effect, text, delta.turn)
        feeds, listeners = self._feeds.get(conversation, {}), self._listeners.get(conversation, ())
        if feeds or listeners:
            sent = [make_item("delta", _delta(conversation, delta, is_whole=delta.is_whole))]
            for feed in feeds.values():
                if feed.mode != "entries":
                    feed.send(sent)
            for listener in listeners:
                if not any(listener in feed.subscribers for feed in feeds.values()):
                    listener.receive(conversation, sent)

    def texts(self, conversation: str) -> list[Item]:
        """Return the texts that are being generated in a conversation, each as one event that replaces its pieces."""
        return [
            make_item("delta", _delta(conversation, one, is_whole=True))
            for one in self._texts.get(conversation, {}).values()
        ]

    async def subscribe(self, app: App, conversation: str, mode: Mode, subscriber: Subscriber) -> Position:
        """Send a subscriber a conversation's events of a `mode` from now on; return the position after which they
        begin.
        """
        modes = self._feeds.setdefault(conversation, {})
        feed = modes.get(mode)
        if feed is None or feed.is_broken:
            feed = modes[mode] = Feed(app, conversation, mode)
        feed.subscribers.add(subscriber)
        try:
            await asyncio.shield(feed.opening)
        except BaseException:
            self.unsubscribe(conversation, mode, subscriber)
            raise
        return feed.settled

    def unsubscribe(self, conversation: str, mode: Mode, subscriber: Subscriber) -> None:
        """Stop sending events to a subscriber. A feed without subscribers ends."""
        modes = self._feeds.get(conversation, {})
        feed = modes.get(mode)
        if feed is None:
            return
        feed.subscribers.discard(subscriber)
        if not feed.subscribers:
            feed.close()
            del modes[mode]
            if not modes:
                self._feeds.pop(conversation, None)

    def forgotten(self, conversation: str) -> None:
        """Report to the streams that a conversation was deleted."""
        self._texts.pop(conversation, None)
        for feed in self._feeds.pop(conversation, {}).values():
            feed.close()
            feed.send([make_item("forgotten", Forgotten(conversation))])

    def watched(self, conversation: str | None) -> list[Feed]:
        """Return the feeds of a conversation, or (`None`) all."""
        found = self._feeds.values() if conversation is None else [self._feeds.get(conversation, {})]
        return [feed for modes in found for feed in modes.values()]


def _delta(conversation: str, delta: Delta, *, is_whole: bool = False) -> DeltaSent:
    return DeltaSent(conversation, delta.turn, delta.node, delta.effect, delta.text, is_whole)

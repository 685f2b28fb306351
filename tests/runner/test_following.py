"""Whoever follows the events of a conversation learns of what any process writes, and can be cancelled at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

import turnwise as tw
from support.chats import flow_of
from support.engines import local
from turnwise.core.state.events import Entry, UserSaid
from turnwise.errors import StoreFailed
from turnwise.runner.ports import Change
from turnwise.stores.memory import MemoryStore

FLOW = flow_of("flow: f\nstart: a\nnodes: {a: {prompt: Talk.}}")


class CountingStore(MemoryStore):
    """Counts the readings of entries, and how many watch for changes."""

    readings = 0
    watching = 0

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        self.readings += 1
        return await super().entries(conversation, after, until)

    async def changes(self) -> AsyncIterator[Change]:
        self.watching += 1
        try:
            async with aclosing(super().changes()) as found:  # type: ignore[type-var]
                async for change in found:
                    yield change
        finally:
            self.watching -= 1


async def next_text(entries: AsyncIterator[Entry]) -> str:
    async with asyncio.timeout(60):
        async for entry in entries:
            if isinstance(entry.event, UserSaid):
                return entry.event.text
    raise AssertionError


def test_a_hundred_followers_share_one_watch_and_read_nothing_while_nothing_happens() -> None:
    store = CountingStore()

    async def play() -> None:
        here, elsewhere = tw.open(FLOW, store=store), tw.open(FLOW, store=store)
        await here.chat("x").start()
        following = [here.chat("x").events() for _ in range(100)]
        texts = [asyncio.ensure_future(next_text(one)) for one in following]
        await asyncio.sleep(0.05)
        before = store.readings
        await asyncio.sleep(0.7)
        assert (store.readings, store.watching) == (before, 1)
        await elsewhere.chat("x").say("from elsewhere")
        assert set(await asyncio.gather(*texts)) == {"from elsewhere"}
        for one in following:
            await one.aclose()  # type: ignore[attr-defined]
        await asyncio.sleep(0.01)
        assert store.watching == 0
        assert not local(here).turns.listeners.queues

    asyncio.run(play())


def test_following_ends_where_the_conversation_is_deleted() -> None:
    async def play() -> None:
        store = MemoryStore()
        here, elsewhere = tw.open(FLOW, store=store), tw.open(FLOW, store=store)
        await here.chat("x").start()
        await here.chat("y").start()
        following = {name: asyncio.ensure_future(next_text(here.chat(name).events())) for name in ("x", "y")}
        await asyncio.sleep(0.01)
        assert await elsewhere.chat("x").forget()
        await elsewhere.chat("x").start()
        await elsewhere.chat("y").say("still here")
        with pytest.raises(AssertionError):
            await following["x"]
        assert await following["y"] == "still here"
        assert "x" not in local(here).turns.listeners.queues

    asyncio.run(play())


def test_a_store_that_fails_fails_for_its_followers() -> None:
    class Broken(CountingStore):
        is_broken = False

        async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
            if self.is_broken:
                raise StoreFailed("x.db", "it is gone")
            return await super().entries(conversation, after, until)

        async def changes(self) -> AsyncIterator[Change]:
            yield Change()
            await asyncio.sleep(0.01)
            raise StoreFailed("x.db", "it is gone")

    store = Broken()

    async def play() -> None:
        chat = tw.open(FLOW, store=store).chat("x")
        await chat.start()
        following = asyncio.ensure_future(next_text(chat.events()))
        await asyncio.sleep(0.005)
        store.is_broken = True
        with pytest.raises(StoreFailed, match="it is gone"):
            await following

    asyncio.run(play())


def test_a_follower_that_is_cancelled_leaves_nothing_behind() -> None:
    async def play() -> None:
        app = tw.open(FLOW)
        chat = app.chat("x")
        await chat.start()
        following = asyncio.ensure_future(next_text(chat.events()))
        await asyncio.sleep(0.01)
        following.cancel()
        await chat.say("now")
        with pytest.raises(asyncio.CancelledError):
            await following
        await asyncio.sleep(0.01)
        assert not local(app).turns.listeners.queues

    asyncio.run(play())

"""Conformance tests for `Store.changes`: followers learn of every write and of every deletion."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from turnwise.runner.ports import Change, Store
from turnwise.testing.store_support import Journal, with_store, with_two_stores

LONGEST_S = 10.0
"""How many seconds a change may take to be reported."""


async def _until(found: AsyncIterator[Change], conversation: str, seq: int) -> None:
    """Wait for a change of a conversation up to a position, or of all. Position 0 is that it was deleted."""
    async with asyncio.timeout(LONGEST_S):
        async for change in found:
            is_meant = change.conversation == conversation and (change.seq >= seq if seq else not change.seq)
            if change.conversation is None or is_meant:
                return


class ChangesContract:
    """Conformance tests for `Store.changes`: it reports each write and each deletion.

    The first change is of all conversations.
    """

    @with_store
    async def test_what_is_written_while_it_is_watched_is_reported(self, store: Store) -> None:
        """Each write is reported with conversation and position, also after the newest conversation was deleted."""
        one, other, third = Journal(), Journal(), Journal()
        await store.commit("one", one.begin("a"))
        found = store.changes()
        assert await anext(found) == Change()
        await store.commit("one", one.turn("b"))
        await _until(found, "one", one.seq)
        await store.commit("", other.begin("c"))
        await _until(found, "", other.seq)
        await store.forget("")
        await store.commit("third", third.begin("d"))
        await _until(found, "third", third.seq)

    @with_store
    async def test_a_conversation_that_is_deleted_is_reported(self, store: Store) -> None:
        """A deleted conversation is reported, even if it is not the newest; an unknown one is not."""
        await store.commit("old", Journal().begin("a"))
        await store.commit("new", Journal().begin("b"))
        found = store.changes()
        await anext(found)
        await store.forget("old")
        await _until(found, "old", 0)
        await store.forget("nobody")
        await store.commit("new again", Journal().begin("c"))
        async with asyncio.timeout(LONGEST_S):
            assert (await anext(found)).conversation == "new again"

    @with_store
    async def test_every_watcher_gets_every_change(self, store: Store) -> None:
        """Each watcher receives each change, even if another watcher leaves."""
        journal = Journal()
        watchers = [store.changes() for _ in range(3)]
        for watcher in watchers:
            await anext(watcher)
        leaving = asyncio.ensure_future(anext(watchers.pop()))
        await asyncio.sleep(0)
        leaving.cancel()
        await store.commit("one", journal.begin("a"))
        for watcher in watchers:
            await _until(watcher, "one", journal.seq)


class SharedChangesContract:
    """Conformance tests for changes that one process writes and another one watches."""

    @with_two_stores
    async def test_what_one_writes_is_reported_to_the_other(self, one: Store, other: Store) -> None:
        """A write of one process is reported in another, even in the middle of a turn."""
        journal = Journal()
        found = other.changes()
        assert await anext(found) == Change()
        await one.commit("a", journal.begin("b"))
        await _until(found, "a", journal.seq)
        await one.commit("a", journal.open("c"))
        await _until(found, "a", journal.seq)

    @with_two_stores
    async def test_what_one_deletes_is_reported_to_the_other(self, one: Store, other: Store) -> None:
        """A deletion by one process is reported in another, even if that one wrote the conversation."""
        await other.commit("a", Journal().begin("b"))
        await one.commit("c", Journal().begin("d"))
        found = other.changes()
        await anext(found)
        await one.forget("a")
        await _until(found, "a", 0)

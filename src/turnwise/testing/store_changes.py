"""Conformance tests for `Store.changes`: followers learn of every write."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from turnwise.runner.ports import Change, Store
from turnwise.testing.store_support import Journal, with_store, with_two_stores

LONGEST_S = 10.0
"""How long a change may take to be reported."""


async def _until(found: AsyncIterator[Change], conversation: str, seq: int) -> None:
    """Wait for a change of a conversation up to a position, or of all."""
    async with asyncio.timeout(LONGEST_S):
        async for change in found:
            if change.conversation is None or (change.conversation == conversation and change.seq >= seq):
                return


class ChangesContract:
    """Each write is reported after the first change, which is of all conversations."""

    @with_store
    async def test_what_is_written_while_it_is_watched_is_reported(self, store: Store) -> None:
        """By conversation and position; also after the newest conversation was deleted."""
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
    async def test_every_watcher_gets_every_change(self, store: Store) -> None:
        """One that leaves does not disturb the others."""
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
    """What one process writes is reported in the others."""

    @with_two_stores
    async def test_what_one_writes_is_reported_to_the_other(self, one: Store, other: Store) -> None:
        """Also in the middle of a turn."""
        journal = Journal()
        found = other.changes()
        assert await anext(found) == Change()
        await one.commit("a", journal.begin("b"))
        await _until(found, "a", journal.seq)
        await one.commit("a", journal.open("c"))
        await _until(found, "a", journal.seq)

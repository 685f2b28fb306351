"""The contract of `StoreUpkeep`, for stores that `turnwise store` can count, list and vacuum."""

from __future__ import annotations

from turnwise.runner.ports import Store
from turnwise.runner.store_upkeep import StoreUpkeep
from turnwise.testing.store_support import Journal, holds, with_store, written


class UpkeepContract:
    """Conformance tests for stores that implement `StoreUpkeep`, to inherit beside those of the store."""

    @with_store
    async def test_what_is_stored_is_counted_and_listed(self, store: Store) -> None:
        """Conversations are listed in the order of their beginning, with their entries and whether a turn is open."""
        assert isinstance(store, StoreUpkeep)
        assert "://" in store.address
        assert (await store.listed(), (await store.info()).conversations) == ((), 0)
        one, other = Journal(), Journal()
        await written(store, "one", [one.begin("a"), one.turn("b")])
        await written(store, "other", [other.begin("c"), other.open("d")])
        listed = await store.listed()
        assert [(found.conversation, found.is_open) for found in listed] == [("one", False), ("other", True)]
        assert listed[0].entries == one.seq
        info = await store.info()
        assert (info.conversations, info.open_turns, info.erased) == (2, 1, 0)
        assert info.entries == one.seq + other.seq
        assert (info.oldest_ms, info.newest_ms) == (one.entries[0].at_ms, other.entries[-1].at_ms)
        assert sum(info.bytes.values()) == info.file_bytes

    @with_store
    async def test_room_is_released_and_what_stands_stays(self, store: Store) -> None:
        """After a conversation is deleted, `vacuum` releases its space, and the other conversations stay."""
        assert isinstance(store, StoreUpkeep)
        one, other = Journal(), Journal()
        await written(store, "one", [one.begin("x" * 100_000)])
        await written(store, "other", [other.begin("c")])
        await store.forget("one")
        assert await store.vacuum() > 0
        assert [found.conversation for found in await store.listed()] == ["other"]
        await holds(store, "other", other)

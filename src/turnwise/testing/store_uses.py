"""Conformance tests for the counts of uses: what conversations use is counted once, and no longer than they exist."""

from __future__ import annotations

from turnwise.runner.ports import Store
from turnwise.runner.uses import Uncounted, Use, UseCount, Uses
from turnwise.testing.store_support import Journal, with_store, with_two_stores, written

_HOME, _SHOP = Use("node", "home", 1), Use("node", "shop", 1)


def _uses(uncounted: Uncounted, *found: Use, replaces: bool = False) -> Uses:
    counts = {use: found.count(use) for use in found}
    return Uses(uncounted, "fingerprint of talk", 1, counts, replaces)


async def _count(store: Store, *found: Use, replaces: bool = False) -> None:
    """Count the same uses for each conversation with uncounted entries."""
    await store.count_uses([_uses(one, *found, replaces=replaces) for one in await store.uncounted(99)])


class UsesContract:
    """Conformance tests for counts of uses: entries of whole turns are uncounted until their uses are added."""

    @with_store
    async def test_what_has_come_since_is_uncounted(self, store: Store) -> None:
        """Entries after the last count are uncounted, with the state of the count; an open turn is left for later."""
        journal, other = Journal(), Journal("another")
        assert await store.uncounted(9) == ()
        await store.commit("a", journal.open("one"))
        assert await store.uncounted(9) == ()
        await written(store, "a", [journal.end()])
        begun = journal.seq
        assert await store.uncounted(9) == (Uncounted("a", "talk", 0, begun),)
        await _count(store, _HOME)
        assert await store.uncounted(9) == ()
        await written(store, "a", [journal.turn("two")])
        await store.commit("b", other.begin())
        found = {one.conversation: one for one in await store.uncounted(9)}
        assert found["a"] == Uncounted("a", "talk", begun, journal.seq, "fingerprint of talk", 1)
        assert found["b"] == Uncounted("b", "another", 0, other.seq)
        assert len(await store.uncounted(1)) == 1

    @with_store
    async def test_uses_are_summed_by_flow(self, store: Store) -> None:
        """Uses are summed by flow, with the number of conversations; of one kind or of all."""
        one, two, other = Journal(), Journal(), Journal("another")
        for name, journal in (("a", one), ("b", two), ("c", other)):
            await store.commit(name, journal.begin())
        tool = Use("tool", "look", 2)
        await _count(store, _HOME, _HOME, tool)
        await written(store, "a", [one.turn("more")])
        await _count(store, _HOME, _SHOP)
        found = [UseCount(*_HOME, 5, 2), UseCount(*_SHOP, 1, 1), UseCount(*tool, 2, 2)]
        assert sorted(await store.use_counts("talk")) == found
        assert sorted(await store.use_counts("talk", "node")) == found[:2]
        assert sorted(await store.use_counts("another")) == [UseCount(*_HOME, 2, 1), UseCount(*tool, 1, 1)]
        assert await store.use_counts("nothing") == ()

    @with_store
    async def test_what_is_counted_is_not_counted_again(self, store: Store) -> None:
        """Entries are counted once, even if they were read twice; those that came since are counted later."""
        journal = Journal()
        await store.commit("a", journal.begin())
        read = await store.uncounted(9)
        await written(store, "a", [journal.turn("more")])
        for _ in range(2):
            await store.count_uses([_uses(one, _HOME) for one in read])
        assert await store.use_counts("talk") == (UseCount(*_HOME, 1, 1),)
        (rest,) = await store.uncounted(9)
        assert (rest.after, rest.until) == (read[0].until, journal.seq)

    @with_store
    async def test_later_uses_may_replace_earlier_ones(self, store: Store) -> None:
        """Later uses may replace the earlier ones of the same conversation only."""
        one, two = Journal(), Journal()
        await store.commit("a", one.begin())
        await store.commit("b", two.begin())
        await _count(store, _HOME, _SHOP)
        await written(store, "a", [one.turn("more")])
        await _count(store, _HOME, replaces=True)
        assert sorted(await store.use_counts("talk")) == [UseCount(*_HOME, 2, 2), UseCount(*_SHOP, 1, 1)]

    @with_store
    async def test_a_conversation_that_is_deleted_counts_no_longer(self, store: Store) -> None:
        """A deleted conversation no longer counts; a new one of the same name is counted from its beginning."""
        old, new = Journal(), Journal()
        await store.commit("a", old.begin())
        await store.commit("b", Journal().begin())
        await _count(store, _HOME)
        await written(store, "a", [old.turn("more"), old.turn("and more")])
        read = await store.uncounted(9)
        await store.forget("a")
        await store.count_uses([_uses(one, _SHOP) for one in read])
        assert await store.use_counts("talk") == (UseCount(*_HOME, 1, 1),)
        await store.commit("a", new.begin())
        await store.count_uses([_uses(one, _SHOP) for one in read])
        assert await store.uncounted(9) == (Uncounted("a", "talk", 0, new.seq),)
        assert await store.use_counts("talk") == (UseCount(*_HOME, 1, 1),)


class SharedUsesContract:
    """Conformance tests for counts of uses that several processes share."""

    @with_two_stores
    async def test_what_one_counts_the_other_does_not(self, one: Store, other: Store) -> None:
        """Entries that one process counts are not counted by another, even if both read them first."""
        await one.commit("a", Journal().begin())
        await other.commit("b", Journal().begin())
        read = await one.uncounted(9)
        assert await other.uncounted(9) == read
        for store in (one, other):
            await store.count_uses([_uses(uncounted, _HOME) for uncounted in read])
        for store in (one, other):
            assert await store.uncounted(9) == ()
            assert await store.use_counts("talk") == (UseCount(*_HOME, 2, 2),)

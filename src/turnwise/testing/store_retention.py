"""Conformance tests for what a store does not keep: deleted conversations, erased events, trimmed decisions."""

from __future__ import annotations

from turnwise.core.state import Timer
from turnwise.core.state import events as e
from turnwise.core.state.retention import DAY_MS, Retention
from turnwise.errors import Superseded
from turnwise.runner.ports import Store
from turnwise.testing.store_support import NOON_MS, Journal, holds, leads_to, refused, with_store, written


class RetentionContract:
    """Conformance tests for retention: what was deleted or erased is gone, and everything else still works."""

    @with_store
    async def test_a_conversation_is_forgotten_everywhere(self, store: Store) -> None:
        """A deleted conversation leaves no receipts, timers or claim; its name is free, and its open turn is fenced."""
        journal, other, again = Journal(), Journal(), Journal()
        timer = Timer("late", "home", 1, NOON_MS)
        await written(store, "a", [journal.begin(key="k1", timers=[timer]), journal.open("b", "k2")])
        await store.commit("b", other.begin(key="k1"))
        assert await store.forget("a")
        assert (await store.load("a"), await store.entries("a"), await store.claim("a")) == (None, (), None)
        assert (await store.receipt("a", "k1"), await store.next_due("talk")) == (None, None)
        assert (await store.cut_off(), await store.conversations()) == ((), ("b",))
        await refused(store, "a", journal.copy().end(), Superseded)
        await store.commit("a", again.begin())
        await store.commit("a", again.turn("c"))
        await store.commit("a", again.open("d"))
        assert journal.seq < again.seq
        while journal.seq < again.seq:
            journal.go_on("to the same position")
        await refused(store, "a", journal.end(), Superseded)
        await store.commit("a", again.end())
        await holds(store, "a", again)
        await holds(store, "b", other)

    @with_store
    async def test_the_words_of_closed_scopes_are_erased_when_their_time_is_over(self, store: Store) -> None:
        """The words of closed scopes are erased once when due, of one conversation or of all; all else stays."""
        one, other = Journal(), Journal()
        await written(store, "a", [one.begin(), one.scope("rhubarb", 2 * DAY_MS), one.scope("gooseberry", 0)])
        await written(store, "b", [other.begin(), other.scope("vinegar", 0)])
        assert await store.erase_words(NOON_MS, "a") == 1
        assert "rhubarb" in str(await store.entries("a"))
        assert "gooseberry" not in str(await store.entries("a"))
        assert "vinegar" in str(await store.entries("b"))
        assert await store.erase_words(NOON_MS + DAY_MS) == 1
        assert "vinegar" not in str(await store.entries("b"))
        await store.retain(Retention(), NOON_MS + 3 * DAY_MS)
        entries = await store.entries("a")
        assert "rhubarb" not in str(entries)
        assert [one.seq for one in entries] == [*range(1, len(entries) + 1)]
        assert str(entries).count("and back") == str(entries).count("it was a quiz") == 2
        await leads_to(store, "a", one.state)
        assert await store.erase_words(NOON_MS + 9 * DAY_MS) == 0

    @with_store
    async def test_old_events_are_erased_and_their_positions_stay(self, store: Store) -> None:
        """Old events are erased up to the end of a turn; positions stay, and a snapshot there gives the same state."""
        journal = Journal()
        commits = [journal.begin("zero", "k1")]
        for journal.day in range(1, 10):
            commits.append(journal.turn(f"day {journal.day}", f"day {journal.day}"))
        await written(store, "a", commits)
        steps: list[tuple[int, int]] = []
        week, now_ms = Retention(events_days=5), NOON_MS + 9 * DAY_MS
        erased, _ = await store.retain(week, now_ms, lambda done, of: steps.append((done, of)))
        assert steps[-1] == (1, 1)
        entries = await store.entries("a")
        old = [one for one in journal.entries if one.at_ms < NOON_MS + 4 * DAY_MS]
        assert [one.seq for one in entries] == [one.seq for one in journal.entries]
        assert erased == len(old) - 1
        assert all(isinstance(one.event, e.Erased) for one in entries[:erased])
        noted = {one.turn: one.event.by for one in entries if isinstance(one.event, e.Erased | e.Snapshot)}
        assert set(noted.values()) == {e.Erasure(now_ms, 5)}, "each turn says when it was erased, and by which rule"
        assert entries[len(old) - 1] == await store.snapshot("a", len(old))
        assert entries[len(old) :] == journal.entries[len(old) :]
        await leads_to(store, "a", journal.state)
        assert [await store.receipt("a", key) is None for key in ("k1", "day 3", "day 4")] == [True, True, False]
        assert await store.retain(week, now_ms) == (0, 0)
        await store.commit("a", journal.turn("it goes on"))
        await leads_to(store, "a", journal.state)

    @with_store
    async def test_what_is_recorded_long_after_a_turn_does_not_keep_its_events(self, store: Store) -> None:
        """A later note about an old turn does not keep its events; once the note is old too, it is erased."""
        journal = Journal()
        commits = [journal.begin("zero", "k1")]
        journal.day = 8
        commits.append(journal.note(e.EventRefused("said", "message_empty", "no text")))
        await written(store, "a", commits)
        week = Retention(events_days=5)
        assert await store.retain(week, NOON_MS + 9 * DAY_MS) == (len(journal.entries) - 2, 0)
        *old, ended, noted = await store.entries("a")
        assert all(isinstance(one.event, e.Erased) for one in old)
        assert (type(ended.event), noted) == (e.Snapshot, journal.entries[-1])
        assert await store.receipt("a", "k1") is None
        await leads_to(store, "a", journal.state)
        assert await store.retain(week, NOON_MS + 9 * DAY_MS) == (0, 0)
        await store.commit("a", journal.turn("it goes on"))
        journal.day = 20
        await store.commit("a", journal.turn("and on"))
        await store.retain(week, NOON_MS + 20 * DAY_MS)
        entries = await store.entries("a")
        assert [type(one.event) for one in entries[: len(old) + 2]] == [e.Erased] * (len(old) + 2)
        await leads_to(store, "a", journal.state)

    @with_store
    async def test_what_old_decisions_read_is_trimmed(self, store: Store) -> None:
        """What old decisions read is erased; the outcomes of the decisions stay."""
        journal = Journal()
        commits = [journal.begin("zero")]
        for journal.day in range(1, 6):
            commits.append(journal.turn(f"day {journal.day}"))
        await written(store, "a", commits)
        assert await store.retain(Retention(decisions_days=2), NOON_MS + 5 * DAY_MS) == (0, 3)
        decided = [one.event for one in await store.entries("a") if isinstance(one.event, e.Decided)]
        assert [bool(one.reads) for one in decided] == [False, False, False, True, True, True]
        assert {(one.node, one.moment, one.outcomes) for one in decided} == {("home", "before", "f")}
        assert await store.retain(Retention(decisions_days=2), NOON_MS + 5 * DAY_MS) == (0, 0)
        await leads_to(store, "a", journal.state)

    @with_store
    async def test_a_turn_that_is_under_way_is_not_erased(self, store: Store) -> None:
        """An open turn is not erased, however old it is; all turns before it are erased."""
        journal = Journal()
        await written(store, "a", [journal.begin(), journal.turn("b"), journal.open("c", "key")])
        await store.retain(Retention(events_days=1, decisions_days=1), NOON_MS + 9 * DAY_MS)
        entries = await store.entries("a")
        assert entries[-1] == journal.entries[-1]
        assert isinstance(entries[-2].event, e.Snapshot)
        await leads_to(store, "a", journal.state)
        await store.commit("a", journal.end())
        await leads_to(store, "a", journal.state)

    @with_store
    async def test_a_version_of_a_flow_has_a_retention_of_its_own(self, store: Store) -> None:
        """The smaller number of days holds, of a flow version's retention and of the general one.

        Of each kind, for the conversations that are on that version.
        """
        strict, other = Journal("strict"), Journal()
        for journal, name in ((strict, "a"), (other, "b")):
            commits = [journal.begin("zero")]
            for journal.day in range(1, 6):
                commits.append(journal.turn(f"day {journal.day}"))
            await written(store, name, commits)
        own = Retention(events_days=2, decisions_days=99)
        retention = Retention(decisions_days=4, versions={"fingerprint of strict": own})
        erased, trimmed = await store.retain(retention, NOON_MS + 5 * DAY_MS)
        assert erased > 0
        assert trimmed == 1, "the decision of the other one; those of the first are erased"
        texts = [str(await store.entries(name)) for name in "ab"]
        assert ["day 2" in text for text in texts] == [False, True]
        noted = {one.event.by for one in await store.entries("a") if isinstance(one.event, e.Erased | e.Snapshot)}
        assert noted - {None} == {e.Erasure(NOON_MS + 5 * DAY_MS, 2)}, "it names the rule that held"
        assert await store.retain(retention, NOON_MS + 5 * DAY_MS) == (0, 0)
        await leads_to(store, "a", strict.state)
        await leads_to(store, "b", other.state)

    @with_store
    async def test_the_kept_versions_are_listed(self, store: Store) -> None:
        """The stored flow versions are listed once each, however often they were written."""
        for fingerprint in ("one", "two", "one"):
            await store.keep_flow(fingerprint, "{}")
        assert sorted(await store.versions()) == ["one", "two"]

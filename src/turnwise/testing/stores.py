"""The contract of stores as pytest classes, which every store must pass.

    class TestMyStore(SharedStoreContract):
        def open(self, place: Path) -> Store:
            return MyStore(place / "conversations")

`StoreContract` is for stores that no other process can open, `SharedStoreContract` for those that several share.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec.structs import replace

from turnwise.core.state import Timer
from turnwise.core.state import events as e
from turnwise.core.state.schedules import ArmedSchedule, Schedules
from turnwise.errors import Conflict, Superseded
from turnwise.runner.ports import Claim, Receipt, Store
from turnwise.testing.store_changes import ChangesContract, SharedChangesContract
from turnwise.testing.store_retention import RetentionContract
from turnwise.testing.store_search import SearchContract
from turnwise.testing.store_settings import SettingsContract, SharedSettingsContract
from turnwise.testing.store_support import (
    NOON_MS,
    Journal,
    holds,
    leads_to,
    refused,
    result_of,
    with_store,
    with_three_stores,
    with_two_stores,
    written,
)
from turnwise.testing.store_uses import SharedUsesContract, UsesContract

ODD_NAMES = ("", " ", "'; DROP TABLE event; --", "a/b", "%", "ü🙂", "x" * 2000)
"""Names of conversations that a store must keep as they are."""


class StoreContract(RetentionContract, SearchContract, ChangesContract, UsesContract, SettingsContract):
    """The conformance tests that every store must pass."""

    # journals --------------------------------------------------------------------------------

    @with_store
    async def test_what_was_committed_is_there(self, store: Store) -> None:
        """A store returns the entries and state that were committed, separately for each conversation."""
        one, other = Journal(), Journal("another")
        await written(store, "one", [one.begin("a"), one.turn("b")])
        await written(store, "other", [other.begin("c")])
        await holds(store, "one", one)
        await holds(store, "other", other)

    @with_store
    async def test_of_an_unknown_conversation_there_is_nothing(self, store: Store) -> None:
        """An unknown conversation has no entries, state or claim, and reading it does not create it."""
        assert await store.load("x") is None
        assert await store.claim("x") is None
        assert await store.receipt("x", "key") is None
        assert await store.snapshot("x", 10) is None
        assert (await store.entries("x"), await store.turn("x", 1), await store.window("x", 0, 9)) == ((), (), ())
        assert await store.at("x", [1]) == {}
        assert not await store.forget("x")
        assert await store.conversations() == ()

    @with_store
    async def test_positions_have_no_gaps(self, store: Store) -> None:
        """A commit that does not follow the last position is refused, and nothing of it is stored."""
        journal = Journal()
        await store.commit("a", journal.begin())
        old, ahead = journal.copy(), journal.copy()
        ahead.turn("never written")
        ahead.turn("nor this")
        await store.commit("a", journal.turn("one"))
        timer = Timer("late", "home", 1, NOON_MS)
        await refused(store, "a", old.turn("the same position", "key", timers=[timer]))
        await refused(store, "a", ahead.turn("a position too far", "key"))
        await holds(store, "a", journal)
        assert await store.receipt("a", "key") is None
        assert await store.next_due(journal.flow) is None

    @with_store
    async def test_commits_are_written_in_the_order_in_which_they_were_queued(self, store: Store) -> None:
        """Commits are written in the order in which they were queued, even if no caller waits for each."""
        journals = {f"c{number}": Journal() for number in range(20)}
        for name, journal in journals.items():
            steps = [journal.begin(), journal.open("a", "key"), journal.go_on("b"), journal.end(), journal.turn("c")]
            queued = [store.commit(name, commit) for commit in steps]
            await queued[-1]
            for writing in queued:
                await writing
        for name, journal in journals.items():
            await holds(store, name, journal)

    @with_store
    async def test_after_one_that_failed_the_rest_of_its_turn_fails(self, store: Store) -> None:
        """After a commit that failed, the later commits of its turn fail, so that no turn has a gap."""
        journal = Journal()
        await store.commit("a", journal.begin())
        late = journal.copy()
        await store.commit("a", journal.turn("first"))
        queued = [store.commit("a", commit) for commit in (late.open("b", "key"), late.go_on("c"), late.end())]
        results = await asyncio.gather(*map(result_of, queued))
        assert [type(one) for one in results] == [Conflict, Superseded, Superseded]
        await holds(store, "a", journal)

    @with_store
    async def test_one_of_several_at_once_is_written(self, store: Store) -> None:
        """Of several commits for the same position, the first one is written and the others are refused."""
        journal = Journal()
        await store.commit("a", journal.begin())
        rivals = [journal.copy() for _ in range(5)]
        queued = [store.commit("a", rival.turn(f"rival {n}")) for n, rival in enumerate(rivals)]
        results = await asyncio.gather(*map(result_of, queued))
        assert [type(one) for one in results].count(Conflict) == 4
        await holds(store, "a", rivals[results.index(None)])

    @with_store
    async def test_any_text_is_a_name(self, store: Store) -> None:
        """Any text can be the name of a conversation, and conversations with similar names are kept apart."""
        journals = {name: Journal() for name in ODD_NAMES}
        for name, journal in journals.items():
            await store.commit(name, journal.begin(f"I am {name} \x00 \u2028", f"key {name}"))
        assert await store.conversations() == ODD_NAMES
        assert await store.conversations(2) == ODD_NAMES[:2]
        for name, journal in journals.items():
            await holds(store, name, journal)

    @with_store
    async def test_long_journals_are_read_in_parts(self, store: Store) -> None:
        """A long journal can be read in parts, which together are the whole journal."""
        journal = Journal()
        await written(store, "a", [journal.begin(), *(journal.turn(f"message {n}") for n in range(500))])
        pages: list[e.Entry] = []
        while page := await store.entries("a", len(pages), len(pages) + 300):
            assert len(page) <= 300
            pages += page
        assert tuple(pages) == journal.entries
        assert await store.turn("a", 400) == tuple(one for one in journal.entries if one.turn == 400)

    @with_store
    async def test_entries_are_found_by_position_turn_and_kind(self, store: Store) -> None:
        """Entries are found by position, turn and kind: `entries`, `turn`, `at`, `snapshot` and `window`."""
        journal = Journal()
        await written(store, "a", [journal.begin("zero"), journal.turn("one"), journal.snapshot(), journal.turn("two")])
        all_ = journal.entries
        assert await store.entries("a", 3, 7) == all_[3:7]
        assert await store.entries("a", 7) == all_[7:]
        assert [await store.turn("a", n) for n in (0, 2, 9)] == [(), tuple(x for x in all_ if x.turn == 2), ()]
        assert await store.at("a", [2, 99, 5, 0, 2]) == {2: all_[1], 5: all_[4]}
        kept = next(entry for entry in all_ if isinstance(entry.event, e.Snapshot))
        found = [await store.snapshot("a", until) for until in (kept.seq - 1, kept.seq, len(all_))]
        assert found == [None, kept, kept]
        said = [entry for entry in all_ if isinstance(entry.event, e.UserSaid | e.Said | e.UserChose)]
        assert await store.window("a", 0, 3) == tuple(said[-3:])
        assert await store.window("a", said[-2].seq, 9) == (said[-1],)
        assert await store.window("a", 0, 99) == tuple(said)

    @with_store
    async def test_a_window_has_the_lines_of_one_frame(self, store: Store) -> None:
        """A window has the last lines of one frame, without those of frames inside it or beside it.

        However many there are; what an undo led back into is left out too.
        """
        journal = Journal()
        await written(store, "a", [journal.begin("zero"), journal.turn("outside")])
        opened = journal.seq
        await written(store, "a", [journal.turn(f"inside {n}", frame=opened) for n in range(20)])
        nested = journal.seq
        await written(store, "a", [journal.turn(f"deeper {n}", frame=nested) for n in range(5)])
        await written(store, "a", [journal.turn("inside again", frame=opened), journal.turn("outside again")])
        await written(store, "a", [journal.undo(), journal.turn("back inside", frame=opened), journal.turn("the end")])
        said = [entry for entry in journal.entries if isinstance(entry.event, e.UserSaid | e.Said)]
        for frame in (0, opened, nested):
            lines = tuple([entry for entry in said if entry.frame == frame])
            assert lines
            for limit in (1, 3, 4, 9, 99):
                assert await store.window("a", 0, limit, frame) == lines[-limit:], (frame, limit)
            assert await store.window("a", lines[-2].seq, 99, frame) == lines[-1:]
        assert await store.window("a", 0, 99) == tuple(said)
        assert await store.entries("a") == journal.entries

    # timers and flows ------------------------------------------------------------------------

    @with_store
    async def test_timers_are_those_of_the_last_turn(self, store: Store) -> None:
        """Due timers are those of the last whole turn, in order and by flow; an open turn does not change them."""
        soon, later = Timer("soon", "home", 1, NOON_MS + 10), Timer("later", "home", 1, NOON_MS + 20)
        journal, second, stranger = Journal(), Journal(), Journal("another")
        await store.commit("a", journal.begin(timers=[later, soon]))
        await store.commit("b", second.begin(timers=[Timer("between", "home", 1, NOON_MS + 15)]))
        await store.commit("c", stranger.begin(timers=[Timer("first", "home", 1, NOON_MS)]))
        due = [(one.conversation, one.timer.transition) for one in await store.due("talk", NOON_MS + 20, 9)]
        assert due == [("a", "soon"), ("b", "between"), ("a", "later")]
        assert [one.timer for one in await store.due("talk", NOON_MS + 19, 1)] == [soon]
        assert await store.due("talk", NOON_MS + 9, 9) == ()
        assert [await store.next_due(flow) for flow in ("talk", "another", "none")] == [NOON_MS + 10, NOON_MS, None]
        await store.commit("a", journal.open("b"))
        assert await store.next_due("talk") == NOON_MS + 10
        await store.commit("a", journal.end(timers=[later]))
        assert await store.next_due("talk") == NOON_MS + 15

    @with_store
    async def test_versions_of_a_flow_may_be_left_out(self, store: Store) -> None:
        """Timers of excluded flow versions are not returned, since a runner may not be able to run them."""
        old, new = Journal(), Journal(version="2")
        await store.commit("a", old.begin(timers=[Timer("soon", "home", 1, NOON_MS)]))
        await store.commit("b", new.begin(timers=[Timer("later", "home", 1, NOON_MS + 10)]))
        found: list[tuple[list[str], int | None]] = []
        for without in ((), (old.known.fingerprint,), [new.known.fingerprint, "unknown"], {new.known.fingerprint: 1}):
            due = await store.due("talk", NOON_MS + 10, 9, without)
            found.append(([one.conversation for one in due], await store.next_due("talk", without)))
        rest = (["a"], NOON_MS)
        assert found == [(["a", "b"], NOON_MS), (["b"], NOON_MS + 10), rest, rest]
        both = (old.known.fingerprint, new.known.fingerprint)
        assert (await store.due("talk", NOON_MS + 10, 9, both), await store.next_due("talk", both)) == ((), None)

    @with_store
    async def test_schedules_are_among_the_timers(self, store: Store) -> None:
        """An armed schedule is due like a timer; one that is held is not."""
        journal = Journal()
        begun = journal.begin(timers=[Timer("soon", "home", 1, NOON_MS + 10)])
        assert begun.state is not None
        armed = (ArmedSchedule("weekly", NOON_MS + 5, NOON_MS + 5, "", 3), ArmedSchedule("held", NOON_MS, 0, "scope"))
        state = replace(begun.state, schedules=Schedules("UTC", NOON_MS, armed))
        await store.commit("a", replace(begun, state=state))
        due = await store.due("talk", NOON_MS + 20, 9)
        assert [(one.timer.transition, one.timer.fired) for one in due] == [("schedule weekly", 3), ("soon", 0)]
        assert await store.next_due("talk") == NOON_MS + 5
        assert await store.load("a") == state

    @with_store
    async def test_the_queue_has_the_conversations_with_a_person(self, store: Store) -> None:
        """The queue has the conversations that wait for a person or have one in charge, in order of beginning.

        As of their last turn.
        """
        first, second, third = Journal(), Journal("another"), Journal()
        assert await store.queue() == ()
        await written(store, "a", [first.begin(), first.awaits("desk")])
        await written(store, "b", [second.begin(), second.awaits("", "Lena")])
        await written(store, "c", [third.begin(), third.turn("nobody is asked for")])
        found = await store.queue()
        seen = [(one.conversation, one.flow, one.node, one.person.queue, one.person.operator) for one in found]
        assert seen == [("a", "talk", "home", "desk", ""), ("b", "another", "home", "", "Lena")]
        assert found[0].person == first.known.person
        await written(store, "a", [first.awaits("desk", "Max"), first.gives_back()])
        assert [one.conversation for one in await store.queue()] == ["b"]

    @with_store
    async def test_flows_are_kept_by_their_fingerprint(self, store: Store) -> None:
        """A flow of any length is stored under its fingerprint, and can be stored again."""
        for document in ("{}", "ü" * 100_000):
            fingerprint = f"of {len(document)}"
            await store.keep_flow(fingerprint, document)
            await store.keep_flow(fingerprint, document)
            assert await store.flow(fingerprint) == document
        assert await store.flow("unknown") is None


class SharedStoreContract(StoreContract, SharedChangesContract, SharedUsesContract, SharedSettingsContract):
    """Further conformance tests for a store that several processes share."""

    @with_two_stores
    async def test_both_see_what_one_has_written(self, one: Store, other: Store) -> None:
        """Each of two stores sees at once what the other one has written, and both can write alternately."""
        journal = Journal()
        await one.commit("a", journal.begin(key="key"))
        for store, second in [(one, other), (other, one)] * 5:
            await holds(second, "a", journal)
            await store.commit("a", journal.turn("b"))
        await holds(other, "a", journal)
        assert await other.receipt("a", "key") == Receipt("key", "body of key", 1)

    @with_two_stores
    async def test_of_two_at_once_one_is_written(self, one: Store, other: Store) -> None:
        """Of two commits for the same position, one is written and the other raises `Conflict`."""
        journal = Journal()
        await one.commit("a", journal.begin())
        for number in range(30):
            mine, theirs = journal.copy(), journal.copy()
            queued = one.commit("a", mine.turn(f"mine {number}")), other.commit("a", theirs.turn(f"theirs {number}"))
            results = await asyncio.gather(*map(result_of, queued))
            assert sorted(type(result).__name__ for result in results) == ["Conflict", "NoneType"]
            journal = (mine, theirs)[results.index(None)]
        await holds(one, "a", journal)
        await holds(other, "a", journal)

    @with_two_stores
    async def test_the_other_sees_a_claim_and_takes_it_when_its_owner_has_ended(self, one: Store, other: Store) -> None:
        """A second store sees a claim, and can take over the turn only when the owner has ended.

        Not before, even if it found the owner dead: that may have been suspended, and be about to make a call.
        """
        journal = Journal()
        await written(one, "a", [journal.begin(), journal.open("b")])
        assert await other.claim("a") == Claim(is_mine=False, is_alive=True)
        assert await other.cut_off() == ()
        await refused(other, "a", journal.copy().go_on("not yours"), Superseded)
        await refused(other, "a", journal.copy().take_over())
        assert (await one.holds("a", journal.fence), await other.holds("a", journal.fence)) == (True, False)
        await one.close()
        await other.commit("a", journal.take_over())
        assert await other.holds("a", journal.fence)
        await other.commit("a", journal.end())
        await holds(other, "a", journal)

    @with_two_stores
    async def test_the_other_forgets_a_conversation_under_way(self, one: Store, other: Store) -> None:
        """If another store deletes a conversation with an open turn, the turn's commits are refused."""
        journal = Journal()
        await written(one, "a", [journal.begin(), journal.open("b")])
        assert await other.forget("a")
        await refused(one, "a", journal.end(), Superseded)
        assert await one.conversations() == ()

    @with_two_stores
    async def test_what_is_due_is_given_to_one(self, one: Store, other: Store) -> None:
        """A due timer is given to one store as long as that lives; the other one gets the remaining timers.

        Also where both ask at once.
        """
        for number in range(9):
            await one.commit(f"c{number}", Journal().begin(timers=[Timer("soon", "home", 1, NOON_MS + number)]))
        await other.commit("another", Journal().begin())

        async def due(store: Store, limit: int) -> list[str]:
            return [one.conversation for one in await store.due("talk", NOON_MS + 9, limit)]

        found = [await due(store, limit) for store, limit in ((one, 2), (other, 2), (one, 3))]
        assert found == [["c0", "c1"], ["c2", "c3"], ["c0", "c1", "c4"]]
        both = await asyncio.gather(due(one, 9), due(other, 9))
        assert sorted([*both[0], *both[1]]) == [f"c{number}" for number in range(9)]
        assert (await due(one, 9), await due(other, 9)) == tuple(both)
        await one.close()
        assert await due(other, 9) == [f"c{number}" for number in range(9)]

    @with_three_stores
    async def test_a_turn_that_was_cut_off_is_given_to_one(self, dead: Store, one: Store, other: Store) -> None:
        """A turn that was cut off is given to one store for recovery, as long as that lives."""
        journal = Journal()
        await written(dead, "a", [journal.begin(), journal.open("b")])
        await dead.close()
        found = await asyncio.gather(one.cut_off(), other.cut_off())
        assert sorted(found) == [(), ("a",)]
        first, second = (one, other) if found[0] else (other, one)
        assert (await first.cut_off(), await second.cut_off()) == (("a",), ())
        await first.close()
        assert await second.cut_off(without=("a", "b")) == (), "it is left to others"
        assert await second.cut_off(without=("b",)) == ("a",)

    def test_all_is_there_when_it_is_opened_again(self, tmp_path: Path) -> None:
        """A reopened store has all its data, and a turn that was open when it was closed counts as cut off."""
        asyncio.run(self._opened_again(tmp_path))

    async def _opened_again(self, place: Path) -> None:
        whole, cut = Journal(), Journal()
        store = self.open(place)
        await store.keep_flow("f", "{}")
        await store.commit("whole", whole.begin(key="key", timers=[Timer("late", "home", 1, NOON_MS)]))
        store.commit("whole", whole.turn("nobody waits for this"))
        await written(store, "cut", [cut.begin(), cut.open("b")])
        await store.close()
        store = self.open(place)
        await holds(store, "whole", whole)
        await leads_to(store, "cut", cut.state)
        assert await store.claim("cut") == Claim(is_mine=False, is_alive=False)
        assert await store.cut_off() == ("cut",)
        assert await store.flow("f") == "{}"
        assert await store.receipt("whole", "key") == Receipt("key", "body of key", 1)
        await written(store, "cut", [cut.take_over(), cut.end()])
        await holds(store, "cut", cut)
        await store.close()

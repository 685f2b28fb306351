"""The part of the contract of stores that is about the outbox: in order, sent by one process, deleted with words."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.state.retention import DAY_MS, Retention
from turnwise.errors import Conflict
from turnwise.runner.outbox_port import DeliveryQuery, HasOutbox, Outbox, Settlement
from turnwise.runner.ports import Store
from turnwise.testing.store_support import NOON_MS, Journal, result_of, with_store

LONGEST_PAUSE_MS = 3_600_000
"""For how long the tests take deliveries, in milliseconds: an hour."""
_ALL = DeliveryQuery()


async def _queued(store: Store, name: str, *ids: str) -> Journal:
    """Write a conversation with a turn for each delivery."""
    journal = Journal()
    await store.commit(name, journal.begin())
    for one in ids:
        await store.commit(name, replace(journal.turn(one), delivery=one))
    return journal


def _outbox(store: Store) -> Outbox:
    assert isinstance(store, HasOutbox), "a store that keeps deliveries has an outbox"
    return store.outbox


async def _take(store: Store, at_ms: int = NOON_MS) -> list[tuple[str, int]]:
    return [(one.id, one.attempts) for one in await _outbox(store).take("talk", at_ms, LONGEST_PAUSE_MS, 10)]


class OutboxContract:
    """Conformance tests for every store that keeps deliveries."""

    @with_store
    async def test_a_delivery_is_written_with_its_turn_or_not_at_all(self, store: Store) -> None:
        """A delivery is written in the same transaction as its turn, or not at all."""
        journal = await _queued(store, "a", "one")
        late = Journal.copy(journal)
        await store.commit("a", journal.turn("first"))
        refused = await result_of(store.commit("a", replace(late.turn("second"), delivery="two")))
        assert type(refused) is Conflict
        (row,) = await _outbox(store).find(_ALL)
        assert (row.id, row.conversation, row.flow, row.turn, row.status) == ("one", "a", "talk", 2, "waiting")
        assert (row.at_ms, row.due_ms, row.since_ms, row.attempts) == (NOON_MS, NOON_MS, NOON_MS, 0)

    @with_store
    async def test_only_the_oldest_of_a_conversation_is_due(self, store: Store) -> None:
        """Only the oldest delivery of a conversation is due; the next one when that is delivered or given up."""
        await _queued(store, "a", "a1", "a2", "a3")
        await _queued(store, "b", "b1")
        outbox = _outbox(store)
        assert await _take(store, NOON_MS - 1) == []
        assert await _take(store) == [("a1", 1), ("b1", 1)]
        assert await _take(store) == []
        assert await outbox.settle(Settlement("a1", 1, "waiting", NOON_MS, NOON_MS + 50, "away"))
        assert (await _take(store), await outbox.next_due("talk")) == ([], NOON_MS + 50)
        assert await _take(store, NOON_MS + 50) == [("a1", 2)]
        assert await outbox.settle(Settlement("a1", 2, "failed", NOON_MS, None, "gone"))
        assert await _take(store) == [("a2", 1)]
        assert await outbox.settle(Settlement("a2", 1, "delivered", NOON_MS))
        assert await _take(store) == [("a3", 1)]
        assert await outbox.queued("a", (1, 2, 3, 4)) == {3, 4}

    @with_store
    async def test_open_ones_are_counted_by_flow_and_up_to_a_number(self, store: Store) -> None:
        """Waiting and sending deliveries are counted by flow, up to a number; finished ones are not."""
        await _queued(store, "a", "a1", "a2", "a3")
        await _queued(store, "b", "b1")
        outbox = _outbox(store)
        await _take(store)
        assert [await outbox.count_open("talk", most) for most in (0, 3, 100)] == [0, 3, 4]
        assert await outbox.count_open("other", 100) == 0
        assert await outbox.settle(Settlement("b1", 1, "failed", NOON_MS, None, "gone"))
        assert await outbox.settle(Settlement("a1", 1, "delivered", NOON_MS))
        assert await outbox.count_open("talk", 100) == 2

    @with_store
    async def test_what_is_sent_is_not_taken_again_whatever_the_clock_does(self, store: Store) -> None:
        """A delivery that is being sent is not taken again while its process is alive, whatever the clock does."""
        await _queued(store, "a", "one")
        assert await _take(store) == [("one", 1)]
        for at_ms in (NOON_MS + 1, NOON_MS + 10 * DAY_MS, NOON_MS - DAY_MS):
            assert await _take(store, at_ms) == []
        outbox = _outbox(store)
        (row,) = await outbox.find(_ALL)
        assert (row.status, row.due_ms, await outbox.next_due("talk")) == ("sending", None, None)
        assert await outbox.settle(Settlement("one", 1, "delivered", NOON_MS))

    @with_store
    async def test_an_earlier_attempt_settles_nothing(self, store: Store) -> None:
        """Only the latest attempt can settle a delivery, and only once."""
        await _queued(store, "a", "one")
        outbox = _outbox(store)
        await _take(store)
        assert await outbox.settle(Settlement("one", 1, "waiting", NOON_MS, NOON_MS, "away"))
        assert await _take(store) == [("one", 2)]
        assert not await outbox.settle(Settlement("one", 1, "delivered", NOON_MS))
        assert await outbox.settle(Settlement("one", 2, "delivered", NOON_MS))
        assert not await outbox.settle(Settlement("one", 2, "failed", NOON_MS))
        assert not await outbox.settle(Settlement("unknown", 1, "failed", NOON_MS))

    @with_store
    async def test_one_that_is_due_too_far_away_is_due_now(self, store: Store) -> None:
        """A delivery whose pause is too long, because the clock was wrong, is due at once."""
        await _queued(store, "a", "a1", "a2")
        await _queued(store, "b", "b1")
        await _take(store)
        outbox, later_ms = _outbox(store), NOON_MS + LONGEST_PAUSE_MS
        await outbox.settle(Settlement("a1", 1, "waiting", NOON_MS, later_ms + 1, "away"))
        await outbox.settle(Settlement("b1", 1, "waiting", NOON_MS, later_ms, "away"))
        assert await _take(store, NOON_MS + 2) == []
        assert await _take(store) == [("a1", 2)]

    @with_store
    async def test_a_failed_one_is_sent_again_in_its_turn(self, store: Store) -> None:
        """A failed delivery that is sent again is due at once, or next after the open one of its conversation."""
        await _queued(store, "a", "a1", "a2", "a3")
        outbox = _outbox(store)
        await _take(store)
        assert (await outbox.send_again("a1", NOON_MS)) == (await outbox.get("a1")), "one that is sent stays as it is"
        await outbox.settle(Settlement("a1", 1, "failed", NOON_MS, None, "gone"))
        await _take(store)
        again = await outbox.send_again("a1", NOON_MS + 9)
        assert again is not None
        assert (again.status, again.attempts, again.due_ms, again.since_ms) == ("waiting", 0, None, NOON_MS + 9)
        await outbox.settle(Settlement("a2", 1, "delivered", NOON_MS))
        assert await _take(store) == [("a1", 1)]
        assert await outbox.send_again("unknown", NOON_MS) is None

    @with_store
    async def test_lists_are_by_conversation_status_and_page(self, store: Store) -> None:
        """Deliveries are listed by conversation, status and page, the oldest first."""
        await _queued(store, "a", "a1", "a2")
        await _queued(store, "b", "b1")
        outbox = _outbox(store)
        await _take(store)
        queries = [
            _ALL,
            DeliveryQuery("a"),
            DeliveryQuery(status="sending"),
            DeliveryQuery(flow="other"),
            DeliveryQuery("a", turn=3),
        ]
        found = [[one.id for one in await outbox.find(query)] for query in queries]
        assert found == [["a1", "a2", "b1"], ["a1", "a2"], ["a1", "b1"], [], ["a2"]]
        (first,) = await outbox.find(DeliveryQuery(limit=1))
        assert [one.id for one in await outbox.find(DeliveryQuery(after=first.number))] == ["a2", "b1"]

    @with_store
    async def test_deliveries_go_with_their_words(self, store: Store) -> None:
        """A delivery is removed when its conversation is deleted or its turn is erased."""
        journal = await _queued(store, "a", "old")
        journal.day = 9
        await store.commit("a", replace(journal.turn("later"), delivery="new"))
        await _queued(store, "b", "b1")
        await store.retain(Retention(events_days=5), NOON_MS + 10 * DAY_MS)
        outbox = _outbox(store)
        assert [one.id for one in await outbox.find(_ALL)] == ["new"]
        assert await _take(store, NOON_MS + 10 * DAY_MS) == [("new", 1)]
        await store.forget("a")
        assert await outbox.find(_ALL) == ()
        assert not await outbox.settle(Settlement("new", 1, "delivered", NOON_MS))

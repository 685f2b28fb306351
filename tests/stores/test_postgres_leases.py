"""The lease of a replica on PostgreSQL: what it may still do after it stood still, and what others may do meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import turnwise as tw
from support.chats import machine_of
from support.durable.running import run
from support.postgres import server
from turnwise.api.open import open as open_flow
from turnwise.errors import StoreUnavailable
from turnwise.runner.ports import Claim
from turnwise.stores.postgres import PostgresStore
from turnwise.stores.postgres.connect import connect
from turnwise.stores.postgres.lease import Lease
from turnwise.testing.store_support import Journal, holds, refused, written

FLOW = """
    flow: paying
    start: a
    records: {bill: {receipt: string}}
    tools: {pay: {about: pay, kind: effect}}
    nodes:
      a: {tool: {name: pay, into: bill.receipt}, transitions: [{to: c}]}
      c: {say: Paid., end: done}
"""


@pytest.fixture
def address() -> str:
    return server().fresh() + "&dead_after=400ms"


@contextmanager
def standing_still(store: PostgresStore) -> Iterator[None]:
    """No heartbeat of a replica reaches the database, as if the process were suspended."""
    process = store.process
    process._beat = lambda *_: True  # type: ignore[method-assign]
    try:
        yield
    finally:
        del process._beat  # type: ignore[method-assign]


async def taken_for_dead(other: PostgresStore, conversation: str = "a") -> None:
    while await other.claim(conversation) != Claim(is_mine=False, is_alive=False):
        await asyncio.sleep(0.02)


@pytest.mark.law("4.5")
def test_a_replica_that_stood_still_before_a_call_leaves_it_to_the_one_that_took_over_its_turn(address: str) -> None:
    async def play() -> None:
        calls: list[str] = []

        def app_of(store: PostgresStore, name: str):  # type: ignore[no-untyped-def]
            @tw.tool(kind="effect")
            def pay(call: tw.ToolCall) -> str:
                """Pay."""
                calls.append(f"{name} {call.key}")
                return name

            return open_flow(machine_of(FLOW), store=store, tools=[pay])

        one, other = PostgresStore(address), PostgresStore(address)
        theirs = app_of(other, "other")
        confirmed = one.holds

        async def late(conversation: str, fence: int) -> bool:
            """The process stands still here, and its heartbeat goes on before the turn does."""
            with standing_still(one):
                await taken_for_dead(other)
                await theirs.runtime.engine.recover(waits=True)
            while not one.process.lease.term:
                await asyncio.sleep(0.01)
            return await confirmed(conversation, fence)

        one.holds = late  # type: ignore[method-assign]
        mine = app_of(one, "one")
        turn = await mine.chat("a").say("hello")
        assert calls == ["other a/1.1"]
        assert (turn.text, turn.status, turn.refused) == ("Paid.", "ended", None)
        await mine.close()
        await theirs.close()

    run(play())


def test_a_replica_that_came_back_keeps_a_turn_that_another_one_was_about_to_take_over(address: str) -> None:
    async def play() -> None:
        one, other = PostgresStore(address), PostgresStore(address)
        journal = Journal()
        await written(one, "a", [journal.begin(), journal.open("b")])
        with standing_still(one):
            await taken_for_dead(other)
        assert await one.holds("a", journal.fence)
        await refused(other, "a", journal.copy().take_over())
        await one.commit("a", journal.end())
        await holds(other, "a", journal)
        await asyncio.gather(one.close(), other.close())

    run(play())


def test_a_lease_is_confirmed_without_a_question_while_it_lasts() -> None:
    async def play() -> None:
        store, journal = PostgresStore(server().fresh()), Journal()
        await written(store, "a", [journal.begin(), journal.open("b")])
        asked = store.reader.round_trips
        for _ in range(10):
            assert await store.holds("a", journal.fence)
        assert store.reader.round_trips == asked
        await store.close()

    run(play())


def test_an_answer_that_comes_later_than_the_lease_confirms_nothing(address: str) -> None:
    async def play() -> None:
        store, journal = PostgresStore(address), Journal()
        await written(store, "a", [journal.begin(), journal.open("b")])
        store.process.lease.lasts_s = 0.0
        store.process.lease._until_s = 0.0
        with pytest.raises(StoreUnavailable, match="it answers later than dead_after"):
            await store.holds("a", journal.fence)
        await store.close()

    run(play())


def test_a_lease_is_renewed_by_several_threads_at_once(address: str) -> None:
    async def play() -> None:
        store, journal = PostgresStore(address), Journal()
        await written(store, "a", [journal.begin(), journal.open("b")])
        found: list[bool] = []

        def renew() -> None:
            with connect(store.process.address) as db:
                found.extend([store.process.renew(db) for _ in range(50)])

        threads = [threading.Thread(target=renew) for _ in range(4)]
        for one in threads:
            one.start()
        await asyncio.to_thread(lambda: [one.join() for one in threads])
        assert found == [True] * 200
        assert store.process.lease.term == 0
        await store.close()

    run(play())


def test_what_was_claimed_in_an_earlier_term_is_not_known() -> None:
    lease = Lease(10)
    lease.record_heartbeat(1e12, has_lapsed=False)
    lease.record_claim("a", 1, lease.term)
    assert (lease.covers("a", 1), lease.covers("a", 2), lease.covers("b", 1)) == (True, False, False)
    term = lease.term
    lease.record_heartbeat(1e12, has_lapsed=True)
    assert not lease.covers("a", 1)
    lease.record_claim("a", 1, term)  # its answer came late
    assert not lease.covers("a", 1)
    lease.record_claim("a", 1, lease.term)
    assert lease.covers("a", 1)
    lease.forget_turn("a")
    assert not lease.covers("a", 1)

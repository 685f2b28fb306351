"""A delivery is sent once unless a process is killed: whatever the clock, the disk, the event loop or the operator does."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.durable.running import run
from turnwise.errors import StoreUnavailable
from turnwise.runner.outbox_port import Settlement
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore

NOON_MS = 1_767_960_000_000
DAY_S = 86_400
FLOW = {
    "flow": "reminder",
    "start": "talk",
    "nodes": {
        "talk": {"say": "Hello.", "transitions": [{"at": "timer", "in": "30m", "to": "later"}]},
        "later": {"say": "Still there?", "transitions": [{"at": "timer", "in": "30m", "to": "last"}]},
        "last": {"say": "I go now."},
    },
}
QUICK = tw.DeliveryRetries(first_pause_s=10, longest_pause_s=60, give_up_after_s=3600, timeout_s=0.3)


@pytest.fixture(params=["memory", "sqlite"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    return lambda: MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "a.db")


class Receiver:
    """Accepts what it gets, and answers when it may."""

    def __init__(self, answer: Callable[[], Awaitable[object]] | None = None) -> None:
        self.got: list[str] = []
        self.reached = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.answer = answer or self.may_answer.wait

    async def __call__(self, delivery: tw.Delivery) -> None:
        self.got.append(delivery.messages[0].text)
        self.reached.set()
        await self.answer()


async def reminded(store: Store, receiver: Any, retries: tw.DeliveryRetries = QUICK) -> tuple[tw.App, tw.ManualClock]:
    """An app with one message that waits to be delivered."""
    clock = tw.ManualClock(NOON_MS)
    app = tw.open(FLOW, store=store, deliver=receiver, clock=clock, delivery_retries=retries)
    await app.chat("ada").say("hi")
    clock.move_s(1800)
    await app.runtime.engine.fire_due()
    return app, clock


async def statuses(app: tw.App) -> list[tuple[str, int]]:
    return [(one.status, one.attempts) for one in await app.deliveries()]


PATIENT = tw.DeliveryRetries(timeout_s=20)


@pytest.mark.law("3.13")
@pytest.mark.parametrize("jump_s", [DAY_S, -DAY_S])
def test_a_clock_that_jumps_repeats_nothing_that_is_being_sent(new_store: Callable[[], Store], jump_s: float) -> None:
    async def play() -> None:
        receiver = Receiver()
        app, clock = await reminded(new_store(), receiver, PATIENT)
        sending = asyncio.create_task(app.tick())
        await receiver.reached.wait()
        clock.set_ms(clock.now_ms() + round(jump_s * 1000))
        assert await app.tick() == int(jump_s > 0), "the next timer is due"
        assert receiver.got == ["Still there?"]
        clock.set_ms(clock.now_ms() - round(jump_s * 1000))
        receiver.may_answer.set()
        await sending
        clock.move_s(2 * DAY_S)
        await app.tick()
        assert (receiver.got, await statuses(app)) == (["Still there?", "I go now."], [("delivered", 1)] * 2)
        await app.close()

    run(play())


def test_a_pause_that_began_a_day_ahead_ends_when_the_clock_is_right_again(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        answers: list[object] = [ConnectionError("away"), None]
        got: list[int] = []

        async def receive(delivery: tw.Delivery) -> None:
            got.append(delivery.attempt)
            if (error := answers[delivery.attempt - 1]) is not None:
                raise ConnectionError(error)

        app, clock = await reminded(new_store(), receive, PATIENT)
        clock.move_s(DAY_S)
        await app.runtime.deliveries.send_due()  # type: ignore[union-attr]
        assert got == [1]
        clock.set_ms(clock.now_ms() - DAY_S * 1000)
        await app.runtime.deliveries.send_due()  # type: ignore[union-attr]
        assert (got, await statuses(app)) == ([1, 2], [("delivered", 2)])
        await app.close()

    run(play())


@pytest.mark.law("3.13")
def test_an_answer_that_came_while_the_event_loop_was_blocked_counts(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        receiver = Receiver(lambda: asyncio.sleep(0.1))
        app, clock = await reminded(new_store(), receiver)
        sending = asyncio.create_task(app.tick())
        await receiver.reached.wait()
        time.sleep(0.6)  # noqa: ASYNC251  blocks the loop for longer than the attempt may take
        await sending
        clock.move_s(60)
        await app.tick()
        assert (receiver.got, await statuses(app)) == (["Still there?"], [("delivered", 1)])
        await app.close()

    run(play())


def test_an_attempt_has_no_more_than_its_time_where_the_event_loop_runs(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        app, _ = await reminded(new_store(), Receiver())
        begun_s = time.monotonic()
        await app.tick()
        assert time.monotonic() - begun_s < 20
        assert [one.error for one in await app.deliveries()] == ["no answer within 0.3 s"]
        await app.close()

    run(play())


@pytest.mark.law("3.13")
def test_an_outcome_that_cannot_be_written_is_written_later(
    new_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        store, receiver = new_store(), Receiver()
        receiver.may_answer.set()
        app, clock = await reminded(store, receiver)
        outbox: Any = store.outbox  # type: ignore[attr-defined]
        settle, failures = outbox.settle, [True, True]

        async def full(settlement: Any) -> bool:
            if failures:
                failures.pop()
                raise StoreUnavailable("a.db", "the disk is full")
            return await settle(settlement)

        monkeypatch.setattr(outbox, "settle", full)
        with pytest.raises(StoreUnavailable):
            await app.tick()
        clock.move_s(DAY_S)
        assert (receiver.got, await statuses(app)) == (["Still there?"], [("sending", 1)])
        await app.tick()
        assert receiver.got == ["Still there?", "I go now."]
        assert await statuses(app) == [("delivered", 1)] * 2
        await app.close()

    run(play())


def test_an_app_that_is_closed_waits_for_the_answers_of_its_receiver(new_store: Callable[[], Store]) -> None:
    """What is broken off may have been accepted, and would come twice."""

    async def play() -> None:
        store, receiver = new_store(), Receiver(lambda: asyncio.sleep(0.2))
        app, _ = await reminded(store, receiver, PATIENT)
        async with app:
            await receiver.reached.wait()
        assert receiver.got == ["Still there?"]
        kept = store if isinstance(store, MemoryStore) else new_store()
        again = tw.open(FLOW, store=kept, deliver=receiver, clock=app.runtime.clock)
        assert await statuses(again) == [("delivered", 1)]
        await again.close()

    run(play())


def test_one_who_does_not_wait_for_the_answers_leaves_them_to_the_next_app(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        store, receiver = new_store(), Receiver()
        app, clock = await reminded(store, receiver, PATIENT)
        await app.__aenter__()
        await receiver.reached.wait()
        closing = asyncio.create_task(app.close())
        await asyncio.sleep(0.05)
        assert not closing.done()
        closing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await closing
        kept = store if isinstance(store, MemoryStore) else new_store()
        again = tw.open(FLOW, store=kept, deliver=receiver, clock=clock)
        assert await statuses(again) == [("waiting", 1)]
        receiver.may_answer.set()
        await again.tick()
        assert (receiver.got, await statuses(again)) == (["Still there?"] * 2, [("delivered", 2)])
        await again.close()

    run(play())


def test_a_tick_that_is_cancelled_breaks_no_attempt_off(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        store, receiver = new_store(), Receiver(lambda: asyncio.sleep(0.2))
        app, clock = await reminded(store, receiver, PATIENT)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(app.tick(), 0.05)
        await app.close()
        kept = store if isinstance(store, MemoryStore) else new_store()
        again = tw.open(FLOW, store=kept, deliver=receiver, clock=clock)
        await again.tick()
        assert (receiver.got, await statuses(again)) == (["Still there?"], [("delivered", 1)])
        await again.close()

    run(play())


def test_a_conversation_that_is_deleted_while_its_message_is_sent_leaves_nothing(
    new_store: Callable[[], Store],
) -> None:
    async def play() -> None:
        receiver = Receiver()
        app, _ = await reminded(new_store(), receiver, PATIENT)
        sending = asyncio.create_task(app.tick())
        await receiver.reached.wait()
        await app.chat("ada").forget()
        receiver.may_answer.set()
        await sending
        assert (receiver.got, await app.deliveries()) == (["Still there?"], ())
        await app.chat("ada").say("hi")
        assert await app.tick() == 0
        await app.close()

    run(play())


@pytest.mark.law("3.13")
def test_what_was_deleted_or_taken_over_before_its_attempt_is_not_sent(
    new_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a process that was suspended between taking a delivery and sending it."""

    async def play() -> None:
        store, receiver = new_store(), Receiver()
        receiver.may_answer.set()
        app, clock = await reminded(store, receiver)
        outbox: Any = store.outbox  # type: ignore[attr-defined]
        take = outbox.take

        async def suspended(*how: Any) -> Any:
            taken = await take(*how)
            for row in taken:
                assert await outbox.settle(Settlement(row.id, row.attempts, "waiting", clock.now_ms(), clock.now_ms()))
            again = await take(*how)
            assert [row.attempts for row in again] == [2] * len(taken)
            return taken

        monkeypatch.setattr(outbox, "take", suspended)
        await app.runtime.deliveries._begin()  # type: ignore[union-attr]
        await asyncio.sleep(0.05)
        assert (receiver.got, await statuses(app)) == ([], [("sending", 2)])
        await app.close()

    run(play())


def test_what_was_taken_for_a_loop_that_is_cancelled_is_given_back(
    new_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        store, receiver = new_store(), Receiver()
        receiver.may_answer.set()
        app, _ = await reminded(store, receiver)
        outbox: Any = store.outbox  # type: ignore[attr-defined]
        take, taken = outbox.take, asyncio.Event()

        async def slow(*how: Any) -> Any:
            rows = await take(*how)
            taken.set()
            await asyncio.sleep(0.05)
            return rows

        monkeypatch.setattr(outbox, "take", slow)
        assert app.runtime.deliveries is not None
        running = asyncio.create_task(app.runtime.deliveries.run())
        await taken.wait()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        assert (receiver.got, await statuses(app)) == ([], [("waiting", 1)])
        await app.close()

    run(play())


def test_attempts_of_a_closed_event_loop_are_begun_again(tmp_path: Path) -> None:
    receivers: list[Receiver] = []

    async def receive(delivery: tw.Delivery) -> None:
        await receivers[-1](delivery)

    async def first() -> tuple[tw.App, tw.ManualClock]:
        receivers.append(Receiver())
        app, clock = await reminded(SqliteStore(tmp_path / "a.db"), receive, PATIENT)
        asyncio.ensure_future(app.tick())  # noqa: RUF006  its loop is closed before it ends
        await receivers[-1].reached.wait()
        return app, clock

    async def second(app: tw.App) -> None:
        receivers.append(Receiver())
        receivers[-1].may_answer.set()
        assert await statuses(app) == [("sending", 1)]
        await app.tick()
        assert await statuses(app) == [("delivered", 2)]
        await app.close()

    loop = asyncio.new_event_loop()
    app, _ = loop.run_until_complete(first())
    loop.close()
    run(second(app))

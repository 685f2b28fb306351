"""What the machine says by itself reaches a receiver: in order per conversation, at least once, reported once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.durable.running import run
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore

NOON_MS = 1_767_960_000_000
FLOW = {
    "flow": "reminder",
    "start": "talk",
    "nodes": {
        "talk": {
            "say": "Hello.",
            "transitions": [{"at": "timer", "in": "30m", "to": "later"}],
        },
        "later": {"say": "Still there?", "transitions": [{"at": "timer", "in": "30m", "to": "last"}]},
        "last": {"say": "I go now.", "transitions": [{"at": "timer", "in": "30m", "to": "talk"}]},
    },
}
QUICK = tw.DeliveryRetries(first_pause_s=10, longest_pause_s=60, give_up_after_s=3600, timeout_s=0.2)


class Receiver:
    """Keeps what it gets; refuses as often as it is told to."""

    def __init__(self, failures: int = 0, error: Exception | None = None) -> None:
        self.got: list[tw.Delivery] = []
        self.failures = failures
        self.error = error or ConnectionError("the receiver is away")

    async def __call__(self, delivery: tw.Delivery) -> None:
        if self.failures:
            self.failures -= 1
            raise self.error
        self.got.append(delivery)

    @property
    def texts(self) -> list[str]:
        return [message.text for delivery in self.got for message in delivery.messages]


@pytest.fixture(params=["memory", "sqlite"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    return lambda: MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "a.db")


def opened(store: Store, receiver: Any, clock: tw.ManualClock, **more: Any) -> tw.App:
    return tw.open(FLOW, store=store, deliver=receiver, clock=clock, delivery_retries=QUICK, **more)


def later(clock: tw.ManualClock, minutes: float) -> None:
    clock.set_ms(clock.now_ms() + round(minutes * 60_000))


@pytest.mark.parametrize("is_plain", [False, True])
def test_what_a_timer_says_is_delivered_once(new_store: Callable[[], Store], is_plain: bool) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver()
        app = opened(new_store(), receiver.got.append if is_plain else receiver, clock)
        await app.chat("ada").say("hi")
        await app.tick()
        assert receiver.got == [], "a reply to a caller is not delivered"
        later(clock, 30)
        assert [await app.tick(), await app.tick()] == [1, 0]
        (got,) = receiver.got
        turn = await app.chat("ada").turn(got.turn)
        assert (got.conversation, got.flow, got.turn, got.event) == ("ada", "reminder", 2, "timer_fired")
        assert (got.at_ms, got.seq, got.attempt) == (NOON_MS + 1_800_000, turn.entries[-1].seq, 1)
        assert [(one.text, one.buttons) for one in got.messages] == [(turn.text, turn.buttons)]
        (row,) = await app.deliveries()
        assert (row.id, row.status, row.attempts, row.done_ms, row.error) == (
            got.id,
            "delivered",
            1,
            clock.now_ms(),
            "",
        )
        await app.close()

    run(play())


def test_a_delivered_turn_is_not_reported_again_and_a_failed_one_is(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver()
        app = opened(new_store(), receiver, clock)
        chat = app.chat("ada")
        await chat.say("hi")
        later(clock, 30)
        await app.tick()
        told = await chat.say("yes")
        assert told.unprompted == ()
        receiver.failures, receiver.error = 1, tw.DeliveryFailed("410 Gone", is_final=True)
        later(clock, 30)
        await app.tick()
        found = await chat.say("hm")
        assert [one.text for one in found.unprompted] == ["I go now."]
        assert (await chat.turn(told.number)).unprompted == ()
        (failed,) = await app.deliveries(status="failed")
        assert (failed.error, failed.attempts) == ("410 Gone", 1)
        assert failed.reported_in == found.number
        with pytest.raises(tw.DeliveryReported, match=f"turn {found.number} reported the messages"):
            await app.send_again(failed.id)
        await app.tick()
        assert receiver.texts == ["Still there?"]
        assert (await app.send_again(failed.id, confirm=True)).status == "waiting"
        await app.tick()
        assert receiver.texts == ["Still there?", "I go now."]
        assert [one.status for one in await app.deliveries()] == ["delivered", "delivered"]
        await app.close()

    run(play())


def test_a_failed_delivery_that_no_turn_reported_is_sent_again_and_then_not_reported(
    new_store: Callable[[], Store],
) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver()
        receiver.failures, receiver.error = 1, tw.DeliveryFailed("410 Gone", is_final=True)
        app = opened(new_store(), receiver, clock)
        chat = app.chat("ada")
        await chat.say("hi")
        later(clock, 30)
        await app.tick()
        (failed,) = await app.deliveries(status="failed")
        assert failed.reported_in == 0
        await app.send_again(failed.id)
        assert (await chat.say("yes")).unprompted == ()
        await app.tick()
        assert receiver.texts == ["Still there?"]
        await app.close()

    run(play())


def test_one_that_failed_after_the_next_turn_was_reported_by_none(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver()
        receiver.failures, receiver.error = 1, tw.DeliveryFailed("away")
        app = opened(new_store(), receiver, clock)
        chat = app.chat("ada")
        await chat.say("hi")
        later(clock, 30)
        await app.tick()
        assert (await chat.say("yes")).unprompted == ()
        receiver.failures, receiver.error = 1, tw.DeliveryFailed("410 Gone", is_final=True)
        later(clock, 10)
        await app.tick()
        (failed,) = await app.deliveries(status="failed")
        assert failed.reported_in == 0
        assert (await app.send_again(failed.id)).status == "waiting"
        await app.close()

    run(play())


def test_without_a_receiver_nothing_is_queued_and_the_next_turn_reports(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock = tw.ManualClock(NOON_MS)
        app = tw.open(FLOW, store=new_store(), clock=clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        await app.tick()
        assert [one.text for one in (await app.chat("ada").say("yes")).unprompted] == ["Still there?"]
        assert await app.deliveries() == ()
        await app.close()

    run(play())


def test_a_failure_holds_up_its_own_conversation_only_and_is_retried(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, got = tw.ManualClock(NOON_MS), list[tuple[str, str, int]]()
        is_away = True

        async def receive(delivery: tw.Delivery) -> None:
            if is_away and delivery.conversation == "ada":
                raise ConnectionError("away")
            got.append((delivery.conversation, delivery.messages[0].text, delivery.attempt))

        app = opened(new_store(), receive, clock)
        for name in ("ada", "bo"):
            await app.chat(name).say("hi")
        for _ in range(2):
            later(clock, 30)
            await app.tick()
        assert got == [("bo", "Still there?", 1), ("bo", "I go now.", 1)]
        waits = await app.deliveries(conversation="ada")
        assert [(one.status, one.due_ms is None) for one in waits] == [("waiting", False), ("waiting", True)]
        assert waits[0].error == "ConnectionError: away"
        assert 5_000 <= (waits[0].due_ms or 0) - clock.now_ms() <= 60_000
        is_away = False
        await app.tick()
        assert len(got) == 2, "it is not due yet"
        later(clock, 1)
        await app.tick()
        assert [(text, name) for name, text, _ in got[2:]] == [("Still there?", "ada"), ("I go now.", "ada")]
        await app.close()

    run(play())


def test_pauses_double_with_jitter_up_to_the_longest(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver(100)
        app = opened(new_store(), receiver, clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        pauses: list[float] = []
        for _ in range(6):
            await app.tick()
            (row, *_) = await app.deliveries()
            assert row.due_ms is not None
            pauses.append((row.due_ms - clock.now_ms()) / 1000)
            clock.set_ms(row.due_ms)
        for pause, longest in zip(pauses, (10, 20, 40, 60, 60, 60), strict=True):
            assert longest / 2 <= pause <= longest
        await app.close()

    run(play())


def test_a_receiver_that_is_gone_for_a_week_fails_after_the_longest_age(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver(10_000)
        app = tw.open(FLOW, store=new_store(), deliver=receiver, clock=clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        await app.tick()
        for _ in range(14):
            later(clock, 12 * 60)
            await app.tick()
        (failed, *_) = await app.deliveries(status="failed")
        assert failed.done_ms is not None
        assert 3 * 86_400_000 <= failed.done_ms - failed.at_ms <= 4 * 86_400_000
        receiver.failures = 0
        await app.send_again(failed.id)
        later(clock, 60)
        await app.tick()
        assert "Still there?" in receiver.texts
        await app.close()

    run(play())


@pytest.mark.parametrize("is_plain", [False, True])
def test_a_receiver_that_hangs_is_tried_again(new_store: Callable[[], Store], is_plain: bool) -> None:
    async def play() -> None:
        import threading

        clock, got, free = tw.ManualClock(NOON_MS), list[str](), threading.Event()

        def hang(delivery: tw.Delivery) -> None:
            if delivery.attempt == 1:
                free.wait(60)
            else:
                got.append(delivery.id)

        async def hang_async(delivery: tw.Delivery) -> None:
            if delivery.attempt == 1:
                await asyncio.sleep(60)
            got.append(delivery.id)

        app = opened(new_store(), hang if is_plain else hang_async, clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        await app.tick()
        (row,) = await app.deliveries()
        assert (row.status, row.error) == ("waiting", "no answer within 0.2 s")
        later(clock, 1)
        await app.tick()
        free.set()
        assert got == [row.id]
        await app.close()

    run(play())


def test_an_old_one_that_is_sent_again_goes_before_a_younger_one_that_waits(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver(failures=1, error=tw.DeliveryFailed("gone", is_final=True))
        app = opened(new_store(), receiver, clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        await app.tick()
        receiver.failures, receiver.error = 1, ConnectionError("away")
        later(clock, 30)
        await app.tick()
        old, young = await app.deliveries()
        assert (old.status, young.status) == ("failed", "waiting")
        again = await app.send_again(old.id)
        assert again.due_ms == clock.now_ms()
        await app.tick()
        assert [one.id for one in receiver.got] == [old.id, young.id]
        await app.close()

    run(play())


def test_what_a_receiver_cancels_itself_is_a_failure_that_is_retried_after_a_pause() -> None:
    async def play() -> None:
        clock, attempts = tw.ManualClock(NOON_MS), list[int]()

        async def cancels(delivery: tw.Delivery) -> None:
            attempts.append(delivery.attempt)
            if delivery.attempt == 1:
                raise asyncio.CancelledError

        app = opened(MemoryStore(), cancels, clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        await app.tick()
        (row,) = await app.deliveries()
        assert (row.status, row.error) == ("waiting", "the receiver was cancelled")
        await app.tick()
        assert attempts == [1]  # not again at once
        later(clock, 1)
        await app.tick()
        assert attempts == [1, 2]
        await app.close()

    run(play())


def test_the_loop_of_an_app_sends_by_itself(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver()
        async with opened(new_store(), receiver, clock) as app:
            await app.chat("ada").say("hi")
            later(clock, 30)
            async with asyncio.timeout(60):
                while not receiver.got:
                    await asyncio.sleep(0.01)
        assert receiver.texts == ["Still there?"]

    run(play())


def test_a_forgotten_conversation_takes_its_deliveries_along(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver(1)
        app = opened(new_store(), receiver, clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        await app.tick()
        (row,) = await app.deliveries()
        await app.chat("ada").forget()
        later(clock, 1)
        await app.tick()
        assert (receiver.got, await app.deliveries()) == ([], ())
        with pytest.raises(tw.UnknownDelivery, match="there is no delivery 'msg_"):
            await app.send_again(row.id)
        await app.close()

    run(play())


def test_deliveries_go_with_the_words_of_their_turns(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver(1)
        app = opened(new_store(), receiver, clock)
        await app.chat("ada").say("hi")
        later(clock, 30)
        await app.tick()
        later(clock, 1)
        await app.tick()
        await app.chat("ada").say("and you?")
        assert len(await app.deliveries()) == 1
        later(clock, 60 * 24 * 9)
        await app.retain(tw.Retention(events_days=7))
        assert await app.deliveries() == ()
        await app.close()

    run(play())


def test_a_fork_that_may_not_change_the_world_writes_to_no_user(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        clock, receiver = tw.ManualClock(NOON_MS), Receiver()
        app = opened(new_store(), receiver, clock)
        await app.chat("ada").say("hi")
        await app.chat("ada").fork("copy")
        later(clock, 30)
        assert await app.tick() == 2
        assert [one.conversation for one in receiver.got] == ["ada"]
        await app.close()

    run(play())


def test_a_timer_that_a_program_fires_is_its_own_to_show(new_store: Callable[[], Store]) -> None:
    async def play() -> None:
        receiver = Receiver()
        app = opened(new_store(), receiver, tw.ManualClock(NOON_MS))
        chat = app.chat("ada")
        await chat.say("hi")
        (timer,) = (await chat.state()).timers
        assert (await chat.fire(timer.transition)).text == "Still there?"
        await app.tick()
        assert receiver.got == []
        await app.close()

    run(play())


@pytest.mark.parametrize(
    ("deliver", "more", "expected"),
    [
        (5, {}, "a function of a delivery"),
        (Receiver, {}, "a function of a delivery"),
        (None, {"delivery_retries": tw.DeliveryRetries()}, "since delivery_retries has no effect without one"),
        (print, {"delivery_retries": 5}, "tw.DeliveryRetries"),
        (print, {"delivery_retries": tw.DeliveryRetries(at_once=0)}, "a whole number"),
        (print, {"delivery_retries": tw.DeliveryRetries(timeout_s=-1)}, "seconds, above 0"),
    ],
)
def test_a_wrong_receiver_is_refused_when_it_is_given(deliver: Any, more: Any, expected: str) -> None:
    with pytest.raises(tw.WrongArgument, match=expected):
        tw.open(FLOW, deliver=deliver, **more)

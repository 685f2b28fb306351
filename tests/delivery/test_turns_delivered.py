"""Which turns are delivered: those of events, of flows that go on by themselves, and those recovered after a crash."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import turnwise as tw
from support.chats import flow_of
from support.durable.running import run
from turnwise.core.state.events import OutsideEvent, TimerFired, UserSaid
from turnwise.core.step import step
from turnwise.core.turn import Step
from turnwise.runner.outbox_port import DeliveryQuery
from turnwise.runner.ports import Commit
from turnwise.stores.memory import MemoryStore
from turnwise.telemetry import OpenTelemetry

NOON_MS = 1_767_960_000_000
FLOW = """
flow: f
start: a
events: {paid: {amount: integer}}
nodes:
  a:
    prompt: Talk.
    transitions: [{id: remind, at: timer, in: 1h, to: b}, {id: pay, at: event, event: paid, to: c}]
  b: {prompt: Talk on.}
  c: {say: "Thank you."}
"""


def opened(store: Any, got: list[tw.Delivery], *replies: str, flow: str = FLOW, **more: Any) -> tw.App:
    model = tw.ScriptedModel(list(replies))
    clock = more.pop("clock", None) or tw.ManualClock(NOON_MS)
    return tw.open(flow_of(flow), store=store, model=model, deliver=got.append, clock=clock, **more)


async def cut(app: tw.App, event: OutsideEvent) -> None:
    """A turn that another process began and did not finish."""
    at_ms = NOON_MS + 3_600_000 if isinstance(event, TimerFired) else NOON_MS
    begun = step(app.machine, await app.chat("main").state(), event, at_ms)
    assert isinstance(begun, Step)
    await app.runtime.store.commit("main", Commit(begun.entries))


@pytest.mark.parametrize(
    ("event", "begun"),
    [(UserSaid("two"), "user_said"), (TimerFired("remind", 1, NOON_MS + 3_600_000), "timer_fired")],
)
def test_a_turn_that_is_recovered_after_a_crash_is_delivered_whole_and_not_reported(
    event: OutsideEvent, begun: str
) -> None:
    async def play() -> None:
        store, got = MemoryStore(), list[tw.Delivery]()
        gone = opened(store, got, "One.")
        await gone.chat("main").say("one")
        await cut(gone, event)
        app = opened(store, got, "Two.", "Three.", clock=tw.ManualClock(NOON_MS + 3_600_000))
        await app.runtime.engine.recover(waits=True)
        await app.tick()
        assert [(one.turn, one.event, one.messages[0].text) for one in got] == [(2, begun, "Two.")]
        turn = await app.chat("main").say("three")
        assert (turn.text, turn.recovered, turn.unprompted) == ("Three.", (), ())
        assert await app.chat("main").replay()

    run(play())


def test_an_event_of_another_system_writes_to_the_user() -> None:
    async def play() -> None:
        got: list[tw.Delivery] = []
        app = opened(MemoryStore(), got, "One.")
        await app.chat("main").say("one")
        await app.chat("main").event("paid", {"amount": 5})
        await app.tick()
        assert [(one.event, one.messages[0].text) for one in got] == [("event_received", "Thank you.")]

    run(play())


def test_each_attempt_is_a_span_without_words() -> None:
    async def play() -> None:
        kept, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(kept))
        clock, fails = tw.ManualClock(NOON_MS), [True, False]

        def receive(delivery: tw.Delivery) -> None:
            if fails.pop(0):
                raise ConnectionError("away")

        app = tw.open(
            flow_of(FLOW),
            model=tw.ScriptedModel(["One.", "Reminded."]),
            deliver=receive,
            clock=clock,
            telemetry=OpenTelemetry(provider),
        )
        await app.chat("main").say("one")
        clock.move_s(3600)
        await app.tick()
        clock.move_s(60)
        await app.tick()
        failed, done = [one for one in kept.get_finished_spans() if one.name == "deliver"]
        (row,) = await app.deliveries()
        assert dict(done.attributes or {}) == {
            "gen_ai.conversation.id": "main",
            "turnwise.turn": 2,
            "turnwise.delivery": row.id,
            "turnwise.attempt": 2,
        }
        assert (failed.status.description, done.status.description) == ("ConnectionError: away", None)

    run(play())


def test_an_app_that_is_closed_while_a_receiver_hangs_leaves_the_delivery_to_the_next() -> None:
    async def play() -> None:
        store, clock, got = MemoryStore(), tw.ManualClock(NOON_MS), list[tw.Delivery]()
        begun = asyncio.Event()

        async def hang(delivery: tw.Delivery) -> None:
            begun.set()
            await asyncio.sleep(60)

        flow, model = flow_of(FLOW), tw.ScriptedModel(["One.", "Reminded."])
        brief = tw.DeliveryRetries(timeout_s=0.2, first_pause_s=1)
        async with tw.open(flow, store=store, model=model, deliver=hang, clock=clock, delivery_retries=brief) as app:
            await app.chat("main").say("one")
            clock.move_s(3600)
            async with asyncio.timeout(60):
                await begun.wait()
        (row,) = await store.outbox.find(DeliveryQuery())
        assert (row.status, row.error) == ("waiting", "no answer within 0.2 s")
        clock.move_s(1)
        await opened(store, got, clock=clock).tick()
        assert [(one.id, one.attempt) for one in got] == [(row.id, 2)]

    run(play())

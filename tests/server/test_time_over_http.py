"""What a conversation does by the clock, and what it spent, over HTTP."""

from __future__ import annotations

from pathlib import Path

import turnwise as tw
from support.served import in_loop, served
from turnwise.archive.spending import TurnSpending, add_spending
from turnwise.core.state import events as e
from turnwise.runner.clocks import ForwardClock

ROOT = Path(__file__).parents[2]
HEALTH = ROOT / "examples/health_intake/health_intake.flow.yaml"
TUTOR = ROOT / "tests/flows/tutor.flow.yaml"


@in_loop
async def test_a_timer_is_due_and_fires() -> None:
    clock = ForwardClock()
    async with served(tw.open(HEALTH, clock=clock), clock=clock) as client:
        await client.post(
            "/api/conversations", json={"flow": "health_intake", "name": "lea", "time_zone": "Asia/Tokyo"}
        )
        await client.post("/api/conversations/lea/turns", json={"text": "I am 31"})
        found = (await client.get("/api/conversations/lea/time")).json()
        (due,) = found["due"]
        assert (due["kind"], due["name"], due["does"]) == ("timer", "turned_away", "ends the conversation: ineligible")
        assert (due["subject"], due["held_by"], due["can_fire"]) == ("timer turned_away", "", True)
        assert 0 < due["due_ms"] - found["now_ms"] <= 1_800_000
        assert found["time_zone"] == "Asia/Tokyo"
        await client.post("/api/demo/clock", json={"advance_s": 1801})
        assert (await client.get("/api/conversations/lea/time")).json()["due"] == []


@in_loop
async def test_what_a_scope_holds_is_said() -> None:
    async with served(tw.open(TUTOR)) as client:
        await client.post("/api/conversations", json={"flow": "tutor", "name": "max"})
        for text in ("Max", "I need a short quiz"):
            await client.post("/api/conversations/max/turns", json={"text": text})
        found = (await client.get("/api/conversations/max/time")).json()["due"]
        assert {(one["title"], one["held_by"], one["can_fire"]) for one in found} == {("Silence", "", True)}


def test_spending_is_summed_by_turn() -> None:
    turns: list[TurnSpending] = []
    for turn, cost in ((1, None), (3, 0.25), (3, 0.5), (4, None)):
        reply = e.ModelReplied("1", tokens_in=10, tokens_out=2, cost=cost)
        add_spending(turns, e.Entry(1, turn, 1000 * turn, reply))
    add_spending(turns, e.Entry(1, 5, 1, e.UserSaid("hello")))
    assert [(one.turn, one.calls, one.tokens_in, one.tokens_out, one.money) for one in turns] == [
        (1, 1, 10, 2, None),
        (3, 2, 20, 4, 0.75),
        (4, 1, 10, 2, None),
    ]

"""What a conversation does by the clock, and what it spent, over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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
        assert (due["kind"], due["name"], due["does"]) == ("timer", "turned_away", "ends: ineligible")
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


VIKINGS = """\
flow: vikings
start: chat
time_zone: Europe/Berlin
persona: You are Maya.
overlays:
  viking_weekend: {from: 2026-11-20, to: 2026-11-22, name: Ragnar, persona: You are a Viking.}
nodes:
  chat: {prompt: Teach German.}
"""


@in_loop
async def test_an_overlay_is_forced_in_a_conversation_and_for_all(tmp_path: Path) -> None:
    file = tmp_path / "vikings.flow.yaml"
    file.write_text(VIKINGS, "utf-8")
    clock = tw.ManualClock(1_795_000_000_000)  # 18 November 2026
    async with served(tw.open(file, clock=clock, model=tw.ScriptedModel(["Hello."] * 9)), clock=clock) as client:
        for name in ("max", "ida"):
            await client.post("/api/conversations", json={"flow": "vikings", "name": name})
        (before,) = (await client.get("/api/conversations/max/time")).json()["overlays"]
        assert (before["title"], before["persona_name"], before["subject"]) == (
            "Viking weekend",
            "Ragnar",
            "overlay viking_weekend",
        )
        assert (before["is_next"], before["forced"], before["begins_ms"]) == (False, "", 1_795_129_200_000)
        on = await client.put("/api/conversations/max/overlays/viking_weekend", json={"on": True})
        assert (on.json()["is_next"], on.json()["forced"], on.json()["is_forced_for_all"]) == (True, "on", False)
        await client.post("/api/conversations/max/turns", json={"text": "Hi"})
        (now,) = (await client.get("/api/conversations/max/time")).json()["overlays"]
        assert now["is_active"] is True
        messages = (await client.get("/api/conversations/max/transcript")).json()["messages"]
        assert [(one["text"], one["subject"]) for one in messages if one["sign"] == "overlay"] == [
            ("Viking weekend is forced on", "overlay viking_weekend"),
            ("Viking weekend begins: Ragnar speaks", "overlay viking_weekend"),
        ]
        timeline = (await client.get("/api/conversations/max/timeline")).json()
        (band,) = timeline["overlays"]
        assert band == ["viking_weekend", "Ragnar", band[2], None]
        await client.put("/api/conversations/max/overlays/viking_weekend", json={"on": None})
        await client.post("/api/conversations/max/turns", json={"text": "Hi"})
        (band,) = (await client.get("/api/conversations/max/timeline")).json()["overlays"]
        assert band[2] < band[3]
        assert (await client.put("/api/flows/vikings/overlays/viking_weekend", json={"on": True})).status_code == 204
        (for_all,) = (await client.get("/api/conversations/ida/time")).json()["overlays"]
        assert (for_all["forced"], for_all["is_forced_for_all"], for_all["is_next"]) == ("on", True, True)


@pytest.mark.parametrize("path", ["/api/conversations/max/overlays/vikings", "/api/flows/vikings/overlays/vikings"])
def test_an_overlay_that_the_flow_lacks_is_refused_with_the_nearest_name(tmp_path: Path, path: str) -> None:
    @in_loop
    async def asks() -> None:
        file = tmp_path / "vikings.flow.yaml"
        file.write_text(VIKINGS, "utf-8")
        async with served(tw.open(file)) as client:
            await client.post("/api/conversations", json={"flow": "vikings", "name": "max"})
            answer = await client.put(path, json={"on": True})
            assert answer.status_code == 422
            assert "no overlay is called 'vikings'; known: viking_weekend" in answer.json()["detail"]

    asks()


ORDER = """\
flow: order
start: pay
events:
  payment_received: {amount: {type: number, min: 0}, card: {type: string, secret: true, optional: true}}
records: {order: {wish: string, paid: number}}
nodes:
  pay:
    form: {fields: [{field: order.wish, ask: What do you wish?}]}
    transitions:
      - {at: event, event: payment_received, when: event.amount >= 10, set: {order.paid: event.amount}, to: paid}
  paid: {say: Thank you., end: paid}
"""


@in_loop
async def test_an_event_of_another_system_stands_in_transcript_and_timeline_without_secrets() -> None:
    async with served(tw.open(tw.loads(ORDER))) as client:
        await client.post("/api/conversations", json={"flow": "order", "name": "ada"})
        body = {"data": {"amount": 50, "card": "4711"}}
        await client.post("/api/conversations/ada/events/payment_received", json=body)
        transcript = await client.get("/api/conversations/ada/transcript")
        (line,) = [one for one in transcript.json()["messages"] if one["sign"]]
        assert (line["sign"], line["subject"]) == ("event", "event payment_received")
        assert line["text"].startswith("The event payment received came: amount = 50, card = ")
        assert "4711" not in transcript.text
        (sign,) = (await client.get("/api/conversations/ada/timeline")).json()["signs"]
        assert sign[3:] == ["event", "The event payment received came"]


BUDGET = """\
flow: tutor
start: talk
settings: {max_tokens: 400}
limits:
  budgets: [{money: 0.01 EUR, then: end}, {tokens: 100000, per: day}]
  prices: {"*": {input: 2, output: 8, currency: EUR}}
nodes:
  talk: {prompt: Teach German.}
"""


class Teacher:
    """A model whose replies cost 0.0026."""

    async def reply(self, request: Any) -> tw.ModelReply:
        return tw.ModelReply("Guten Tag!", "teacher", tokens_in=900, tokens_out=100)


@in_loop
async def test_spending_stands_beside_its_budgets_and_a_reached_one_on_the_timeline() -> None:
    async with served(tw.open(tw.loads(BUDGET), model=Teacher())) as client:
        await client.post("/api/conversations", json={"flow": "tutor", "name": "max"})
        for _ in range(5):
            await client.post("/api/conversations/max/turns", json={"text": "Hello"})
        spending = (await client.get("/api/conversations/max/time")).json()["spending"]
        assert (spending["currency"], spending["calls"]) == ("EUR", len(spending["turns"]))
        assert spending["money"] == pytest.approx(0.0026 * spending["calls"])
        assert [one["money"] for one in spending["turns"]] == pytest.approx([0.0026] * spending["calls"])
        money, tokens = spending["budgets"]
        assert (money["measure"], money["then"], tokens["per"]) == ("money", "end", "day")
        assert tokens["text"] == f"{1000 * spending['calls']:,} tokens of 100,000 tokens per day"
        messages = (await client.get("/api/conversations/max/transcript")).json()["messages"]
        (line,) = [one for one in messages if one["sign"] == "limit"]
        assert line["subject"] == "limit money"
        assert line["text"].startswith("The budget of money per conversation was reached, 0.00")
        assert line["text"].endswith("of 0.01 EUR: the conversation ends")
        (sign,) = (await client.get("/api/conversations/max/timeline")).json()["signs"]
        assert sign[3:] == ["limit", "The budget of money was reached"]


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

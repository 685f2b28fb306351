"""Events of other systems over HTTP: who may send them, what is refused, and what comes back."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.served import in_loop, served

FLOW = """
flow: order
start: pay
events:
  payment_received: {amount: {type: number, min: 0}, card: {type: string, secret: true, optional: true}}
  parcel_shipped: {}
records: {order: {wish: string, paid: number}}
nodes:
  pay:
    form: {fields: [{field: order.wish, ask: What do you wish?}]}
    transitions:
      - {at: event, event: payment_received, when: event.amount >= 10, set: {order.paid: event.amount}, to: paid}
  paid: {say: Thank you., end: paid}
"""
PATH = "/api/conversations/ada:x/events"


@in_loop
async def test_another_system_moves_a_conversation_and_reads_nothing_of_it() -> None:
    app = tw.open(tw.loads(FLOW))
    async with served(app, keys=True) as client:
        await app.chat("ada:x").start()
        bank = client.as_("bank", "events")
        small = await client.post(f"{PATH}/payment_received", json={"data": {"amount": 5}}, headers=bank)
        assert small.json() == {"turn": 2, "transition": "", "waits": False, "is_duplicate": False}
        once = {**bank, "idempotency-key": "p1"}
        body = {"data": {"amount": 50, "card": "4711-0815"}}
        taken = await client.post(f"{PATH}/payment_received", json=body, headers=once)
        assert taken.json()["transition"] == "to_paid"
        again = await client.post(f"{PATH}/payment_received", json=body, headers=once)
        assert (again.json()["turn"], again.json()["is_duplicate"]) == (3, True)
        for other in ("/api/conversations/ada:x", "/api/conversations/ada:x/transcript", "/api/conversations"):
            assert (await client.get(other, headers=bank)).status_code == 403
        journal = await app.chat("ada:x").journal()
        assert [one.event.by for one in journal if isinstance(one.event, tw.events.EventReceived)] == ["bank", "bank"]
        reader = client.as_("ada", "chat", "debug:read")
        for part in ("trace", "state", "why?subject=payment_received", "transcript"):
            shown = await client.get(f"/api/conversations/ada:x/{part}", headers=reader)
            assert shown.status_code == 200, part
            assert "4711" not in shown.text, part


@pytest.mark.parametrize(
    ("name", "body", "status", "code", "at"),
    [
        ("payment_recieved", {}, 422, "unknown_event", ""),
        ("payment_received", {"data": {"amount": "much"}}, 422, "value_refused", "/data/amount"),
        ("payment_received", {"data": {}}, 422, "value_refused", ""),
        ("payment_received", {"data": {"amount": 1, "card": "x" * 100_001}}, 422, "event_too_long", ""),
        ("payment_received", {"amount": 1}, 422, "invalid", "/amount"),
    ],
)
def test_what_does_not_fit_is_a_problem(name: str, body: dict[str, object], status: int, code: str, at: str) -> None:
    @in_loop
    async def run() -> None:
        app = tw.open(tw.loads(FLOW))
        async with served(app, keys=True) as client:
            await app.chat("ada:x").start()
            answer = await client.post(f"{PATH}/{name}", json=body, headers=client.as_("bank", "events"))
            assert (answer.status_code, answer.json()["code"]) == (status, code)
            assert answer.json()["errors"][0]["at"] == at
            assert "turn" not in answer.json()

    run()


@in_loop
async def test_who_may_not_and_where_nothing_is() -> None:
    app = tw.open(tw.loads(FLOW))
    async with served(app, keys=True) as client:
        await app.chat("ada:x").start()
        path = f"{PATH}/parcel_shipped"
        for scopes in (("chat", "debug:read"), ("operator",)):
            assert (await client.post(path, json={}, headers=client.as_("ada", *scopes))).status_code == 403
        bank = client.as_("bank", "events")
        gone = await client.post("/api/conversations/ada:y/events/parcel_shipped", json={}, headers=bank)
        assert gone.status_code == 404
        await app.chat("ada:x").event("payment_received", {"amount": 50})
        ended = await client.post(path, json={}, headers=bank)
        assert (ended.status_code, ended.json()["code"]) == (409, "conversation_ended")


@in_loop
async def test_the_events_of_a_flow_have_schemas() -> None:
    async with served(tw.open(tw.loads(FLOW)), keys=True) as client:
        answer = await client.get("/api/flows/order/events", headers=client.as_("bank", "events"))
        found = {one["name"]: one["data"] for one in answer.json()}
        assert list(found) == ["payment_received", "parcel_shipped"]
        assert found["payment_received"]["properties"]["amount"] == {"type": "number", "minimum": 0}
        assert found["payment_received"]["required"] == ["amount"]


@in_loop
async def test_the_schema_of_an_event_has_the_defaults() -> None:
    text = FLOW.replace(
        "events:\n",
        "events:\n  refund: {day: {type: date, default: 2026-11-10}, cause: {type: string, default: none given}}\n",
    )
    async with served(tw.open(tw.loads(text)), keys=True) as client:
        answer = await client.get("/api/flows/order/events", headers=client.as_("bank", "events"))
        found = {one["name"]: one["data"]["properties"] for one in answer.json()}["refund"]
        assert found["day"]["default"] == "2026-11-10"
        assert found["cause"] == {"type": "string", "default": "none given"}

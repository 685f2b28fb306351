"""Deliveries over HTTP: how they stand, those that failed, and sending one again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import turnwise as tw
from support.served import in_loop, served

FLOW = """\
flow: reminded
start: chat
nodes:
  chat:
    say: Hello.
    transitions:
      - {id: nudge, at: timer, in: 10m, stay: true, say: Are you still there?, repeat: 3}
      - {id: more, to: chat}
"""


class Receiver:
    """A receiver that refuses for good while it is closed."""

    def __init__(self) -> None:
        self.is_open = False
        self.received: list[str] = []

    async def deliver(self, delivery: Any) -> None:
        if not self.is_open:
            raise tw.DeliveryFailed("the messenger is closed", is_final=True)
        self.received.append(delivery.messages[0].text)


@asynccontextmanager
async def reminded(**more: Any) -> AsyncIterator[tuple[Any, Receiver]]:
    """Serve a flow with a conversation `max` that was reminded while the receiver was closed."""
    clock, receiver = tw.ManualClock(1_794_214_800_000), Receiver()
    app = tw.open(tw.loads(FLOW), clock=clock, deliver=receiver)
    async with served(app, clock=clock, **more) as client:
        name = "ada:max" if more else "max"
        await app.chat(name).say("Hi")
        clock.move_s(601)
        await app.tick()
        yield client, receiver


@in_loop
async def test_what_failed_is_listed_and_sent_again() -> None:
    async with reminded() as (client, receiver):
        (one,) = (await client.get("/api/conversations/max/deliveries")).json()
        assert (one["turn"], one["about"], one["status"], one["attempts"]) == (2, "The timer nudge fired", "failed", 1)
        assert "the messenger is closed" in one["error"]
        page = (await client.get("/api/deliveries?status=failed")).json()
        assert [found["id"] for found in page["deliveries"]] == [one["id"]]
        assert (await client.get("/api/deliveries?status=delivered")).json() == {"deliveries": [], "next": None}
        assert (await client.get("/api/deliveries?status=failed&limit=1")).json()["next"] == one["number"]
        receiver.is_open = True
        again = await client.post(f"/api/conversations/max/deliveries/{one['id']}/send-again")
        assert again.json()["status"] in ("waiting", "sending", "delivered")
        await client.server.service.apps["reminded"].tick()
        while (one := (await client.get("/api/conversations/max/deliveries")).json()[0])["status"] == "sending":
            await asyncio.sleep(0.01)  # the server's own loop may have begun it
        assert (one["status"], one["error"]) == ("delivered", "")
        assert receiver.received == ["Are you still there?"]


@in_loop
async def test_a_delivery_of_another_conversation_is_not_there() -> None:
    async with reminded() as (client, _):
        (one,) = (await client.get("/api/conversations/max/deliveries")).json()
        await client.post("/api/conversations", json={"flow": "reminded", "name": "ida"})
        assert (await client.get("/api/conversations/ida/deliveries")).json() == []
        for place in (f"ida/deliveries/{one['id']}", "max/deliveries/none"):
            answer = await client.post(f"/api/conversations/{place}/send-again")
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown_delivery")


@in_loop
async def test_users_do_not_see_deliveries_and_operators_see_all() -> None:
    async with reminded(keys=True) as (client, _):
        assert (await client.get("/api/conversations/ada:max/deliveries", headers=client.as_("ada"))).status_code == 403
        assert (await client.get("/api/deliveries", headers=client.as_("ada", "debug:read"))).status_code == 403
        found = await client.get("/api/deliveries", headers=client.as_("lena", "operator"))
        assert [one["conversation"] for one in found.json()["deliveries"]] == ["ada:max"]


@in_loop
async def test_a_server_that_delivers_nothing_has_none() -> None:
    async with served() as client:
        await client.post("/api/conversations", json={"flow": "eligibility", "name": "max"})
        assert (await client.get("/api/conversations/max/deliveries")).json() == []
        assert (await client.get("/api/deliveries")).json() == {"deliveries": [], "next": None}

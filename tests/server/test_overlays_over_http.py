"""Overlays over HTTP: how they stand, and forcing them in a conversation or for all of a flow (law 6.6)."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import Names, in_loop, served

pytestmark = pytest.mark.law("6.6")

TUTOR = """
flow: tutor
start: chat
persona: You are Maya.
overlays:
  viking_weekend: {from: 2026-11-20, to: 2026-11-22, name: Ragnar, persona: You are Ragnar.}
  holiday: {addendum: The school is closed.}
nodes: {chat: {prompt: Teach German.}}
"""
START = 1_795_132_800_000
"""The beginning of 20 November 2026, UTC."""
WEEKEND = "/api/conversations/{name}/overlays/viking_weekend"
FOR_ALL = "/api/flows/tutor/overlays/{name}"


def as_(owner: str, *scopes: str) -> dict[str, str]:
    return {"authorization": f"Bearer {owner} {','.join(scopes)}"}


async def say(client: Any, name: str, **more: Any) -> None:
    done = await client.post(f"/api/conversations/{name}/turns", json={"text": "Hello."}, **more)
    assert done.status_code == 200, done.text


@in_loop
async def test_what_is_forced_speaks_from_the_next_turn_on() -> None:
    model, clock = tw.ScriptedModel(["…"] * 9), tw.ManualClock(START - 3_600_000)
    app = tw.open(flow_of(TUTOR), model=model, clock=clock)
    async with served(app, clock=clock) as client:
        assert (await client.post("/api/conversations", json={"flow": "tutor", "name": "ada"})).status_code == 201
        forced = await client.put(WEEKEND.format(name="ada"), json={"on": True})
        assert forced.status_code == 200, forced.text
        await say(client, "ada")
        assert model.calls[-1].instructions[0] == "You are Ragnar."
        assert (await client.put(FOR_ALL.format(name="holiday"), json={"on": True})).status_code == 204
        await say(client, "ada")
        assert model.calls[-1].instructions[1].startswith("Your name is Ragnar.\n\nThe school is closed.")
        await client.put(FOR_ALL.format(name="holiday"), json={"on": None})
        await client.put(WEEKEND.format(name="ada"), json={"on": None})
        await say(client, "ada")
        assert model.calls[-1].instructions[0] == "You are Maya."
        rows = (await client.get("/api/conversations/ada/events")).json()["events"]
        lines = [row["line"] for row in rows if row["kind"] in ("overlay_forced", "overlays_changed")]
        assert lines[:3] == ["viking_weekend on", "viking_weekend", "holiday on, for all conversations"]
        assert lines[-1] == "none is active"


@in_loop
async def test_who_may_force_and_whose_name_is_kept() -> None:
    app = tw.open(flow_of(TUTOR), model=tw.ScriptedModel(["…"] * 9))
    async with served(app, access=Names()) as client:
        ada, lena, root = as_("ada", "chat"), as_("lena", "operator"), as_("root", "admin")
        made = await client.post("/api/conversations", json={"flow": "tutor", "name": "one"}, headers=ada)
        assert made.status_code == 201, made.text
        weekend, on = WEEKEND.format(name="ada:one"), {"on": True}
        assert (await client.put(weekend, json=on, headers=ada)).status_code == 403
        assert (await client.put(weekend, json=on, headers=lena)).json()["forced_by"] == "lena"
        assert (await client.put(FOR_ALL.format(name="holiday"), json=on, headers=lena)).status_code == 403
        assert (await client.put(FOR_ALL.format(name="holiday"), json=on, headers=root)).status_code == 204
        assert [one.by for one in await app.forced_overlays()] == ["root"]


@in_loop
async def test_wrong_names_and_bodies_are_refused() -> None:
    app = tw.open(flow_of(TUTOR), model=tw.ScriptedModel(["…"]))
    async with served(app) as client:
        await client.post("/api/conversations", json={"flow": "tutor", "name": "ada"})
        unknown = await client.put("/api/conversations/ada/overlays/viking", json={"on": True})
        assert (unknown.status_code, unknown.json()["code"]) == (422, "invalid")
        assert "did you mean 'viking_weekend'?" in unknown.text
        assert (await client.put(FOR_ALL.format(name="viking"), json={"on": True})).status_code == 422
        assert (await client.put(WEEKEND.format(name="nobody"), json={"on": True})).status_code == 404
        for body in ({}, {"on": "yes"}, {"on": True, "of": 1}):
            assert (await client.put(WEEKEND.format(name="ada"), json=body)).status_code in (400, 422)

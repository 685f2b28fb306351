"""Visitors of web pages talk without a key, and see only their own conversations."""

from __future__ import annotations

import turnwise as tw
from support.chats import flow_of
from support.durable.peer import FLOWS
from support.served import LOCAL_LIMITS, Names, in_loop, served
from turnwise.server.limits import ServerLimits
from turnwise.server.visitors import Visitors

ADA = {"authorization": "Bearer twv_" + "a" * 43}
BOB = {"authorization": "Bearer twv_" + "b" * 43}
SHOP = "https://shop.example"


def visited(*flows: str, limits: ServerLimits = LOCAL_LIMITS):
    return served(access=Visitors(Names(), flows or ("eligibility",)), origins=[SHOP], limits=limits)


@in_loop
async def test_a_visitor_talks_and_nobody_else_sees_the_conversation() -> None:
    async with visited() as client:
        begun = await client.post("/api/conversations", json={"flow": "eligibility"}, headers={**ADA, "origin": SHOP})
        assert begun.status_code == 201, begun.text
        assert begun.headers["access-control-allow-origin"] == SHOP
        name = begun.json()["conversation"]["id"]
        assert name.startswith("visitor-") and "aaaa" not in name  # the id does not contain the token
        assert (await client.get(f"/api/conversations/{name}", headers=ADA)).status_code == 200
        assert (await client.get(f"/api/conversations/{name}", headers=BOB)).status_code == 404
        assert (await client.get("/api/me", headers=ADA)).json()["scopes"] == ["chat"]


@in_loop
async def test_a_visitor_uses_only_the_flows_for_visitors() -> None:
    async with visited("another") as client:
        refused = await client.post("/api/conversations", json={"flow": "eligibility"}, headers=ADA)
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown_flow")


@in_loop
async def test_a_token_that_is_too_short_is_no_token_and_keys_still_work() -> None:
    async with visited() as client:
        short = await client.get("/api/me", headers={"authorization": "Bearer twv_short"})
        assert (short.status_code, short.json()["code"]) == (401, "invalid_key")
        assert (await client.get("/api/me", headers=client.as_("ada"))).json()["owner"] == "ada"
        assert (await client.get("/api/me")).status_code == 401


@in_loop
async def test_another_token_does_not_evade_the_rate_limit() -> None:
    async with visited(limits=ServerLimits(requests_per_minute=2)) as client:
        for headers in (ADA, BOB):
            assert (await client.get("/api/me", headers=headers)).status_code == 200
        third = await client.get("/api/me", headers={"authorization": "Bearer twv_" + "c" * 43})
        assert (third.status_code, third.json()["limit"]) == (429, "requests_per_minute")


@in_loop
async def test_a_visitor_cannot_ask_why_without_end_although_the_conversation_does_not_move_on() -> None:
    app, limits = tw.open(flow_of(FLOWS["once"]), clock=tw.ManualClock(0)), ServerLimits(requests_per_minute=20)
    async with served(app, access=Visitors(Names(), ("once",)), limits=limits) as client:
        begun = await client.post("/api/conversations", json={"flow": "once"}, headers=ADA)
        path = f"/api/conversations/{begun.json()['conversation']['id']}/turns"
        texts = ["70", *["why?"] * 30]
        answers = [await client.post(path, json={"text": text}, headers=ADA) for text in texts]
        assert [one.status_code for one in answers] == [200] * 19 + [429] * 12
        assert answers[18].json()["text"] == "The reason is: people over 60 get a discount."
        assert answers[19].json()["limit"] == "requests_per_minute"


@in_loop
async def test_a_page_that_is_not_allowed_is_refused() -> None:
    async with visited() as client:
        other = await client.post(
            "/api/conversations", json={"flow": "eligibility"}, headers={**ADA, "origin": "https://evil.example"}
        )
        assert (other.status_code, other.json()["code"]) == (403, "wrong_origin")

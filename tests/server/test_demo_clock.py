"""The clock of a demonstration is moved forward, and timers fire at once; other servers have none."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.served import in_loop, served
from turnwise.runner.clocks import ForwardClock, SystemClock

HEALTH = Path(__file__).parents[2] / "examples/health_intake/health_intake.flow.yaml"


@in_loop
async def test_the_clock_moves_forward_and_fires_what_is_due() -> None:
    clock = ForwardClock()
    async with served(tw.open(HEALTH, clock=clock), clock=clock) as client:
        assert (await client.get("/api/me")).json()["has_demo_clock"] is True
        await client.post("/api/conversations", json={"flow": "health_intake", "name": "lea"})
        await client.server.service.apps["health_intake"].chat("lea").say("I am 31")
        before = (await client.get("/api/conversations/lea")).json()
        assert before["node"] == "ineligible"
        early = (await client.post("/api/demo/clock", json={"advance_s": 60})).json()
        assert (early["ahead_ms"], early["fired"]) == (60_000, 0)
        late = (await client.post("/api/demo/clock", json={"advance_s": 1800})).json()
        assert (late["ahead_ms"], late["fired"]) == (1_860_000, 1)
        after = (await client.get("/api/conversations/lea")).json()
        assert (after["status"], after["outcome"]) == ("ended", "ineligible")
        assert late["now_ms"] - SystemClock().now_ms() == pytest.approx(1_860_000, abs=5000)


@pytest.mark.parametrize(
    ("seconds", "at"), [(0, "/advance_s"), (-5, "/advance_s"), (1e12, "/advance_s"), ("5", "/advance_s")]
)
def test_the_clock_moves_only_forward_and_not_too_far(seconds: object, at: str) -> None:
    @in_loop
    async def moves() -> None:
        clock = ForwardClock()
        async with served(tw.open(HEALTH, clock=clock), clock=clock) as client:
            answer = await client.post("/api/demo/clock", json={"advance_s": seconds})
            assert (answer.status_code, [one["at"] for one in answer.json()["errors"]]) == (422, [at])
            assert clock.ahead_ms == 0

    moves()


@in_loop
async def test_other_servers_have_no_such_clock() -> None:
    async with served() as client:
        assert (await client.get("/api/me")).json()["has_demo_clock"] is False
        answer = await client.post("/api/demo/clock", json={"advance_s": 60})
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_path")


@in_loop
async def test_only_an_admin_moves_the_clock() -> None:
    clock = ForwardClock()
    async with served(tw.open(HEALTH, clock=clock), clock=clock, keys=True) as client:
        body = {"advance_s": 60}
        refused = await client.post("/api/demo/clock", json=body, headers=client.as_("ada", "chat", "debug:read"))
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
        allowed = await client.post("/api/demo/clock", json=body, headers=client.as_("root", "admin"))
        assert allowed.status_code == 200

"""The four listings of seed 002 as files: in the terminal and through a server they come out as it expects."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.seed_listings import LISTINGS, Listing
from support.served import in_loop, served
from support.shell import run


@pytest.fixture(params=LISTINGS)
def listing(request: Any, tmp_path: Path) -> tuple[Listing, Path, Path]:
    found = LISTINGS[request.param]
    flow, replies = tmp_path / f"{request.param}.dy", tmp_path / "replies.yaml"
    flow.write_text(found.text, "utf-8")
    replies.write_text(found.replies, "utf-8")
    return found, flow, replies


def test_a_listing_runs_in_the_terminal(listing: tuple[Listing, Path, Path]) -> None:
    expected, flow, replies = listing
    ran = run("chat", flow, "--debug", "--model", f"scripted:{replies}")
    assert ran.code == 0
    assert ran.lines[-1].strip() == f"(ended: {expected.outcome})"
    assert [line for line in ran.lines if line in expected.said] == [*expected.said]
    assert expected.move in ran.out


@in_loop
async def test_a_listing_runs_through_a_server(listing: tuple[Listing, Path, Path]) -> None:
    expected, flow, replies = listing
    app = tw.open(flow, model=f"scripted:{replies}")
    async with served(app) as client:
        (name,) = [one["name"] for one in (await client.get("/api/flows")).json()]
        begun = await client.post("/api/conversations", json={"flow": name, "name": "x"})
        assert begun.status_code == 201, begun.text
        found: dict[str, Any] = {"status": ""}
        while found["status"] != "ended":
            await asyncio.sleep(0.01)
            found = (await client.get("/api/conversations/x")).json()
        assert found["outcome"] == expected.outcome
        seams: list[str] = []
        for turn in range(1, found["turn"] + 1):
            trace = (await client.get(f"/api/conversations/x/trace?turn={turn}")).json()
            seams += [one["decision"]["line"] for one in trace["decisions"]]
        assert any(line.startswith(expected.move) for line in seams)
        values = {one["field"]: one["value"] for one in trace["state"]["values"]}
        assert values == expected.values

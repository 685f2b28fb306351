"""A run of a machine in DyGram is watched in the studio: what it says, why it moves, and where that is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.dygram_runs import SECOND
from support.serving import Served
from support.talking import Talk, settled
from support.watching import Watched

REPLIES = """
- calls: [{tool: write_config, arguments: {set: {value: hello world}}}]
- Written.
- calls: [{tool: read_config, arguments: {}}]
- It is there.
"""


@pytest.mark.requirement("002-55")
def test_a_run_is_begun_and_watched_to_its_end(watched: Watched, tmp_path: Path) -> None:
    flow, replies = tmp_path / "second.dy", tmp_path / "replies.yaml"
    flow.write_text(SECOND, "utf-8")
    replies.write_text(REPLIES, "utf-8")
    with Served("serve", flow, "--port", "0", "--model", f"scripted:{replies}") as server:
        page = watched.open(server.address + "/")
        page.get_by_role("button", name=re.compile("Begin a conversation with")).click()
        page.wait_for_url(re.compile(r"/c/"))
        talk = Talk(page)
        talk.rests(2)
        expect(talk.transcript).to_contain_text("Written.")
        expect(talk.transcript).to_contain_text("It is there.")
        expect(talk.transcript).to_contain_text("write → read")
        talk.turn(1).click()
        expect(talk.unfold("Current State")).to_contain_text("hello world")
        name = server.get("/api/flows")[0]["name"]
        page.goto(f"{page.url.split('?')[0]}?turn=2&view=graph")
        drawing = page.get_by_role("region", name="Graph")
        expect(drawing.locator("button.gn", has_text=re.compile("^Readhere"))).to_be_visible()
        expect(drawing.locator("button.ge", has_text="To read")).to_have_text(re.compile("taken in turn 1"))
        page.goto(f"{server.address}/f/{name}")
        expect(settled(page).locator("body")).to_contain_text("write -> read")
        page.close()  # before its server

"""Two versions of a flow side by side on one PostgreSQL: parked conversations go on with theirs, where it can run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import turnwise as tw
from support.postgres import server
from support.served import served
from turnwise.core.state.events import TimerFired

FLOW = """
flow: loans
start: desk
version: {version}
language: en
records: {{reader: {{books: {{type: integer, default: 0}}}}}}
nodes:
  desk:
    say: "{text}"
    transitions:
      - {{id: full, at: before, guard: is_full, to: full}}
      - {{id: quiet, at: timer, in: 300ms, stay: true, say: "Still there ({text})?"}}
  full: {{say: "Bring one back ({text}).", end: full}}
"""


def made(version: int) -> Callable[..., Any]:
    """The guard of a version of the program."""
    if version == 1:

        @tw.guard
        def is_full(message: Any) -> bool:
            return message.text == "full"

    else:

        @tw.guard
        def is_full(message: Any) -> bool:
            return message.text in ("full", "more than full")

    return is_full


def opened(address: str, version: int, *more: int) -> tw.App:
    """An app with a version of the flow, and the functions of that and others."""
    flow = tw.loads(FLOW.format(version=version, text=f"Version {version}"))
    return tw.open(flow, store=address, guards=[made(one) for one in (version, *more)])


@pytest.fixture
def address() -> str:
    return server().fresh() + "&dead_after=1s&readers=2"


async def fired(app: tw.App, name: str) -> int:
    entries = [one async for one in _until_fired(app, name)]
    return sum(isinstance(one.event, TimerFired) for one in entries)


async def _until_fired(app: tw.App, name: str) -> Any:
    async with asyncio.timeout(20):
        async for entry in app.chat(name).events():
            yield entry
            if isinstance(entry.event, TimerFired):
                return


def test_a_parked_conversation_goes_on_with_its_version_where_its_functions_are(address: str) -> None:
    async def play() -> None:
        old = opened(address, 1)
        await old.chat("parked").say("hello")
        new = opened(address, 2)
        async with served(new) as http:
            refused = await new.chat("parked").say("full")
            assert refused.refused == "flow_unavailable"
            assert "is_full" in refused.text
            assert (await new.chat("fresh").say("hello")).text == "Version 2"
            assert (await http.get("/api/ready")).json()["unavailable_versions"] == 1
            await asyncio.sleep(1.5)  # the new replica leaves the timer of the parked conversation
            assert not [one for one in await new.runtime.store.entries("parked") if isinstance(one.event, TimerFired)]
            async with old:
                assert await fired(old, "parked") == 1
                turn = await old.chat("parked").say("full")
                assert "Version 1" in turn.text
                assert turn.outcome == "full"

    asyncio.run(play())


def test_a_version_whose_conversations_were_migrated_is_not_unavailable_any_more(address: str) -> None:
    async def play() -> None:
        old = opened(address, 1)
        await old.chat("parked").say("hello")
        new = opened(address, 2)
        async with served(new) as http:
            await asyncio.sleep(1.5)  # its timer is tried here, and left
            assert (await http.get("/api/ready")).json()["unavailable_versions"] == 1
            assert (await new.chat("parked").migrate()).moved == 1
            assert (await http.get("/api/ready")).json()["unavailable_versions"] == 0
            await asyncio.sleep(2.5)  # the version is tried again
            assert (await http.get("/api/ready")).json()["unavailable_versions"] == 0

    asyncio.run(play())


def test_a_replica_with_the_functions_of_both_versions_runs_both(address: str) -> None:
    async def play() -> None:
        async with opened(address, 1) as old:
            await old.chat("parked").say("hello")
        new = opened(address, 2, 1)
        async with served(new) as http:
            assert "Version 1" in (await new.chat("parked").say("full")).text
            assert (await http.get("/api/ready")).json()["unavailable_versions"] == 0

    asyncio.run(play())

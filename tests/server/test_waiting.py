"""What waits for slow clients is bounded in bytes; a position beyond the journal is answered by name."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from server.test_server_streams import ONE, begun, open_echo, seqs
from support.served import Listening, in_loop, served
from turnwise.server.limits import ServerLimits
from turnwise.server.streams.items import Item, Position
from turnwise.server.streams.waiting import Budget, EventQueue

LARGE = "x" * 8_000


def events_of(number: int, size: int) -> list[Item]:
    return [Item("entry", b"x" * size, Position(place, 1)) for place in range(number)]


def test_events_wait_up_to_a_number_of_bytes_for_one_and_for_all() -> None:
    budget = Budget(1_000)
    one, other = EventQueue(600, budget), EventQueue(600, budget)
    one.add("c", events_of(5, 100))
    assert not one.has_room(events_of(2, 100))
    other.add("c", events_of(4, 100))
    assert not other.has_room(events_of(2, 100))
    assert [len(found) for found in (one.take(250), one.take(1), one.take(9_999), one.take(9))] == [2, 1, 2, 0]
    assert other.has_room(events_of(2, 100))
    other.clear()
    assert budget.taken == 0
    assert one.has_room(events_of(1, 5_000)), "one event is sent as a whole"


@pytest.mark.parametrize(
    "path", [ONE, "/api/stream?conversation=x&after=0", "/api/stream?conversation=x&after=0&debug=true"]
)
@in_loop
async def test_stalled_readers_of_large_messages_keep_few_bytes_and_receive_all_of_them(path: str) -> None:
    limits = ServerLimits(stalled_s=60, waiting_bytes=50_000, all_waiting_bytes=200_000, open_streams=0)
    async with served(open_echo(), limits=limits) as client:
        await begun(client, "x")
        chat = client.server.service.apps["echo"].chat("x")
        held = [Listening(client.server, path) for _ in range(8)]
        for one in held:
            await one.count(2)
            one.paused = True
        budget, most = client.server.service.hub.budget, 0
        for _ in range(30):
            await chat.say(LARGE)
            await asyncio.sleep(0)
            most = max(most, budget.taken)
        assert most <= 200_000 + 8 * 20_000
        state = await chat.state()
        for one in held:
            one.paused = False
        for one in held:
            await one.until(lambda events: _last(events) >= state.seq, 30)
            texts = [json.loads(found["data"]) for found in one.named("entry" if path == ONE else "message")]
            assert json.dumps(texts).count(LARGE) >= 30
            await one.leave()
        assert budget.taken == 0


def _last(events: list[dict[str, str]]) -> int:
    ids = [one["id"] for one in events if one.get("id")]
    return int(ids[-1].split("-")[1] if "-" in ids[-1] else ids[-1]) if ids else 0


@in_loop
async def test_a_reader_that_takes_nothing_of_the_past_keeps_no_page_of_it() -> None:
    async with served(open_echo(), limits=ServerLimits(stalled_s=60, open_streams=0)) as client:
        await begun(client, "x")
        chat = client.server.service.apps["echo"].chat("x")
        for _ in range(20):
            await chat.say(LARGE)
        held = [Listening(client.server, ONE, most=1) for _ in range(12)]
        for one in held:
            await one.count(1)
        feeds = client.server.service.hub.feeds
        async with asyncio.timeout(60):
            while feeds.reading.locked():
                await asyncio.sleep(0.05)
        quick = Listening(client.server, ONE)
        last = (await chat.state()).seq
        assert seqs(await quick.count(last)) == list(range(1, last + 1)), "others read meanwhile"
        await quick.leave()
        for one in held:
            await one.leave()


# positions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["journal", "chat", "debug"])
@in_loop
async def test_a_position_beyond_the_journal_is_answered_by_name_and_begins_anew(kind: str) -> None:
    async with served(open_echo()) as client:
        await begun(client, "x")
        chat = client.server.service.apps["echo"].chat("x")
        for number in range(6):
            await chat.say(f"old {number}")
        path = ONE if kind == "journal" else f"/api/stream?conversation=x&after=0{'&debug=true' * (kind == 'debug')}"
        first = Listening(client.server, path)
        seq = (await chat.state()).seq
        await first.until(lambda events: _last(events) >= seq)
        last_id = [one["id"] for one in first.events if one.get("id")][-1]
        await first.leave()
        assert (await client.delete("/api/conversations/x")).status_code == 204
        await begun(client, "x")
        again = Listening(client.server, path, {"last-event-id": last_id})
        await again.count(2)
        reset = again.named()[0]
        assert (reset["event"], json.loads(reset["data"])["position"]) == ("reset", seq)
        for number in range(3):
            await chat.say(f"new {number}")
        last: int = (await chat.state()).seq
        await again.until(lambda events: _last(events) >= last)
        if kind == "journal":
            assert [int(one["id"]) for one in again.named("entry")] == list(range(1, last + 1))
        assert "old" not in str(again.named())
        assert again.text.count("new 2")
        await again.leave()


@in_loop
async def test_a_client_that_is_ahead_of_nothing_is_not_reset() -> None:
    async with served(open_echo()) as client:
        await begun(client, "x")
        chat: Any = client.server.service.apps["echo"].chat("x")
        last = (await chat.state()).seq
        listening = Listening(client.server, "/api/conversations/x/events", {"last-event-id": str(last)})
        await chat.say("hello")
        events = await listening.count(1)
        assert events[0]["event"] == "entry"
        await listening.leave()

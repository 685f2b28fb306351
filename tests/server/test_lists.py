"""The list of conversations, timelines, histories of transitions; the pages of the examples."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, sets
from support.served import ELIGIBILITY, ROOT, Listening, in_loop, served
from support.stored import INTAKE
from turnwise.api.open import open_store
from turnwise.archive.edge_counts import EdgeCounts
from turnwise.authoring.python import read_code

HEALTH = ROOT / "examples/health_intake/health_intake.flow.yaml"
WITH_CODE = ROOT / "examples/health_intake/with_code.flow.yaml"
CLOCK = 1_700_000_000_000


async def get(client: Any, path: str, **more: Any) -> Any:
    answer = await client.get(f"/api{path}", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


@in_loop
async def test_every_example_has_a_page() -> None:
    code = read_code(WITH_CODE.parent / "guards.py")
    for path in sorted((ROOT / "examples").glob("*/*.flow.yaml")):
        guards = list(code.guards) if path == WITH_CODE else []
        app = tw.open(path, clock=tw.ManualClock(CLOCK), guards=guards)
        async with served(app) as client:
            page = await get(client, f"/flows/{app.machine.flow.name}")
            assert {one["name"] for one in page["nodes"]} == set(app.machine.nodes)
            assert {one["transition"] for one in page["coverage"]["edges"]} >= set(app.machine.transitions("before"))


# lists -------------------------------------------------------------------------------------------------------


@in_loop
async def test_conversations_are_filtered_searched_and_paged() -> None:
    clock = tw.ManualClock(CLOCK)
    app = tw.open(flow_of(INTAKE), clock=clock)
    async with served(app, clock=clock) as client:
        for number, name in enumerate(("Ada", "Bob", "Eve", "Zoe")):
            clock.move_s(60)
            await app.chat(f"c{number}").start()
            await app.chat(f"c{number}").say(f"My name is {name}")
        await app.chat("c1").say("12")
        found = await get(client, "/conversations")
        assert [one["id"] for one in found["conversations"]] == ["c3", "c1", "c2", "c0"] or found["total"] == 4
        assert found["conversations"][0]["snippet"] == "How old are you?"
        ended = await get(client, "/conversations?status=ended")
        assert [(one["id"], one["outcome"]) for one in ended["conversations"]] == [("c1", "refused")]
        assert (await get(client, "/conversations?status=waiting&node=ask"))["total"] == 3
        assert (await get(client, "/conversations?status=person"))["total"] == 0
        assert (await get(client, "/conversations?flow=other"))["total"] == 0
        (eve,) = (await get(client, "/conversations?text=IS%20EVE"))["conversations"]
        assert (eve["id"], eve["snippet"]) == ("c2", "My name is Eve")
        first = await get(client, "/conversations?limit=3")
        second = await get(client, f"/conversations?limit=3&after={first['next']}")
        assert (len(first["conversations"]), len(second["conversations"]), second["next"]) == (3, 1, None)
        timers = first["conversations"][0]["timers"]
        assert [one["transition"] for one in timers] in ([], ["reminder"])


@in_loop
async def test_a_list_has_only_the_callers_own_conversations() -> None:
    async with served(keys=True) as client:
        ada, bob, root = client.as_("ada"), client.as_("bob"), client.as_("root", "admin")
        for name, header in (("x", ada), ("y", ada), ("x", bob)):
            await client.post("/api/conversations", json={"flow": "eligibility", "name": name}, headers=header)
        own = await get(client, "/conversations", headers=ada)
        assert {one["id"] for one in own["conversations"]} == {"ada:x", "ada:y"}
        assert (await get(client, "/conversations?text=bob", headers=ada))["total"] == 0
        assert (await get(client, "/conversations", headers=root))["total"] == 3
        assert (await get(client, "/flows", headers=ada))[0]["conversations"] == 2
        assert (await get(client, "/flows", headers=root))[0]["conversations"] == 3


@pytest.mark.parametrize("cursor", [f"{10**23}.1", f"1.{10**23}", f"-{10**23}.1", "٣.٣", "1.1.1", "1._1"])
def test_a_cursor_that_no_store_can_read_is_refused(cursor: str, tmp_path: Path) -> None:
    @in_loop
    async def asks() -> None:
        async with served(tw.open(ELIGIBILITY, store=open_store(f"sqlite:///{tmp_path / 'a.db'}"))) as client:
            for text in ("", "a"):
                answer = await client.get("/api/conversations", params={"after": cursor, "text": text})
                assert (answer.status_code, answer.json()["errors"][0]["at"]) == (422, "?after")
            answer = await client.post("/api/flows/eligibility/what-if", json={"after": cursor})
            assert (answer.status_code, answer.json()["errors"][0]["at"]) == (422, "/after")

    asks()


@pytest.mark.parametrize("query", ["after=x", "limit=0", "limit=1000", "status=gone", "flo=x"])
def test_wrong_queries_are_refused(query: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served() as client:
            answer = await client.get(f"/api/conversations?{query}")
            assert (answer.status_code, answer.json()["code"]) == (422, "invalid"), answer.text

    asks()


# timelines ---------------------------------------------------------------------------------------------------


@in_loop
async def test_a_timeline_has_lanes_marks_moves_and_undone_turns() -> None:
    app = tw.open(HEALTH, clock=tw.ManualClock(CLOCK))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("I'm Maria, and I'm thirty-five")
        await chat.say("sorry, I am 48")
        await chat.undo()
        found = await get(client, "/conversations/x/timeline")
        lanes = found["lanes"]
        assert lanes == list(app.machine.nodes)
        state = await chat.state()
        assert found["last_seq"] == state.seq
        seqs, turns = [mark[0] for mark in found["marks"]], found["turns"]
        assert seqs == sorted(seqs)
        assert [(turn[0], lanes[turn[4]], turn[5], turn[6]) for turn in turns] == [
            (1, "introduction", "started", False),
            (2, "ineligible", "said", False),
            (3, "introduction", "said", True),
            (4, "ineligible", "undo", False),
        ]
        assert [(lanes[one[1]], lanes[one[2]]) for one in found["moves"]] == [
            ("introduction", "ineligible"),
            ("ineligible", "introduction"),
            ("introduction", "ineligible"),
        ]
        moved = next(mark for mark in found["marks"] if mark[4] == "taken")
        assert (moved[6], moved[9]) == ("Moved to Ineligible", "too_young")
        assert found["candidates"][moved[10]][1] == "too_young"
        assert moved[11][1] == "t"
        assert {turn[2] for turn in turns} <= set(found["commits"])
        edges = await get(client, "/conversations/x/edges")
        assert {one["transition"]: one["taken"] for one in edges}["too_young"] == 1
        await get(client, "/flows/health_intake/edges")  # waits for the counts
        trace = await get(client, "/conversations/x/trace?turn=2")
        assert trace["decisions"][0]["histories"]["too_young"]["taken"] == 1
        gone = await client.get("/api/conversations/nobody/timeline")
        assert (gone.status_code, gone.json()["code"]) == (404, "unknown_conversation")


@in_loop
async def test_counts_over_all_conversations_are_shown_when_they_are_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_count, refresh = asyncio.Event(), EdgeCounts.refresh

    async def later_refresh(counts: EdgeCounts) -> bool:
        await may_count.wait()
        return await refresh(counts)

    monkeypatch.setattr(EdgeCounts, "refresh", later_refresh)
    app = tw.open(HEALTH, clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("I'm Maria, and I'm thirty-five")
        early = await get(client, "/conversations/x/trace?turn=2")
        assert early["decisions"][0]["histories"] == {}
        may_count.set()
        await get(client, "/flows/health_intake/edges")  # waits for the counts
        later = await get(client, "/conversations/x/trace?turn=2")
        assert later["decisions"][0]["histories"]["too_young"]["taken"] == 1


# marks -------------------------------------------------------------------------------------------------------

MARKED = """
flow: f
start: home
records: {user: {age: integer}}
nodes:
  home:
    say: Hello.
    transitions:
      - {guard: route, at: before}
      - {id: young, at: before, mirror: true, when: user.age < 38, to: out, because: under 38}
  out: {say: Bye., end: done}
"""


def broken(user: Any) -> str | None:
    return "out" if user.age > "x" else None


def other(user: Any) -> str | None:
    return "out" if user.age is not None and user.age < 30 else None


def same(user: Any) -> str | None:
    return "out" if user.age is not None and user.age < 38 else None


@pytest.mark.parametrize(
    ("function", "marks"),
    [(broken, ["guard_error", "code_differs"]), (other, ["code_differs"]), (same, [])],
    ids=["error", "differs", "same"],
)
def test_a_guard_in_error_and_code_that_differs_are_marked_in_lists_and_streams(
    function: Any, marks: list[str], tmp_path: Path
) -> None:
    @in_loop
    async def asks() -> None:
        guard = tw.guard(function, to=["out"], name="route")
        app = tw.open(flow_of(MARKED), guards=[guard], store=f"sqlite:///{tmp_path}/x.db", clock=tw.ManualClock(CLOCK))
        async with served(app) as client, app:
            stream = Listening(client.server, "/api/stream?list=true")
            await stream.until(bool)
            await app.chat("x").commands(sets(user__age=35))
            for path in ("/conversations/x", "/conversations/x/transcript", "/conversations"):
                found = await get(client, path)
                summary = found.get("conversation") or (found.get("conversations") or [found])[0]
                assert summary["marks"] == marks, path
            await stream.until(lambda _: bool(stream.named("summary")))
            assert json.loads(stream.named("summary")[-1]["data"])["summary"]["marks"] == marks
            await stream.leave()

    asks()

"""Flows over HTTP: the list, the page with source, problems, drawing and coverage, and edges."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import turnwise as tw
from support.chats import flow_of
from support.served import ELIGIBILITY, ROOT, in_loop, served
from turnwise.archive.edge_counts import EdgeCounts
from turnwise.cli.serve import source_of
from turnwise.core.explain.history import Edge
from turnwise.server.views.flow_page import coverage_of, history_of

HEALTH = ROOT / "examples/health_intake/health_intake.flow.yaml"
VISIT = """\
flow: visit
start: greet
records:
  user:
    name: string
    age: {type: integer, min: 0, max: 120, about: how old}
    plan: {type: choice, options: [basic, plus]}
    pin: {type: string, secret: true}
    adult: {type: boolean, value: user.age >= 18}
nodes:
  greet:
    say: How old are you?
    collect: [user.age]
    transitions:
      - {id: old, at: before, when: user.age >= 18, because: of age, to: done}
      - {at: before, when: user.age < 18, end: refused}
  done: {say: Thank you., end: welcome}
"""


async def page_of(client: Any, flow: str, **more: Any) -> dict[str, Any]:
    answer = await client.get(f"/api/flows/{flow}", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def opened(folder: Path, text: str = VISIT, **more: Any) -> tuple[tw.App, Path]:
    file = folder / "visit.flow.yaml"
    file.write_text(text, "utf-8")
    return tw.open(file, clock=tw.ManualClock(1_700_000_000_000), **more), file


@in_loop
async def test_the_list_has_each_flow_with_its_counts() -> None:
    clock = tw.ManualClock(1_700_000_000_000)
    store = tw.MemoryStore()
    apps = [tw.open(file, store=store, clock=clock) for file in (ELIGIBILITY, HEALTH)]
    async with served(*apps, clock=clock) as client:
        await apps[1].chat("ada").start()
        found = (await client.get("/api/flows")).json()
        assert [(one["name"], one["nodes"], one["conversations"]) for one in found] == [
            ("eligibility", 3, 0),
            ("health_intake", 5, 1),
        ]
        assert found[1]["file"].endswith("health_intake.flow.yaml")
        assert (found[1]["errors"], found[1]["warnings"]) == (0, 0)


@in_loop
async def test_the_page_names_transitions_as_decisions_do_and_knows_their_lines() -> None:
    app = tw.open(HEALTH, clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        page = await page_of(client, "health_intake")
        lines = page["source"].splitlines()
        nodes = {one["name"]: one for one in page["graph"]["nodes"] if one["line"]}
        assert {name: lines[one["line"] - 1].strip().split(":")[0] for name, one in nodes.items()} == {
            name: name for name in ("introduction", "profiler", "closing", "farewell", "ineligible")
        }
        edges = {one["transition"]: one for one in page["graph"]["edges"] if one["transition"]}
        assert set(edges) == {
            *("ineligible_male", "too_young", "complete", "three_groups", "nothing_more", "asked_enough"),
            *("once_farewell", "corrected", "turned_away"),
        }
        assert edges["turned_away"]["is_timer"]
        assert edges["complete"]["test"] == "has(user.name) && user.age >= 38 && user.tos_acknowledged"
        for name in ("ineligible_male", "complete", "corrected"):
            assert f"id: {name}" in lines[edges[name]["line"] - 1]
        guards = {one["id"]: one["guard"] for node in page["nodes"] for one in node["transitions"]}
        assert guards["too_young"] == "user.age < 38"


REASONS = """flow: reasons
start: a
records: {user: {age: integer}}
transitions: [{id: anywhere, at: before, when: user.age < 0, because: it is wrong., to: b}]
nodes:
  a:
    say: Hello.
    transitions:
      - {id: too_young, at: before, when: user.age < 38, because: under age 38., to: b}
      - {id: x_1, at: before, when: user.age < 50, because: it is late, to: b}
      - {id: x_2, at: before, when: user.age < 60, because: it is late., to: b}
      - {id: bare, at: before, when: user.age < 70, to: b}
  b: {say: Bye., end: over}
"""


@in_loop
async def test_the_page_has_the_reason_of_a_transition_if_no_other_one_has_the_same() -> None:
    async with served(tw.open(tw.loads(REASONS))) as client:
        assert (await page_of(client, "reasons"))["reasons"] == {"anywhere": "it is wrong", "too_young": "under age 38"}


@in_loop
async def test_the_page_has_the_fields_for_editors(tmp_path: Path) -> None:
    app, _ = opened(tmp_path)
    async with served(app) as client:
        fields = {one["name"]: one for one in (await page_of(client, "visit"))["fields"]}
        assert (fields["user.age"]["type"], fields["user.age"]["minimum"], fields["user.age"]["maximum"]) == (
            "integer",
            0,
            120,
        )
        assert fields["user.plan"]["options"] == ["basic", "plus"]
        assert fields["user.pin"]["is_secret"]
        assert fields["user.adult"]["is_derived"]


@in_loop
async def test_coverage_counts_conversations_and_what_came_since(tmp_path: Path) -> None:
    app, _ = opened(tmp_path)
    async with served(app) as client:
        for name, age in (("ada", 40), ("ben", 12)):
            await app.chat(name).start()
            await app.chat(name).say(str(age))
        await app.chat("cleo").start()
        page = await page_of(client, "visit")
        assert page["parked"] == {"greet": 1}
        assert page["flow"]["conversations"] == 3
        assert page["coverage"]["conversations"] == 3
        assert page["coverage"]["nodes"] == {"greet": 3, "done": 1}
        before = {one["transition"]: (one["judged"], one["taken"]) for one in page["coverage"]["edges"]}
        await app.chat("cleo").say("50")
        await app.chat("ada").forget()
        page = await page_of(client, "visit")
        after = {one["transition"]: (one["judged"], one["taken"]) for one in page["coverage"]["edges"]}
        assert page["coverage"]["nodes"] == {"greet": 2, "done": 1}
        assert before["old"][1] == after["old"][1] == 1
        assert page["parked"] == {}
        edges = (await client.get("/api/flows/visit/edges")).json()
        assert edges == page["coverage"]["edges"]
        assert sum(edges[0]["outcomes"].values()) >= edges[0]["judged"]


@in_loop
async def test_coverage_is_the_same_however_often_it_is_counted(tmp_path: Path) -> None:
    app, _ = opened(tmp_path)
    async with served(app):
        counts = EdgeCounts(app.runtime.store, app.runtime.machines)
        chat = app.chat("ada")
        await chat.start()
        await counts.refresh()
        await chat.say("40")
        await counts.refresh()
        found = coverage_of(await counts.flow_counts("visit"))
        await counts.refresh()
        anew = EdgeCounts(app.runtime.store, app.runtime.machines)
        await anew.refresh()
        assert found == coverage_of(await counts.flow_counts("visit")) == coverage_of(await anew.flow_counts("visit"))
        history = {(edge.node, edge.transition): edge for edge in await app.history()}
        assert {(one.node, one.transition): (one.judged, one.taken) for one in found.edges if one.judged} == {
            key: (edge.judged, edge.taken) for key, edge in history.items() if edge.judged
        }


@in_loop
async def test_a_file_that_is_broken_later_shows_its_problems_while_conversations_go_on(tmp_path: Path) -> None:
    app, file = opened(tmp_path)
    async with served(app) as client:
        client.server.reloads({"visit": source_of(file, None)})
        fine = await page_of(client, "visit")
        assert (fine["flow"]["errors"], fine["diagnostics"]) == (0, [])
        file.write_text("# new\n" + VISIT.replace("user.age >= 18, because", "user.aeg >= 18, because"), "utf-8")
        os.utime(file, ns=(1_800_000_000_000_000_000, 1_800_000_000_000_000_000))
        broken = await page_of(client, "visit")
        assert broken["source"].startswith("# new")
        assert broken["saved_ms"] == 1_800_000_000_000
        assert broken["flow"]["fingerprint"] == fine["flow"]["fingerprint"]
        (problem,) = broken["diagnostics"]
        assert (problem["code"], problem["line"], broken["flow"]["errors"]) == ("TW031", 16, 1)
        assert "age" in problem["hint"]
        moved = {one["transition"]: one["line"] for one in broken["graph"]["edges"]}
        assert moved["old"] == 16
        assert (await client.post("/api/conversations", json={"flow": "visit", "name": "ada"})).status_code == 201
        file.unlink()
        gone = await page_of(client, "visit")
        assert (gone["source"], gone["saved_ms"], gone["flow"]["file"]) == ("", None, str(file))
        assert [(one["code"], one["message"]) for one in gone["diagnostics"]] == [("TW001", "there is no such file")]


@in_loop
async def test_without_reload_the_text_and_the_lines_are_those_of_what_runs(tmp_path: Path) -> None:
    app, file = opened(tmp_path)
    async with served(app) as client:
        before = await page_of(client, "visit")
        source = (await client.get("/api/flows/visit/source")).json()["files"]
        assert [one["is_current"] for one in source] == [True]
        file.write_text("# new\n# newer\n" + VISIT.replace("id: old", "id: other"), "utf-8")
        now = await page_of(client, "visit")
        assert (now["source"], now["saved_ms"]) == (VISIT, before["saved_ms"])
        assert (now["graph"], now["diagnostics"]) == (before["graph"], before["diagnostics"])
        source = (await client.get("/api/flows/visit/source")).json()["files"]
        assert [(one["text"], one["is_current"]) for one in source] == [(VISIT, False)]
        file.unlink()
        gone = await page_of(client, "visit")
        assert (gone["source"], gone["diagnostics"]) == (VISIT, [])


@in_loop
async def test_a_flow_from_a_program_has_no_source() -> None:
    app = tw.open(flow_of(VISIT), clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        page = await page_of(client, "visit")
        assert page["source"] is None
        assert [one["name"] for one in page["graph"]["nodes"]][:2] == ["greet", "done"]


@in_loop
async def test_source_and_coverage_need_debug_read(tmp_path: Path) -> None:
    app, _ = opened(tmp_path)
    async with served(app, keys=True) as client:
        plain = await page_of(client, "visit", headers=client.as_("ada"))
        assert (plain["source"], plain["coverage"], plain["parked"], plain["flow"]["file"]) == (None, None, {}, "")
        assert [one["name"] for one in plain["graph"]["nodes"]][:2] == ["greet", "done"]
        assert len(plain["graph"]["edges"]) == 4
        assert [one["name"] for one in plain["nodes"]] == ["greet", "done"]
        text = json.dumps(plain)
        told = ("user.", "of age", "How old", "Thank you", "welcome", "refused", "old")
        assert [word for word in told if word in text] == []
        operator = await page_of(client, "visit", headers=client.as_("eve", "operator"))
        assert (operator["source"], len(operator["fields"])) == (None, 5)
        reader = await page_of(client, "visit", headers=client.as_("ada", "chat", "debug:read"))
        assert reader["source"] == VISIT
        refused = await client.get("/api/flows/visit/edges", headers=client.as_("ada"))
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
        unknown = await client.get("/api/flows/vist", headers=client.as_("ada"))
        assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_flow")
        assert "visit" in unknown.json()["hint"]


def test_a_history_leaves_out_outcomes_that_never_came() -> None:
    found = history_of(Edge("a", "before", "t", "b", {"taken": 2, "false": 0, "unknown": 1}))
    assert found.outcomes == {"taken": 2, "unknown": 1}
    assert (found.judged, found.taken) == (3, 2)

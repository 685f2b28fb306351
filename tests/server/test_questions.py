"""State, prompts, decisions, dry run, records, artefacts, timers, copies and files over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import ROOT, in_loop, served
from support.stored import INTAKE
from turnwise.authoring.python import read_code
from turnwise.core.state import events as e
from turnwise.models.scripted import ScriptedModel
from turnwise.testing.play import play_file
from turnwise.testing.scenario import read_scenarios

HEALTH = ROOT / "examples/health_intake/health_intake.flow.yaml"
CLOCK = 1_700_000_000_000
SECRET = """
flow: safe
start: home
records: {user: {name: string, age: {type: integer, min: 0, max: 120}, pin: {type: string, secret: true}}}
nodes:
  home: {form: {fields: [{field: user.name, ask: "Your name?"}], confirm: {}, handoff: crm}}
"""


def intake(**more: Any) -> tw.App:
    return tw.open(flow_of(INTAKE), clock=tw.ManualClock(CLOCK), **more)


async def get(client: Any, path: str, **more: Any) -> Any:
    answer = await client.get(f"/api/conversations/{path}", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


@in_loop
async def test_the_state_of_any_turn_with_what_it_changed() -> None:
    app = intake()
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("Ada")
        await chat.say("30")
        then = await get(client, "x/state?turn=2")
        values = {one["field"]: one for one in then["values"]}
        assert (then["turn"], values["user.name"]["is_changed"], values["user.age"]["is_known"]) == (2, True, False)
        now = await get(client, "x/state")
        values = {one["field"]: one for one in now["values"]}
        assert (values["user.age"]["value"], values["user.age"]["origin"]["turn"]) == (30, 3)
        assert values["user.name"]["is_changed"] is False
        assert now["timers"][0]["due_ms"] == CLOCK + 1_800_000
        assert (await get(client, "x/timers")) == now["timers"]


@in_loop
async def test_decisions_of_a_turn_and_of_a_transition_that_was_not_judged() -> None:
    app = intake()
    async with served(app) as client:
        chat = app.chat("x")
        await chat.say("hello")
        await chat.say("Ada")
        (found,) = await get(client, "x/decisions?turn=2&transition=young")
        assert found["candidates"][0]["missing"] == ["user.age"]
        (other,) = await get(client, "x/decisions?transition=done")
        assert other["hypothetical"] is True
        wrong = await client.get("/api/conversations/x/decisions?transition=yuong")
        assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid")
        assert "young" in wrong.json()["detail"]


@in_loop
async def test_prompts_of_a_turn() -> None:
    app = tw.open(HEALTH, clock=tw.ManualClock(CLOCK), model=ScriptedModel(["Hello.", "Well."] * 3))
    async with served(app) as client:
        await app.chat("x").say("hello")
        await app.chat("x").say("what exactly do I agree to?")
        first, second = await get(client, "x/prompt?turn=1"), await get(client, "x/prompt")
        assert all(one["is_proved"] for one in (*first, *second))
        assert second[-1]["previous"] == first[-1]["text"]


@in_loop
async def test_a_dry_run_says_where_a_button_leads_and_changes_nothing() -> None:
    app = intake()
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        for word in ("Ada", "30", "Plus"):
            turn = await chat.say(word)
        url, last = "/api/conversations/x/dry-run", turn.state.seq
        found = (await client.post(url, json={"button": "confirm", "position": turn.position})).json()
        assert (found["is_known"], found["moves"], found["node"]) == (True, ["done"], "served")
        refused = (await client.post(url, json={"button": "nothing"})).json()
        assert refused["refused"] == "unknown_button"
        text = (await client.post(url, json={"text": "change my age to 12"})).json()
        assert (text["moves"], text["values"]) == (["young"], {"user.age": 12})
        commands = [{"type": "set", "field": "user.age", "value": 17}]
        assert (await client.post(url, json={"commands": commands})).json()["moves"] == ["young"]
        for body in ({}, {"text": "a", "button": "b"}, {"text": "a", "position": 1}):
            wrong = await client.post(url, json=body)
            assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid")
        assert (await chat.state()).seq == last


@in_loop
async def test_a_dry_run_says_honestly_where_a_model_decides() -> None:
    app = tw.open(HEALTH, clock=tw.ManualClock(CLOCK), model=ScriptedModel(["Hello."] * 3))
    async with served(app) as client:
        await app.chat("x").say("hello")
        found = (await client.post("/api/conversations/x/dry-run", json={"text": "hm"})).json()
        assert (found["is_known"], found["decided_by"]) == (False, "model")
        assert "introduction" in found["why"]


# records -----------------------------------------------------------------------------------------------------


@in_loop
async def test_an_edit_is_checked_is_a_turn_and_is_all_or_nothing() -> None:
    app = intake()
    async with served(app) as client:
        chat, url = app.chat("x"), "/api/conversations/x/records"
        await chat.start()
        await chat.say("Ada")
        wrong = await client.patch(url, json={"set": {"user.age": 200, "user.plan": "Plus"}})
        assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid")
        assert wrong.json()["errors"][0]["at"] == "/set/user.age"
        assert (await chat.state()).values.keys() == {"user.name"}
        headers = {"idempotency-key": "one"}
        done = await client.patch(url, json={"set": {"user.age": 40}, "clear": ["user.name"]}, headers=headers)
        assert done.status_code == 200, done.text
        values = {one["field"]: one for one in done.json()["records"]["values"]}
        assert (values["user.age"]["value"], values["user.age"]["origin"]["how"]) == (40, "command")
        assert values["user.name"]["is_known"] is False
        again = await client.patch(url, json={"set": {"user.age": 40}, "clear": ["user.name"]}, headers=headers)
        assert again.json()["turn"]["is_duplicate"] is True
        assert sum(isinstance(entry.event, e.Commands) for entry in await chat.journal()) == 1
        assert {one["field"]: one["value"] for one in (await get(client, "x/records"))["values"]}["user.age"] == 40
        unknown = await client.patch(url, json={"set": {"user.aeg": 1}})
        assert (unknown.status_code, unknown.json()["code"]) in ((422, "unknown_field"), (422, "invalid"))
        nothing = await client.patch(url, json={})
        assert (nothing.status_code, nothing.json()["code"]) == (422, "invalid")


@in_loop
async def test_artefacts_are_listed_with_the_undone_ones_marked() -> None:
    app = tw.open(flow_of(SECRET), clock=tw.ManualClock(CLOCK))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("Ada")
        await chat.choose("confirm")
        found = await get(client, "x/artefacts")
        handoff = next(one for one in found if one["kind"] == "HANDOFF")
        assert (handoff["data"]["to"], handoff["is_undone"]) == ("crm", False)
        await chat.undo()
        found = await get(client, "x/artefacts")
        assert next(one for one in found if one["kind"] == "HANDOFF")["is_undone"] is True


# copies and files --------------------------------------------------------------------------------------------


@in_loop
async def test_a_fork_is_a_conversation_of_its_own() -> None:
    app = intake()
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("Ada")
        await chat.say("30")
        answer = await client.post("/api/conversations/x/fork", json={"name": "y", "turn": 2})
        assert (answer.status_code, answer.json()["id"], answer.json()["turn"]) == (201, "y", 2)
        assert "fork" in answer.json()["marks"]
        twice = await client.post("/api/conversations/x/fork", json={"name": "y"})
        assert (twice.status_code, twice.json()["code"]) == (409, "conversation_exists")
        late = await client.post("/api/conversations/x/fork", json={"turn": 99})
        assert (late.status_code, late.json()["code"]) == (404, "unknown_turn")
        trace = await get(client, "y/trace?turn=2")
        assert trace["state"]["values"][0]["value"] == "Ada"
        assert (await get(client, "y/timeline"))["last_seq"] == answer.json()["seq"]


@in_loop
async def test_an_exported_file_is_imported_whole_or_not_at_all() -> None:
    async with served() as client:
        chat = client.server.service.apps["eligibility"].chat("a/ü")
        await chat.say("hello")
        await chat.say("yes")
        file = await client.get("/api/conversations/a%2F%C3%BC/export")
        assert file.headers["content-type"] == "application/x-ndjson"
        assert file.headers["content-disposition"] == 'attachment; filename="a.jsonl"'
        headers = {"content-type": "application/x-ndjson"}
        copy = await client.post("/api/conversations/import?name=copy", content=file.content, headers=headers)
        assert (copy.status_code, copy.json()["id"], copy.json()["marks"]) == (201, "copy", ["fork"])
        assert (await get(client, "copy/transcript"))["messages"] != []
        cut = await client.post("/api/conversations/import?name=z", content=file.content[:-5], headers=headers)
        assert (cut.status_code, cut.json()["code"]) == (422, "import_refused")
        taken = await client.post("/api/conversations/import?name=copy", content=file.content, headers=headers)
        assert (taken.status_code, taken.json()["code"]) == (409, "conversation_exists")


@in_loop
async def test_a_conversation_is_saved_as_a_scenario_that_passes(tmp_path: Path) -> None:
    code = read_code(HEALTH.parent / "guards.py")
    for path, guards in ((HEALTH, ()), (HEALTH.parent / "with_code.flow.yaml", code.guards)):
        model = ScriptedModel(["Hello, I am Freya."] * 9)
        app = tw.open(path, clock=tw.ManualClock(CLOCK), model=model, guards=guards)
        async with served(app) as client:
            chat = app.chat("maria")
            for message in ("hello", "I'm Maria, and I'm thirty-five", "sorry, I am 48", "yes, I agree"):
                await chat.say(message)
            answer = await client.get("/api/conversations/maria/scenario")
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-disposition"] == 'attachment; filename="maria.scenario"'
            assert "# differs" not in answer.text
            assert str(ROOT) not in answer.text
            file = tmp_path / "maria.scenario"
            file.write_text(answer.text, "utf-8")
            (tmp_path / "guards.py").write_bytes((HEALTH.parent / "guards.py").read_bytes())
            (played,) = await asyncio.to_thread(play_file, read_scenarios(file))
            assert played.passed, played.misses
            assert [turn.node for turn in played.turns] == [(await chat.turn(n)).node for n in range(1, 5)]


@in_loop
async def test_a_flow_that_is_not_served_is_not_imported(tmp_path: Path) -> None:
    async with served(intake()) as other:
        await other.server.service.apps["intake"].chat("x").say("hello")
        file = (await other.get("/api/conversations/x/export")).content
    async with served() as client:
        answer = await client.post("/api/conversations/import", content=file)
        assert (answer.status_code, answer.json()["code"]) == (422, "import_refused")
        assert await client.server.service.store.conversations() == ()


# scopes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "state", "debug:read"),
        ("GET", "prompt", "debug:read"),
        ("GET", "decisions", "debug:read"),
        ("GET", "timeline", "debug:read"),
        ("GET", "edges", "debug:read"),
        ("GET", "scenario", "debug:read"),
        ("GET", "export", "debug:read"),
        ("GET", "records", "debug:read"),
        ("PATCH", "records", "operator"),
    ],
)
def test_each_scope_is_needed(method: str, path: str, scope: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served(keys=True) as client:
            ada = client.as_("ada")
            await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"}, headers=ada)
            lacks = await client.request(method, f"/api/conversations/ada:x/{path}", headers=ada, json={})
            assert (lacks.status_code, lacks.json()["code"]) == (403, "missing_scope")
            assert scope in lacks.json()["detail"]

    asks()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("GET", path) for path in ("state", "prompt", "decisions", "records", "artefacts", "timers", "export")),
        *(("GET", path) for path in ("transcript", "trace", "timeline", "edges", "scenario")),
        *(("POST", path) for path in ("dry-run", "fork")),
    ],
)
def test_conversations_of_others_are_not_found(method: str, path: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served(keys=True) as client:
            ada, bob = client.as_("ada"), client.as_("bob", "chat", "debug:read")
            await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"}, headers=ada)
            for name in ("ada:x", "nobody"):
                body = {"text": "x"} if path == "dry-run" else {}
                found = await client.request(method, f"/api/conversations/{name}/{path}", headers=bob, json=body)
                assert (found.status_code, found.json()["code"]) == (404, "unknown_conversation"), found.text

    asks()


@in_loop
async def test_secrets_leave_the_server_only_in_files_for_admins() -> None:
    app = tw.open(flow_of(SECRET), clock=tw.ManualClock(CLOCK))
    async with served(app, keys=True) as client:
        ada, root = client.as_("ada", "chat", "debug:read"), client.as_("root", "admin")
        await client.post("/api/conversations", json={"flow": "safe", "name": "x"}, headers=ada)
        edit = {"set": {"user.pin": "4711-2233", "user.age": 40}}
        done = await client.patch("/api/conversations/ada:x/records", json=edit, headers=root)
        assert done.status_code == 200, done.text
        assert "4711" not in done.text
        for path in ("records", "state", "trace", "transcript", "decisions", "timeline", "artefacts"):
            for headers in (ada, root):
                answer = await client.get(f"/api/conversations/ada:x/{path}", headers=headers)
                assert answer.status_code == 200, (path, answer.text)
                assert "4711" not in answer.text, path
        for path in ("export", "scenario"):
            lacks = await client.get(f"/api/conversations/ada:x/{path}", headers=ada)
            assert (lacks.status_code, lacks.json()["code"]) == (403, "missing_scope")
        assert b"4711-2233" in (await client.get("/api/conversations/ada:x/export", headers=root)).content
        effects = await client.post("/api/conversations/ada:x/fork", json={"effects": True}, headers=ada)
        assert (effects.status_code, effects.json()["code"]) == (403, "missing_scope")

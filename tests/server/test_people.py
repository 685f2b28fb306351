"""People over HTTP: the queue, taking over, answering, what giving back would do, and giving back (law 6.10)."""

from __future__ import annotations

import json
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import ROOT, in_loop, served
from turnwise.core.state import events as e

pytestmark = pytest.mark.law("6.10")

INTAKE = """
flow: intake
start: introduction
commands: [hand_over]
person: {queue: intake, about: "help for {{user.name}}", timeout: 10m}
records:
  user:
    name: string
    age: {type: integer, min: 0, max: 120}
    terms: boolean
nodes:
  introduction:
    say: What is your name, and do you agree?
    collect: [user]
    transitions:
      - {id: too_young, at: before, when: user.age < 18, because: under age, end: refused}
      - {id: complete, at: before, when: has(user.name) && user.terms, because: the terms are accepted, to: done}
  done: {say: "Welcome, {{user.name}}.", end: welcome}
"""
START = 1_700_000_000_000
LENA = {"operator": "Lena", "reason": "asked for a person"}


async def begun(client: Any, name: str = "ada") -> None:
    assert (await client.post("/api/conversations", json={"flow": "intake", "name": name})).status_code == 201


async def person(client: Any, act: str, body: dict[str, Any], name: str = "ada", **more: Any) -> Any:
    return await client.post(f"/api/conversations/{name}/person/{act}", json=body, **more)


def app_of_intake() -> tuple[tw.App, tw.ManualClock]:
    clock = tw.ManualClock(START)
    return tw.open(flow_of(INTAKE), clock=clock), clock


@in_loop
async def test_a_person_takes_over_answers_sets_a_field_and_gives_back() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        await begun(client)
        taken = await person(client, "take-over", LENA)
        assert taken.status_code == 200, taken.text
        found = (await client.get("/api/conversations/ada")).json()
        assert (found["status"], found["person"]["operator"]) == ("person", "Lena")
        assert found["person"]["reason"] == "asked for a person"
        assert taken.json()["operator"] == "Lena"
        said = (await person(client, "say", {"text": "Hello, I am Lena."})).json()
        assert said["operator"] == "Lena"
        assert [(one["by"], one["text"]) for one in said["messages"]][-1] == ("person", "Hello, I am Lena.")
        trace = (await client.get("/api/conversations/ada/trace")).json()
        assert trace["nothing_judged"] == "No rule is judged until Lena gives the conversation back."
        given = (await person(client, "give-back", {"set": {"user.name": "Ada", "user.terms": True}})).json()
        assert (given["node"], given["outcome"], given["operator"]) == ("done", "welcome", "")
        ended = (await client.get("/api/conversations/ada")).json()
        assert (ended["status"], ended["person"]) == ("ended", None)


@in_loop
async def test_a_person_takes_over_from_a_colleague() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        await begun(client)
        await person(client, "take-over", LENA)
        mara = {"operator": "Mara", "reason": "her shift is over"}
        refused = await person(client, "take-over", mara)
        assert (refused.status_code, refused.json()["code"]) == (409, "taken_over")
        taken = await person(client, "take-over", {**mara, "instead_of": "Lena"})
        assert taken.status_code == 200, taken.text
        found = (await client.get("/api/conversations/ada")).json()
        assert (found["person"]["operator"], found["person"]["reason"]) == ("Mara", "her shift is over")
        seams = (await client.get("/api/conversations/ada/transcript")).json()["seams"]
        assert seams[-1]["text"] == "Mara took over from Lena: her shift is over"
        late = await person(client, "say", {"text": "Still here", "operator": "Lena"})
        assert (late.status_code, late.json()["code"]) == (409, "taken_over")


@in_loop
async def test_the_transcript_has_both_sides_and_what_the_person_did() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        await begun(client)
        await app.chat("ada").commands([tw.commands.HandOver()])
        clock.move_s(40)
        await person(client, "take-over", LENA)
        await person(client, "say", {"text": "Hello, I am Lena."})
        await app.chat("ada").say("I am Ada")
        await person(client, "give-back", {"set": {"user.name": "Ada"}, "reason": "answered"})
        transcript = (await client.get("/api/conversations/ada/transcript")).json()
        found = transcript["messages"]
        for text, names in (("am lena", ["ada"]), ("ena", [])):
            page = (await client.get("/api/conversations", params={"text": text})).json()
            assert [one["id"] for one in page["conversations"]] == names, text
        lines = [one["text"] for one in found if one["by"] == "system"]
        assert lines == ["hand_over", "Waits for a person in the queue intake"]
        acts = [one for one in transcript["seams"] if one["moment"] == "person"]
        assert [one["text"] for one in acts] == [
            "Lena took over after 40 s: asked for a person",
            "Lena gave the conversation back, set user.name: answered",
        ]
        assert {one["outcome"] for one in acts} == {"person"}
        timeline = (await client.get("/api/conversations/ada/timeline")).json()
        marks = [(mark[0], mark[6]) for mark in timeline["marks"] if mark[8] == "person"]
        assert marks == [
            (acts[0]["seq"], "Lena took over after 40 s"),
            (acts[1]["seq"], "Lena gave the conversation back, set name"),
        ]
        assert [one["note"] for one in found if one["by"] == "user"] == ["not interpreted while a person is in charge"]
        assert [one["speaker"] for one in found if one["by"] == "person"][-1] == "Lena"


@in_loop
async def test_the_queue_has_who_waits_longest_first() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        for name in ("ada", "ben", "cleo"):
            await begun(client, name)
        for name in ("ben", "ada"):
            await app.chat(name).commands([tw.commands.HandOver()])
            clock.move_s(60)
        found = (await client.get("/api/queue")).json()
        assert [one["conversation"]["id"] for one in found] == ["ben", "ada"]
        assert found[0]["person"]["queue"] == "intake"
        assert found[0]["person"]["since_ms"] == START
        assert found[0]["person"]["operator"] == ""


@in_loop
async def test_a_preview_has_every_candidate_and_stores_nothing() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        await begun(client)
        await person(client, "take-over", LENA)
        before = (await client.get("/api/conversations/ada")).json()["seq"]
        found = (await person(client, "preview", {"set": {"user.name": "Ada", "user.terms": True}})).json()
        assert (found["moves"], found["node"], found["outcome"]) == (["complete"], "done", "welcome")
        assert [(one["id"], one["outcome"]) for one in found["decisions"][0]["candidates"]] == [
            ("too_young", "unknown"),
            ("complete", "taken"),
        ]
        assert found["values"] == {"user.name": "Ada", "user.terms": True}
        assert [(one["name"], one["target"]) for one in found["transitions"]] == [
            ("too_young", "end: refused"),
            ("complete", "done"),
        ]
        stays = (await person(client, "preview", {})).json()
        assert (stays["moves"], stays["node"], stays["is_known"]) == ([], "introduction", True)
        chosen = (await person(client, "preview", {"transition": "complete", "reason": "ok"})).json()
        assert chosen["moves"] == ["complete"]
        assert (await client.get("/api/conversations/ada")).json()["seq"] == before


@in_loop
async def test_a_preview_has_the_outcomes_that_the_node_knows() -> None:
    flow = """
flow: desk
start: desk
records: {case: {topic: string}}
nodes:
  desk:
    person: {queue: billing}
    transitions:
      - {id: solved, when: person.outcome == "solved" && case.topic != "refund", to: done}
      - {id: kept, when: 'person.outcome in ["kept", "solved"]', to: done}
      - {id: nobody, when: person.outcome == "timeout", to: done}
  done: {say: Goodbye., end: done}
"""
    app = tw.open(flow_of(flow), clock=tw.ManualClock(START))
    async with served(app) as client:
        assert (await client.post("/api/conversations", json={"flow": "desk", "name": "ada"})).status_code == 201
        await person(client, "take-over", LENA)
        found = (await person(client, "preview", {"outcome": "solved"})).json()
        assert found["outcomes"] == ["solved", "kept"]
        assert found["outcome"] == "done"
        assert found["moves"] == ["kept"]


@in_loop
async def test_a_preview_names_each_value_that_its_field_refuses() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        await begun(client)
        await person(client, "take-over", LENA)
        wrong = {"user.age": 200, "user.terms": "perhaps", "user.name": "Ada"}
        found = (await person(client, "preview", {"set": wrong})).json()
        assert found["refused"] == "value_refused"
        assert [one["at"] for one in found["faults"]] == ["/set/user.age", "/set/user.terms"]
        assert "120" in found["faults"][0]["message"]
        assert not found["faults"][0]["message"].startswith("user.age")
        refused = await person(client, "give-back", {"set": wrong})
        assert (refused.status_code, refused.json()["code"]) == (422, "value_refused")
        assert refused.json()["errors"] == found["faults"]
        assert (await client.get("/api/conversations/ada")).json()["status"] == "person"


@in_loop
async def test_what_is_refused() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        await begun(client)
        nobody = await person(client, "say", {"text": "Hello"})
        assert (nobody.status_code, nobody.json()["code"]) == (409, "no_person")
        assert (await person(client, "preview", {})).json()["refused"] == "no_person"
        await person(client, "take-over", LENA)
        second = await person(client, "take-over", {"operator": "Max"})
        assert (second.status_code, second.json()["code"]) == (409, "taken_over")
        assert "Lena" in second.json()["detail"]
        other = await person(client, "say", {"text": "Hello", "operator": "Max"})
        assert other.json()["code"] == "taken_over"
        for body in ({"operator": " "}, {"operator": "L" * 201}, {}, {"operator": "Lena", "x": 1}):
            assert (await person(client, "take-over", body)).status_code == 422
        unknown = await person(client, "take-over", LENA, "nobody")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_conversation")


KEYED = {
    "take over": ("person/take-over", LENA, {"operator": "Mara"}),
    "answer": ("person/say", {"text": "Hello"}, {"text": "Goodbye"}),
    "give back": ("person/give-back", {"set": {"user.name": "Ada"}}, {"set": {"user.name": "Bob"}}),
    "give back by name": ("person/give-back", {"transition": "complete", "reason": "agreed"}, {"end": "welcome"}),
    "fire a timer": ("turns", {"timer": {"transition": "nudge"}}, {"timer": {"transition": "late"}}),
    "undo": ("turns", {"undo": {}}, {"undo": {"to": 1}}),
    "commands": ("turns", {"commands": [{"type": "hand_over"}]}, {"text": "I am Ada"}),
    "records": ("records", {"set": {"user.name": "Ada"}}, {"set": {"user.name": "Bob"}}),
}
"""The acts of an operator or admin: the path, a body, and another body."""
TIMERS = """
      - {id: nudge, at: timer, in: 10m, stay: true}
      - {id: late, at: timer, in: 1h, end: late}
"""


@pytest.mark.parametrize("act", KEYED)
@in_loop
async def test_an_act_with_the_same_key_counts_once(act: str) -> None:
    path, body, other = KEYED[act]
    clock = tw.ManualClock(START)
    app = tw.open(flow_of(INTAKE.replace("\n  done:", TIMERS.rstrip() + "\n  done:")), clock=clock)
    async with served(app, clock=clock) as client:
        await begun(client)
        await app.chat("ada").commands([tw.commands.Set(field="user.name", value="Eve")])
        if "person" in path and act != "take over":
            await person(client, "take-over", LENA)
        method = "PATCH" if path == "records" else "POST"

        async def send(sent: dict[str, Any]) -> Any:
            headers = {"idempotency-key": "k1"}
            return await client.request(method, f"/api/conversations/ada/{path}", json=sent, headers=headers)

        first, again = await send(body), await send(body)
        assert (first.status_code, again.status_code) == (200, 200), again.text
        done, repeated = (one.json().get("turn", one.json()) for one in (first, again))
        assert (done["is_duplicate"], repeated["is_duplicate"]) == (False, True)
        assert {**repeated, "is_duplicate": False} == done
        refused = await send(other)
        assert (refused.status_code, refused.json()["code"]) == (409, "key_reused")
        assert (await app.chat("ada").state()).turn == done["number"]


@in_loop
async def test_each_operation_that_counts_once_declares_its_key() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock) as client:
        paths = (await client.get("/openapi.json")).json()["paths"]
    for path in ("turns", "person/take-over", "person/say", "person/give-back", "records", "fork"):
        operation = paths[f"/api/conversations/{{id}}/{path}"]["patch" if path == "records" else "post"]
        assert "Idempotency-Key" in [one["name"] for one in operation["parameters"]], path


@in_loop
async def test_people_need_the_scope_operator() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock, keys=True) as client:
        headers = client.as_("ada", "chat", "debug:read")
        begin = await client.post("/api/conversations", json={"flow": "intake", "name": "a"}, headers=headers)
        assert begin.status_code == 201
        for act, body in (("take-over", LENA), ("say", {"text": "x"}), ("give-back", {}), ("preview", {})):
            answer = await person(client, act, body, "ada:a", headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
        assert (await client.get("/api/queue", headers=headers)).status_code == 403
        for name, scope in (("lena", "operator"), ("root", "admin")):
            await client.post("/api/conversations", json={"flow": "intake", "name": name}, headers=headers)
            who = client.as_(name, scope)
            assert (await person(client, "take-over", LENA, f"ada:{name}", headers=who)).status_code == 200


@in_loop
async def test_with_keys_the_owner_of_the_key_is_the_operator_and_the_user_sees_the_name() -> None:
    app, clock = app_of_intake()
    async with served(app, clock=clock, keys=True) as client:
        ada = client.as_("ada", "chat", "debug:read")
        lena, max_ = client.as_("lena@desk", "operator"), client.as_("max@desk", "operator")
        await client.post("/api/conversations", json={"flow": "intake", "name": "a"}, headers=ada)
        chat = "/api/conversations/ada:a"
        await person(client, "take-over", {"operator": "Lena", "reason": "on shift"}, "ada:a", headers=lena)
        found = (await client.get(chat, headers=lena)).json()["person"]
        assert (found["operator"], found["display"]) == ("lena@desk", "Lena")
        typed = await person(client, "say", {"text": "Hello", "operator": "lena@desk"}, "ada:a", headers=max_)
        assert (typed.status_code, typed.json()["code"]) == (409, "taken_over")
        root = await person(client, "give-back", {}, "ada:a", headers=client.as_("root", "admin"))
        assert root.json()["code"] == "taken_over"
        refused = await client.patch(f"{chat}/records", json={"set": {"user.age": 40}}, headers=max_)
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
        edited = await client.patch(f"{chat}/records", json={"set": {"user.age": 40}}, headers=lena)
        assert edited.status_code == 200, edited.text
        said = await person(client, "say", {"text": "Hello", "operator": "Somebody"}, "ada:a", headers=lena)
        assert said.status_code == 200, said.text
        relieved = {"operator": "Max", "instead_of": "lena@desk"}
        assert (await person(client, "take-over", relieved, "ada:a", headers=max_)).status_code == 200
        again = await person(client, "take-over", {"operator": "L", "instead_of": "lena@desk"}, "ada:a", headers=lena)
        assert (again.status_code, again.json()["code"]) == (409, "taken_over")
        given = {"transition": "complete", "reason": "agreed by phone"}
        tried = await person(client, "preview", given, "ada:a", headers=lena)
        assert tried.json()["refused"] == "taken_over"
        assert (await person(client, "give-back", given, "ada:a", headers=max_)).status_code == 200
        acts = [one.event for one in await app.chat("ada:a").journal() if getattr(one.event, "operator", "")]
        by = [one.operator for one in acts if not isinstance(one, e.EventRefused)]
        refused_to = [one.operator for one in acts if isinstance(one, e.EventRefused)]
        assert refused_to == ["max@desk", "root", "lena@desk"]
        assert by == ["lena@desk", "lena@desk", "max@desk", "max@desk", "max@desk"]
        transcript = (await client.get(f"{chat}/transcript", headers=ada)).json()
        found = transcript["messages"]
        assert [one["speaker"] for one in found if one["by"] == "person"] == ["Lena"]
        assert [one["text"] for one in transcript["seams"] if one["moment"] == "person"] == [
            "Lena took over: on shift",
            "Max took over from Lena",
            "Max gave the conversation back, took complete: agreed by phone",
        ]
        decision = (await client.get(f"{chat}/decisions", headers=ada)).json()[0]
        assert decision["operator"] == "max@desk"
        assert "desk" not in json.dumps(transcript)


@in_loop
async def test_the_queue_says_why_each_waits_and_what_is_known() -> None:
    app = tw.open(ROOT / "examples/health_intake/call_back.flow.yaml")
    async with served(app) as client:
        chat = app.chat("romy")
        await chat.start()
        await chat.say("I sleep badly since I take the new pills")
        await chat.say("0151 234567")
        (row,) = (await client.get("/api/queue")).json()
        assert row["person"]["operator"] == ""
        assert row["why"]
        assert row["why"][0].isupper()
        assert [one["label"] for one in row["known"]]
        assert all(one["value"] for one in row["known"])
        german = (await client.get("/api/queue", headers={"accept-language": "de"})).json()
        assert german[0]["known"] == row["known"]

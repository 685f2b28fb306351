"""The trace of a turn: decisions, values with places, prompts, tools, calls, events, commits."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, sets
from support.served import ELIGIBILITY, ROOT, in_loop, served
from support.stored import INTAKE
from turnwise.authoring.python import read_code
from turnwise.core.state.retention import Retention
from turnwise.models.scripted import ScriptedModel, call
from turnwise.runner.model_port import ModelReply

HEALTH = ROOT / "examples/health_intake/health_intake.flow.yaml"
WITH_CODE = ROOT / "examples/health_intake/with_code.flow.yaml"

TOOLS = """
flow: f
start: home
records: {user: {name: string, pin: {type: string, secret: true}}}
tools: {look: {about: look it up, args: {what: string}}, send: {about: send it, kind: effect}}
nodes:
  home:
    prompt: Talk.
    reads: [user.name]
    tools: {allow: [look]}
    transitions: [{id: named, at: before, when: has(user.name) && user.pin != "1", to: quiet, because: named}]
  quiet: {prompt: Talk on., writes: [user.name]}
"""


def look(what: str) -> str:
    return f"{what}: 4"


async def trace(client: Any, name: str, **more: Any) -> dict[str, Any]:
    answer = await client.get(f"/api/conversations/{name}/trace", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


@in_loop
async def test_a_stay_is_told_with_headline_needs_places_and_state() -> None:
    app = tw.open(flow_of(INTAKE), clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("Ada")
        await chat.say("I am 40 years old")
        found = await trace(client, "x")
        first = found["decisions"][0]
        assert (first["headline"], first["nearest"]) == ("Stayed in ask", "young")
        assert first["detail"].startswith("1 candidate, which did not hold; nearest is → refused, which needs")
        assert first["decision"]["line"] == f"stayed in ask: {first['detail']}"
        assert (first["seam"]["mark"], first["seam"]["outcome"]) == ("false", "stayed")
        assert first["moments"] == {"young": "before", "done": "after", "reminder": "timer"}
        assert first["evaluation"]["crewName"] == "ask"
        assert first["evaluation"]["evaluatedRules"]["pre"][0]["id"] == "young"
        operand = first["decision"]["candidates"][0]["verdict"]["operands"][0]
        message = next(one for one in found["events"] if one["kind"] == "user_said")
        seq, start, end = operand["place"]
        assert seq == message["seq"]
        assert "40" in message["event"]["text"][start:end]
        assert first["places"]["user.age"] == {
            "how": operand["how"],
            "turn": 3,
            "at_ms": 1_700_000_000_000,
            "confidence": 1.0,
            "seq": seq,
            "start": start,
            "end": end,
        }
        age = next(one for one in found["state"]["values"] if one["field"] == "user.age")
        assert (age["value"], age["is_changed"], age["before"]) == (40, True, None)
        name = next(one for one in found["state"]["values"] if one["field"] == "user.name")
        assert (name["value"], name["is_changed"], name["origin"]["turn"]) == ("Ada", False, 2)
        assert found["state"]["form"]["asked"] == "user.plan"
        assert found["state"]["timers"][0]["transition"] == "reminder"
        assert found["commits"] == [found["last_seq"]]
        assert [row["seq"] for row in found["events"]] == list(range(found["first_seq"], found["last_seq"] + 1))
        assert all(row["line"] for row in found["events"] if row["kind"] != "turn_ended")


@in_loop
async def test_prompts_tools_and_calls_of_a_model() -> None:
    plan = [ModelReply("Hm.", calls=call("look", what="x").calls), "Four.", "Well."]
    app = tw.open(flow_of(TOOLS), model=ScriptedModel(plan), tools=[look], clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.say("hello")
        await chat.commands(sets(user__name="Ada", user__pin="4711-22"))
        first = await trace(client, "x", params={"turn": 1})
        assert [(one["purpose"], one["is_proved"]) for one in first["prompts"]] == [("reply", True), ("reply", True)]
        assert first["prompts"][0]["previous"] is None
        assert first["prompts"][1]["previous_parts"] == first["prompts"][0]["parts"]
        assert [(one["name"], one["code"]) for one in first["tools"]] == [
            ("look", "offered"),
            ("send", "not_allowed"),
            ("read_user", "offered"),
            ("write_user", "not_written"),
        ]
        assert [(c["tool"], c["arguments"], c["status"], c["result"]) for c in first["calls"]] == [
            ("look", {"what": "x"}, "returned", "x: 4")
        ]
        assert [one["model"] for one in first["model_calls"]] == ["scripted", "scripted"]
        assert len(first["commits"]) == 4
        second = await trace(client, "x")
        assert (second["decisions"][0]["headline"], second["decisions"][0]["detail"]) == (
            "Moved to quiet",
            "home → quiet by named: named",
        )
        assert second["prompts"][0]["previous"] == first["prompts"][1]["text"]
        assert second["tools"][0]["reason"] == "quiet has no tools"
        text = str(second)
        assert "4711" not in text, text[max(0, text.index("4711") - 300) : text.index("4711") + 50]
        pin = next(one for one in second["state"]["values"] if one["field"] == "user.pin")
        assert (pin["value"], pin["text"], pin["origin"]) == ("[secret]", "[secret]", None)


@in_loop
async def test_calls_of_a_flow_without_secrets_are_shown_whole() -> None:
    plan = [ModelReply("Hm.", calls=call("look", what="x").calls), "Four."]
    of = flow_of(TOOLS.replace(", secret: true", ""))
    app = tw.open(of, model=ScriptedModel(plan), tools=[look], clock=tw.ManualClock(1))
    async with served(app) as client:
        await app.chat("x").say("hello")
        found = await trace(client, "x")
        assert [(one["arguments"], one["result"]) for one in found["calls"]] == [({"what": "x"}, "x: 4")]


@in_loop
async def test_every_turn_of_the_examples_has_a_trace() -> None:
    for path in (HEALTH, WITH_CODE, ELIGIBILITY):
        guards = _guards(path)
        app = tw.open(path, clock=tw.ManualClock(1_700_000_000_000), guards=guards)
        async with served(app) as client:
            chat = app.chat("x")
            await chat.start()
            for message in ("hello", "I'm Maria, and I'm thirty-five", "sorry, I am 48", "yes, I agree"):
                await chat.say(message)
            for turn in range(1, 6):
                found = await trace(client, "x", params={"turn": turn})
                assert found["turn"] == turn
                assert found["decisions"] or found["nothing_judged"]


def _guards(path: Path) -> list[Any]:
    return [*read_code(path.parent / "guards.py").guards] if path == WITH_CODE else []


@in_loop
async def test_a_python_guard_without_source_says_why() -> None:
    space: dict[str, Any] = {"tw": tw}
    exec("@tw.guard(to=['done'])\ndef leave(user):\n    return 'done' if user.name else None\n", space)
    of = """
flow: f
start: home
records: {user: {name: string}}
nodes:
  home: {prompt: Talk., transitions: [{id: go, at: before, guard: leave}]}
  done: {say: Done., end: completed}
"""
    app = tw.open(flow_of(of), guards=[space["leave"]], clock=tw.ManualClock(1))
    async with served(app) as client:
        await app.chat("x").say("hello")
        found = await trace(client, "x")
        code = found["decisions"][0]["decision"]["candidates"][0]["code"]
        assert code["has_source"] is False
        assert found["decisions"][0]["evaluation"]["rawCode"]["pre"] == code["source"]


@in_loop
async def test_an_erased_turn_has_only_its_positions() -> None:
    clock = tw.ManualClock(1_700_000_000_000)
    app = tw.open(ELIGIBILITY, clock=clock)
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("hello there")
        clock.move_s(3 * 86_400)
        await chat.say("yes")
        await app.retain(Retention(events_days=1))
        found = await trace(client, "x", params={"turn": 1})
        assert found["is_erased"] is True
        assert {row["kind"] for row in found["events"]} == {"erased"}
        day = datetime.fromtimestamp(clock.now_ms() / 1000, UTC).date()
        assert found["events"][0]["line"] == "started, erased by retention"
        assert found["about"] == f"turn 1, erased by retention on {day}, which keeps events for 1 day"
        last = await trace(client, "x")
        assert (last["is_erased"], last["events"][-1]["kind"]) == (False, "turn_ended")
        clock.move_s(2 * 86_400)
        assert (await chat.undo(to=99)).refused == "unknown_turn"
        await app.retain(Retention(events_days=1))
        last = await trace(client, "x", params={"turn": 3})
        assert (last["is_erased"], last["took_ms"]) == (True, 0)  # what was refused later does not count
        assert last["events"][-1]["line"].startswith("undo 99 refused: unknown_turn")


@pytest.mark.parametrize("is_refused", [False, True])
@in_loop
async def test_the_state_is_shown_although_its_turn_was_erased(is_refused: bool) -> None:
    clock = tw.ManualClock(1_700_000_000_000)
    app = tw.open(ELIGIBILITY, clock=clock)
    async with served(app) as client:
        chat = app.chat("x")
        await chat.say("yes")
        clock.move_s(3 * 86_400)
        if is_refused:
            assert (await chat.undo(to=99)).refused == "unknown_turn"
        assert (await app.retain(Retention(events_days=1))).events
        for path in ("state", "state?turn=1", "records"):
            found = await client.get(f"/api/conversations/x/{path}")
            assert found.status_code == 200, found.text
            values = {one["field"]: one["value"] for one in found.json()["values"]}
            assert (found.json()["turn"], values["case.patient_info"]) == (1, "Yes")
        assert (await client.get("/api/conversations/x/trace")).status_code == 404


@in_loop
async def test_a_failure_is_told_with_its_model_call() -> None:
    app = tw.open(flow_of(TOOLS), model=ScriptedModel([RuntimeError("no such host")]), clock=tw.ManualClock(1))
    async with served(app) as client:
        await app.chat("x").say("hello")
        found = await trace(client, "x")
        assert "no such host" in found["model_calls"][0]["error"]
        assert found["state"]["status"]["type"] == "failed"
        assert found["prompts"][0]["hash"] == ""


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [("turn=99", 404, "unknown_turn"), ("turn=x", 422, "invalid"), ("tur=1", 422, "invalid")],
)
def test_wrong_questions_are_refused(query: str, status: int, code: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served() as client:
            await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"})
            answer = await client.get(f"/api/conversations/x/trace?{query}")
            assert (answer.status_code, answer.json()["code"]) == (status, code)

    asks()


@in_loop
async def test_the_trace_needs_debug_read() -> None:
    async with served(keys=True) as client:
        ada = client.as_("ada")
        await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"}, headers=ada)
        answer = await client.get("/api/conversations/ada:x/trace", headers=ada)
        assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
        reader = client.as_("bob", "chat", "debug:read")
        assert (await client.get("/api/conversations/ada:x/trace", headers=reader)).status_code == 404


@in_loop
async def test_a_message_of_which_a_step_without_a_form_understood_nothing_is_named() -> None:
    app = tw.open(HEALTH, clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        for text in ("the weather is purple", "I'm Maria"):
            await chat.say(text)
        said = "Nothing in the message was understood. With that it would go to Profiler"
        seams = (await client.get("/api/conversations/x/transcript")).json()["seams"]
        in_chat = [one["words"]["en"]["reason"].startswith(said) for one in seams if one["moment"] == "before"]
        shown = [(await trace(client, "x", params={"turn": turn}))["decisions"][0]["seam"]["words"] for turn in (2, 3)]
        assert in_chat[-2:] == [one["en"]["reason"].startswith(said) for one in shown] == [True, False]
        assert shown[0]["de"]["reason"].startswith("Nichts in der Nachricht wurde verstanden. Damit ginge es zu ")

"""The transcript: messages, buttons, forms as data, understood words, seams, undone turns, secrets."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import ELIGIBILITY, in_loop, served
from support.stored import INTAKE
from turnwise.core.state.retention import Retention
from turnwise.server.routes import questions

SECRET = """
flow: f
start: home
records: {user: {name: string, pin: {type: integer, secret: true}}}
nodes:
  home:
    form:
      fields:
        - {field: user.pin, ask: "Your pin?"}
        - {field: user.name, ask: "Your name?"}
      confirm: {}
"""


async def transcript(client: Any, name: str, **more: Any) -> dict[str, Any]:
    answer = await client.get(f"/api/conversations/{name}/transcript", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


@in_loop
async def test_a_form_is_told_with_words_seams_and_its_items() -> None:
    app = tw.open(flow_of(INTAKE), clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        chat = app.chat("ada")
        await chat.start()
        for message in ("my name is Ada", "30", "Plus"):
            await chat.say(message)
        found = await transcript(client, "ada")
        assert [one["by"] for one in found["messages"]] == ["text", "user", "text", "user", "text", "user", "text"]
        said = found["messages"][1]
        assert [(one["field"], one["value"], one["how"]) for one in said["understood"]] == [
            ("user.name", "Ada", "understood")
        ]
        assert (said["understood"][0]["start"], said["understood"][0]["end"]) == (0, len("my name is Ada"))
        question, summary = found["messages"][4]["form"], found["messages"][6]["form"]
        assert (question["asked"], question["progress"]) == ("user.plan", 67)
        assert [item["state"] for item in question["items"]] == ["answered", "answered", "open"]
        assert (summary["status"], summary["progress"]) == ("awaiting_confirmation", 100)
        assert [(i["title"], i["answer"]) for i in summary["items"]] == [
            ("What is your name?", "Ada"),
            ("How old are you?", "30"),
            ("Which plan?", "Plus"),
        ]
        assert [seam["text"] for seam in found["seams"] if seam["turn"] == 2] == [
            "stayed in ask: → refused, which lacks user.age"
        ]
        later = await transcript(client, "ada", params={"after": found["messages"][5]["seq"]})
        assert later["messages"] == found["messages"][5:]


QUIZ = """
flow: quiz
start: talk
records:
  user: {name: {type: string, about: the name}}
  lib: {questions: {type: list, of: question}}
  quiz: {answers: answers}
nodes:
  talk:
    say: "Hello."
    set: {lib.questions: [{id: apple, ask: "Question 1: which article has Apfel?", options: [der, das]}]}
    transitions: [{to: ask, at: before, when: "true"}]
  ask: {form: {questions: lib.questions, into: quiz.answers}, transitions: [{to: name, at: after}]}
  name: {form: {fields: [{field: user.name, ask: "Your name?"}]}, end: done}
"""


@in_loop
async def test_an_answer_to_a_question_that_is_data_comes_with_its_title() -> None:
    app = tw.open(tw.loads(QUIZ))
    async with served(app) as client:
        chat = app.chat("max")
        await chat.start()
        for message in ("go", "der", "Max"):
            await chat.say(message)
        understood = [one for said in (await transcript(client, "max"))["messages"] for one in said["understood"]]
        titles = {one["field"]: one["title"] for one in understood}
        assert titles == {"quiz.answers.apple": "Question 1: which article has Apfel", "user.name": ""}


@in_loop
async def test_what_an_undo_took_back_is_marked() -> None:
    app = tw.open(ELIGIBILITY, clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("hello")
        await chat.say("yes")
        await chat.undo()
        found = await transcript(client, "x")
        assert {one["turn"] for one in found["messages"] if one["is_undone"]} == {3}
        assert {one["turn"] for one in found["seams"] if one["is_undone"]} <= {3}
        assert any(one["by"] == "system" and "Undone" in one["text"] for one in found["messages"])


@in_loop
async def test_secrets_are_cut_out_and_the_places_of_other_words_stay_right() -> None:
    app = tw.open(flow_of(SECRET), clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("my pin is 778899 and my name is Ada")
        found = await transcript(client, "x")
        assert "7788" not in str(found)
        said = next(one for one in found["messages"] if one["by"] == "user")
        named = next(one for one in said["understood"] if one["field"] == "user.name")
        assert isinstance(named["start"], int)
        assert said["text"][named["start"] : named["end"]].endswith("name is Ada")
        pins = [one for one in said["understood"] if one["field"] == "user.pin"]
        assert [(one["value"], one["start"]) for one in pins] == [("[secret]", None)]


@in_loop
async def test_seams_need_debug_read_and_foreign_conversations_are_not_found() -> None:
    async with served(keys=True) as client:
        ada, reader = client.as_("ada"), client.as_("ada", "chat", "debug:read")
        await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"}, headers=ada)
        await client.server.service.apps["eligibility"].chat("ada:x").say("hello")
        assert (await transcript(client, "ada:x", headers=ada))["seams"] == []
        assert (await transcript(client, "ada:x", headers=reader))["seams"] != []
        other = await client.get("/api/conversations/ada:x/transcript", headers=client.as_("bob"))
        assert (other.status_code, other.json()["code"]) == (404, "unknown_conversation")


@in_loop
async def test_an_answer_to_a_secret_question_is_hidden_when_it_is_pressed_again() -> None:
    app = tw.open(flow_of(SECRET.replace("type: integer", "type: choice, options: [alpha, omega]")))
    async with served(app) as client:
        chat = app.chat("x")
        position = (await chat.start()).position
        for _ in range(2):
            await chat.choose("omega", position=position)
        await chat.take_over("Lena")
        await chat.choose("omega")
        found = [one["text"] for one in (await transcript(client, "x"))["messages"] if one["by"] == "button"]
        assert found == ["[secret]"] * 3


@in_loop
async def test_what_retention_erased_is_not_shown() -> None:
    clock = tw.ManualClock(1_700_000_000_000)
    app = tw.open(ELIGIBILITY, clock=clock)
    async with served(app) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say("hello there")
        clock.move_s(3 * 86_400)
        await chat.say("yes")
        await app.retain(Retention(events_days=1))
        found = await transcript(client, "x")
        assert found["is_cut"] is True
        assert {one["turn"] for one in found["messages"]} == {3}


@in_loop
async def test_commands_of_the_program_are_lines_for_readers_who_debug() -> None:
    app = tw.open(flow_of(SECRET), clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        sets = [{"type": "set", "field": "user.name", "value": "Ada"}, {"type": "set", "field": "user.pin", "value": 7}]
        answer = await client.post("/api/conversations", json={"flow": "f", "name": "ada"})
        assert answer.status_code == 201, answer.text
        answer = await client.post("/api/conversations/ada/turns", json={"commands": [*sets, {"type": "affirm"}]})
        assert answer.status_code == 200, answer.text
        lines = [one["text"] for one in (await transcript(client, "ada"))["messages"] if one["by"] == "system"]
        assert lines == ['set user.name = "Ada", set user.pin = "[secret]", affirm']


@in_loop
async def test_a_tool_that_failed_or_was_refused_is_told_apart() -> None:
    def look(what: str) -> str:
        if what == "gone":
            raise RuntimeError("nothing there")
        return what

    calls = [tw.call("look", what="gone"), tw.call("look", where=1), tw.call("look", what="here"), "Well."]
    flow = flow_of("""
    flow: f
    start: home
    tools: {look: {about: looks, args: {what: string}}}
    nodes: {home: {prompt: Talk., tools: {allow: [look]}}}
    """)
    app = tw.open(flow, model=tw.ScriptedModel(calls), tools=[look], clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        await app.chat("x").say("look")
        found = await transcript(client, "x")
        assert [one["kind"] for one in found["messages"] if one["by"] == "tool"] == ["failed", "refused", ""]


@in_loop
async def test_who_asks_on_after_a_transcript_misses_no_turn_that_was_taken_while_it_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    again = {"when": "message.text == 'again'", "to": "a"}
    app = tw.open({"flow": "talk", "start": "a", "nodes": {"a": {"say": "Yes?", "transitions": [again]}}})
    read = questions.transcript_of

    async def read_while_a_turn_is_taken(*arguments: Any, **more: Any) -> Any:
        found = await read(*arguments, **more)
        await app.chat("ada").say("meanwhile")
        return found

    async with served(app) as client:
        await app.chat("ada").start()
        monkeypatch.setattr(questions, "transcript_of", read_while_a_turn_is_taken)
        first = await transcript(client, "ada")
        monkeypatch.undo()
        later = await client.get(f"/api/conversations/ada/transcript?after={first['conversation']['seq']}")
        said = [one["text"] for part in (first, later.json()) for one in part["messages"]]
        assert said.count("Yes?") == 1
        assert said.count("meanwhile") == 1


def test_the_last_decision_of_a_turn_says_what_is_open_then() -> None:
    @in_loop
    async def reads() -> None:
        async with served() as client:
            await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"})
            await client.post("/api/conversations/x/turns", json={"text": "yes"})
            found = await client.get("/api/conversations/x/transcript")
            seams = found.json()["seams"]
            assert [(one["turn"], (one["activity"] or {}).get("text")) for one in seams] == [
                (1, "Asks for “patient information”: 0 of 5 answered"),
                (2, "Asks for “insurance history”: 1 of 5 answered"),
            ]

    reads()

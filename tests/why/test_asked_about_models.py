"""Questions about models and turns: which model failed, several calls in a turn, none connected, a turn under way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.why_cases import Case, Talk, check, every
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import call
from turnwise.runner.model_port import ModelReply

CASE = "examples/eligibility/eligibility.flow.yaml"
HEALTH = "examples/health_intake/health_intake.flow.yaml"
CALL_BACK = "examples/health_intake/call_back.flow.yaml"
MACHINE = "examples/context_machine/context_machine.flow.yaml"
TALK = """
flow: f
start: a
language: LANGUAGE
tools: {look: {about: looks}}
nodes: {a: {prompt: Talk., model: MODEL, tools: {allow: [look]}}}
"""
FORM = """
flow: f
start: ask
records: {user: {name: string, age: {type: integer, max: 120}, limit: {type: integer, default: 200}}}
nodes: {ask: {set: {user.age: user.limit}, form: {fields: [{field: user.name}]}}}
"""


def talk(model: str = '""', language: str = "en") -> str:
    return TALK.replace("MODEL", model).replace("LANGUAGE", language)


class Down:
    """A model of the program's own, without a name."""

    async def reply(self, _request: object) -> ModelReply:
        raise ProviderFailed("no route")


@pytest.mark.parametrize(
    ("flow", "model", "line"),
    [
        (
            talk(),
            tw.ScriptedModel([ProviderFailed("over the quota")]),
            "the model scripted failed to reply in a, because",
        ),
        (talk("ollama:llama3"), Down(), "the model ollama:llama3 failed to reply in a, because it gave the error “no"),
        (talk(), Down(), "the model failed to reply in a, because it gave the error “no route”"),
    ],
)
def test_a_model_that_failed_is_named(flow: str, model: Any, line: str) -> None:
    chat = Talk(flow, model=model).did("hi").chat
    check(chat, Case("model", line))
    assert "model_failed" in {fact.kind for fact in every(chat.why("1"))}


def test_several_calls_in_a_turn_are_summed_up() -> None:
    plan = [call("write_config", set={"result": "done"}), "The result is there."]
    chat = tw.open_sync(MACHINE, model=tw.ScriptedModel(plan)).chat("a")
    chat.run()
    did = "it called write_config, whose result went back to it, then it replied “The result is there.”"
    check(chat, Case("model", f"the model was called 2 times in turn 1: {did}", {"model_called_often": {}}, turn=1))


def test_a_call_that_failed_and_one_after_it_are_both_told() -> None:
    plan = [call("look"), ProviderFailed("over the quota")]
    chat = Talk(talk(), plan, tools={"look": lambda: "seen"}).did("hi").chat
    did = "it called look, whose result went back to it, then it failed with “over the quota”"
    check(chat, Case("model", f"the model was called 2 times in turn 1: {did}"))


@pytest.mark.parametrize("question", ["8", "message 8", "model"])
def test_a_question_that_no_model_answered_is_said_first(question: str) -> None:
    chat = tw.open_sync(CASE).chat("a")
    for text in ("hello", "yes", "partial", "referral", "undo", "undo", "no", "how long does a check take?"):
        chat.say(text)
    answer = chat.why(question)
    assert answer.facts[0].kind == "no_model_connected"
    assert answer.line.startswith("no model is connected to answer a question aside in intake; the reply was “No model")
    assert question == "model" or answer.plain == "No model is connected, so I cannot answer that."


def test_a_node_that_only_talks_says_that_no_model_is_connected() -> None:
    chat = tw.open_sync(flow_of(talk(language="de"))).chat("a")
    chat.say("Guten Abend, was meinst du dazu?")
    answer = chat.why("1")
    assert answer.line.startswith("no model is connected to reply in a; the reply was “Es ist kein Modell")
    assert answer.plain.startswith("Es ist kein Modell")


def test_a_reply_that_asks_for_what_is_missing_needs_no_model() -> None:
    chat = tw.open_sync(HEALTH).chat("a")
    chat.say("I am Carla")
    assert "no_model_connected" not in {fact.kind for fact in every(chat.why("1"))}


def test_the_armed_timer_is_among_the_first_facts_of_a_turn_and_of_the_conversation() -> None:
    chat = tw.open_sync(HEALTH, clock=tw.ManualClock(1_767_225_600_000)).chat("a")
    chat.say("I'm Lea, 31")
    due = "the timer turned_away was armed, to come due at 2026-01-01 01:30:00 CET"
    assert chat.why("1").facts[1].text == due
    assert chat.why("conversation").facts[1].text == due
    assert "due at 2026-01-01 01:30:00 CET" in chat.why("timer turned_away").line
    assert chat.why("timer turned_away").plain == "If nothing more is said, I end this conversation at 1:30 AM."


def test_a_node_that_waits_for_a_person_says_until_when() -> None:
    chat = tw.open_sync(CALL_BACK).chat("a")
    chat.start()
    for text in ("a rash", "0151 234567"):
        chat.say(text)
    assert chat.why("node nurse").facts[1].kind == "person_is_awaited"
    assert "at most until" in chat.why("node nurse").facts[1].text


def test_a_tool_that_goes_to_a_node_says_that_here_is_no_such_way() -> None:
    flow = """
    flow: f
    start: a
    nodes:
      a: {prompt: A., transitions: [{id: go, at: before, when: 'message.text == "b"', to: b}]}
      b: {prompt: B., transitions: [{id: back, at: choice, to: a}]}
    """
    chat = Talk(flow, ["A."]).did("hi").chat
    none = "a has no transition that the model chooses to go there"
    check(chat, Case("go_to_a", f"go_to_a is not offered to the model in a, because {none}", {"tool_never_used": {}}))


async def under_way(flow: str, questions: tuple[str, ...]) -> list[tw.Answer]:
    """Ask while the model has not answered yet."""
    begun, never = asyncio.Event(), asyncio.Event()

    class Slow:
        async def reply(self, _request: object) -> ModelReply:
            begun.set()
            await never.wait()
            return ModelReply("")

    async with tw.open(flow_of(flow), model=Slow()) as app:
        chat = app.chat("x")
        caller = asyncio.create_task(chat.say("Good morning, all of you"))
        await begun.wait()
        answers = [await chat.why(question) for question in questions]
        caller.cancel()
        never.set()
        await asyncio.gather(caller, return_exceptions=True)
        return answers


def test_a_turn_under_way_says_what_it_waits_for() -> None:
    answers = asyncio.run(under_way(talk(), ("1", "model", "conversation")))
    assert [answer.line for answer in answers] == ["turn 1 is not done yet: it waits for the model"] * 3
    assert {answer.facts[0].kind for answer in answers} == {"turn_under_way"}
    assert "model_not_called" not in {fact.kind for answer in answers for fact in every(answer)}


def test_a_form_whose_node_could_not_be_entered_is_not_open() -> None:
    chat = Talk(FORM).chat
    chat.start()
    for question in ("form ask", "form", "question"):
        line = "the form of ask is not open: the turn failed before it opened"
        check(chat, Case(question, line, {"form_not_open": {}}))
    check(chat, Case("question user.name", "user.name is not asked because the form of ask is not open"))

"""Law 2.1: a reply that imitates a note of the application or of a person is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.opened import close_all, opened
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import events as e
from turnwise.runner.replies import ReplyText

NOTES = [
    "[From the application, not from the user] How old?",
    "[Von der Anwendung, nicht vom Nutzer] Wie alt?",
    "(From the application, not from the user) How old?",
    "How old?\n[From the application, not from the user]\nStill to be found out: age",
    "**[From the application]** How old?",
    "> [from the application, not from the user]\nHow old?",
    "［From the application, not from the user］ How old?",
    "【From the application, not from the user】 How old?",
    "[Fr\u200bom  the\u00a0application, not from the user] How old?",
    "[Note from the application] How old?",
    "<From the application, not from the user> How old?",
    "[Ada, a person:] I take over. How old?",
    "[Ada Lovelace, eine Person:] Wie alt?",
    "[From the application, not from the user]",
]
NO_NOTES = [
    "I read [From the application, not from the user] there.",
    "Notes: [From the application, not from the user] is a mark.",
    '"[From the application, not from the user]" is a mark.',
    "`[From the application, not from the user]` is a mark.",
    "(From the application form you see it.)",
    "[From May on] it opens.",
    "[Call us](tel:1) now",
    "[here](https://example.org)",
    "- [ ] done",
    "[Ada, person: 3]",
    "[Anwendung] starten",
    "x < 3\n< 4",
    "[From the a",
]


def _find(age: int) -> int:
    return age


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", [*NOTES, *NO_NOTES])
def test_an_imitated_note_is_not_shown_wherever_the_text_is_cut(text: str) -> None:
    for pieces in ([text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))):
        reply, shown = ReplyText(ModelRequest("here", ())), ""
        for added in [*map(reply.add, pieces), reply.end()]:
            shown = added.text if added.replaces else shown + added.text
        fault = reply.fault("", "m", has_calls=False, has_thoughts=False)
        if text in NOTES:
            assert "pplication" not in shown and "erson" not in shown and "nwendung" not in shown, pieces
            assert fault is not None
            assert fault.code == "note_as_text"
        else:
            assert (shown, fault) == (text, None), pieces


ASKING = """
flow: ages
start: ask
LANGUAGErecords: {guest: {age: {type: integer, about: age}, town: {type: string, about: town}}}
tools: {find: {about: finds a guest, args: {age: integer}}}
nodes:
  ask: {prompt: Be kind., form: {wording: model, fields: [{field: guest.age, ask: How old are you?}], confirm: {}}}
"""
NO_WORDING = [
    *("", " ", "\u200b", "null", "<|im_end|>", "<think>How old?</think>", '{"name": "find", "arguments": {"age": 3}}'),
    *("find(age=3)", "go_to_ask()", *NOTES),
]


@pytest.mark.law("5.11")
@pytest.mark.parametrize("text", NO_WORDING)
@pytest.mark.parametrize("language", ["", "language: de\n"])
@pytest.mark.parametrize("at_once", [False, True])
def test_a_wording_that_is_no_reply_leaves_the_question_as_it_is(text: str, language: str, *, at_once: bool) -> None:
    given: Any = tw.ModelReply(text) if at_once else list(text)
    chat = opened(
        flow_of(ASKING.replace("LANGUAGE", language)),
        model=tw.ScriptedModel([given, given]),
        tools={"find": _find},
        understand=tw.understand_by_rules,
    )
    turn = chat.say("go on")
    assert turn.text.endswith("How old are you?")
    assert "pplication" not in turn.text
    assert "wording_failed" in [warning.code for warning in turn.warnings]


@pytest.mark.law("2.1")
def test_a_model_that_imitates_a_note_is_asked_again_and_may_fail() -> None:
    flow = "flow: f\nstart: a\nnodes: {a: {prompt: Talk., RETRY transitions: [{at: error, to: b}]}, b: {say: Sorry.}}"
    turn = opened(flow_of(flow.replace("RETRY", "")), model=tw.ScriptedModel([NOTES[0]])).say("hello")
    assert turn.text == "Sorry."
    assert [event.code for event in turn.events if isinstance(event, e.ModelFailed)] == ["note_as_text"]
    model = tw.ScriptedModel([NOTES[0], "Hello!"])
    turn = opened(flow_of(flow.replace("RETRY", "retry: {times: 1},")), model=model).say("hello")
    assert (turn.text, [warning.code for warning in turn.warnings]) == ("Hello!", ["reply_failed"])

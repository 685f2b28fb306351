"""A user who may ask why (`commands: [why]`) gets one sentence, and the question again."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from turnwise.core.state import commands as c
from turnwise.models.scripted import ScriptedModel

ELIGIBILITY = Path("examples/eligibility/eligibility.flow.yaml").read_text("utf-8")
ALLOWED = ELIGIBILITY.replace("commands: [ask, undo]", "commands: [ask, undo, why]")
MOVED = """
flow: moved
version: 1
start: front
language: en
commands: [why]
records: {u: {age: {type: integer, max: 120, about: your age}, pin: {type: string, secret: true, about: your number}}}
nodes:
  front:
    collect: [u.age]
    say: How old are you?
    transitions: [{id: old, at: before, when: u.age > 60, because: people over 60 get a discount, to: desk}]
  desk:
    form: {fields: [{field: u.pin, ask: "Your number?"}]}
    transitions: [{id: out, at: after, to: out}]
  out: {say: Done., end: done}
"""


PLANNED = """
flow: planned
version: 1
start: front
language: en
commands: [why]
records: {u: {age: integer}}
nodes:
  front:
    say: Hello.
    transitions: [{id: on, at: after, reply: next, when: u.age > 3, because: old enough, to: desk}]
  desk: {say: Here., transitions: [{id: off, at: before, when: u.age > 99, to: front}]}
"""
CAUGHT = """
flow: caught
version: 1
start: front
language: en
commands: [why]
records: {u: {pin: {type: string, about: your number}}}
nodes:
  front:
    prompt: Talk.
    transitions: [{id: sorry, at: error, because: the line is down, to: desk}]
  desk: {form: {fields: [{field: u.pin, ask: "Your number?"}]}}
"""


def said(flow: str, *texts: str) -> str:
    chat = tw.open_sync(tw.loads(flow)).chat("a")
    chat.start()
    return [chat.say(text).text for text in texts][-1]


ANSWERS = [
    (("why?",), "I ask because I still need patient information."),
    (("Yes", "why do you need that?"), "I ask because I still need insurance history."),
    (("Yes", "blah", "why"), "I did not understand the answer about insurance history."),
    (("Yes", "No", "Billing", "Escalate", "Urgent", "why?"), "I ask you to confirm because I have all the answers"),
    (
        ("Yes", "No", "Billing", "Escalate", "Urgent", "no", "why?"),
        "I ask again because you wanted to change your answer.",
    ),
]


@pytest.mark.parametrize(("texts", "answer"), ANSWERS)
def test_the_user_is_told_why_and_asked_again(texts: tuple[str, ...], answer: str) -> None:
    text = said(ALLOWED, *texts)
    assert text.startswith(answer)
    assert "?" in text.removeprefix(answer)


def test_the_reason_of_a_move_is_told_while_it_is_new() -> None:
    assert said(MOVED, "I am 70", "why?") == (
        "The reason is: people over 60 get a discount. I ask because I still need your number.\n\nYour number?"
    )


def test_a_move_that_a_person_chose_is_called_that() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    chat.start()
    chat.take_over("Lena")
    chat.give_back("ok", transition="old")
    assert chat.say("why?").text.startswith("A person decided that. I ask because I still need your number.")
    assert chat.rerun().agrees


def test_a_move_that_a_person_chose_for_the_next_message_is_called_that() -> None:
    chat = tw.open_sync(tw.loads(PLANNED)).chat("a")
    chat.start()
    chat.take_over("Lena")
    chat.give_back("ok", transition="on", reason="I know her")
    assert chat.state().pending.operator == "Lena"
    chat.say("hello")
    assert chat.why("desk").plain == "A person decided that."
    assert "Lena" in chat.why("desk").line
    assert chat.say("why?").text.startswith("A person decided that.")


def test_the_machines_own_reason_for_a_move_is_no_reason_of_the_author() -> None:
    chat = tw.open_sync(tw.loads(CAUGHT), model=ScriptedModel([ValueError("broken"), "Well."])).chat("a")
    chat.say("hello")
    assert chat.state().node == "desk"
    assert chat.why("desk").line == "front → desk by sorry: error caught: model; ValueError: broken"
    assert chat.why("desk").plain == "The reason is: the line is down."
    assert chat.say("why?").text.startswith("I ask because I still need your number.")


def test_without_the_command_nothing_is_kept_and_nothing_is_told() -> None:
    chat = tw.open_sync(tw.loads(MOVED.replace("commands: [why]\n", ""))).chat("a")
    chat.say("I am 70")
    assert chat.state().frame.because == ""
    assert "The reason is" not in chat.say("why?").text


def test_a_field_can_be_named_and_no_secret_is_told() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    chat.say("I am 70")
    assert chat.commands([c.Why(field="u.age")]).text.startswith("I have your age because you told me.")
    assert chat.commands([c.Why(field="u.pin")]).text.startswith("I ask because I still need your number.")


def test_german_is_understood_and_spoken() -> None:
    german = ALLOWED.replace("language: en", "language: de")
    assert said(german, "warum?").startswith("Ich frage, weil mir noch fehlt: patient information.")


def test_the_conversation_runs_again_as_it_ran() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    for text in ("hello", "I am 70", "why?", "1234"):
        chat.say(text)
    assert chat.rerun().agrees

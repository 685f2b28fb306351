"""Reminders have a sentence of their own: after which time, the how many-th, which question stayed open; secrets hidden."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, flow_of
from support.served import in_loop, served
from support.whys import of_kind, played
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock

REMINDED = """
records: {job: {pin: {type: string, secret: true}, what: string, floor: integer}}
nodes:
  a:
    form:
      fields: [{field: job.pin, ask: PIN?}, {field: job.what, ask: What is broken?}, {field: job.floor, ask: Floor?}]
      confirm: {}
    transitions:
      - {id: nudge, at: timer, in: 10m, stay: true, say: "Still there, {{ job.pin }}?", repeat: 3}
      - {id: gone, at: timer, in: 2h, end: given_up}
      - {to: b}
  b: {say: B, end: b}
"""
SECRET = "Rumpel77"


def reminded(*messages: str, times: int = 1, passes_s: int = 600, text: str = REMINDED) -> Any:
    """A conversation in which nothing was said for some time, again and again."""
    clock = ManualClock(NOON_MS)
    chat = played(text, *messages, clock=clock, model=ScriptedModel(["Hm."] * 9))
    for _ in range(times):
        clock.move_s(passes_s)
        chat.fire("nudge")
    return chat


@pytest.mark.parametrize("subject", ["nudge", "turn 3", ""])
def test_a_reminder_says_the_time_its_number_and_the_open_question(subject: str) -> None:
    first = reminded(SECRET).why(subject).facts[0]
    assert first.kind == "reminder_said"
    told = {name: first.values[name] for name in ("timer", "waited", "number", "most", "open")}
    expected = {"timer": "nudge", "waited": "10 minutes", "number": "1st", "most": 3}
    assert told == {**expected, "open": "the question job.what"}
    assert of_kind(reminded(SECRET).why(subject), "timer_fired")


@pytest.mark.parametrize(
    ("times", "passes_s", "number", "waited"),
    [
        (2, 600, "2nd", "another 10 minutes"),
        (3, 600, "3rd", "another 10 minutes"),
        (1, 4000, "1st", "1 hour, 6 minutes"),
        (1, 45, "1st", "45 seconds"),
    ],
)
def test_each_reminder_has_its_number_and_the_time_that_really_passed(
    times: int, passes_s: int, number: str, waited: str
) -> None:
    values = reminded(SECRET, times=times, passes_s=passes_s).why("nudge").facts[0].values
    assert (values["number"], values["waited"]) == (number, waited)


def test_a_message_begins_to_count_anew() -> None:
    clock = ManualClock(NOON_MS)
    chat = played(REMINDED, SECRET, clock=clock)
    clock.move_s(600)
    chat.fire("nudge")
    chat.say("the lamp")
    clock.move_s(600)
    chat.fire("nudge")
    values = chat.why("nudge").facts[0].values
    assert (values["number"], values["waited"], values["open"]) == ("1st", "10 minutes", "the question job.floor")


@pytest.mark.parametrize(
    ("messages", "open_question"),
    [((SECRET, "lamp", "3"), "the question whether the answers are right"), ((), "the question job.pin")],
)
def test_the_kind_of_the_open_question_is_named(messages: tuple[str, ...], open_question: str) -> None:
    assert reminded(*messages).why("nudge").facts[0].values["open"] == open_question


def test_where_no_question_is_open_and_one_reminder_only_neither_is_said() -> None:
    text = """
    nodes:
      a: {prompt: Talk., transitions: [{id: nudge, at: timer, in: 10m, stay: true, say: Hello?}, {when: turns > 9, to: b}]}
      b: {say: B, end: b}
    """.replace("\n    ", "\n")
    first = reminded("hi", text=text).why("nudge").facts[0]
    assert first.kind == "reminder_said"
    assert (first.values["open"], first.values["number"]) == ("", "")
    assert first.text == "the reminder nudge was said after 10 minutes without a message: “Hello?”"


def test_a_reminder_is_no_question_that_was_put_once_more() -> None:
    answer = reminded(SECRET, times=2).why("question")
    assert answer.facts[0].kind == "question_next"
    assert [one.turn for one in of_kind(answer, "question_asked")] == [2]
    assert of_kind(answer, "reminder_said")
    asked = reminded(SECRET, times=2).why("question job.what")
    assert [one.values["count"] for one in of_kind(asked, "counted")] == [1]


def test_a_timer_whose_condition_does_not_hold_said_no_reminder() -> None:
    answer = reminded(SECRET, text=REMINDED.replace("repeat: 3", "repeat: 3, when: job.floor > 3")).why("nudge")
    assert not of_kind(answer, "reminder_said")
    assert answer.facts[0].kind == "timer_fired"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "You had not written for 10 minutes, so I reminded you."),
        ("de", "Sie hatten 10 Minuten lang nichts geschrieben, deshalb habe ich Sie erinnert."),
    ],
)
def test_the_user_is_told_in_their_language(language: str, sentence: str) -> None:
    assert reminded(SECRET, text=f"language: {language}\n{REMINDED}").why("nudge").plain == sentence


@pytest.mark.parametrize("subject", ["nudge", "turn 3", "question", "gone", "job.pin", "conversation"])
def test_a_secret_in_a_reminder_is_hidden_in_why(subject: str) -> None:
    chat = reminded(SECRET, times=2)
    assert "Rumpel77" not in str(chat.why(subject).to_dict())
    assert "Rumpel77" not in str(chat.why(subject))
    said = of_kind(chat.why("nudge"), "reminder_said")
    assert said[0].values["said"] == "Still there, [secret]?"


@in_loop
async def test_a_secret_in_a_reminder_is_hidden_in_the_trace_and_the_transcript() -> None:
    clock = ManualClock(NOON_MS)
    text = f"flow: f\nstart: a\n{REMINDED}".replace("ask: What is broken?", 'ask: "{{ job.pin }}, what is it?"')
    app = tw.open(flow_of(text), clock=clock)
    async with served(app, clock=clock) as client:
        chat = app.chat("x")
        await chat.start()
        await chat.say(SECRET)
        clock.move_s(600)
        assert (await chat.fire("nudge")).text == "Still there, [secret]?"
        base = "/api/conversations/x"
        for path in ("trace", "why?subject=nudge", "why?subject=question", "timeline", "trace?turn=2", "state"):
            answer = await client.get(f"{base}/{path}")
            assert answer.status_code == 200, answer.text
            assert SECRET not in answer.text, path
        shown = (await client.get(f"{base}/transcript")).text
        assert "Still there, [secret]?" in shown
        assert "[secret], what is it?" in shown

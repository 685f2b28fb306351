"""Counts of calls, values, answers, buttons and messages: how often something happened, and how often it went wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import turnwise as tw
from support.why_cases import Talk
from turnwise.models.scripted import call

FLOW = """
flow: f
start: a
language: en
records:
  c: {age: {type: integer, max: 120, about: age}, done: {type: integer}, day: {type: choice, options: [Friday, Saturday]}}
tools: {look: {about: look, args: {city: string}}, keep: {about: keep}}
nodes:
  a:
    prompt: A.
    tools: {allow: [look]}
    collect: [c.age]
    writes: [c.done]
    transitions: [{id: on, at: before, when: c.age > 50, to: b}]
  b: {form: {fields: [{field: c.day, ask: "Which day?"}]}}
"""


def look(city: str) -> str:
    if city == "Oslo":
        raise OSError("no network")
    return city


@cache
def counted() -> tw.SyncChat:
    """Turns: 1 two calls refused and one that failed, 2 two writes refused, 3 and 4 a correction, 5 and 6 no answers."""
    wrong, failed = call("keep"), call("look", city="Oslo")
    plan = [wrong, call("look", town="x"), failed, "Hm.", *[call("write_c", set={"done": "no"})] * 2, "Hm.", "Well."]
    texts = ("hm", "I am 40", "sorry, I am 42", "sorry, I am 52", "hm", "a banana")
    return Talk(FLOW, plan, tools={"look": look, "keep": lambda: "kept"}).did(*texts).chat


@cache
def pressed() -> tw.SyncChat:
    """In turn 4 the user presses a button of the first question."""
    chat = tw.open_sync("examples/eligibility/eligibility.flow.yaml").chat("a")
    first = chat.start()
    chat.choose("Yes")
    chat.choose("Yes")
    chat.choose("Yes", position=first.state.seq)
    return chat


@cache
def restarted() -> tw.SyncChat:
    """Turns: 2 an answer, 3 an undo, 4 and 5 answers, 6 the form begins anew, 7 to 9 a person."""
    chat = tw.open_sync("examples/eligibility/eligibility.flow.yaml").chat("a")
    chat.say("hello")
    chat.say("yes")
    chat.undo()
    for text in ("yes", "no", "start over"):
        chat.say(text)
    chat.take_over("Mara")
    chat.operator_say("Hello, this is Mara.")
    chat.give_back("helped")
    return chat


COUNTS: list[tuple[Callable[[], tw.SyncChat], str, str]] = [
    (counted, "conversation", "a call was refused 4 times in this conversation, in turns 1 (2 times) and 2 (2 times)"),
    (counted, "conversation", "a call failed once in this conversation, in turn 1"),
    (counted, "conversation", "a value was refused 2 times in this conversation, in turn 2"),
    (counted, "conversation", "an answer was not understood 2 times in this conversation, in turns 5 and 6"),
    (
        counted,
        "tool write_c",
        "write_c was called 2 times in this conversation, in turn 2; it was refused each time",
    ),
    (counted, "tool look", "look failed once in this conversation, in turn 1"),
    (counted, "field c.done", "a value for c.done was refused 2 times in this conversation, in turn 2"),
    (
        counted,
        "field c.age",
        "c.age was set 3 times in this conversation: 40 in turn 2, then 42 in turn 3, then 52 in turn 4; "
        "it changed 2 times",
    ),
    (restarted, "form", "a form began anew once in this conversation, in turn 6"),
    (restarted, "conversation", "an undo was made once in this conversation, in turn 3"),
    (
        restarted,
        "conversation",
        "the user wrote 5 times in this conversation, in turns 1, 2, 4, 5 and 6; "
        "1 of these in turns that the undo of turn 3 took back",
    ),
    (restarted, "person Mara", "Mara wrote once in this conversation, in turn 8"),
    (restarted, "person", "a person took over once in this conversation, in turn 7"),
    (pressed, "conversation", "a button was pressed 3 times in this conversation, in turns 2, 3 and 4"),
    (pressed, "conversation", "a button was refused once in this conversation, in turn 4"),
]


@pytest.mark.parametrize(("play", "subject", "text"), COUNTS, ids=[row[2] for row in COUNTS])
def test_what_happened_to_a_subject_is_counted(play: Callable[[], tw.SyncChat], subject: str, text: str) -> None:
    found = [one.text for one in play().why(subject).facts if one.kind == "counted"]
    assert text in found


@pytest.mark.parametrize("subject", ["form", "conversation", "model", "field c.age"])
def test_what_went_wrong_is_counted_only_where_it_did(subject: str) -> None:
    texts = [one.text for one in Talk(FLOW, ["Hm."]).did("hm").chat.why(subject).facts if one.kind == "counted"]
    assert not [one for one in texts if "refused" in one or "failed" in one or "anew" in one or "understood" in one]


def test_what_is_not_counted_has_no_count() -> None:
    assert restarted().why("end").fact("counted") is None

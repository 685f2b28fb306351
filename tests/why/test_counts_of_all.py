"""Counts of calls, values and answers of any name; what is not counted is refused, and not answered by another number."""

from __future__ import annotations

from functools import cache

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check
from turnwise.errors import UnknownSubject
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


VAIN = "Number of times that I tried this in vain"
FAILED = "Number of times that this did not work"
REFUSED = "Number of values that I could not take"
MISSED = "Number of answers that I did not understand"
CORRECTED = "Number of answers that you corrected"
COUNTED = [
    (
        "how many calls were refused?",
        "a call was refused 4 times in this conversation, in turns 1 (2 times) and 2 (2",
        VAIN,
    ),
    ("Wie viele Aufrufe wurden abgelehnt?", "a call was refused 4 times in this conversation", VAIN),
    ("how many tool calls failed?", "a call failed once in this conversation, in turn 1", FAILED),
    ("how many values were refused?", "a value was refused 2 times in this conversation, in turn 2", REFUSED),
    ("how often was write_c refused?", "a call of write_c was refused 2 times in this conversation, in turn 2", VAIN),
    (
        "how often was done written in vain?",
        "a value for c.done was refused 2 times in this conversation, in turn 2",
        REFUSED,
    ),
    ("how many of her answers could it not make sense of?", "an answer was not understood 2 times in this", MISSED),
    (
        "how often did the machine not understand her?",
        "an answer was not understood 2 times in this conversation",
        MISSED,
    ),
    (
        "how many times did she change her mind?",
        "a value was corrected 2 times in this conversation, in turns 3 and 4",
        CORRECTED,
    ),
]


@pytest.mark.parametrize(("question", "line", "said"), COUNTED, ids=[row[0] for row in COUNTED])
def test_what_was_refused_failed_or_corrected_is_counted_whatever_its_name(question: str, line: str, said: str) -> None:
    answer = check(counted(), Case(question, line))
    count = answer.facts[0].values["count"]
    assert answer.plain == f"{said}: {count}."


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


OF_FORM = [
    ("how often did he start over?", "a form began anew once in this conversation, in turn 6"),
    ("Wie viele Neustarts gab es?", "a form began anew once in this conversation, in turn 6"),
    ("How many times did the form begin again?", "a form began anew once in this conversation, in turn 6"),
    ("how often did he go back?", "an undo was made once in this conversation, in turn 3"),
    ("how many messages did he write?", "the user wrote 5 times in this conversation, in turns 1, 2, 4, 5 and 6"),
    ("how many messages did Mara send?", "Mara wrote once in this conversation, in turn 8"),
    ("How often did Mara write?", "Mara wrote once in this conversation, in turn 8"),
]


@pytest.mark.parametrize(("question", "line"), OF_FORM, ids=[row[0] for row in OF_FORM])
def test_new_starts_and_messages_are_counted_in_the_whole_conversation(question: str, line: str) -> None:
    check(restarted(), Case(question, line))


def test_what_never_happened_is_counted_as_never() -> None:
    check(counted(), Case("how often did she start over?", "a form did not begin anew in this conversation"))


@pytest.mark.parametrize("question", ["how many messages were refused?", "how often did a person decline?"])
def test_no_other_number_answers_what_is_not_counted(question: str) -> None:
    with pytest.raises(UnknownSubject, match="is not counted"):
        counted().why(question)

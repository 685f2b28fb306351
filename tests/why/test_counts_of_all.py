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
    texts = ("hm", "I am 40", "sorry, I am 42", "sorry, I am 52", "hm", "what?")
    return Talk(FLOW, plan, tools={"look": look, "keep": lambda: "kept"}).did(*texts).chat


COUNTED = [
    ("how many calls were refused?", "a call was refused 4 times in this conversation, in turns 1 (2 times) and 2 (2"),
    ("Wie viele Aufrufe wurden abgelehnt?", "a call was refused 4 times in this conversation"),
    ("how many tool calls failed?", "a call failed once in this conversation, in turn 1"),
    ("how many values were refused?", "a value was refused 2 times in this conversation, in turn 2"),
    ("how often was write_c refused?", "a call of write_c was refused 2 times in this conversation, in turn 2"),
    ("how often was done written in vain?", "a value for c.done was refused 2 times in this conversation, in turn 2"),
    ("how many of her answers could it not make sense of?", "an answer was not understood 2 times in this"),
    ("how often did the machine not understand her?", "an answer was not understood 2 times in this conversation"),
    ("how many times did she change her mind?", "a value was corrected 2 times in this conversation, in turns 3 and 4"),
]


@pytest.mark.parametrize(("question", "line"), COUNTED, ids=[row[0] for row in COUNTED])
def test_what_was_refused_failed_or_corrected_is_counted_whatever_its_name(question: str, line: str) -> None:
    answer = check(counted(), Case(question, line))
    count = answer.facts[0].values["count"]
    assert answer.plain == f"Number of times in this conversation: {count}."


@pytest.mark.parametrize("question", ["how many messages were refused?", "how often did a person decline?"])
def test_no_other_number_answers_what_is_not_counted(question: str) -> None:
    with pytest.raises(UnknownSubject, match="is not counted"):
        counted().why(question)

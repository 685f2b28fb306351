"""Questions about calls: how often something happened, calls by their names, calls that were refused or never made."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check, every
from turnwise.errors import UnknownSubject
from turnwise.models.scripted import call

FLOW = """
flow: talk
start: a
language: en
time_zone: UTC
commands: [undo]
records:
  c: {age: {type: integer, max: 120, about: age}, done: string, pin: {type: string, secret: true}}
tools:
  look: {about: look, args: {city: string}}
  keep: {about: keep, kind: effect, confirm: true}
nodes:
  a:
    prompt: A.
    tools: {allow: [look, keep]}
    collect: [c.age]
    writes: [c.done, c.age, c.pin]
    transitions:
      - {id: go_on, at: before, when: 'message.text == "on"', because: the user wants to go on, to: b}
      - {id: nudge, at: timer, in: 5m, stay: true, because: nothing was said}
  b: {prompt: B., transitions: [{id: back, at: before, when: 'message.text == "back"', to: a}]}
"""


def talk(*plan: Any, said: tuple[Any, ...] = ("hm",), language: str = "en") -> tw.SyncChat:
    tools = {"look": lambda city: city, "keep": lambda: "kept"}
    flow = FLOW.replace("language: en", f"language: {language}")
    return Talk(flow, [*plan, *["Well."] * 9], tools=tools).did(*said).chat


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def fire(chat: tw.SyncChat) -> object:
    return chat.fire("nudge")


ROME, OSLO = call("look", city="Rome"), call("look", city="Oslo")
AGES = ("I am 35 years old", "sorry, I am 48 years old")
OFTEN: list[tuple[tuple[Any, ...], tuple[Any, ...], str, str]] = [
    (
        (ROME, "x", OSLO, OSLO),
        ("a", "b"),
        "how often was look used?",
        "look was called 3 times in this conversation, in",
    ),
    ((ROME, "x", OSLO), ("a", "b"), "wie oft wurde look benutzt?", "look was called 2 times in this conversation, in"),
    ((ROME, OSLO), ("a",), "how many looks were there?", "look was called 2 times in this conversation, in turn 1"),
    ((call("look", town="x"), ROME), ("a",), "how often was look called?", "look was called 2 times"),
    ((), ("a",), "how often was look called?", "look was not called in this conversation"),
    (
        (),
        ("a", "on", "back", "on"),
        "how often was b entered?",
        "b was entered 2 times in this conversation, in turns 2",
    ),
    (
        (),
        ("a", "on", "back", "on"),
        "how often was go_on taken?",
        "go_on was taken 2 times in this conversation, in turns 2",
    ),
    ((), ("a", fire), "how often did nudge fire?", "nudge came due once in this conversation, in turn 2"),
    ((ROME,), ("a", "b"), "how many model calls were there?", "the model was called 3 times in this conversation, in"),
    ((), ("a", "b"), "how many messages came?", "the user wrote 2 times in this conversation, in turns 1 and 2"),
    (
        (),
        AGES,
        "how often was the age set?",
        "c.age was set 2 times in this conversation: 35 in turn 1, then 48 in turn 2",
    ),
    ((), AGES, "wie oft wurde das Alter geändert?", "c.age was set 2 times in this conversation: 35 in turn 1, then"),
]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("plan", "said", "question", "line"), OFTEN, ids=[row[2] for row in OFTEN])
def test_how_often_is_answered_for_this_conversation_first(
    plan: tuple[Any, ...], said: tuple[Any, ...], question: str, line: str, language: str
) -> None:
    if language == "de":
        said = tuple(_GERMAN.get(one, one) for one in said)
    answer = talk(*plan, said=said, language=language).why(question)
    assert answer.line.startswith(line)
    own = "Number of times in this conversation: {}." if language == "en" else "Anzahl in diesem Gespräch: {}."
    assert answer.plain == own.format(answer.facts[0].values["count"])
    assert len(answer.facts) > 1


_GERMAN = {"I am 35 years old": "Ich bin 35", "sorry, I am 48 years old": "Nein, ich bin 48"}


def test_how_often_says_what_was_refused_and_what_was_undone() -> None:
    often = talk(call("look", town="x"), ROME, said=("a",)).why("how often was look called?")
    assert often.line == "look was called 2 times in this conversation, in turn 1; it was refused once, in turn 1"
    often = talk(call("look", town="x"), said=("a",)).why("how often was look called?")
    assert often.line == "look was called once in this conversation, in turn 1; it was refused"
    often = talk(said=("a", "on", undo)).why("how often was go_on taken?")
    assert often.line.endswith("in turn 2; 1 of these in turns that were undone")


def test_how_often_a_secret_was_set_does_not_say_what() -> None:
    answer = talk(call("write_c", set={"pin": "1234"}), said=("a",)).why("how often was the pin set?")
    assert answer.line.startswith("c.pin was set once")
    assert "1234" not in str(answer.to_dict())


def test_how_often_is_followed_by_how_usual_it_is() -> None:
    assert [one.kind for one in talk(ROME).why("how often was look used?").facts[:2]] == ["counted", "usual"]
    assert "counted" not in {one.kind for one in talk(ROME).why("how usual is look?").facts}
    assert "counted" not in {one.kind for one in talk(said=("I am 35",)).why("how many years is the age?").facts}


# calls by their names ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["delete_all", "go_to_b", "write_d", "Delete_All"])
@pytest.mark.parametrize("form", ["{}", "tool {}", "why was {} refused?", "warum wurde {} nicht ausgeführt?"])
def test_a_call_that_the_flow_has_no_tool_for_is_asked_about_by_its_name(name: str, form: str) -> None:
    called = name.lower()
    chat = talk(call(called), said=("a", "b"))
    answer = check(chat, Case(form.format(name), f"the call of {called} was refused ("))
    assert (answer.subject.kind, answer.subject.name, answer.turn) == ("tool", called, 1)
    assert answer.plain == "That is not possible where we are now."


def test_a_name_that_no_call_had_is_refused_as_before() -> None:
    chat = talk(call("delete_all"))
    for question in ("delete_al", "tool delete_al", "why was delete_al refused?"):
        with pytest.raises(UnknownSubject):
            chat.why(question)


def test_every_subject_of_a_fact_can_be_asked_about() -> None:
    answer = talk(call("delete_all")).why("1")
    names = {str(one) for fact in every(answer) for one in fact.about if one.name and one.kind in ("tool", "call")}
    assert names == {"tool delete_all", "call 1-2-1"}


def test_a_refused_write_says_with_what_it_was_called_and_that_it_is_no_use() -> None:
    line = "the machine answered the model's call of write_c with set = {'age': 300}: "
    chat = talk(call("write_c", set={"age": 300}), said=("as old as the hills",))
    check(chat, Case("who said 300?", line, {"model_replied": {}}, ("tool_never_used",)))
    check(chat, Case("write_c", line, {"counted": {"count": 1, "refused": "refused"}}, ("tool_never_used",)))


RULES = """
flow: rules
start: a
tools: {think: {about: think}, web: {about: web}}
nodes:
  a:
    prompt: A.
    tools: {allow: [think, web]}
    transitions:
      - {id: fresh, at: before, when: 'message.text == "on" && !tools.used("web", within: 3)', to: b}
  b: {prompt: B.}
"""


def test_a_tool_that_was_never_used_is_no_cause_of_a_rule() -> None:
    chat = Talk(RULES, [call("think"), *["Well."] * 3], tools=[think, web]).did("hm", "on").chat
    read = {"name": 'tools.used("web", within: 3)', "value": "false", "since": None}
    answer = check(chat, Case("2", "a → b by fresh", {"root_read": read}))
    assert not [one for one in every(answer) if one.kind == "tool_returned"]


def think() -> str:
    return "hm"


def web() -> str:
    return "found"

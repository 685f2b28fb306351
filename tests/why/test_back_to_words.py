"""Each answer goes back to the words of the user, also through what is no field: forms, messages, tools, persons."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from support.chats import OneSyncChat, flow_of
from support.tools import FakeTool
from support.whys import lines_of
from turnwise.models.scripted import ScriptedModel
from turnwise.stores.memory import MemoryStore

FLOW = """
flow: back
start: ask
person: {queue: host}
tools: {look: {about: looks something up, kind: read}}
records: {u: {name: string, n: integer}}
nodes:
  ask:
    form: {fields: [{field: u.name, ask: Your name?}], confirm: {}}
    transitions: [{id: done, at: after, when: form.status == "confirmed", to: look}]
  look:
    tool: {name: look}
    transitions: [{id: failed, at: error, to: talk}, {id: seen, to: talk}]
  talk:
    prompt: Talk.
    collect: [u.n]
    transitions:
      - {id: plan, at: before, when: 'message.text.contains("plan") && tools.used("look")', to: desk}
      - {id: many, at: before, when: u.n > 90, to: ask}
  desk:
    person: {queue: host}
    transitions: [{id: back, at: after, when: person.outcome == "good", to: talk}, {id: other, at: after, to: ask}]
"""


@cache
def talked() -> Any:
    """Turns: 1 start, 2 the name, 3 confirmed, so that the tool runs, 4 and 5 a number, 6 a plan, 7 and 8 a person."""
    model, tools = ScriptedModel(["Hm."] * 30), {"look": FakeTool({"found": 1})}
    chat: Any = OneSyncChat(flow_of(FLOW), model=model, tools=tools, store=MemoryStore())
    chat.start()
    for text in ("Ann", "yes", "42", "well", "Let us plan it"):
        chat.say(text)
    chat.take_over("eve")
    chat.give_back(outcome="good")
    return chat


ASKED = [
    ("done", 3, "form.status was confirmed", "the user said “yes”"),
    ("look", 3, "form.status was confirmed", "the user said “yes”"),
    ("seen", 3, "look was called by the node look", "the user said “yes”"),
    ("node talk", 3, "look returned", "the user said “yes”"),
    ("plan", 5, "message.text was well", "the user said “well”"),
    ("plan", 5, 'tools.used("look") was true, by the use of look in turn 3', "the user said “yes”"),
    ("many", 5, "u.n was 42", "the user said “42”"),
    ("plan", 6, "message.text was Let us plan it", "the user said “Let us plan it”"),
    ("person", 6, "the wait for a person in the queue host began", "the user said “Let us plan it”"),
    ("back", None, "person.outcome was good", "eve gave the conversation back"),
]


@pytest.mark.parametrize(("question", "turn", "step", "words"), ASKED)
def test_the_chain_goes_through_what_is_no_field_back_to_the_words(
    question: str, turn: int | None, step: str, words: str
) -> None:
    answer = talked().why(question, turn=turn)
    steps = [fact for fact in answer.facts[0].walk() if fact.text.startswith(step)]
    assert steps, lines_of(answer)
    assert any(words in one.text for fact in steps for one in fact.walk()), lines_of(answer)


def test_what_a_rule_read_of_a_message_hides_secrets() -> None:
    flow = FLOW.replace("name: string", "name: {type: string, secret: true}")
    with OneSyncChat(flow_of(flow), model=ScriptedModel(["Hm."] * 9), tools={"look": FakeTool({})}) as chat:
        chat.start()
        for text in ("Rumpelstilzchen", "yes", "I, Rumpelstilzchen, plan it"):
            chat.say(text)
        answer = chat.why("plan")
    assert answer.fact("root_read") is not None
    assert "Rumpelstilzchen" not in str(answer.to_dict())

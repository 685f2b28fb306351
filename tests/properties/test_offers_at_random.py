"""Whatever happens around offers: one is open at most, it is the open question, what is taken was asked, and a replay is
equal (law 6.5).
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import turnwise as tw
from support.chats import OneSyncChat, flow_of
from turnwise.core.state import State
from turnwise.core.state import commands as c
from turnwise.core.state import events as e

FLOW = """
flow: tutor
start: talk
commands: [undo, cancel, {start: [quiz]}]
person: {queue: desk}
records: {feedback: {mood: {type: choice, options: [good, bad]}}, u: {topic: string, name: string}}
tools: {book: {about: books a lesson, kind: effect, confirm: true}}
schedules: {daily: {at: "10:00", every: 1d, anchor: 2026-01-01, offer: survey, opener: "The daily one?", with: {default: {topic: day}}}}
nodes:
  talk:
    prompt: Talk.
    tools: {allow: [book]}
    offer: {scope: survey, opener: "About {{ u.topic }}?", with: {topic: u.topic}}
    collect: [u.topic]
    transitions:
      - {id: remind, at: timer, in: 10m, stay: true, say: Are you there?}
      - {id: ask, at: before, when: 'message.text == "form"', to: ask}
      - {id: once, at: before, when: 'message.text == "once"', to: once}
  ask:
    form: {fields: [{field: u.name, ask: Your name?}], confirm: {}}
    offer: {scope: quiz, opener: "A quiz?"}
    transitions: [{at: after, when: 'form.status == "confirmed"', to: talk}]
  once: {say: Once., offer: {scope: quiz, opener: "A quiz first?"}, once: talk}
  survey:
    title: feedback
    scope: {input: {topic: string}, returns: feedback, limits: {idle: 1h}}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
  quiz:
    scope:
      start: one
      nodes:
        one:
          say: Ready?
          offer: {scope: hard, opener: "A hard one?"}
          transitions: [{at: before, when: 'message.text == "done"', return: true}]
        hard: {scope: {start: two, nodes: {two: {say: "42?", transitions: [{at: before, when: 'message.text == "done"', return: true}]}}}}
"""
SAID = (
    *("hello", "yes", "sure", "no", "not now", "no, let us go on", "yes, but what does it cost?", "feedback", "quiz"),
    *("form", "once", "done", "good", "undo", "cancel", "Ann", "one moment", "what is a verb?"),
)
STEPS = st.one_of(
    st.sampled_from(SAID).map(lambda text: ("say", text)),
    st.sampled_from(("yes", "no", "feedback")).map(lambda value: ("press", value)),
    st.sampled_from(("remind", "scope idle")).map(lambda timer: ("fire", timer)),
    st.just(("schedule", "daily")),
    st.sampled_from((c.Affirm(), c.Deny(), c.Start(target="survey"), c.Set(field="u.topic", value="verbs"))).map(
        lambda command: ("commands", command)
    ),
)


def take(chat: OneSyncChat, step: tuple[str, Any]) -> tw.Turn:
    match step:
        case ("say", text):
            return chat.say(text)
        case ("press", value):
            return chat.choose(value)
        case ("commands", command):
            return chat.commands([command])
        case (_, name):
            return chat.fire(name)


def holds(state: State, events: tuple[Any, ...]) -> None:
    open_now = [one for one in state.offers if one.status == "open"]
    assert len(open_now) <= 1
    question = state.question
    is_question = question is not None and question.kind == "offer"
    assert is_question is bool(open_now), (state.offers, question)
    for one in open_now:
        assert one.frame == state.frame.id
        assert question is not None
        assert question.field == one.scope
        assert one.asked >= 1
    assert {one.frame for one in state.offers} <= {frame.id for frame in state.frames}
    taken = [one.scope for one in events if isinstance(one, e.OfferClosed) and one.outcome == "taken"]
    opened = [one.scope for one in events if isinstance(one, e.ScopeOpened)]
    assert all(scope in opened for scope in taken)
    assert all(one.scope in taken for one in events if isinstance(one, e.ScopeOpened) and one.by == "offer")


@pytest.mark.law("6.5")
@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(STEPS, min_size=1, max_size=12))
def test_offers_keep_their_promises(steps: list[tuple[str, Any]]) -> None:
    replies = [f"Reply {number}." for number in range(80)]
    with OneSyncChat(flow_of(FLOW), model=tw.ScriptedModel(replies), clock=tw.ManualClock()) as chat:
        chat.start()
        for step in steps:
            turn = take(chat, step)
            if not turn.refused:
                holds(turn.state, turn.events)
        assert chat.replay()

"""Law 6.3: whatever happens inside scopes, the conversation around them is the same but for a summary."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from support.chats import Talk, talk
from turnwise.core.prompts.markers import APPLICATION
from turnwise.core.state.fold import fold_all
from turnwise.models.scripted import call

NESTINGS = 5000 if os.environ.get("TURNWISE_SOAK") == "1" else 60

FLOW = """
flow: nest
start: chat
commands: [cancel]
records:
  user: {name: string}
  result: {mood: string, note: string}
  score: {points: {type: integer, min: 0}}
nodes:
  chat:
    prompt: Talk with {{ user.name }}.
    transitions:
      - {id: a, at: before, when: message.text == "begin survey", call: survey}
      - {id: b, at: before, when: message.text == "begin quiz", call: quiz, with: {topic: message.text}}
  survey:
    scope: {inherits: [user], returns: result, summary: "Survey {{ result.mood }} ({{ scope.outcome }})", limits: {turns: 5}}
    form:
      fields:
        - {field: result.mood, ask: Mood?}
        - {field: result.note, ask: Note?}
  quiz:
    scope:
      inherits: [message]
      input: {topic: string}
      returns: score
      summary: "Quiz: {{ score.points }}"
      start: play
      nodes:
        play:
          prompt: Play about {{ input.topic }}.
          transitions:
            - {id: nested, at: before, when: message.text == "begin break", to: rest}
            - {id: over, at: before, when: message.text == "over", end: over, set: {score.points: 3}}
        rest:
          scope: {inherits: [message]}
          prompt: Chat about the weather.
          transitions: [{to: play}]
"""
PLAIN = (
    FLOW.replace("call: survey", "to: chat")
    .replace("call: quiz, with: {topic: message.text}", "to: chat")
    .replace('when: message.text == "begin', 'when: message.text == "never')
)


class Run:
    """A random conversation in which scopes open and close, and the same without them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seen: Counter[str] = Counter()
        self.inner: Talk = talk(FLOW, understand=[()] * 999, model=["reply 0"])
        self.plain: Talk = talk(PLAIN, understand=[()] * 999, model=[f"reply {n}" for n in range(999)])
        for one in (self.inner, self.plain):
            one.set(user__name="Max")

    def say(self, text: str, reply: Any = None) -> None:
        self.inner.model.plan.extend(() if reply is None else (reply,))
        self.inner.chat.say(text)

    def outside(self, number: int) -> None:
        text = f"message {number}"
        self.inner.model.plan.append(f"outer {number}")
        self.inner.chat.say(text)
        self.plain.model.plan.clear()
        self.plain.model.plan.append(f"outer {number}")
        self.plain.chat.say(text)

    def opened(self, number: int) -> None:
        """Open a scope, say something inside, and close it; the same message is an ordinary one without the scope."""
        kind = self.random.choice(["survey", "quiz"])
        message = f"begin {kind}"
        (self.survey if kind == "survey" else self.quiz)(message, number)
        self.plain.model.plan.clear()
        self.plain.model.plan.append(f"back {number}")
        self.plain.chat.say(message)
        self.seen[kind] += 1

    def survey(self, message: str, number: int) -> None:
        self.say(message)
        how = self.random.choice(["whole", "cancel", "limit"])
        self.seen[how] += 1
        back = f"back {number}"
        if how == "whole":
            self.inner.understanding.plan.clear()
            self.inner.set(**{"survey/result__mood": "good"})
            self.inner.model.plan.append(back)
            self.inner.set(**{"survey/result__note": "fine"})
        elif how == "cancel":
            self.inner.set(**{"survey/result__mood": "bad"})
            self.say("cancel", back)
        else:
            for _ in range(4):
                self.say("hm")
            self.say("hm", back)

    def quiz(self, message: str, number: int) -> None:
        self.say(message, "First question?")
        for turn in range(self.random.randrange(4)):
            self.say(f"inner {number} {turn}", f"Wrong {turn}.")
        if self.random.random() < 0.5:
            self.seen["nested"] += 1
            self.say("begin break", "Nice weather.")
            self.inner.model.plan.append(call("finish_rest"))
            self.say("it rains", "Where were we?")
        self.say("over", f"back {number}")


def without_notes(request: Any) -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in request.transcript if not one.text.startswith(APPLICATION)]


@pytest.mark.law("6.3")
def test_the_conversation_around_scopes_is_the_same_but_for_their_summaries() -> None:
    seen: Counter[str] = Counter()
    for seed in range(NESTINGS):
        run = Run(seed)
        for number in range(run.random.randrange(1, 5)):
            (run.opened if run.random.random() < 0.6 else run.outside)(number)
        run.outside(99)
        inner, plain = run.inner.model.calls[-1], run.plain.model.calls[-1]
        assert inner.node == plain.node == "chat"
        assert without_notes(inner) == without_notes(plain)
        assert (inner.instructions, inner.tools) == (plain.instructions, plain.tools)
        notes = sum(one.text.startswith(APPLICATION) for one in inner.transcript)
        assert notes == run.seen["survey"] + run.seen["quiz"]
        state, other = run.inner.chat.state(), run.plain.chat.state()
        assert state.outer == ()
        kept = {name: found.value for name, found in state.values.items() if not name.startswith(("result.", "score."))}
        assert kept == {name: found.value for name, found in other.values.items()}
        assert fold_all(run.inner.chat.journal()) == state
        seen.update(run.seen)
    assert not {"survey", "quiz", "whole", "cancel", "limit", "nested"} - seen.keys()

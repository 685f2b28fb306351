"""A flow with scopes inside each other, and a conversation through them, for tests of frames."""

from __future__ import annotations

from typing import Any

import turnwise as tw
from support.chats import flow_of

FLOW = """
flow: lesson
title: A lesson
start: chat
commands: [cancel, {start: [survey]}]
records:
  feedback: {mood: {type: choice, options: [good, bad]}, pin: {type: string, secret: true}}
  score: {points: {type: integer, min: 0}}
nodes:
  chat:
    prompt: Talk.
    tools: {allow: [open_quiz]}
    transitions:
      - {id: asks, at: before, when: message.text == "feedback", call: survey}
  survey:
    title: A short survey
    scope: {returns: feedback, summary: "It was {{ feedback.mood }}.", limits: {turns: 5, idle: 1h}}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
  quiz:
    scope:
      returns: score
      summary: "Points: {{ score.points }}"
      limits: {tokens: 1000}
      start: play
      nodes:
        play:
          prompt: Play.
          transitions:
            - {id: pause, at: before, when: message.text == "pause", to: rest}
            - {id: over, at: before, when: message.text == "over", end: over, set: {score.points: 3}}
        rest:
          scope: {}
          prompt: Chat about the weather.
          transitions: [{to: play}]
"""


def opened(*replies: Any, store: tw.Store | None = None, clock: tw.Clock | None = None) -> tw.App:
    """Return an app of the flow with scripted parts."""
    parts: dict[str, Any] = {"model": tw.ScriptedModel([*replies]), "understand": tw.ScriptedUnderstanding([()] * 99)}
    return tw.open(
        flow_of(FLOW), store=store or tw.MemoryStore(), clock=clock or tw.ManualClock(1_700_000_000_000), **parts
    )


REPLIES = (
    *("Hello.", tw.call("open_quiz"), "First question?", "Nice weather.", tw.call("finish_rest")),
    *("Where were we?", "Three points!", "Bye."),
)


async def talked(chat: tw.Chat) -> None:
    """Go through the quiz with a pause inside, and then begin the survey."""
    for text in ("hello", "a quiz", "pause", "it rains", "over", "feedback"):
        turn = await chat.say(text)
        assert turn.status == "waiting", (text, turn.text)

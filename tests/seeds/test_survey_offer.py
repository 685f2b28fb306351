"""Seed 003, survey: "Do you have a minute?", "Sure." opens it, by the offer and by the model's tool; "Not now" declines it,
and it comes back later.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import OneSyncChat, flow_of
from turnwise.models.scripted import ScriptedModel, call

FLOW = """
flow: language_buddy
start: lesson
records:
  user: {name: {type: string, default: Max}}
  feedback: {liked: string, better: string}
nodes:
  lesson:
    persona: You are Maya, a tutor.
    prompt: Teach German to {{ user.name }}.
    tools: {allow: [startFeedbackSession]}
    offer: {scope: survey, opener: "Hi {{ user.name }}! Do you have a minute for feedback?"}
    transitions: [{at: before, when: 'message.text == "quiz"', to: quiz}]
  quiz: {say: "Haus?", transitions: [{at: before, when: 'message.text == "house"', to: lesson}]}
  survey:
    title: feedback
    scope: {tool: startFeedbackSession, returns: feedback, summary: "They liked {{ feedback.liked }}."}
    form:
      acknowledge: "Noted. Question {{ form.number }}:"
      fields: [{field: feedback.liked, ask: What did you like?}, {field: feedback.better, ask: What is missing?}]
"""


def lesson(*replies: Any) -> OneSyncChat:
    return OneSyncChat(flow_of(FLOW), model=ScriptedModel(replies))


@pytest.mark.requirement("003-53")
def test_sure_opens_the_survey_by_the_offer() -> None:
    chat = lesson("Guten Tag!", "Back to German.")
    assert chat.say("hello").text == "Guten Tag!\n\nHi Max! Do you have a minute for feedback?"
    opened = chat.say("Sure.")
    assert opened.text == "What did you like?"
    assert [(one.scope, one.by) for one in chat.frames()[1:]] == [("survey", "offer")]
    chat.say("The songs.")
    assert chat.say("Voice messages.").text.endswith("Back to German.")
    assert chat.state().values["feedback.better"].value == "Voice messages."


@pytest.mark.requirement("003-53")
def test_sure_opens_the_survey_by_a_call_of_the_model() -> None:
    chat = lesson("Guten Tag!", "Shall we talk about the lesson?", [call("startFeedbackSession")])
    chat.say("hello")
    chat.say("what is new?")
    assert chat.say("Sure.").text == "What did you like?"
    assert [(one.scope, one.by) for one in chat.frames()[1:]] == [("survey", "tool")]
    assert chat.state().offers == ()


@pytest.mark.requirement("003-54")
def test_not_now_declines_it_and_it_comes_back_later() -> None:
    chat = lesson("Guten Tag!", "Then on with German.", "Richtig!", "A verb is a word.")
    chat.say("hello")
    assert chat.say("Not now").text == "Then on with German."
    assert [(one.scope, one.status) for one in chat.state().offers] == [("survey", "passed")]
    assert chat.say("quiz").text == "Haus?"
    assert chat.say("house").text == "Richtig!\n\nHi Max! Do you have a minute for feedback?"
    chat.say("what is a verb?")
    assert chat.say("feedback").text == "What did you like?"

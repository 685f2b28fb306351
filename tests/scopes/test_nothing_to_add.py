"""What is said behind a closed scope where no model is connected: nothing, unless it is needed (law 6.3)."""

from __future__ import annotations

import pytest

import turnwise as tw

FLOW = """
flow: tutor
start: chat
commands: [cancel, {start: [survey]}]
records: {feedback: {mood: {type: choice, options: [good, bad]}}, user: {name: {type: string, about: your name}}}
nodes:
  chat: {prompt: You are Maya.%s}
  survey:
    scope:
      returns: feedback
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How was it?}]}
          transitions: [{at: after, to: noted}]
        noted: {say: "Noted: {{ feedback.mood }}.", end: noted}
"""
UNCONNECTED = "No model is connected, so I cannot talk freely here."


def _said(flow: str, *messages: str) -> list[str]:
    with tw.open_sync(tw.loads(flow)) as app:
        chat = app.chat("ada")
        found = [chat.say(message).text for message in messages]
        assert chat.replay()
        return found


def test_a_scope_that_has_spoken_needs_no_further_text() -> None:
    assert _said(FLOW % "", "survey", "good") == ["How was it?", "Noted: good."]


def test_the_next_message_is_answered_as_before() -> None:
    assert _said(FLOW % "", "survey", "good", "and now?")[-1] == UNCONNECTED


def test_a_scope_that_closes_without_a_word_has_the_fixed_text() -> None:
    assert _said(FLOW % "", "survey", "cancel")[-1] == "Thank you. We go on."


def test_what_the_node_around_still_needs_is_said() -> None:
    last = _said(FLOW % ", collect: [user]", "survey", "good")[-1]
    assert last == "Noted: good.\n\nI still need: your name."


def test_a_node_that_is_entered_anew_behind_a_scope_says_that_no_model_is_connected() -> None:
    flow = (
        (FLOW % "")
        .replace("start: chat", "start: first")
        .replace(
            "  survey:",
            "  first: {transitions: [{at: after, to: survey}]}\n  survey:\n    transitions: [{at: after, to: chat}]",
        )
    )
    assert _said(flow, "hello", "good")[-1] == f"Noted: good.\n\n{UNCONNECTED}"


def test_an_empty_reply_of_a_model_stays_a_failure_there() -> None:
    model = tw.ScriptedModel(["", "", "", ""])
    with tw.open_sync(tw.loads(FLOW % ""), model=model) as app:
        chat = app.chat("ada")
        chat.say("survey")
        turn = chat.say("good")
        assert turn.text == "Noted: good.\n\nSomething went wrong on our side. Please try again."
        assert [one.code for one in turn.warnings] == ["reply_failed"]


def test_why_says_that_no_model_is_connected() -> None:
    with tw.open_sync(tw.loads(FLOW % "")) as app:
        chat = app.chat("ada")
        for message in ("survey", "good"):
            chat.say(message)
        assert "no model is connected to reply in chat" in str(chat.why("model"))


@pytest.mark.parametrize("begins", ["survey about verbs", "survey"])
def test_an_input_that_is_optional_may_be_left_out(begins: str) -> None:
    flow = (FLOW % "").replace(
        "    scope:\n",
        "    starts: ['survey about {topic}']\n    scope:\n      input: {topic: {type: string, optional: true}}\n",
    )
    with tw.open_sync(tw.loads(flow)) as app:
        turn = app.chat("ada").say(begins)
        assert turn.text == "How was it?"
        assert turn.value("survey/input.topic") == ("verbs" if "about" in begins else None)

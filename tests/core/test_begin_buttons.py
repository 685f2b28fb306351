"""The buttons by which a user begins a scope."""

from __future__ import annotations

from support.chats import Talk, talk
from turnwise.core.state.events import Button

FLOW = """
flow: lesson
start: talk
commands: [cancel, {start: [survey, quiz, check]}]
records: {feedback: {mood: {type: choice, options: [good, bad]}}}
tools: {order: {about: order a book, kind: effect, confirm: true, args: {title: string}}}
nodes:
  talk: {prompt: Talk., tools: {allow: [order]}}
  survey: {title: Your opinion, scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: How?}]}}
  quiz: {title: Your opinion, scope: {}, prompt: Ask.}
  check: {scope: {}, prompt: Check.}
"""


def made(*replies: object) -> Talk:
    return talk(FLOW, understand=[()] * 99, model=[*replies])


def labels(one: Talk) -> list[str]:
    return [button.value for button in one.chat.turn().starts]


def test_of_two_scopes_with_one_title_each_has_its_own_button() -> None:
    one = made("Hello.", "Question one?")
    one.chat.say("hello")
    assert one.chat.turn().starts == (
        Button("Your opinion", "survey"),
        Button("Your opinion", "quiz"),
        Button("check", "check"),
    )
    assert one.chat.choose("quiz").node == "quiz/prompt"
    assert labels(one) == ["survey", "check"]


def test_none_is_offered_while_a_call_waits_a_person_is_in_charge_or_the_limit_is_reached() -> None:
    from turnwise.models.scripted import call

    one = made("Hello.", call("order", title="Faust"), "Ordered.", *["x"] * 9)
    one.chat.say("hello")
    one.chat.say("order Faust")
    assert labels(one) == []
    refused = one.chat.choose("check")
    assert refused.refused == "unknown_button"
    one.chat.decline()
    assert labels(one) == ["survey", "quiz", "check"]
    one.chat.take_over("Lena")
    assert labels(one) == []
    one.chat.give_back()
    assert len(labels(one)) == 3
    limited = talk(
        FLOW.replace("start: talk", "start: talk\nlimits: {frames: 2}"), understand=[()] * 99, model=["x"] * 9
    )
    limited.chat.say("hello")
    assert limited.chat.choose("check").node == "check/prompt"
    assert labels(limited) == []


def test_a_flow_without_the_command_has_none() -> None:
    flow = FLOW.replace(", {start: [survey, quiz, check]}", "").replace("title: Your opinion, ", "")
    one = talk(flow, understand=[()] * 9, model=["x"] * 9)
    one.chat.say("hello")
    assert labels(one) == []
    turn = one.chat.choose("check")
    assert (turn.node, [warning.code for warning in turn.warnings]) == ("talk", ["stale_button"])


def test_the_button_of_an_earlier_question_begins_nothing() -> None:
    flow = FLOW.replace("options: [good, bad]", "options: [good, check]")
    one = talk(flow, understand=[()] * 99, model=["Hello.", "Back."])
    one.chat.say("hello")
    asked = one.chat.choose("survey")
    assert asked.position is not None
    assert one.chat.choose("check", position=asked.position).node == "talk"
    late = one.chat.choose("check", position=asked.position)
    assert (late.node, [warning.code for warning in late.warnings]) == ("talk", ["stale_button"])
    assert one.chat.choose("check").node == "check/prompt"

"""Law 7.1a at a form that is entered with a message which another node has understood: it answers the first question at
most, and every other value must be named.
"""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from turnwise.api.documents import link_checked
from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.prompts.understanding import TOOL_NAME, read_understanding
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call
from turnwise.models.scripted import ScriptedModel, understood_reply

pytestmark = pytest.mark.law("7.1a")

FLOW = """
flow: tutor
start: ask
records:
  user: {likes: {type: list, of: string}}
  test:
    questions:
      type: list
      of: question
      default:
        - {id: article, ask: "The house?", options: [der Haus, das Haus], right: das Haus}
        - {id: order, ask: "Because I am tired?", options: [weil ich müde bin, weil ich bin müde], right: weil ich müde bin}
    answers: answers
  trip: {level: {type: choice, options: [calm, wild]}, nights: integer, town: string}
nodes:
  ask:
    form: {fields: [{field: user.likes, ask: What do you like?}]}
    transitions: [{at: after, to: NEXT}]
  quiz: {form: {questions: test.questions, into: test.answers}, end: done}
  plan: {form: {fields: [{field: trip.town, ask: Where to?}, {field: trip.level, ask: How wild?}, {field: trip.nights, ask: How long?}]}, end: done}
"""


def set_(field: str, value: Any, words: str) -> dict[str, Any]:
    return {"command": "set", "field": field, "value": value, "words": words}


def last(next_node: str, message: str, *read: dict[str, Any]) -> tw.Turn:
    """The turn of a message that answers the first form, and is read by a model at the next one as some commands."""
    likes = set_("user.likes", ["football", "music"], "football, music")
    model = ScriptedModel([understood_reply(likes), understood_reply(*read)], understands=True)
    with tw.open_sync(tw.loads(FLOW.replace("NEXT", next_node)), model=model) as app:
        chat = app.chat("ada")
        chat.start()
        turn = chat.say(message)
        assert chat.replay()
        return turn


def refused(turn: tw.Turn) -> list[tuple[str, str]]:
    return [(one.field, one.reason) for one in turn.events if isinstance(one, e.CommandRefused)]


def test_an_answer_to_another_form_answers_no_later_question_of_a_quiz() -> None:
    order = set_("test.answers.order", "weil ich müde bin", "football, music")
    turn = last("quiz", "football, music", order)
    assert refused(turn) == [("test.answers.order", "not_named")]
    assert "test.answers.order" not in turn.state.values
    assert turn.text.endswith("The house?")
    assert not turn.state.frame.form.suggested  # type: ignore[union-attr]


def test_the_first_question_may_be_answered_in_any_words() -> None:
    turn = last("plan", "football, music", set_("trip.town", "Munich", "football, music"))
    assert turn.state.values["trip.town"].value == "Munich" or refused(turn) == [("trip.town", "unsupported")]
    quiz = last("quiz", "football, music", set_("test.answers.article", "das Haus", "football, music"))
    assert refused(quiz) == []


@pytest.mark.parametrize(
    ("field", "value", "words", "objection"),
    [
        ("trip.nights", 3, "for three nights", ""),
        ("trip.nights", 3, "3 days", ""),
        ("trip.nights", 5, "a long time", "not_named"),
        ("trip.level", "wild", "wild", ""),
        ("trip.level", "wild", "mountains", "not_named"),
        ("trip.town", "Bergen", "mountains", ""),
    ],
)
def test_what_a_message_names_is_taken_at_once(field: str, value: Any, words: str, objection: str) -> None:
    machine = link_checked(tw.loads(FLOW.replace("NEXT", "plan")))
    fields = tuple(
        AllowedField(name, machine.fields[name], name) for name in ("trip.town", "trip.level", "trip.nights")
    )
    allowed = AllowedInput("en", "UTC", 1796004000000, fields, ("set",), first="trip.town")
    message = f"I like music, {words}"
    found, _ = read_understanding([Call("1", TOOL_NAME, {"commands": [set_(field, value, words)]})], message, allowed)
    assert [one.objection for one in found] == [objection]


def test_others_are_suggested_when_their_question_comes() -> None:
    turn = last("plan", "football, music", set_("trip.level", "wild", "football, music"))
    assert refused(turn) == [("trip.level", "not_named")]
    assert turn.state.frame.form.suggested == {"trip.level": "wild"}  # type: ignore[union-attr]

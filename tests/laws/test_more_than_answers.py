"""What a message says beside the last answer of a form holds the way back (laws 5.1 and 5.5)."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from turnwise.models.scripted import ScriptedModel, understood_reply

FLOW = """
flow: table
start: ask
language: LANG
commands: [cancel, hand_over]
records: {v: {day: {type: date, about: day}, last: TYPE}}
tools: {book: {about: book a table, kind: effect}}
nodes:
  ask: {WORK, transitions: [{when: has(v.day) && has(v.last), to: book}]}
  book: {tool: {name: book}, transitions: [{to: bye}]}
  bye: {say: Booked., end: booked}
"""
FORM = "form: {fields: [{field: v.day, ask: Which day?}, {field: v.last, ask: And this?}]}"
COLLECT = "prompt: Ask., collect: [v.day, v.last]"
TYPES = {
    "integer": ("{type: integer, about: guests}", "4"),
    "choice": ("{type: choice, options: [small, large], about: size}", "large"),
    "email": ("{type: email, about: address}", "ada@x.org"),
    "phone": ("{type: phone, about: phone}", "0170 1234567"),
}
HELD = {
    "en": (
        ", actually cancel", " but don't order yet", ", but I want to talk to a human first", ", wait", ", hold on",
        " but how much is it?", ", what does it cost?", ", just asking", ", I think", ", tentatively", " - not now",
    ),
    "de": (
        ", nein doch abbrechen", ", aber noch nicht buchen", ", bitte nicht buchen", ", doch nicht", ", Moment",
        ", glaube ich", ", nur mal so gefragt", ", was kostet das?",
    ),
}  # fmt: skip
PLAIN = {"en": ("", " please", ", thanks", "!", ", thank you very much"), "de": ("", " bitte", ", danke", "!")}
WAYS_OUT = (" but cancel please", ", stop", ", no forget it", ", can I talk to a person?")


def played(work: str, language: str, kind: str, tail: str) -> tuple[list[str], tw.Turn, tw.Turn | None]:
    type_, value = TYPES[kind]
    ran: list[str] = []

    def book() -> str:
        ran.append("book")
        return "ok"

    text = FLOW.replace("LANG", language).replace("TYPE", type_).replace("WORK", work)
    with tw.open_sync(tw.loads(text), tools={"book": book}) as app:
        chat = app.chat("c")
        chat.start()
        chat.say("friday" if language == "en" else "freitag")
        turn = chat.say(value + tail)
        before = list(ran)
        after = chat.say("yes" if language == "en" else "ja") if turn.status != "ended" else None
    return before, turn, after


@pytest.mark.law("5.5")
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("language", "tail"), [(code, one) for code, some in HELD.items() for one in some])
def test_what_is_said_beside_the_last_answer_is_asked_about(language: str, tail: str, kind: str) -> None:
    before, turn, _ = played(FORM, language, kind, tail)
    assert before == []
    assert turn.node == "ask"


@pytest.mark.law("5.5")
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("language", "tail"), [(code, one) for code, some in PLAIN.items() for one in some])
def test_an_answer_with_courtesies_goes_on(language: str, tail: str, kind: str) -> None:
    before, turn, _ = played(FORM, language, kind, tail)
    assert (before, turn.node) == (["book"], "bye")


@pytest.mark.law("5.5")
def test_a_yes_goes_on_from_there() -> None:
    before, turn, after = played(FORM, "en", "integer", ", just asking")
    assert (before, turn.form and turn.form["form_status"]) == ([], "awaiting_confirmation")
    assert after is not None
    assert after.node == "bye"


@pytest.mark.law("5.5")
@pytest.mark.parametrize(
    ("message", "value"), [("1,500, but don't book yet", 1500), ("the big one, but wait", "large")]
)
def test_a_value_is_found_in_a_quote_of_the_whole_message(message: str, value: Any) -> None:
    """A model may quote all of a message; what stands beside the value counts in it, too."""
    type_ = "{type: integer}" if value == 1500 else "{type: choice, options: {large: [big one], small: []}}"
    text = FLOW.replace("LANG", "en").replace("TYPE", type_).replace("WORK", FORM)
    command = {"command": "set", "field": "v.last", "value": value, "words": message}
    model = ScriptedModel([understood_reply(command)], understands=True)
    with tw.open_sync(tw.loads(text), tools={"book": lambda: "ok"}, model=model) as app:
        chat = app.chat("c")
        chat.start()
        chat.say("2026-12-04")
        assert chat.say(message).node == "ask"


@pytest.mark.law("5.1")
@pytest.mark.parametrize("tail", WAYS_OUT)
def test_a_wish_to_stop_holds_the_ways_out_of_a_node_that_collects(tail: str) -> None:
    before, turn, _ = played(COLLECT, "en", "integer", tail)
    assert before == []
    (decided,) = [one for one in turn.decisions if one.moment == "after"]
    assert "the same message asked to stop, or for a person" in str(decided)


QUIZ = """
flow: quiz
start: ask
records: {v: {one: {type: choice, options: [red, blue]}, two: {type: choice, options: [cat, dog]}}}
nodes: {ask: {form: {fields: [{field: v.one, ask: Which colour?}, {field: v.two, ask: Which animal?}]}, end: done}}
"""


@pytest.mark.law("5.5")
@pytest.mark.parametrize(
    ("message", "read"),
    [
        ("what does red mean?", {"field": "v.two", "value": "dog", "words": "what does red mean?"}),
        ("red, but why do you ask?", {"field": "v.one", "value": "red", "words": "red"}),
    ],
    ids=["nothing taken", "one taken"],
)
def test_only_the_message_that_completes_the_form_makes_it_ask_whether_to_go_on(
    message: str, read: dict[str, Any]
) -> None:
    model = ScriptedModel([understood_reply({"command": "set", **read})], understands=True)
    with tw.open_sync(tw.loads(QUIZ), model=model) as app:
        chat = app.chat("ada")
        chat.start()
        turn = chat.say(message)
        for answer in ("red", "cat"):
            if chat.state().frame.question.field == ("v.one" if answer == "red" else "v.two"):  # type: ignore[union-attr]
                turn = chat.say(answer)
        assert turn.outcome == "done"
        assert chat.replay()

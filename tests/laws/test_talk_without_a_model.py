"""Talks as strangers have them, without a model: what is stored, what is said back, what is asked again."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import NOON_MS, OneChat, Waiting, flow_of
from turnwise.api.open import Turn
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock

INTAKE = """
flow: intake
start: introduction
language: {language}
records:
  user:
    name: {{type: string, about: name}}
    age: {{type: integer, min: 0, max: 120, about: age}}
    tos: {{type: boolean, about: {tos}}}
nodes:
  introduction:
    prompt: Ask for name, age and agreement to the terms.
    collect: [user]
    transitions:
      - {{id: too_young, at: before, when: user.age < 38, to: ineligible}}
      - {{id: complete, at: before, when: has(user.name) && user.tos && user.age >= 38, to: profiler}}
  profiler: {{say: Let us go on., end: profiled}}
  ineligible: {{say: You are too young., end: ineligible}}
"""
FORM = """
flow: visit
start: ask
language: {language}
records:
  p:
    name: {{type: string, about: name, max: 12}}
    colour: {{type: choice, options: [Red, Green, Blue]}}
    age: {{type: integer, min: 0, max: 120}}
    weight: {{type: number, max: 300}}
    smoker: {{type: boolean, about: smoker}}
    allergies: {{type: list, options: [Nuts, Milk, Dust], about: allergies}}
    day: {{type: date}}
    at: {{type: time}}
    mail: {{type: email}}
    remark: {{type: string, about: remark}}
    sizes: {{type: choice, options: ["10", "20", "30"]}}
nodes:
  ask:
    form:
      fields: [{fields}]
      confirm: {{}}
"""


def intake(language: str = "en", tos: str = "agreement to the terms") -> str:
    """The flow of the README."""
    return INTAKE.format(language=language, tos=tos)


def form(*names: str, language: str = "en", more: str = "") -> str:
    """A form that asks for some fields, with more keys for each."""
    fields = ", ".join(f'{{field: p.{name}, ask: "{name.capitalize()}?"{more}}}' for name in names)
    return FORM.format(language=language, fields=fields)


def begun(flow: str, *said: str, model: Any = None) -> tuple[Waiting, Turn]:
    """A talk after its start and some messages."""
    chat = Waiting(OneChat(flow_of(flow), model=model, clock=ManualClock(NOON_MS)))
    turn = chat.start()
    for message in said:
        turn = chat.say(message)
    return chat, turn


def after(flow: str, *said: str) -> Turn:
    """The turn of the last message."""
    return begun(flow, *said)[1]


def values(turn: Turn) -> dict[str, Any]:
    """The values of a conversation by field name."""
    assert turn.state is not None
    return {address.partition(".")[2]: found.value for address, found in turn.state.values.items()}


# courtesies ----------------------------------------------------------------------------------------

COURTESIES = [
    ("en", "hello", "Hello!"),
    ("en", "Hi there!", "Hello!"),
    ("en", "good morning", "Hello!"),
    ("en", "thanks", "You are welcome."),
    ("en", "Thank you very much!", "You are welcome."),
    ("en", "bye", "Goodbye!"),
    ("en", "take care", "Goodbye!"),
    ("de", "Hallo", "Hallo!"),
    ("de", "Guten Tag!", "Hallo!"),
    ("de", "vielen Dank", "Gern geschehen."),
    ("de", "Tschüss", "Auf Wiedersehen!"),
    ("de", "auf Wiedersehen", "Auf Wiedersehen!"),
]


@pytest.mark.law("5.8")
@pytest.mark.parametrize(("language", "message", "back"), COURTESIES)
def test_a_courtesy_is_returned_and_the_question_put_again(language: str, message: str, back: str) -> None:
    turn = after(form("colour", language=language), message)
    assert turn.text.startswith(back)
    assert turn.text.endswith("\n\nColour?")
    assert [button.label for button in turn.buttons] == ["Red", "Green", "Blue"]
    assert not values(turn)
    assert turn.state is not None
    assert turn.state.frame.form is not None
    assert turn.state.frame.form.misses == {}


@pytest.mark.parametrize("message", ["hello?", "hello red sky", "thanks but no", "good"])
def test_more_than_a_courtesy_is_none(message: str) -> None:
    assert not after(form("colour"), message).text.startswith(("Hello", "You are welcome", "Goodbye"))


def test_a_courtesy_where_any_text_is_an_answer() -> None:
    assert values(after(form("remark"), "hello")) == {}
    assert values(after(form("remark"), "bye")) == {}
    assert values(after(form("remark"), "thank you")) == {}
    assert values(after(form("remark", more=", anything: true"), "thank you")) == {"remark": "thank you"}
    assert values(after(form("remark", more=", match: direct"), "hello")) == {}
    assert values(after(form("remark"), "hello, it was good")) == {"remark": "hello, it was good"}


def test_a_courtesy_does_not_confirm() -> None:
    turn = after(form("colour"), "red", "thanks")
    assert turn.text == "You are welcome.\n\nIs this correct?"
    assert turn.state is not None
    assert turn.state.frame.form is not None
    assert turn.state.frame.form.status == "awaiting_confirmation"


def test_a_greeting_as_the_first_message_of_all_is_returned_with_the_question() -> None:
    chat = Waiting(OneChat(flow_of(form("colour"))))
    assert chat.say("hello").text == "Hello!\n\nColour?"


@pytest.mark.parametrize(
    ("language", "message", "expected"),
    [
        ("en", "hello", "Hello! I still need: name, age, agreement to the terms."),
        ("en", "thanks", "You are welcome. I still need: name, age, agreement to the terms."),
        ("de", "Hallo", "Hallo! Ich brauche noch: name, age, agreement to the terms."),
    ],
)
def test_without_a_model_a_prompt_returns_a_courtesy(language: str, message: str, expected: str) -> None:
    assert after(intake(language), message).text == expected


# after a cancel ------------------------------------------------------------------------------------


@pytest.mark.law("5.1")
@pytest.mark.parametrize(
    ("language", "cancel", "again", "on"),
    [
        ("en", "cancel", "We have stopped here. Say “start again”", "start again"),
        ("de", "abbrechen", "Wir haben hier aufgehört. Sagen Sie „von vorn“", "von vorn"),
    ],
)
def test_after_a_cancel_it_is_said_how_to_go_on(language: str, cancel: str, again: str, on: str) -> None:
    chat, turn = begun(form("colour", "smoker", language=language), "red", cancel)
    assert again not in turn.text
    assert again in chat.say("hm").text
    assert again in chat.say(cancel).text
    assert values(chat.say("hello")) == {"colour": "Red"}
    turn = chat.say(on)
    assert values(turn) == {}
    assert turn.text.endswith("Colour?")


# what a node still needs ---------------------------------------------------------------------------

HERE = "I'm Ada, forty-five"
STILL = "I still need: agreement to the terms."
NEEDED = [
    ("yes", True),
    ("ok", True),
    ("yes, I agree", True),
    ("I changed my mind, I agree", True),
    ("no", False),
    ("I disagree", False),
    ("I do not agree", False),
    ("yes, I agree but not to section 3", None),
    ("I agree with nothing", None),
    ("ok, I'm 46", None),
    ("ok, what are the terms?", None),
    ("hello", None),
]


@pytest.mark.law("5.16")
@pytest.mark.parametrize(("message", "expected"), NEEDED)
def test_the_one_thing_that_is_needed_is_answered_in_short(message: str, expected: bool | None) -> None:
    turn = after(intake(), HERE, message)
    assert values(turn).get("tos") is expected
    assert (STILL in turn.text) is not (expected is True)


@pytest.mark.law("5.16")
@pytest.mark.parametrize("again", ["yes", "I agree", "yes, I agree", "I changed my mind, I agree"])
def test_a_consent_that_was_refused_can_be_given(again: str) -> None:
    chat, turn = begun(intake(), HERE, "I do not agree", "hm", "no")
    assert values(turn)["tos"] is False
    assert STILL in turn.text
    turn = chat.say(again)
    assert values(turn)["tos"] is True
    assert turn.text == "Let us go on."


def test_a_german_consent_that_was_refused_can_be_given() -> None:
    chat, turn = begun(intake("de", "Zustimmung zu den AGB"), "Ada, 45", "ich stimme nicht zu", "nein")
    assert values(turn) == {"name": "Ada", "age": 45, "tos": False}
    assert "Ich brauche noch: Zustimmung zu den AGB." in turn.text
    assert values(chat.say("doch, ich stimme zu"))["tos"] is True


def test_a_short_answer_needs_to_be_the_only_one() -> None:
    assert values(after(intake(), "Ada, 45, yes")) == {"name": "Ada", "age": 45}
    assert values(after(intake(), "45", "yes")) == {"age": 45}
    assert values(after(intake(), "yes")) == {}


def test_a_yes_to_the_words_of_a_model_is_no_consent() -> None:
    turn = begun(intake(), HERE, "yes", model=ScriptedModel(("Hello.", "Ada, is that right?", "Fine.")))[1]
    assert values(turn) == {"name": "Ada", "age": 45}
    assert turn.text == "Fine."


def test_a_no_that_leads_nowhere_else_is_not_needed() -> None:
    flow = """
        flow: f
        start: ask
        records: {p: {smoker: {type: boolean, about: smoker}, done: {type: boolean, about: end}}}
        nodes:
          ask:
            prompt: Ask.
            collect: [p.smoker]
            transitions: [{at: before, when: p.done, to: b}]
          b: {say: b, end: b}
        """
    turn = after(flow, "no")
    assert values(turn) == {"smoker": False}
    assert "still need" not in turn.text


# what is beyond bounds, and what is known ----------------------------------------------------------

BEYOND = [
    (intake(), ("I am 400",), "That is more than 120."),
    (intake(), ("my age is 400",), "That is more than 120."),
    (intake(), ("400",), "That is more than 120."),
    (intake(), ("I'm Ada, -3",), "That is less than 0."),
    (intake(), ("no, I am 400",), "That is more than 120."),
    (intake("de", "AGB"), ("ich bin 400",), "Das ist mehr als 120."),
    (intake("de", "AGB"), ("Alter: vierhundert",), "Das ist mehr als 120."),
    (form("age"), ("400",), "That is more than 120."),
    (form("age"), ("I am 400",), "That is more than 120."),
    (form("age"), ("I am 400 years old",), "That is more than 120."),
    (form("age", "weight"), ("40", "I weigh 500"), "That is more than 300."),
    (form("age"), ("40", "no, I am 400"), "That is more than 120."),
    (form("age"), ("40", "no, 400"), "That is more than 120."),
]


@pytest.mark.law("5.3", "7.1")
@pytest.mark.parametrize(("flow", "said", "bound"), BEYOND)
def test_a_value_beyond_its_bounds_is_refused_with_the_bound(flow: str, said: tuple[str, ...], bound: str) -> None:
    before = values(after(flow, *said[:-1]))
    turn = after(flow, *said)
    assert turn.text.startswith(bound)
    assert {name: value for name, value in values(turn).items() if name != "name"} == before


NO_BOUND = ["I have 400 friends", "maybe 400", "40 or 400", "am I 400?", "not 400", "10k", "4 k"]


@pytest.mark.parametrize("message", NO_BOUND)
def test_what_is_not_said_of_the_field_is_not_refused_for_it(message: str) -> None:
    turn = after(intake(), message)
    assert values(turn) == {}
    assert "That is" not in turn.text


KNOWN = [
    (intake(), ("I am 45", "I am 46"), "I have “45” for age already. To change that, say for example “no, I am 46”."),
    (
        intake(),
        ("I am 45", "I am 46, and I want to tell you that this really is what I have always been and shall be"),
        "I have “45” for age already. To change that, say for example “no, 46”.",
    ),
    (
        intake("de", "AGB"),
        ("ich bin 45", "ich bin 46"),
        "Für „age“ habe ich schon „45“. Zum Ändern sagen Sie zum Beispiel „nein, ich bin 46“.",
    ),
    (
        intake().replace("about: age", "about: age, secret: true"),
        ("I am 45", "I am 46"),
        "I have age already. To change that, begin with “no”.",
    ),
    (
        intake().replace("about: name", "about: name, secret: true"),
        ("I am 45", "I am 46"),
        "I have “45” for age already. To change that, say for example “no, 46”.",
    ),
]


@pytest.mark.law("5.16")
@pytest.mark.parametrize(("flow", "said", "told"), KNOWN)
def test_what_is_known_is_told_with_the_way_to_change_it(flow: str, said: tuple[str, ...], told: str) -> None:
    turn = after(flow, *said)
    assert turn.text.startswith(told)
    assert values(turn) == {"age": 45}


@pytest.mark.law("5.16")
@pytest.mark.parametrize(
    ("flow", "said"),
    [(intake(), ("I am 45", "no, I am 46")), (intake("de", "AGB"), ("ich bin 45", "nein, ich bin 46"))],
)
def test_the_way_to_change_it_that_is_told_changes_it(flow: str, said: tuple[str, ...]) -> None:
    assert values(after(flow, *said)) == {"age": 46}


@pytest.mark.law("5.16")
def test_a_node_without_a_model_tells_it_too() -> None:
    flow = """
        flow: f
        start: man
        records: {p: {gender: {type: choice, options: {female: [woman], male: [man]}, about: gender}}}
        nodes:
          man:
            say: Are you a man?
            collect: [p.gender]
            transitions: [{at: before, when: p.gender == "female", to: woman}]
          woman: {say: A woman., end: woman}
        """
    chat, turn = begun(flow, "I am a man", "I am a woman")
    assert turn.text == "I have “male” for gender already. To change that, say for example “no, I am a woman”."
    assert chat.say("no, I am a woman").text == "A woman."


# buttons by number ---------------------------------------------------------------------------------

BY_NUMBER = [
    (form("smoker"), ("2",), {"smoker": False}),
    (form("colour"), ("2",), {"colour": "Green"}),
    (form("colour", more=", match: direct"), ("3",), {"colour": "Blue"}),
    (form("allergies"), ("2",), {"allergies": ["Milk"]}),
    (form("sizes"), ("20",), {"sizes": "20"}),
    (form("sizes"), ("2",), None),
    (form("smoker"), ("3",), {}),
    (form("smoker"), ("0",), {}),
    (form("age"), ("2",), {"age": 2}),
    (form("remark"), ("2",), {"remark": "2"}),
    (form("colour", "age"), ("red", "5", "2", "2", "7"), {"colour": "Red", "age": 7}),
]


@pytest.mark.law("5.2")
@pytest.mark.parametrize(("flow", "said", "expected"), BY_NUMBER)
def test_a_number_is_the_button_at_its_place(flow: str, said: tuple[str, ...], expected: dict[str, Any] | None) -> None:
    assert values(after(flow, *said)) == ({} if expected is None else expected)


def test_the_first_button_of_a_summary_confirms() -> None:
    turn = after(form("colour"), "red", "1")
    assert turn.state is not None
    assert turn.state.frame.form is not None
    assert turn.state.frame.form.status == "confirmed"


# doubt and corrections -----------------------------------------------------------------------------


@pytest.mark.law("5.2")
@pytest.mark.parametrize(
    ("name", "message"), [("smoker", "No?"), ("smoker", "yes?"), ("colour", "red?"), ("colour", "is red ok?")]
)
def test_an_answer_with_a_question_mark_is_asked_again(name: str, message: str) -> None:
    turn = after(form(name), message)
    assert values(turn) == {}
    assert turn.text.startswith("I'm having trouble")


@pytest.mark.law("7.3")
def test_a_correction_that_may_be_of_the_answer_before_asks_which() -> None:
    chat, turn = begun(form("age", "weight"), "55", "no, 45")
    assert turn.text == "Which answer do you mean?"
    assert values(turn) == {"age": 55}
    assert values(chat.say("Age?")) == {"age": 45}


@pytest.mark.law("7.3")
@pytest.mark.parametrize(("message", "expected"), [("change it to 48", 48), ("45", 55), ("I am 48, sorry", 48)])
def test_neighbours_of_such_a_correction(message: str, expected: int) -> None:
    flow = form("age", "weight").replace("Age?", "What is your age?").replace("Weight?", "Your weight in kg?")
    assert values(after(flow, "55", message))["age"] == expected


def test_another_change_asks_again_and_changes_nothing() -> None:
    flow = form("smoker").replace("Smoker?", "Do you smoke?").replace("about: smoker", "about: consent")
    turn = after(flow, "no", "change consent")
    assert values(turn) == {"smoker": False}
    assert turn.text == "Do you smoke?"


# lists ---------------------------------------------------------------------------------------------


@pytest.mark.law("5.10")
@pytest.mark.parametrize("word", ["none", "no", "nothing", "no allergies", "skip"])
def test_a_list_that_may_be_left_out_is_by_none(word: str) -> None:
    turn = after(form("allergies", "colour", more=", required: false"), word)
    assert turn.text == "Colour?"
    assert values(turn) == ({} if word == "skip" else {"allergies": []})


@pytest.mark.law("5.10")
def test_a_list_that_is_needed_says_so() -> None:
    assert after(form("allergies"), "skip").text == "This answer is needed.\n\nAllergies?"


@pytest.mark.law("1.3")
def test_none_is_an_answer_to_a_list_that_is_needed() -> None:
    turn = after(form("allergies"), "none")
    assert values(turn) == {"allergies": []}
    assert "Is this correct?" in turn.text


@pytest.mark.law("5.13")
def test_the_summary_names_only_words_that_say_the_whole_list() -> None:
    chat, turn = begun(form("allergies"), "Nuts, Milk")
    assert '→ Nuts, Milk (from: "Nuts, Milk")' in turn.text
    assert "→ Milk\n" in chat.say("remove nuts").text
    assert "→ Milk, Dust\n" in chat.say("add dust").text
    chat, turn = begun(form("colour", "allergies"), "nuts and milk", "red")
    assert '→ Nuts, Milk (from: "nuts and milk")' in turn.text


# what an answer looks like -------------------------------------------------------------------------

TIME = "That is not a time of day that I can read, such as 18:30."
LOOKS = [
    ("en", "at", "half past three", "That may be 3:30 AM or 3:30 PM. Please write it in one of these ways."),
    ("en", "at", "quarter to 4", "That may be 3:45 AM or 3:45 PM. Please write it in one of these ways."),
    ("en", "at", "5.30", "That may be 5:30 AM or 5:30 PM. Please write it in one of these ways."),
    ("en", "at", "5.75", TIME),
    ("en", "at", "3", "That may be 3:00 AM or 3:00 PM. Please write it in one of these ways."),
    ("de", "at", "halb drei", "Das kann 02:30 oder 14:30 sein. Bitte schreiben Sie es auf eine dieser Arten."),
    ("de", "at", "nachmittags", "Das ist keine Uhrzeit, die ich lesen kann, zum Beispiel 18:30."),
    ("de", "at", "3", "Das kann 03:00 oder 15:00 sein. Bitte schreiben Sie es auf eine dieser Arten."),
    ("en", "day", "02/03/2026", "That may be Feb 3, 2026 or Mar 2, 2026. Please write it in one of these ways."),
    ("en", "day", "2026-02-30", "That is not a date that I can read, such as 2026-11-21."),
    ("en", "mail", "a@b", "That is not an e-mail address."),
    ("en", "name", "Maximiliane von Hohenstein", "That text is too long: 12 characters are allowed."),
    ("en", "remark", "?", "Please answer the question."),
    ("en", "age", "x", "I'm having trouble understanding your response. Could you please rephrase?"),
]


@pytest.mark.law("5.8")
@pytest.mark.parametrize(("language", "name", "message", "expected"), LOOKS)
def test_what_is_no_answer_is_told_what_one_looks_like(language: str, name: str, message: str, expected: str) -> None:
    turn = after(form(name, language=language), message)
    assert turn.text.startswith(expected)
    assert turn.text.endswith(f"{name.capitalize()}?")
    assert values(turn) == {}


@pytest.mark.parametrize(
    ("name", "message", "expected"),
    [
        ("at", "15.30", "15:30"),
        ("at", "13", "13:00"),
        ("day", "2/2/2026", "2026-02-02"),
        ("day", "31/12/2026", "2026-12-31"),
    ],
)
def test_what_can_be_only_one_is_taken(name: str, message: str, expected: str) -> None:
    assert values(after(form(name), message)) == {name: expected}

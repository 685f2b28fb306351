"""The answer for the person in the conversation: one sentence, in their language, without names of the flow."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from turnwise.core.state.commands import Set

ELIGIBILITY = Path("examples/eligibility/eligibility.flow.yaml").read_text("utf-8")
SECRET = """
flow: safe
version: 1
start: home
language: en
records: {client: {pin: {type: string, secret: true, about: your secret number}, age: {type: integer, max: 120}}}
nodes:
  home:
    form: {fields: [{field: client.pin, ask: "Your number?"}, {field: client.age, ask: "Your age?"}]}
    transitions: [{id: out, at: after, to: out}]
  out: {say: Done., end: done}
"""


def asked(flow: str, *said: str) -> tw.SyncChat:
    chat = tw.open_sync(tw.loads(flow)).chat("a")
    chat.start()
    for text in said:
        chat.say(text)
    return chat


AGAINST = "I have “No” for insurance history, “Billing” for purpose of the check, which stands against that."
UNNEEDED = "I do not need to know this here: urgency. The reason is: a referral with earlier inconsistencies is not for a machine."
SENTENCES = [
    ((), "question", "I ask because I still need patient information."),
    (("Yes", "Yes"), "", "I ask because I still need purpose of the check."),
    (
        ("Yes", "blah"),
        "",
        "I did not understand the answer about insurance history. That is not one of the options: Yes, No, Partial.",
    ),
    (("Yes", "Yes"), "case.insurance_history", "You answered “Yes” for insurance history."),
    (("Yes", "Yes"), "urgency", "I do not know urgency yet. I ask for this later: urgency."),
    (("Yes", "Yes"), "conversation", "I ask because I still need purpose of the check."),
    (("Yes", "Yes", "Referral"), "end", "The reason is: a referral with earlier inconsistencies is not for a machine."),
    (
        ("Yes", "Yes", "Referral"),
        "expert",
        "The reason is: a referral with earlier inconsistencies is not for a machine.",
    ),
    (("Yes",), "handed_over", "I ask because I still need insurance history."),
    (("Yes",), "question case.urgency", "I ask for this later: urgency."),
    (("Yes", "Yes", "Referral"), "question case.urgency", UNNEEDED),
    (("Yes", "Yes"), "question case.patient_info", "I asked for patient information because I needed it."),
    (("Yes", "Yes"), "expert", "That needs purpose of the check, which I do not know yet."),
    (("Yes", "No", "Billing"), "expert", AGAINST),
    (("Yes", "No", "Billing"), "node expert", AGAINST),
]


@pytest.mark.parametrize(("said", "question", "sentence"), SENTENCES)
def test_a_question_has_its_sentence(said: tuple[str, ...], question: str, sentence: str) -> None:
    assert asked(ELIGIBILITY, *said).why(question).plain == sentence


def test_it_speaks_the_language_of_the_flow() -> None:
    german = ELIGIBILITY.replace("language: en", "language: de")
    assert asked(german, "Yes").why("question").plain == "Ich frage, weil mir noch fehlt: insurance history."


def test_a_flow_may_have_its_own_sentences() -> None:
    own = ELIGIBILITY.replace("language: en", "language: en\ntexts: {why_asked: 'Bitte noch: {field}'}")
    assert asked(own, "Yes").why("question").plain == "Bitte noch: insurance history"


def test_a_secret_is_in_neither_voice() -> None:
    chat = asked(SECRET, "4321-hush", "200")
    for question in ("", "client.pin", "message", "1", "2", "home", "question", "client.age"):
        answer = chat.why(question)
        assert "4321" not in str(answer.to_dict()), question
    assert chat.why("client.pin").plain == "I have your secret number because you told me."
    assert chat.why("client.age").plain == "I could not take the answer about age. That is more than 120."


def test_no_name_of_a_node_tool_or_transition_is_in_a_sentence() -> None:
    for said in ((), ("Yes",), ("Yes", "Yes"), ("Yes", "Yes", "Referral")):
        chat = asked(ELIGIBILITY, *said)
        for question in ("", "end", "intake", "expert", "handed_over", "done", "question", "conversation", "person"):
            sentence = chat.why(question).plain
            assert not {"intake", "handed_over", "expert", "done"}.intersection(sentence.lower().split()), sentence


@pytest.mark.parametrize(
    ("language", "by_program", "by_person", "secret"),
    [
        (
            "en",
            "I have “40” for age because it was entered outside this chat.",
            "I have “41” for age because a person noted it down.",
            ("I have your secret number because it was entered outside this chat.", "because a person noted it down."),
        ),
        (
            "de",
            "age: 40. Das wurde außerhalb dieses Gesprächs eingetragen.",
            "age: 41. Das hat ein Mensch eingetragen.",
            ("your secret number: Das wurde außerhalb dieses Gesprächs", "your secret number: Das hat ein Mensch"),
        ),
    ],
)
def test_a_value_from_outside_the_chat_is_said_to_be_from_there(
    language: str, by_program: str, by_person: str, secret: tuple[str, str]
) -> None:
    chat = asked(SECRET.replace("language: en", f"language: {language}"))
    chat.commands([Set(field="client.age", value=40), Set(field="client.pin", value="4321")], by="ann")
    assert chat.why("client.age", turn=2).plain == by_program
    assert secret[0] in chat.why("client.pin", turn=2).plain
    other = asked(SECRET.replace("language: en", f"language: {language}"))
    other.take_over("Lena")
    other.give_back("ok", set={"client.age": 41, "client.pin": "4321"})
    assert other.why("client.age").plain == by_person
    assert secret[1] in other.why("client.pin").plain


@pytest.mark.parametrize(
    ("about", "name"),
    [
        ("symptoms, a word for each (sleep, mood and memory)", "symptoms"),
        ("your age: how old you are", "your age"),
        ("street, number and town (where you live)", "street, number and town"),
        ("street, number, town", "street, number, town"),
        ("your name – as in the passport", "your name"),
        ("well-being", "well-being"),
        ("(unclear)", "(unclear)"),
    ],
)
def test_a_field_is_called_by_its_title_without_the_explanation(about: str, name: str) -> None:
    chat = asked(SECRET.replace("about: your secret number", f"about: '{about}'"))
    assert chat.why("question").plain == f"I ask because I still need {name}."
    own = asked(SECRET.replace("about: your secret number", f"about: '{about}'") + "commands: [why]\n", "why?")
    assert own.turn().text.startswith(f"I ask because I still need {name}.")


def test_a_write_of_the_flow_that_was_refused_says_which_value_and_why() -> None:
    flow = """
flow: f
start: a
records: {r: {n: {type: integer, max: 3, about: number}, m: {type: integer, default: 9}}}
nodes:
  a: {say: A., transitions: [{id: go, at: before, set: {r.n: r.m}, to: b}]}
  b: {say: B.}
"""
    chat = asked(flow, "on")
    assert chat.why("turn").plain == "I could not note down what I had for number. That is more than 3."

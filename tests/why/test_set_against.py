"""Questions that set one value against another, name a field by the words of its question, or ask why nobody came."""

from __future__ import annotations

from functools import cache

import pytest

import turnwise as tw
from asked_stories import CASE, HEALTH, NOW_MS, said

CALL_BACK = "examples/health_intake/call_back.flow.yaml"


@cache
def maria() -> tw.SyncChat:
    return said(HEALTH, "Hello", "I'm Maria, and I'm 35", "sorry, I am 48", "I am 200 years old", "yes, I agree")


@cache
def romy() -> tw.SyncChat:
    chat = said(CALL_BACK, "hello", "my new pills", "call me maybe", "0151 234567")
    chat.take_over("Lena")
    chat.give_back("done", set={"call.number": "030 998877"})  # refused, as the form is left
    chat.give_back("done", reason="needs a doctor")
    return chat


@cache
def otto() -> tw.SyncChat:
    clock = tw.ManualClock(NOW_MS)
    app = tw.open_sync(CALL_BACK, clock=clock)
    chat = app.chat("otto")
    for text in ("hello", "headache", "0170 555555"):
        chat.say(text)
    clock.move_s(9 * 3600)
    app.tick()
    return chat


@cache
def stop() -> tw.SyncChat:
    return said(CASE, "hello", "ok", "Yes", "treatment, escalate, whenever", "cancel")


@cache
def changed() -> tw.SyncChat:
    return said(
        CASE, "hello", "ok", "No", "referral, escalate, whenever", "no, it is for treatment", "Yes, that's correct"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Warum steht da 48 und nicht 200?",
        "Why is it 48 instead of 200?",
        "why does it say 48 when she told you 200 later?",
        "I said 200, so why is it 48?",
    ],
)
def test_a_refused_value_leads_where_the_value_of_its_field_is_set_against_it(question: str) -> None:
    answer = maria().why(question)
    assert str(answer.subject) == "field user.age"
    assert "the value 200" in answer.facts[0].text
    assert "more than the maximum 120" in answer.facts[0].text


@pytest.mark.parametrize(
    "question",
    [
        "Why does it call her under 0151 234567 when Lena entered 030 998877?",
        "Why is the number 0151 234567 and not 030 998877?",
        "Warum 0151 234567 statt 030 998877?",
        "Lena put in 030 998877, so why does it still have 0151 234567?",
    ],
)
def test_the_values_of_a_question_name_their_field(question: str) -> None:
    answer = romy().why(question)
    assert str(answer.subject) == "field call.number"
    assert "030 998877 was refused" in answer.facts[0].text


def test_two_values_that_a_field_had_are_no_refusal() -> None:
    assert maria().why("why is it 48 and not 35?").facts[0].kind != "value_refused"


@pytest.mark.parametrize(
    "question",
    [
        "Did the case have a history of inconsistencies, and who said so?",
        "Who said that there was a history of inconsistencies?",
    ],
)
def test_words_of_a_question_of_the_form_name_its_field(question: str) -> None:
    answer = stop().why(question)
    assert str(answer.subject) == "field case.insurance_history"
    assert "case.insurance_history was set to Yes" in answer.facts[0].text


@pytest.mark.parametrize(
    "question",
    [
        "Warum hat sich keine Schwester bei Otto gemeldet?",
        "Why did no nurse come?",
        "Why has no nurse ever arrived?",
        "Warum kam keine Krankenschwester?",
    ],
)
def test_why_none_of_those_who_work_in_a_node_came_is_about_the_person(question: str) -> None:
    answer = otto().why(question)
    assert str(answer.subject) == "the person"
    assert answer.facts[0].kind == "nobody_came"


@pytest.mark.parametrize(
    ("question", "subject", "text"),
    [
        ("form.status", "the form", "cancelled"),
        ("why is form.status cancelled?", "the form", "cancelled"),
        ("message.text", "message 5", "cancel"),
        ("person.outcome", "the person", "person"),
        ("errors", "the conversation", "cancelled"),
        ("error.kind", "the conversation", "cancelled"),
    ],
)
def test_what_guards_read_can_be_asked_about_by_its_name(question: str, subject: str, text: str) -> None:
    answer = stop().why(question)
    assert str(answer.subject) == subject
    assert text in answer.facts[0].text


@pytest.mark.parametrize(
    "question",
    [
        "Why was the summary shown again?",
        "why did I have to confirm twice?",
        "Warum kam die Zusammenfassung noch einmal?",
    ],
)
def test_a_summary_comes_again_because_an_answer_changed(question: str) -> None:
    answer = changed().why(question)
    assert str(answer.subject) == "the form"
    assert "case.purpose was set to Treatment" in answer.facts[0].text


def test_a_summary_that_came_once_came_for_the_form() -> None:
    assert stop().why("why did I have to confirm twice?").facts[0].kind != "field_set"


@pytest.mark.parametrize(
    "question",
    ["Why did it not end after the first summary?", "Warum endete es nicht nach der ersten Zusammenfassung?"],
)
def test_a_summary_is_not_the_end_because_it_asks_to_confirm(question: str) -> None:
    answer = changed().why(question)
    assert str(answer.subject) == "the form"
    assert "asks to confirm" in answer.facts[0].text


@pytest.mark.parametrize(
    "question",
    [
        'Why was "soonish" not understood but "whenever" was?',
        'Warum wurde "soonish" nicht verstanden, aber "whenever" schon?',
    ],
)
def test_what_one_word_is_held_against_is_told_beside_it(question: str) -> None:
    answer = said(CASE, "hello", "ok", "No", "referral, escalate", "soonish", "whenever").why(question)
    assert str(answer.subject) == "message 5"
    assert "“soonish” is no answer" in answer.facts[0].text
    assert "“whenever” is a word for it" in answer.facts[1].text


def test_the_value_of_a_field_leads_where_the_clause_that_asks_has_it() -> None:
    chat = said(CASE, "hello", "ok", "No", "referral, escalate", "asap", "change the urgency", "this week")
    answer = chat.why("The clerk first said asap, why does the final case say This week?")
    assert answer.facts[0].text.startswith("case.urgency was set to This week")

"""Questions in plain words about the examples: each is read as the right subject, and answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import turnwise as tw
from support.whys import Asked, Chat, check, table

HEALTH = "examples/health_intake/health_intake.flow.yaml"
CASE = "examples/eligibility/eligibility.flow.yaml"


def played(flow: str, *texts: str) -> Callable[[], Chat]:
    """A conversation with an example, read by the offline rules."""

    def play() -> Chat:
        chat: Chat = tw.open_sync(flow).chat("a")
        chat.start()
        for text in texts:
            chat.say(text)
        return chat

    return play


STORIES = {
    "young": played(HEALTH, "Hi, I am Carla", "I am 35 years old"),
    "corrected": played(HEALTH, "Hi, I am Carla", "I am 35 years old", "sorry, I am 48", "no"),
    "symptoms": played(HEALTH, "I am Carla, 48, and I agree to the terms", "I sleep badly and I am irritable"),
    "case": played(CASE, "Yes", "partial", "it is for billing", "dunno"),
    "expert": played(CASE, "Yes", "Yes", "a referral"),
    "unknown": played(CASE, "Unknown"),
}
ASKED = [
    ("young", "why did it not ask for my gender?", "field user.gender", "user.gender has no value"),
    ("young", "why did it not store my age in years?", "field user.age", "user.age was set to 35"),
    ("corrected", "why is my age 48?", "field user.age", "user.age was set to 48"),
    ("corrected", "why was my last message ignored?", "message 5", ""),
    (
        "symptoms",
        "why is the summary empty?",
        "field symptoms.summary",
        "symptoms.summary can be set by the transition",
    ),
    ("symptoms", "why was insomnia noted?", "field symptoms.groups", "symptoms.groups was set to sleep, mood"),
    ("expert", "why does a person have to look at it first?", "node expert", "intake → expert by expert"),
    ("case", "why did it not ask about urgency?", "question case.urgency", "case.urgency is not asked yet because"),
    ("case", "why was my answer not stored?", "message 5", "the answer about case.on_failure was not understood"),
    ("case", "why is it asking what to do if the check fails?", "question case.on_failure", "is asked again"),
    ("case", "why was it set to Billing?", "field case.purpose", "case.purpose was set to Billing"),
    ("case", "why does it not want me to confirm?", "the form", "case.on_failure is asked again"),
    ("case", "why was my answer stored in turn 3?", "message 3", "case.insurance_history was set to Partial"),
    ("expert", "why did it not ask for the urgency?", "question case.urgency", "the form of intake was left"),
    (
        "expert",
        "why did it ask for the insurance history?",
        "question case.insurance_history",
        "the user was asked for",
    ),
    ("unknown", "why did it stop asking?", "the end", "the conversation has not ended"),
    (
        "unknown",
        "why did it not ask for the purpose of the check?",
        "question case.purpose",
        "case.purpose is not asked now: the form of intake stopped because case.patient_info is Unknown",
    ),
]


@pytest.mark.parametrize(("about", "question", "subject", "line"), ASKED)
def test_a_plain_question_reaches_its_subject(about: str, question: str, subject: str, line: str) -> None:
    answer = STORIES[about]().why(question)
    assert str(answer.subject) == subject
    assert line in answer.line


FACTS = [
    Asked(
        "case",
        "case.urgency",
        "case.urgency has no value: nothing has set it yet",
        "field_empty",
        ("question_later: case.urgency is not asked yet because case.on_failure is asked first",),
    ),
    Asked(
        "unknown",
        "form",
        "the form of intake stopped because case.patient_info is Unknown",
        "form_stopped",
        ("one of its stop values No and Unknown", "the user said “Unknown”"),
    ),
    Asked(
        "expert",
        "insurance_history",
        "case.insurance_history was set to Yes",
        "field_set",
        ("question_was_asked",),
    ),
]


@table(STORIES, FACTS)
def test_a_field_tells_of_its_question_too(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_a_field_with_a_value_does_not_say_why_it_is_not_asked_any_more() -> None:
    for story, name in (("expert", "insurance_history"), ("unknown", "patient_info")):
        kinds = {fact.kind for fact in STORIES[story]().why(name).facts}
        assert not kinds & {"form_left", "form_ended", "question_answered"}
    assert STORIES["expert"]().why("question case.insurance_history").fact("form_left") is not None


def test_the_timer_of_a_person_is_named_with_its_kind() -> None:
    chat = tw.open_sync(CASE).chat("a")
    chat.start()
    assert str(chat.why("timer person timeout").subject) == "timer person timeout"

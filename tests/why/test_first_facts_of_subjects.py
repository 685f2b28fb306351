"""Fields, questions, forms, messages and nodes of the examples: the fact of each comes first."""

from __future__ import annotations

from collections.abc import Callable

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
    Asked("young", "user.gender", "user.gender has no value", "field_empty"),
    Asked("young", "user.age", "user.age was set to 35", "field_set"),
    Asked("corrected", "user.age", "user.age was set to 48", "field_set"),
    Asked("corrected", "message", "nothing in the message was understood by the rules", "understood_nothing"),
    Asked("symptoms", "symptoms.summary", "symptoms.summary can be set by the transition three_groups", "field_empty"),
    Asked("symptoms", "symptoms.groups", "symptoms.groups was set to sleep, mood", "field_set"),
    Asked("expert", "node expert", "intake → expert by expert", "node_left"),
    Asked(
        "case",
        "question case.urgency",
        "case.urgency is not asked yet because case.on_failure is asked first",
        "question_later",
    ),
    Asked("case", "message", "the answer about case.on_failure was not understood", "not_understood"),
    Asked("case", "question", "case.on_failure is asked again", "question_repeated", ("of intake",)),
    Asked("case", "form", "case.on_failure is asked again", "question_repeated", ("confirmation_later",)),
    Asked("case", "case.purpose", "case.purpose was set to Billing", "field_set"),
    Asked("case", "message 3", "case.insurance_history was set to Partial", "field_set"),
    Asked("expert", "question case.urgency", "case.urgency is not asked because the form of intake was left"),
    Asked("expert", "question case.insurance_history", "the user was asked for", "question_was_asked"),
    Asked("unknown", "end", "the conversation has not ended", "conversation_goes_on"),
    Asked(
        "unknown",
        "question case.purpose",
        "case.purpose is not asked now: the form of intake stopped because case.patient_info is Unknown",
        "question_not_due",
    ),
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


@table(STORIES, ASKED)
def test_a_subject_is_answered_with_its_own_fact_first(play: Callable[[], Chat], asked: Asked) -> None:
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

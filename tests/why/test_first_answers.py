"""Answers about the example `eligibility`, from its document to its end."""

from __future__ import annotations

import pytest

import turnwise as tw
from turnwise.errors import UnknownSubject

FLOW = "examples/eligibility/eligibility.flow.yaml"


@pytest.fixture(scope="module")
def chat() -> tw.SyncChat:
    chat = tw.open_sync(FLOW).chat("a")
    for text in ("Yes", "Yes", "Referral"):
        chat.say(text)
    return chat


ASKED = [
    ("", "turn 3", "the conversation ended with the outcome expert"),
    ("end", "the end", "the conversation ended with the outcome expert"),
    ("purpose", "field case.purpose", "case.purpose was set to Referral, answered by the user"),
    ("case.urgency", "field case.urgency", "case.urgency has no value: nothing has set it;"),
    ("handed_over", "node handed_over", "handed_over was never entered"),
    ("turn 2", "turn 2", "before: stayed in intake: 1 candidate, which did not hold; nearest is → expert"),
    (
        "question case.urgency",
        "question case.urgency",
        "case.urgency is not asked because the form of intake was left, and expert is in charge",
    ),
]


@pytest.mark.parametrize(("question", "subject", "line"), ASKED)
def test_a_question_has_its_subject_and_its_line(chat: tw.SyncChat, question: str, subject: str, line: str) -> None:
    answer = chat.why(question)
    assert str(answer.subject) == subject
    assert answer.line.startswith(line)


def test_a_move_is_traced_back_to_the_words_of_the_user(chat: tw.SyncChat) -> None:
    assert [fact.text for fact in chat.why("expert").chain] == [
        "before: intake → expert by expert: a referral with earlier inconsistencies is not for a machine "
        "(case.insurance_history is Yes, case.purpose is Referral)",
        "case.purpose was Referral, answered by the user in turn 3",
        "case.purpose was set to Referral, answered by the user",
        "the user said “Referral”",
    ]


def test_an_unknown_name_is_refused_with_the_nearest(chat: tw.SyncChat) -> None:
    with pytest.raises(UnknownSubject, match=r"did you mean .case\.purpose."):
        chat.why("case.porpuse")

"""Questions why words of a message did not count: the message that was not understood leads, and what still waits."""

from __future__ import annotations

from functools import cache

import pytest

import turnwise as tw
from asked_stories import HEALTH, said


@cache
def maria() -> tw.SyncChat:
    return said(
        HEALTH,
        *("I'm Maria, and I'm 48", "I don't agree to the terms", "ok I do agree to the terms", "yes, I agree"),
        *("I sleep badly and forget things", "my elbow hurts", "I have back pain"),
    )


@pytest.mark.parametrize(
    "question",
    [
        "Why did her elbow not count as joints?",
        "Why did my elbow not count?",
        "why was her elbow not noted as a symptom?",
        "Warum zählte ihr elbow nicht als joints?",
    ],
)
def test_a_word_that_nothing_took_names_its_message(question: str) -> None:
    answer = maria().why(question)
    assert str(answer.subject) == "message 6"
    assert answer.facts[0].kind == "understood_nothing"
    assert "my elbow hurts" in answer.facts[0].causes[0].text


def test_a_word_that_a_field_took_is_no_odd_one() -> None:
    assert str(maria().why("why is back pain not sleep?").subject) != "message 6"


@pytest.mark.parametrize(
    "question",
    [
        'Why did "ok I do agree to the terms" not get her any further?',
        'Warum reichte "ok I do agree to the terms" nicht?',
    ],
)
def test_a_message_that_was_not_understood_leads_with_that_and_then_what_waits_for_its_field(question: str) -> None:
    answer = maria().why(question)
    assert str(answer.subject) == "message 3"
    assert answer.facts[0].kind == "understood_nothing"
    assert "needs user.tos_acknowledged (is false)" in answer.facts[1].text

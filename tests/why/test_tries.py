"""What needed several tries says why the tries before did not do, and how many there were."""

from __future__ import annotations

import pytest

from asked_stories import ask
from support.whys import lines_of

TRIES = [
    (
        "two",
        "question case.purpose",
        "case.purpose is asked again because the answer was not understood, twice so far",
        "an answer about case.purpose was not understood 2 times in this conversation, in turns 4 and 5",
    ),
    (
        "emil",
        "case.insurance_history",
        "the answer about case.insurance_history was not understood, so nothing was stored",
        "case.insurance_history was asked for 3 times in this conversation, in turns 2, 3 and 4",
    ),
    (
        "failed",
        "model",
        "the model scripted failed to reply in introduction",
        "the model was called 2 times in this conversation, in turns 1 and 2",
    ),
    (
        "wrong",
        "write_config",
        "write_config was used before, the last time in turn 2",
        "write_config was called 2 times in this conversation, in turns 1 and 2; it was refused once, in turn 1",
    ),
]


@pytest.mark.parametrize(("story", "subject", "reason", "count"), TRIES, ids=[" ".join(row[:2]) for row in TRIES])
def test_several_tries_are_told_with_their_reason_and_their_number(
    story: str, subject: str, reason: str, count: str
) -> None:
    answer = ask(story, subject)
    told = lines_of(answer)
    assert reason in told
    assert f"counted: {count}" in told

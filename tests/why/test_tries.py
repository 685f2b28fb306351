"""Why something needed several tries is answered with the reason why the tries before did not do, and with the count."""

from __future__ import annotations

import pytest

from asked_stories import ask

TRIES = [
    (
        "two",
        "why did it take two attempts to get the purpose?",
        "case.purpose is asked again because the answer was not",
    ),
    (
        "emil",
        "why did it need three tries to get the insurance history?",
        "case.insurance_history is asked again because",
    ),
    ("two", "Warum brauchte es zwei Versuche?", "case.purpose is asked again because the answer was not understood"),
    ("failed", "why did it need several attempts?", "the model scripted failed to reply in introduction"),
    ("wrong", "why did it need two tries?", "write_config was called once"),
]


@pytest.mark.parametrize(("story", "question", "line"), TRIES, ids=[" ".join(row[:2]) for row in TRIES])
def test_the_reason_of_more_tries_leads(story: str, question: str, line: str) -> None:
    answer = ask(story, question)
    assert answer.line[: len(line)] == line
    assert answer.fact("counted") is not None

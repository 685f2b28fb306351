"""Questions that name nothing of the flow: who was rejected, which button was pressed, which call failed, who acted from
outside. The subjects were written down before the answers were seen.
"""

from __future__ import annotations

import pytest

from asked_stories import ask
from turnwise.errors import UnknownSubject

REJECTIONS = [
    ("maria", "was Maria at any time rejected?", "transition too_young", 2),
    ("maria", "On what ground was she refused?", "transition too_young", 2),
    ("maria", "Why did you send me away at first?", "transition too_young", 2),
    ("maria", "was she ever let go, and why", "transition too_young", 2),
    ("maria", "had the user been excluded before she corrected herself?", "transition too_young", 2),
    ("maria", "How many times was Maria declined?", "node ineligible", 2),
    ("maria", "what caused her rejection", "transition too_young", 2),
    ("maria", "Wurde die Nutzerin je abgelehnt, und warum?", "transition too_young", 2),
    ("maria", "Wie oft wurde Maria weggeschickt?", "node ineligible", 2),
    ("maria", "Weshalb hat man sie ausgeschlossen?", "transition too_young", 2),
    ("maria", "Was war der Grund ihrer Ablehnung?", "transition too_young", 2),
    ("lea", "did it throw her out?", "transition too_young", 1),
    ("lea", "Warum hast du mich abgelehnt?", "transition too_young", 1),
    ("late", "was Eva ever refused?", "node ineligible", 4),
    ("ines", "Wurde Ines jemals abgewiesen?", "node ineligible", 1),
    ("case-1040", "why was I declined?", "transition expert", 4),
    ("case-1039", "was he ever rejected?", "node expert", 6),
]
NOT_OF_THE_USER = [
    ("old", "why was 130 refused?", "message 1", 1),
    ("changed", "why was Holiday refused?", "turn 3", 3),
    ("old", "why did she refuse the terms?", "field user.tos_acknowledged", 2),
]


@pytest.mark.parametrize(
    ("story", "question", "subject", "turn"),
    [*REJECTIONS, *NOT_OF_THE_USER],
    ids=lambda one: one if isinstance(one, str) and " " in one else "",
)
def test_what_is_not_named_is_found(story: str, question: str, subject: str, turn: int) -> None:
    answer = ask(story, question)
    assert (str(answer.subject), answer.turn) == (subject, turn), answer.line


def test_who_was_never_rejected_is_told_why_not() -> None:
    assert ask("ines", "was she ever rejected?").line.startswith("ineligible was never entered")


def test_a_flow_that_rejects_nobody_says_so() -> None:
    with pytest.raises(UnknownSubject, match="no transition that leaves general before its work is done rejects"):
        ask("job", "was he ever rejected?")

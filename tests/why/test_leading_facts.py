"""The first line of an answer about a field is about the value that the question has."""

from __future__ import annotations

import pytest

from support.opened import close_all, opened

HEALTH = "examples/health_intake/health_intake.flow.yaml"


@pytest.mark.parametrize(
    ("question", "line", "plain"),
    [
        ("why was my age 51 not taken?", "the command set on user.age was refused", "I could not take the answer"),
        ("why did you not note that I am 200?", "the value 200, as the rules", "That is more than 120."),
        ("warum wurde 200 abgelehnt?", "the value 200, as the rules", "That is more than 120."),
        ("why is my age 45?", "user.age was set to 45", "I have “45”"),
        ("why is my age 45 and not 51?", "user.age was set to 45", "I have “45”"),
        ("user.age", "user.age was set to 45", "I have “45”"),
    ],
)
def test_a_refused_value_comes_first_where_the_question_has_it(question: str, line: str, plain: str) -> None:
    chat = opened(HEALTH)
    try:
        for text in ("I'm Rita, 200 years old", "I'm 45", "I'm 51"):
            chat.say(text)
        answer = chat.why(question)
        assert answer.line.startswith(line)
        assert plain in answer.plain
    finally:
        close_all()


def test_a_dropped_timer_names_the_move_that_left_its_node() -> None:
    chat = opened(HEALTH)
    try:
        for text in ("I'm Olga", "I'm 35 years old and I agree to the terms", "sorry, I am 53"):
            chat.say(text)
        fact = chat.why("turned_away").fact("timer_dropped")
        assert fact is not None
        assert fact.text == "the timer turned_away was dropped, because ineligible was left by corrected"
        assert fact.causes[0].values["transition"] == "corrected"
    finally:
        close_all()

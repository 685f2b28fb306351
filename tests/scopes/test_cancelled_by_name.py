"""A user cancels a scope by its name: `stop the quiz` (laws 6.4, 7.3a)."""

from __future__ import annotations

import pytest

import turnwise as tw

FLOW = """
flow: tutor
language: %s
start: chat
commands: [cancel, {start: [quiz, survey]}]
records: {result: {mood: {type: choice, options: [good, bad]}, text: string}}
nodes:
  chat: {prompt: You are Maya.}
  quiz:
    scope: {returns: result}
    form: {fields: [{field: result.mood, ask: How?}]}
  survey:
    title: feedback
    scope: {returns: result}
    form: {fields: [{field: result.text, ask: What?}]}
"""


def _frames(language: str, *messages: str) -> dict[str, str]:
    """Talk, and return the outcome of each scope that was opened."""
    with tw.open_sync(tw.loads(FLOW % language)) as app:
        chat = app.chat("ada")
        for message in messages:
            chat.say(message)
        return {frame.scope: frame.outcome for frame in chat.frames()[1:]}


@pytest.mark.parametrize(
    ("language", "begins", "message"),
    [
        ("en", "quiz", "cancel the quiz"),
        ("en", "quiz", "I want to stop this quiz now"),
        ("en", "quiz", "no, stop the quiz!"),
        ("en", "feedback", "stop the feedback"),
        ("de", "quiz", "Quiz abbrechen"),
        ("de", "quiz", "ich möchte das Quiz abbrechen"),
    ],
)
def test_who_cancels_may_name_the_scope(language: str, begins: str, message: str) -> None:
    assert list(_frames(language, begins, message).values()) == ["cancelled"]


@pytest.mark.parametrize(
    ("begins", "message"),
    [("quiz", "the quiz is good"), ("feedback", "cancel the feedback forms of others"), ("quiz", "less quiz")],
)
def test_a_message_that_only_mentions_it_cancels_nothing(begins: str, message: str) -> None:
    assert "cancelled" not in _frames("en", begins, message).values()


def test_the_name_of_a_scope_around_it_cancels_nothing() -> None:
    assert _frames("en", "feedback", "quiz", "cancel the feedback") == {"survey": "", "quiz": ""}

"""A model that writes the call of a tool of scopes as text has not said it: law 2.1, as for every other tool."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.link import link
from turnwise.runner.written_calls import called_in

FLOW = """
flow: tutor
start: talk
records: {result: {score: integer}}
nodes:
  talk: {prompt: Talk., tools: {allow: [startQuiz]}}
  quiz: {prompt: Ask., scope: {tool: startQuiz, returns: result}}
"""


@pytest.mark.law("2.1")
@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ('({"name": "startQuiz", "arguments": {"topic": "dative"}})', "startQuiz"),
        ('{"name": "finish_quiz", "arguments": {"score": 3}}', "finish_quiz"),
        ("Shall we start the quiz?", ""),
    ],
)
def test_the_tools_of_scopes_are_known_as_calls(text: str, tool: str) -> None:
    assert called_in(text, link(flow_of(FLOW)).call_names) == tool


def test_such_a_reply_is_asked_for_again() -> None:
    replies = ['{"name": "startQuiz", "arguments": {}}', "Hello."]
    with tw.open_sync(flow_of(FLOW), model=tw.ScriptedModel(replies)) as app:
        turn = app.chat("main").say("hello")
        assert "startQuiz" not in turn.text

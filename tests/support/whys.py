"""Questions of why with their checks: which fact answers first, in which words, what else it tells, and what never."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.chats import OneSyncChat, flow_of
from support.stories import shared
from turnwise.why import Answer, Fact

Chat = Any
"""A conversation that can be asked why."""


class Asked(NamedTuple):
    """A question and what its answer must be: `line` is a part of its first sentence, `kind` the kind of the first
    fact, `tells` are parts of texts or kinds of other facts, also of causes; `never` may be nowhere in the answer.
    """

    about: str
    question: str
    line: str
    kind: str = ""
    tells: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    turn: int | None = None


def lines_of(answer: Answer) -> str:
    """Every fact of an answer with its causes: one line per fact, its kind and its text."""

    def line(fact: Fact, depth: int) -> list[str]:
        under = [text for cause in fact.causes for text in line(cause, depth + 1)]
        return [f"{'  ' * depth}{fact.kind}: {fact.text}", *under]

    return "\n".join(text for fact in answer.facts for text in line(fact, 0))


def check(chat: Chat, asked: Asked) -> None:
    """Ask, and check the answer as words and as data."""
    answer = chat.why(asked.question, turn=asked.turn)
    told = lines_of(answer)
    assert asked.line in answer.line, told
    assert not asked.kind or answer.facts[0].kind == asked.kind, told
    for text in asked.tells:
        assert text in told, f"{text!r} is not told in:\n{told}"
    data = json.dumps(answer.to_dict(), ensure_ascii=False, default=str)
    for text in asked.never:
        assert text not in data, f"{text!r} is told in:\n{told}"


def table(stories: dict[str, Callable[[], Chat]], asked: list[Asked]) -> Any:
    """Parametrize a test with the questions; each story is played once."""
    played = {name: shared(play) for name, play in stories.items()}
    marks = [
        pytest.param(played[one.about], one, id=f"{one.about}-{one.question or 'turn'}-{one.turn or ''}")
        for one in asked
    ]
    return pytest.mark.parametrize(("play", "asked"), marks)


def played(text: str, *messages: str, **options: Any) -> OneSyncChat:
    """A conversation with a flow that starts in the node `a`, after some messages."""
    chat = OneSyncChat(flow_of(f"flow: f\nstart: a\n{text}"), **options)
    chat.start()
    for one in messages:
        chat.say(one)
    return chat


def of_kind(answer: Answer, kind: str) -> list[Fact]:
    """The facts of a kind, and of their causes, in an answer."""
    return [one for fact in answer.facts for one in fact.walk() if one.kind == kind]

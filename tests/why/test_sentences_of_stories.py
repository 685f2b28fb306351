"""What holds for the sentences for the user about every name and turn of the stories that are asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

import turnwise as tw
from asked_stories import played as asked_story
from properties.test_sentences import EXCLUDE, is_quoted, keys, marked
from turnwise.why import Answer
from turnwise.why.names import subjects
from why import test_plain_table, test_user_sentences

Played = Callable[[], tw.SyncChat]
PLAYED: dict[str, Played] = {
    **{f"asked {name}": play for name, play in asked_story.items()},
    **{
        f"{room.__name__} {name}": lambda room=room, name=name: room.played(name, "en")
        for room in (test_plain_table, test_user_sentences)
        for name in room.STORIES
    },
}


def asked(chat: tw.SyncChat) -> Iterator[Answer]:
    """Ask about every name at the end, and about each turn and message."""
    last = chat.state().turn
    names = [str(subject) for subject in subjects(chat.machine)]
    for question in (*names, "end", "person", "model", "question", "conversation", "origin"):
        yield chat.why(question)
    for turn in range(1, last + 1):
        yield from (chat.why(f"{kind} {turn}") for kind in ("turn", "message"))


@pytest.mark.parametrize("play", PLAYED.values(), ids=PLAYED)
def test_no_two_sentences_of_a_story_exclude_each_other(play: Played) -> None:
    chat = play()
    for _ in marked():
        for answer in asked(chat):
            found = keys(answer.plain)
            assert found or is_quoted(answer), answer.line
            for one, other in combinations(found, 2):
                for some, others in EXCLUDE:
                    assert {one, other}.isdisjoint(some) or {one, other}.isdisjoint(others), (answer.line, answer.plain)

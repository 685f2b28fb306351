"""Forks: two conversations with one past, each going on by itself. And undo, which goes back in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.stored import stored
from turnwise.core import events as e
from turnwise.errors import ConversationExists, UnknownConversation, UnknownTurn

LINES = ("hello", "Ada", "40", "Plus")


@pytest.mark.law("6.9")
def test_a_fork_is_the_conversation_up_to_the_end_of_a_turn(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        turns = [chat.say(line) for line in LINES]
        for number, turn in enumerate(turns, 1):
            name = f"fork {number}"
            state = chat.fork(name, turn=number)
            assert state.values == turn.state.values
            assert state.node == turn.state.node
            assert state.timers == turn.state.timers
            *past, forked = chat.journal(name)
            assert tuple(past) == chat.journal()[: len(past)]
            assert forked.event == e.Forked("main", number)
            assert chat.replay(name)
            assert chat.rerun(name).agrees
            assert chat.explain(name, turn=number)[0].candidates == chat.explain(turn=number)[0].candidates


@pytest.mark.law("6.9")
def test_both_go_on_by_themselves(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        for line in LINES[:3]:
            chat.say(line)
        chat.fork("other", turn=2)
        chat.say("Basic")
        chat.say("50", "other")
        chat.undo("other")
        assert chat.state().values["user.age"].value == 40
        assert "user.age" not in chat.state("other").values
        assert [chat.state(name).turn for name in ("main", "other")] == [4, 4]
        chat.undo("other", to=1)
        assert chat.state("other").values == {}
        assert chat.rerun("other").agrees
        again = chat.fork("third", source="other")
        assert again.values == {}
    with stored(tmp_path / "x.db") as chat:
        assert chat.say("Ada", "third").state.values["user.name"].value == "Ada"


def test_a_fork_needs_a_turn_that_is_there_and_a_name_that_is_free(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        chat.say("hello")
        for turn in (0, -1, 2):
            with pytest.raises(UnknownTurn, match="there are 1 to 1"):
                chat.fork("other", turn=turn)
        with pytest.raises(ConversationExists):
            chat.fork("main")
        with pytest.raises(UnknownConversation):
            chat.fork("other", source="nobody")
        assert chat._wait(chat.chat.store.conversations()) == ("main",)

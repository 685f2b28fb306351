"""Forks: two conversations with one past, each going on by itself. And undo, which goes back in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.stored import stored
from turnwise.core.state import events as e
from turnwise.errors import ConversationExists, KeyReused, UnknownConversation, UnknownTurn

LINES = ("hello", "Ada", "40", "Plus")


@pytest.mark.law("6.9")
def test_a_fork_is_the_conversation_up_to_the_end_of_a_turn(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        turns = [chat.say(line) for line in LINES]
        for number, turn in enumerate(turns, 1):
            name = f"fork {number}"
            state = chat.fork(name, turn=number).state()
            assert state.values == turn.state.values
            assert state.node == turn.state.node
            assert state.timers == turn.state.timers
            *past, forked = chat.app.chat(name).journal()
            assert tuple(past) == chat.journal()[: len(past)]
            assert forked.event == e.Forked("main", number)
            assert chat.app.chat(name).replay()
            assert chat.app.chat(name).rerun().agrees
            assert chat.app.chat(name).explain(turn=number)[0].candidates == chat.explain(turn=number)[0].candidates


@pytest.mark.law("6.9")
def test_both_go_on_by_themselves(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        for line in LINES[:3]:
            chat.say(line)
        chat.fork("other", turn=2)
        chat.say("Basic")
        chat.app.chat("other").say("50")
        chat.app.chat("other").undo()
        assert chat.state().values["user.age"].value == 40
        assert "user.age" not in chat.app.chat("other").state().values
        assert [chat.app.chat(name).state().turn for name in ("main", "other")] == [4, 4]
        chat.app.chat("other").undo(to=1)
        assert chat.app.chat("other").state().values == {}
        assert chat.app.chat("other").rerun().agrees
        again = chat.app.chat("other").fork("third").state()
        assert again.values == {}
    with stored(tmp_path / "x.db") as chat:
        assert chat.app.chat("third").say("Ada").state.values["user.name"].value == "Ada"


def test_a_key_makes_one_copy(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        chat.say("hello")
        copy = chat.fork("other", turn=1, key="k").journal()
        chat.say("Ada")
        assert chat.fork("other", turn=1, key="k").journal() == copy
        with pytest.raises(KeyReused, match="'k' came before with another request"):
            chat.fork("other", turn=2, key="k")
        for key in ("another", None):
            with pytest.raises(ConversationExists):
                chat.fork("other", turn=1, key=key)
        assert chat.app.chat("other").say("Ada", key="k").refused == "key_reused"


def test_a_key_imports_a_file_once(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        chat.say("hello")
        file = chat.export()
        journal = chat.app.import_(file, "other", key="k").journal()
        assert chat.app.import_(file, "other", key="k").journal() == journal
        chat.say("Ada")
        with pytest.raises(KeyReused):
            chat.app.import_(chat.export(), "other", key="k")


def test_a_fork_needs_a_turn_that_is_there_and_a_name_that_is_free(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        chat.say("hello")
        for turn in (0, -1, 2):
            with pytest.raises(UnknownTurn, match="there are 1 to 1"):
                chat.fork("other", turn=turn)
        with pytest.raises(ConversationExists):
            chat.fork("main")
        with pytest.raises(UnknownConversation):
            chat.app.chat("nobody").fork("other")
        assert chat.app.conversations() == ("main",)

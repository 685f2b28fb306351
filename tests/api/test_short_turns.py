"""A chat of the package may return a turn that has just ended without reading what it refers to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import turnwise as tw
from support.served import in_loop
from turnwise.api.listeners import LISTENERS
from turnwise.runner.ports import Accepted


@contextmanager
def listening(*heard: Callable[[tw.Turn], object]) -> Iterator[None]:
    """Have only these hear of turns, and not the plugin that runs the tests."""
    others = LISTENERS[:]
    LISTENERS[:] = heard
    try:
        yield
    finally:
        LISTENERS[:] = others


FLOW = tw.loads("{flow: two, start: ask, nodes: {ask: {prompt: Talk.}}}")


@in_loop
async def test_only_turns_that_have_just_ended_are_short() -> None:
    with listening():
        await _only_turns_that_have_just_ended_are_short()


async def _only_turns_that_have_just_ended_are_short() -> None:
    async with tw.open(FLOW) as app:
        asked: list[Accepted] = []

        def short(done: Accepted) -> tw.Turn | None:
            asked.append(done)
            return tw.Turn("short", app.machine, done.state) if done.state.turn == 2 else None

        chat = tw.Chat(app.runtime, "x", short_turn=short)
        assert (await chat.say("hello")).conversation == "x"
        assert (await chat.say("again", key="k")).conversation == "short"
        assert (await chat.say("again", key="k")).conversation == "x"
        assert (await chat.undo(to=9)).conversation == "x"
        assert [done.state.turn for done in asked] == [1, 2]


@in_loop
async def test_listeners_get_whole_turns() -> None:
    heard: list[tw.Turn] = []
    with listening(heard.append):
        async with tw.open(FLOW) as app:
            chat = tw.Chat(app.runtime, "x", short_turn=lambda done: tw.Turn("short", app.machine, done.state))
            assert (await chat.say("hello")).conversation == "x"
    assert [turn.conversation for turn in heard] == ["x"]

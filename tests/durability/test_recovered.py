"""A turn that was cut off is told with the next one: its words are nowhere else but in the journal (law 3.8)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.engines import local
from support.tools import Stage
from turnwise.cli.chat import JsonTalk, TerminalTalk
from turnwise.cli.show import plain_console
from turnwise.core.state.events import OutsideEvent, TimerFired, UserSaid
from turnwise.core.step import step
from turnwise.core.turn import Step
from turnwise.runner.ports import Commit

FLOW = """
flow: f
start: a
nodes:
  a: {prompt: Talk., transitions: [{id: remind, at: timer, in: 1h, to: b}]}
  b: {prompt: Talk on.}
"""


async def cut(chat: tw.Chat, event: OutsideEvent) -> None:
    """A turn that another process began and did not finish."""
    begun = step(chat.machine, await chat.state(), event, 0)
    assert isinstance(begun, Step)
    await chat.runtime.store.commit("main", Commit(begun.entries))
    local(chat).turns.states.drop("main")


def talked(*replies: str) -> Stage:
    gone = Stage(FLOW, replies[:1])
    gone.say("one")
    asyncio.run(cut(gone.chat, UserSaid("two")))
    return Stage(FLOW, replies[1:], store=gone.store)


def told(turn: tw.Turn) -> list[tuple[int, str]]:
    return [(one.number, one.text) for one in turn.recovered]


@pytest.mark.law("3.8")
@pytest.mark.parametrize("is_rescued", [False, True])
def test_the_next_turn_tells_of_one_that_was_cut_off_whoever_finished_it(is_rescued: bool) -> None:
    stage = talked("One.", "Two.", "Three.", "Four.")
    if is_rescued:
        asyncio.run(stage.chat.runtime.engine.recover(waits=True))
    turn = stage.say("three", key="3")
    assert (turn.number, turn.text, told(turn)) == (3, "Three.", [(2, "Two.")])
    assert told(stage.say("three", key="3")) == told(stage.turn(3)) == [(2, "Two.")]
    assert told(stage.say("four")) == []
    assert stage.rerun().agrees


@pytest.mark.law("3.8")
def test_so_does_the_turn_after_a_timer_of_which_nobody_is_told() -> None:
    stage = talked("One.", "Two.", "Reminded.", "Four.")
    asyncio.run(stage.chat.runtime.engine.recover(waits=True))
    (timer,) = stage.state().timers
    stage.clock.set_ms(timer.due_ms)
    stage.tick()
    assert stage.turn().number == 3
    assert told(stage.turn()) == []
    assert told(stage.say("four")) == [(2, "Two."), (3, "Reminded.")]


@pytest.mark.law("3.8")
def test_a_timer_that_was_cut_off_is_told_too_and_an_undo_tells_it_once() -> None:
    gone = Stage(FLOW, ["One."])
    gone.say("one")
    asyncio.run(cut(gone.chat, TimerFired("remind")))
    stage = Stage(FLOW, ["Reminded.", "Two."], store=gone.store)
    assert told(stage.undo()) == [(2, "Reminded.")]
    assert told(stage.say("two")) == []


@pytest.mark.law("3.8")
def test_a_caller_that_left_is_told_with_the_next_message() -> None:
    async def leave() -> tw.Turn:
        asked, may_speak = asyncio.Event(), asyncio.Event()

        class Slow:
            async def reply(self, request: tw.ModelRequest) -> tw.ModelReply:
                asked.set()
                await may_speak.wait()
                return tw.ModelReply(f"To {request.transcript[-1].text}.")

        talk = tw.Flow("talk", start="free", nodes=[tw.Node("free", prompt="Talk.")])
        async with tw.open(talk, model=Slow()) as app:
            chat = app.chat("main")
            caller = asyncio.create_task(chat.say("one"))
            await asked.wait()
            caller.cancel()
            may_speak.set()
            return await chat.say("two")

    turn = asyncio.run(asyncio.wait_for(leave(), 60))
    assert (turn.text, told(turn)) == ("To two.", [(1, "To one.")])


def cut_while_talking(talk: Callable[[Any], Any], tmp_path: Path) -> None:
    """A conversation in the terminal, of which another process loses a turn."""
    model = tw.ScriptedModel(["Zero.", "One.", "Two.", "Three.", "Four."])
    flow = tw.Flow("talk", start="free", nodes=[tw.Node("free", prompt="Talk.")])

    def lines() -> Iterator[str]:
        yield "one"
        chat.app.loop.wait(cut(chat.chat, UserSaid("two")))
        yield "three"
        yield "four"

    with tw.open_sync(flow, model=model, store=f"sqlite:///{tmp_path}/talks.db") as app:
        chat = app.chat("main")
        talk(chat).run(lines())


def test_the_terminal_prints_what_was_cut_off_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut_while_talking(lambda chat: TerminalTalk(chat, plain_console(), debug=False), tmp_path)
    told = ["Zero.", "One.", "(this turn was interrupted, and was completed later)", "Two.", "Three.", "Four."]
    assert capsys.readouterr().out.splitlines() == told


def test_so_does_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut_while_talking(JsonTalk, tmp_path)
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["turn"], one["text"]) for one in told] == list(
        enumerate(["Zero.", "One.", "Two.", "Three.", "Four."], 1)
    )

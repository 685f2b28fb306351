"""What a user reads after an undo, and how far one undo goes (law 6.9)."""

from __future__ import annotations

import asyncio

import pytest

import turnwise as tw
from support.chats import OneChat, OneSyncChat, flow_of
from support.durable.running import run
from turnwise.core.prompts import ModelRequest
from turnwise.runner.model_port import ModelReply

SAYS = """
flow: f
start: ask
nodes:
  ask: {say: How do you feel today?, transitions: [{id: on, to: more, when: turns >= 1}]}
  more: {say: And since when?}
"""
TALK = "flow: f\nstart: talk\nnodes: {talk: {prompt: Talk.}}"
RUN = """
flow: f
start: ask
autonomous: true
nodes:
  ask: {say: What shall I do?, transitions: [{id: go, at: before, to: one, when: turns >= 1}]}
  one: {prompt: Work., transitions: [{id: next, to: two}]}
  two: {prompt: Work., transitions: [{id: end, to: rest}]}
  rest: {say: It is done., transitions: [{id: back, at: before, to: ask, when: turns >= 2}]}
"""


@pytest.mark.law("6.9")
def test_after_an_undo_a_node_says_its_last_words_again() -> None:
    with OneSyncChat(flow_of(SAYS)) as chat:
        chat.start()
        assert chat.say("tired").text == "And since when?"
        undone = chat.undo()
        assert undone.text.startswith("I have taken that back.")
        assert undone.text.endswith("How do you feel today?")
        assert chat.say("tired").text == "And since when?"
        assert chat.undo().text.count("How do you feel today?") == 1
        assert chat.replay()


class Echo:
    """Answers each message with its own words."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        await asyncio.sleep(0)
        return ModelReply(f"To {request.transcript[-1].text}." if request.transcript else "Working.")


@pytest.mark.law("6.9")
def test_after_an_undo_the_last_words_of_a_model_are_said_again_without_a_call() -> None:
    async def play() -> None:
        chat = OneChat(flow_of(TALK), model=Echo())
        await chat.say("one")
        await chat.say("two")
        assert (await chat.undo()).text.endswith("To one.")
        assert (await chat.rerun()).agrees

    run(play())


@pytest.mark.law("6.9", "2.8")
def test_an_undo_takes_back_a_whole_autonomous_run() -> None:
    async def play() -> None:
        chat = OneChat(flow_of(RUN), model=Echo())
        first = await chat.run()
        place = first[-1].node
        turns = await chat.following(await chat.say("go"))
        assert len(turns) > 1, turns
        undone = await chat.undo()
        assert (undone.node, undone.status) == (place, "waiting")
        again = await chat.following(await chat.say("go"))
        assert [turn.text for turn in again] == [turn.text for turn in turns]
        assert await chat.replay()

    run(play())


@pytest.mark.law("6.9", "2.8")
def test_a_run_that_is_the_whole_conversation_is_not_taken_back_in_part() -> None:
    async def play() -> None:
        flow = flow_of(RUN.replace("start: ask", "start: one").replace("It is done.,", "It is done., end: done,"))
        chat = OneChat(flow, model=Echo())
        turns = await chat.run()
        assert len(turns) > 1
        undone = await chat.undo()
        assert (undone.node, undone.status) == (turns[-1].node, turns[-1].status)
        assert isinstance(undone, tw.Turn)

    run(play())

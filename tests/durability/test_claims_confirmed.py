"""Before each call that changes the world it is certain that the turn was not taken over (law 4.5)."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import machine_of
from support.durable.running import run
from turnwise.core.state.events import ToolFailed, ToolReturned, TurnRestarted
from turnwise.errors import StoreUnavailable
from turnwise.stores.memory import MemoryStore

FLOW = """
    flow: paying
    start: a
    records: {bill: {receipt: string}}
    tools: {pay: {about: pay, kind: KIND, retry: {times: 1, pause: 0s}}}
    nodes:
      a: {tool: {name: pay, into: bill.receipt}, transitions: [{to: b}]}
      b: {say: Paid., end: done}
"""


class Doubtful(MemoryStore):
    """A store that answers with what it was given whether a run has its turn, and then as it is."""

    def __init__(self, *answers: bool | Exception) -> None:
        super().__init__()
        self.answers = list(answers)
        self.asked = 0

    async def holds(self, conversation: str, fence: int) -> bool:
        """Return or raise the next answer."""
        self.asked += 1
        answer = self.answers.pop(0) if self.answers else await super().holds(conversation, fence)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def paid(store: Doubtful, *, kind: str = "effect", fails: int = 0) -> tuple[Any, list[int]]:
    """A turn that pays, and the attempts that it made; the first ones fail."""
    attempts: list[int] = []

    @tw.tool(kind=kind)  # type: ignore[call-overload]
    def pay(call: tw.ToolCall) -> str:
        """Pay."""
        attempts.append(call.attempt)
        if len(attempts) <= fails:
            raise ValueError("not now")
        return "done"

    app = tw.open(machine_of(FLOW.replace("KIND", kind)), store=store, tools=[pay])
    turn = await app.chat("a").say("hello", key="1")
    return turn, attempts


@pytest.mark.law("4.5")
def test_a_turn_that_lost_its_claim_makes_no_call() -> None:
    async def play() -> None:
        store = Doubtful(False)
        turn, attempts = await paid(store)
        entries = await store.entries("a")
        (restarted,) = [entry.seq for entry in entries if isinstance(entry.event, TurnRestarted)]
        (returned,) = [entry.seq for entry in entries if isinstance(entry.event, ToolReturned)]
        assert (turn.text, attempts) == ("Paid.", [1])
        assert restarted < returned, "the run that took the turn over made the call"

    run(play())


def test_each_attempt_is_confirmed() -> None:
    async def play() -> None:
        store = Doubtful()
        _, attempts = await paid(store, fails=1)
        assert (attempts, store.asked) == ([1, 2], 2)
        store = Doubtful(True, False)
        _, attempts = await paid(store, fails=1)
        assert attempts == [1, 1], "the second one is made by the run that took the turn over, as its first"

    run(play())


def test_a_tool_that_only_reads_is_not_asked_about() -> None:
    async def play() -> None:
        store = Doubtful()
        _, attempts = await paid(store, kind="read")
        assert (attempts, store.asked) == ([1], 0)

    run(play())


def test_a_store_that_cannot_answer_refuses_the_event_and_is_no_failure_of_the_tool() -> None:
    async def play() -> None:
        store = Doubtful(StoreUnavailable("x", "it is away"))
        turn, attempts = await paid(store)
        assert (turn.refused, attempts) == ("store_unavailable", [])
        assert not any(isinstance(entry.event, ToolFailed) for entry in await store.entries("a"))

    run(play())

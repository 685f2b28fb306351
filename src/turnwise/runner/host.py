"""One turn as the loop sees it: over a store, with one machine."""

from __future__ import annotations

import asyncio
from typing import Literal

from turnwise.core.effects import AnyEffect, RunTool
from turnwise.core.events import Entry, ResultEvent, ToolFailed, ToolReturned
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.turn import Step
from turnwise.errors import TurnwiseError
from turnwise.runner.perform import Performer, Task
from turnwise.runner.ports import Commit, Delta, Hear, Receipt, Store, Writing
from turnwise.runner.stream import Listeners


class TurnHost:
    """Commits the steps of a turn. `part` says how it comes to the turn: by beginning it or taking it over."""

    __slots__ = (
        "_ahead",
        "_entries",
        "_queued",
        "before",
        "conversation",
        "hear",
        "listeners",
        "machine",
        "number",
        "part",
        "performer",
        "receipt",
        "state",
        "store",
    )

    def __init__(
        self,
        store: Store,
        performer: Performer,
        listeners: Listeners,
        machine: Machine,
        conversation: str,
        state: State | None,
        part: Literal["first", "takeover"],
        receipt: Receipt | None,
    ) -> None:
        self.store = store
        self.performer = performer
        self.listeners = listeners
        self.machine = machine
        self.conversation = conversation
        self.before = state
        self.part: Literal["first", "next", "takeover"] = part
        self.receipt = receipt
        self.hear: Hear | None = None
        """Is told what a model says in it, piece by piece."""
        self.state = state
        """The state after the last step that was committed."""
        self.number = 0
        self._queued: list[Writing] = []
        self._entries: list[Entry] = []
        self._ahead: dict[str, asyncio.Future[ToolReturned | ToolFailed]] = {}

    async def load(self) -> State | None:
        """The state before the turn."""
        return self.before

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> ResultEvent:
        """Do the work. What changes the world is only begun when the intent is durable (law 3.8)."""
        if isinstance(effect, RunTool) and self.machine.tools[effect.tool].tool.kind == "effect":
            await self._durable()
        task = Task(
            self.machine, self.conversation, state, self._entries, again=again, ahead=self._ahead, tell=self._stream
        )
        return await self.performer.perform(effect, task)

    def _stream(self, delta: Delta) -> None:
        """Pass on a piece of text before it is kept."""
        if self.hear is not None:
            self.hear(delta)

    def release(self) -> None:
        """Let go of tools that began before their time and were not asked for."""
        for begun in self._ahead.values():
            begun.cancel()
        self._ahead.clear()

    async def commit(self, step: Step) -> None:
        """Law 3.8: the event and its key first, the state only at the end. Only the end is waited for:
        the commits of a turn are durable in their order, or from the first that fails on none is. Where
        others may be at it too, the commit that claims the turn is waited for as well: it says who came first,
        and work is done for no turn that is lost.
        """
        is_end = step.state.doing is None
        self.number, self.state = step.entries[0].turn, step.state
        claims = not is_end and self._is_contested()
        commit = Commit(step.entries, self.part, step.state if is_end else None, self.receipt)
        done = self.store.commit(self.conversation, commit)
        self.part, self.receipt = "next", None
        if self.listeners.has(self.conversation):
            done.add_done_callback(lambda written: self._tell(written, step.entries))
        self._queued.append(done)
        self._entries += step.entries
        if is_end:
            self.release()
        if is_end or claims:
            await self._durable()

    def _is_contested(self) -> bool:
        """Whether somebody else may be about to write this turn, or would have to be refused."""
        match self.part:
            case "first":
                return self.machine.flow.busy == "reject" or self.store.is_shared()
            case "takeover":
                return True
            case "next":
                return False

    async def _durable(self) -> None:
        """Wait for all that was queued; the first failure is the one that says why."""
        failure: Exception | None = None
        for writing in self._queued:
            try:
                await writing
            except TurnwiseError as error:
                failure = failure or error
        self._queued.clear()
        if failure is not None:
            raise failure

    def _tell(self, written: Writing, entries: tuple[Entry, ...]) -> None:
        if written.exception() is None:
            self.listeners.tell(self.conversation, entries)

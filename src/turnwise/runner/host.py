"""One turn as the loop sees it: over a store, with one machine."""

from __future__ import annotations

from typing import Literal

from turnwise.core.effects import AnyEffect
from turnwise.core.events import Entry, ResultEvent
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.turn import Step
from turnwise.errors import TurnwiseError
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Commit, Receipt, Store, Writing
from turnwise.runner.stream import Listeners


class TurnHost:
    """Commits the steps of a turn. `part` says how it comes to the turn: by beginning it or taking it over."""

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
        self.state = state
        """The state after the last step that was committed."""
        self.number = 0
        self._queued: list[Writing] = []
        self._entries: list[Entry] = []

    async def load(self) -> State | None:
        """The state before the turn."""
        return self.before

    async def perform(self, effect: AnyEffect, state: State) -> ResultEvent:
        """Do the work."""
        return await self.performer.perform(self.machine, self.conversation, effect, state, self._entries)

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

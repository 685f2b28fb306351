"""One turn: load, step, commit, perform, and again until the turn is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from os import urandom
from typing import Literal

from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.effects import AnyEffect, RunTool
from turnwise.core.state.events import Entry, OutsideEvent, ResultEvent, ToolFailed, ToolReturned
from turnwise.core.step import resume, start, step
from turnwise.core.turn import Refusal, Step
from turnwise.errors import TurnwiseError
from turnwise.runner.perform import Performer, Task
from turnwise.runner.ports import Clock, Commit, Delta, Hear, Host, Receipt, Store, Writing, Written
from turnwise.runner.streams import Listeners


async def run_turn(
    machine: Machine, host: Host, clock: Clock, event: OutsideEvent | None, *, time_zone: str = ""
) -> Refusal | tuple[State, list[Entry]]:
    """One whole turn: its state afterwards and all its entries, or the refusal that changed nothing."""
    state = await host.load()
    if state is None:
        done = start(machine, clock.now_ms(), event, time_zone=time_zone)
    else:
        assert event is not None, "only a conversation that begins has no event"
        done = step(machine, state, event, clock.now_ms())
    if isinstance(done, Refusal):
        return done
    entries = list(done.entries)
    await host.commit(done)
    while done.effects:
        done = await _go_on(machine, host, clock.now_ms, done)
        entries += done.entries
    return done.state, entries


async def finish_turn(machine: Machine, host: Host, clock: Clock, state: State) -> State:
    """Go on with a turn that was cut off while it waited for an effect; gives the state at its end."""
    done = resume(machine, state, clock.now_ms())
    await host.commit(done)
    again = True
    while done.effects:
        done = await _go_on(machine, host, clock.now_ms, done, again=again)
        again = False
    return done.state


async def _go_on(machine: Machine, host: Host, now_ms: Callable[[], int], done: Step, *, again: bool = False) -> Step:
    """Perform what the last step asked for, and take the result in."""
    (effect,) = done.effects
    result = await host.perform(effect, done.state, again=again)
    following = step(machine, done.state, result, now_ms())
    assert isinstance(following, Step), f"the result of an awaited effect was refused: {following}"
    await host.commit(following)
    return following


_FENCES = count(int.from_bytes(urandom(6)))
"""Fencing tokens: each run of a turn takes one, and no other process has the same."""


class TurnHost:
    """Commits the steps of a turn. `part` says how it comes to the turn: by beginning it or taking it over."""

    __slots__ = (
        "_ahead",
        "_due",
        "_entries",
        "_gathered",
        "_is_world_changed",
        "_queued",
        "before",
        "conversation",
        "fence",
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
        self.fence = next(_FENCES)
        self.hear: Hear | None = None
        """Is told what a model says in it, piece by piece."""
        self.state = state
        """The state after the last step that was committed."""
        self.number = 0
        self._queued: list[Writing] = []
        self._gathered: list[Entry] = []
        self._due: asyncio.Handle | None = None
        self._is_world_changed = False
        """True where the effect that was performed last changes the world: its result is handed over at once."""
        self._entries: list[Entry] = []
        self._ahead: dict[str, asyncio.Future[ToolReturned | ToolFailed]] = {}

    async def load(self) -> State | None:
        """The state before the turn."""
        return self.before

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> ResultEvent:
        """Do the work. What changes the world is only begun when the intent is durable (law 3.8)."""
        self._is_world_changed = isinstance(effect, RunTool) and self.machine.tools[effect.tool].tool.kind == "effect"
        if self._is_world_changed:
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
        for error in step.raised:
            self.performer.log_guard_error(self.machine, self.conversation, step.state, error)
        self.number, self.state = step.entries[0].turn, step.state
        self._entries += step.entries
        self._gathered += step.entries
        claims = not is_end and self._is_contested()
        if is_end:
            await self._end(step.state)
        elif claims:
            await self._durable()
        elif self._is_world_changed:
            self._hand_over()
        elif len(self._gathered) == len(step.entries):
            self._due = _soon(self._hand_over)

    async def _end(self, state: State) -> None:
        """Commit the end; what the next turn is to find is made ready while the disk is at work."""
        windows = self.performer.windows
        self.release()
        self._hand_over(state)
        windows.ended(self.machine, self.conversation, state, self._entries)
        try:
            await self._durable()
        except BaseException:
            windows.drop(self.conversation)
            raise

    def _hand_over(self, state: State | None = None) -> None:
        """Give the store what was decided since the last commit. Steps that follow each other without a wait are one:
        it is due when the loop goes on, at the latest.
        """
        if not self._gathered:
            return
        if self._due is not None:
            self._due.cancel()
        entries = tuple(self._gathered)
        commit = Commit(entries, self.part, state, self.receipt, self.fence)
        self._gathered.clear()
        self.part, self.receipt = "next", None
        done = self._committed(commit)
        if self.listeners.has(self.conversation):
            done.add_done_callback(lambda written: self._tell(written, entries))
        self._queued.append(done)

    def _committed(self, commit: Commit) -> Writing:
        """A commit on its way; where the store takes none, what says so to who waits for it."""
        try:
            return self.store.commit(self.conversation, commit)
        except TurnwiseError as failure:
            return Written(failure)

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
        """Wait for all that was decided; the first failure is the one that says why."""
        self._hand_over()
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


def _soon(work: Callable[[], None]) -> asyncio.Handle | None:
    """Do something when the loop goes on; now, where a turn is played without one."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        work()
        return None
    return loop.call_soon(work)

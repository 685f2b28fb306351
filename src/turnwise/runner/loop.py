"""Runs the loop of one turn: load the state, step, commit, perform the effect, repeat until the turn ends."""

from __future__ import annotations

import asyncio
from itertools import count
from os import urandom
from typing import Literal

from turnwise.core.machine import Machine
from turnwise.core.state import ForcedOverlay, State
from turnwise.core.state.effects import AnyEffect, RunTool
from turnwise.core.state.events import Entry, OutsideEvent, ResultEvent, ToolFailed, ToolReturned
from turnwise.core.step import resume, start, step
from turnwise.core.turn import Refusal, Step
from turnwise.errors import Superseded, TurnwiseError
from turnwise.runner.model_port import OnDelta
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Clock, Commit, Host, Receipt, Store, Writing, Written
from turnwise.runner.services import Task
from turnwise.runner.streams import Listeners


async def run_turn(
    machine: Machine,
    host: Host,
    clock: Clock,
    event: OutsideEvent | None,
    *,
    time_zone: str = "",
    overlays: tuple[ForcedOverlay, ...] = (),
) -> Refusal | tuple[State, list[Entry]]:
    """Run one turn; return its final state and all its entries, or a refusal, which changes nothing. `host` loads,
    performs and commits. `time_zone` and the `overlays` that are forced for all are for a conversation that begins.
    """
    state = await host.load()
    if state is None:
        done = start(machine, clock.now_ms(), event, time_zone=time_zone, overlays=overlays)
    else:
        assert event is not None, "only a conversation that begins has no event"
        done = step(machine, state, event, clock.now_ms())
    if isinstance(done, Refusal):
        return done
    entries = list(done.entries)
    await host.commit(done)
    while done.effects:
        done = await _perform(machine, host, clock, done)
        entries += done.entries
    return done.state, entries


async def finish_turn(machine: Machine, host: Host, clock: Clock, state: State) -> State:
    """Resume a turn that was interrupted while it waited for an effect; return its final state.
    `host` performs and commits.
    """
    done = resume(machine, state, clock.now_ms())
    await host.commit(done)
    again = True
    while done.effects:
        done = await _perform(machine, host, clock, done, again=again)
        again = False
    return done.state


async def _perform(machine: Machine, host: Host, clock: Clock, done: Step, *, again: bool = False) -> Step:
    """Perform the effect that the last step requested, and step with its result."""
    (effect,) = done.effects
    result = await host.perform(effect, done.state, again=again)
    following = step(machine, done.state, result, clock.now_ms())
    assert isinstance(following, Step), f"the result of an awaited effect was refused: {following}"
    await host.commit(following)
    return following


_FENCES = count(int.from_bytes(urandom(6)))
"""Fencing tokens: each run of a turn takes one, and no other process has the same."""


class TurnHost:
    """Performs and commits the steps of one run of a turn, which it begins (`first`) or takes over (`takeover`)."""

    def __init__(
        self,
        store: Store,
        performer: Performer,
        listeners: Listeners,
        machine: Machine,
        conversation: str,
        state: State | None,
        part: Literal["first", "takeover"],
        receipt: Receipt | None = None,
    ) -> None:
        self.store = store
        self.performer = performer
        self.listeners = listeners
        self.machine = machine
        self.conversation = conversation
        self.before = state
        self.part: Literal["first", "next", "takeover"] = part
        self.receipt = receipt
        self.delivers = False
        """Whether the messages of a turn that the machine began go to the outbox of the store."""
        self.delivery = ""
        """The id of the delivery of this turn, once it has ended."""
        self.earlier: tuple[Entry, ...] = ()
        """The entries of the turn before it was taken over."""
        self.on_delta: OnDelta | None = None
        """Is called with each piece of text that a model says in the turn."""
        self.on_shown = listeners.receiver_of(conversation)
        self.fence = next(_FENCES)
        self.state = state
        """The state after the last step that was committed."""
        self.number = 0
        self._is_first_step = True
        self._queued: list[Writing] = []
        self._gathered: list[Entry] = []
        self._handing_over: asyncio.Handle | None = None
        self._is_world_changed = False
        """True after an effect that changes the world: its result is handed to the store at once."""
        self._entries: list[Entry] = []
        self._started: dict[str, asyncio.Future[ToolReturned | ToolFailed]] = {}

    async def load(self) -> State | None:
        """Return the state before the turn; `None` for a conversation that begins."""
        return self.before

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> ResultEvent:
        """Perform an effect; one with side effects only after its intent is durable (law 3.8). `again`: it may have
        been performed before.
        """
        self._is_world_changed = isinstance(effect, RunTool) and self.machine.tools[effect.tool].tool.kind == "effect"
        if self._is_world_changed:
            await self._durable()
        machine = self.machine.for_conversation(state)
        more = (self.on_delta, self.on_shown, self._confirm_claim if self._is_world_changed else None)
        task = Task(machine, self.conversation, state, self._entries, again, self._started, *more)
        performing, meter = self.performer.perform(effect, task), self.performer.meter
        return await (performing if meter is None else meter.measure_effect(effect, performing))

    async def _confirm_claim(self) -> None:
        """Raise `Superseded` unless this run still has the turn: this process may have been suspended."""
        if not await self.store.holds(self.conversation, self.fence):
            raise Superseded(f"{self.conversation}: another process has the turn")

    def release(self) -> None:
        """Cancel tools that were started in advance and that the turn did not request."""
        for started in self._started.values():
            started.cancel()
        self._started.clear()

    async def commit(self, step: Step) -> None:
        """Commit a step of the turn: the event and its key first, the state only at the end (law 3.8).

        Only the end of the turn is awaited: its commits become durable in order, and none does after one that failed.
        Where another process may work on the conversation too, the commit that claims the turn is awaited as well, so
        that no work is done for a turn that another process wrote first.
        """
        for error in step.raised:
            self.performer.log_guard_error(self.machine, self.conversation, step.state, error)
        self.number, self.state = step.entries[0].turn, step.state
        self._entries += step.entries
        if self.machine.flow.log:
            self._log(step)
        self._gathered += step.entries
        if step.state.doing is None:
            await self._end(step.state)
        elif self._is_first_step and self._is_contested():
            await self._durable()
        elif self._is_world_changed:
            self._hand_over()
        elif len(self._gathered) == len(step.entries):
            self._hand_over_soon()
        self._is_first_step = False

    def _log(self, step: Step) -> None:
        """Log a step of a flow that has a log level."""
        from turnwise.runner.flow_log import log_entries
        from turnwise.runner.result import Turn

        turn = Turn(self.conversation, self.machine, step.state, tuple(self._entries), self.before)
        log_entries(turn, step.entries[0].seq - 1, self.performer.keys())

    def _is_contested(self) -> bool:
        """Return whether the first commit must be awaited, because another process may run this turn or reject it."""
        if self.part == "first":
            return self.machine.flow.busy == "reject" or self.store.is_shared()
        return self.part == "takeover"

    async def _end(self, state: State) -> None:
        """Commit the end of the turn, and prepare the next turn's transcript while the store writes."""
        windows = self.performer.windows
        if self._started:
            self.release()
        self._hand_over(state)
        machine = self.machine.for_conversation(state) if self.machine.has_variants else self.machine
        windows.add_turn(machine, self.conversation, state, self._entries)
        try:
            await self._durable()
        except BaseException:
            windows.drop(self.conversation)
            raise

    def _hand_over_soon(self) -> None:
        """Schedule a commit in the event loop, so that consecutive steps without a wait share one commit."""
        try:
            self._handing_over = asyncio.get_running_loop().call_soon(self._hand_over)
        except RuntimeError:  # a turn may run without a loop
            self._hand_over()

    def _hand_over(self, state: State | None = None) -> None:
        """Pass the entries since the last commit to the store."""
        if not self._gathered:
            return
        if self._handing_over is not None:
            self._handing_over.cancel()
        entries = tuple(self._gathered)
        if self.delivers and state is not None:
            from turnwise.runner.delivered_turns import new_delivery_id

            self.delivery = new_delivery_id((*self.earlier, *self._entries), state, is_recovered=bool(self.earlier))
        if state is None and self.part == "first" and self.performer.meter is not None:
            self.performer.meter.claimed()
        commit = Commit(entries, self.part, state, self.receipt, self.fence, self.delivery)
        self._gathered.clear()
        self.part, self.receipt = "next", None
        try:
            writing: Writing = self.store.commit(self.conversation, commit)
        except TurnwiseError as failure:
            writing = Written(failure)
        if self.listeners.are_for(self.conversation):
            writing.add_done_callback(lambda written: self._notify(written, entries, state))
        self._queued.append(writing)

    async def _durable(self) -> None:
        """Wait until all entries so far are durable. Raises the first error, which causes the others."""
        if self._gathered:
            self._hand_over()
        meter = self.performer.meter
        began_s = 0.0 if meter is None else meter.now_s()
        failure: Exception | None = None
        for writing in self._queued:
            try:
                await writing
            except TurnwiseError as error:
                failure = failure or error
        self._queued.clear()
        if meter is not None:
            meter.phase_ended("commit", began_s)
        if failure is not None:
            raise failure

    def _notify(self, written: Writing, entries: tuple[Entry, ...], state: State | None) -> None:
        if written.exception() is None:
            self.listeners.notify(self.conversation, entries, state)

"""Turns, each brought to its end: begun here, or gone on with where whoever ran it is gone (law 3.8). Who comes next is
not decided here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Set
from typing import Literal

from turnwise.core.machine import Machine
from turnwise.core.state import MOST_UNREPORTED, State
from turnwise.core.state.events import CallerLeft, OutsideEvent
from turnwise.core.step import note
from turnwise.core.turn import Refusal
from turnwise.errors import Conflict, Superseded, UnknownConversation
from turnwise.runner.cache import Cache
from turnwise.runner.loop import TurnHost, finish_turn, run_turn
from turnwise.runner.machines import Machines
from turnwise.runner.past import state_after
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Commit, Hear, Receipt, Store
from turnwise.runner.spans import turn_ended, turn_span
from turnwise.runner.streams import Listeners

LONGEST_PAUSE_S = 0.1
"""The longest time between two looks at a turn that another process runs."""


class Turns:
    """Runs turns, whether or not their callers stay, and remembers the states that they end with."""

    def __init__(self, machines: Machines, store: Store, performer: Performer, clock: Clock) -> None:
        self.machines = machines
        self.store = store
        self.performer = performer
        self.clock = clock
        self.states: Cache[State] = Cache()
        self.listeners = Listeners()
        self.on_armed: Callable[[int], None] | None = None
        """Is told when a timer that was armed is due, in milliseconds since 1970."""

    async def begin(
        self,
        conversation: str,
        state: State | None,
        event: OutsideEvent | None,
        receipt: Receipt | None,
        time_zone: str = "",
        hear: Hear | None = None,
    ) -> Accepted | Refusal:
        """A whole turn, from a state that may be old; `hear` is told what is said in it. Raises `Conflict` where it
        is old.
        """
        machine = await self._machine(state)
        host = self._host(machine, conversation, state, "first", receipt)
        host.hear = hear
        try:
            with turn_span(self.performer.spans, machine, conversation, event) as span:
                done = await run_turn(machine, host, self.clock, event, time_zone=time_zone)
                if isinstance(done, Refusal):
                    span.fail(done.code, done.text)
                else:
                    turn_ended(self.performer.spans, span, machine, done[0].node, done[1])
        except Superseded:
            self._abandon(host)
            return await self._finished_elsewhere(conversation, host.number)
        except BaseException:
            self._abandon(host)
            raise
        if isinstance(done, Refusal):
            return done
        self._ended(conversation, done[0])
        return Accepted(tuple(done[1]), done[0], state)

    async def settled(self, conversation: str, *, waits: bool = False) -> State | Refusal | None:
        """The state between two turns. A turn that was cut off goes on first, from the effect that it
        waited for; one that another process runs is waited for, or is why the event is refused.
        """
        pause_s = 0.002
        while True:
            state = await self.store.load(conversation)
            if state is not None and state.flow != self.machines.current.flow.name:
                return _other_flow(self.machines.current, conversation, state)
            if state is None or state.doing is None:
                return state
            claim = await self.store.claim(conversation)
            if claim is None or claim.is_mine or not claim.is_alive:
                recovered = await self._recovered(conversation, state)
                if recovered is not None:
                    return recovered
                continue
            machine = self.machines.current
            if machine.flow.busy == "reject" and not waits:
                return busy(machine)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _recovered(self, conversation: str, state: State) -> State | None:
        """Finish the turn that is under way in a state; `None` where somebody else went on with it."""
        machine = await self.machines.of(state.fingerprint)
        host = self._host(machine, conversation, state, "takeover")
        try:
            done = await finish_turn(machine, host, self.clock, state)
        except Conflict:
            self._abandon(host)
            return None
        except BaseException:
            self._abandon(host)
            raise
        self._ended(conversation, done)
        return done

    def _abandon(self, host: TurnHost) -> None:
        """A run of a turn has not come to its end: nothing that it assumed is taken for known."""
        host.release()
        self.states.drop(host.conversation)
        self.performer.windows.drop(host.conversation)

    async def note_missed(self, conversation: str, state: State, turns: Set[int], unprompted: Set[int]) -> State:
        """Record that nobody received the outcome of some turns, so that the next turn reports them; and which of the
        turns that the machine started are still to be reported.
        """
        missed = sorted({*turns, *state.unreported})[:MOST_UNREPORTED]
        own = sorted({*unprompted, *state.unprompted} - {*missed})[-MOST_UNREPORTED:]
        return await self._note_callers(conversation, state, CallerLeft(tuple(missed), tuple(own)))

    async def note_reported(self, conversation: str, state: State) -> None:
        """Record that a refusal has reported every turn that nobody had received."""
        await self._note_callers(conversation, state, CallerLeft(()))

    async def _note_callers(self, conversation: str, state: State, fact: CallerLeft) -> State:
        noted = note(state, fact, self.clock.now_ms())
        await self.store.commit(conversation, Commit(noted.entries, state=noted.state))
        self.states.put(conversation, noted.state)
        self.listeners.tell(conversation, noted.entries)
        return noted.state

    async def _finished_elsewhere(self, conversation: str, number: int) -> Accepted:
        """The turn began here and another process took it over: wait for its end there."""
        await self.settled(conversation, waits=True)
        state = await state_after(self.store, conversation, number)
        if state is None:
            raise UnknownConversation(conversation, is_forgotten=True)
        return Accepted(await self.store.turn(conversation, number), state)

    def _ended(self, conversation: str, state: State) -> None:
        self.states.put(conversation, state)
        if state.timers and self.on_armed is not None:
            self.on_armed(min(timer.due_ms for timer in state.timers))

    async def _machine(self, state: State | None) -> Machine:
        if state is not None:
            return await self.machines.of(state.fingerprint)
        await self.machines.keep_current()
        return self.machines.current

    def _host(
        self,
        machine: Machine,
        conversation: str,
        state: State | None,
        part: Literal["first", "takeover"],
        receipt: Receipt | None = None,
    ) -> TurnHost:
        return TurnHost(self.store, self.performer, self.listeners, machine, conversation, state, part, receipt)


def busy(machine: Machine) -> Refusal:
    """What is said to who does not wait."""
    return Refusal("busy", machine.language.text("busy"))


def _other_flow(machine: Machine, conversation: str, state: State) -> Refusal:
    """Where the same name is used with two flows, neither may go on with the other's conversation."""
    words = f"the conversation {conversation!r} belongs to the flow {state.flow!r}, not to {machine.flow.name!r}"
    return Refusal("other_flow", words)

"""The local engine: every conversation takes its turns one after another (law 3.10), whichever process runs them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from hashlib import sha256
from typing import Literal

from msgspec import Struct
from msgspec.json import encode

from turnwise.core.events import Entry, OutsideEvent, TimerFired
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.turn import Refusal
from turnwise.errors import Conflict, FlowUnavailable, StoreFailed, Superseded, TurnwiseError, UnknownConversation
from turnwise.runner.cache import States
from turnwise.runner.host import TurnHost
from turnwise.runner.loop import finish_turn, run_turn
from turnwise.runner.machines import Machines
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Due, Duplicate, Receipt, Store
from turnwise.runner.stream import Listeners

LONGEST_PAUSE_S = 0.1
MOST_DUE = 100
"""How many timers are fired at once."""

_log = logging.getLogger("turnwise.runner")


class Given(Struct, frozen=True):
    """An event on its way to its turn: `None` only starts the conversation."""

    event: OutsideEvent | None
    key: str = ""
    time_zone: str = ""

    @property
    def body(self) -> str:
        """A hash of the event, by which a key that comes again is known to bring the same."""
        return sha256(encode(self.event)).hexdigest()[:16] if self.key else ""


class _Lane:
    """The queue of one conversation: a lock, and how many are in it or wait for it."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class LocalEngine:
    """Takes events and gives each its turn; waiting messages are served in order, or refused, by flow."""

    def __init__(self, machines: Machines, store: Store, performer: Performer, clock: Clock) -> None:
        self.machines = machines
        self.store = store
        self.performer = performer
        self.clock = clock
        self.states = States()
        self._lanes: dict[str, _Lane] = {}
        self.listeners = Listeners()
        self._is_draining = False

    # taking events ---------------------------------------------------------------------------

    async def submit(
        self, conversation: str, event: OutsideEvent | None, key: str = "", *, time_zone: str = ""
    ) -> Accepted | Duplicate | Refusal:
        """Take an event in; `None` only starts the conversation. The same key is one turn."""
        if self._is_draining:
            raise TurnwiseError("the engine is draining and takes no more events")
        machine = self.machines.current
        lane = self._lanes.get(conversation)
        if lane is None:
            lane = self._lanes[conversation] = _Lane()
        elif machine.flow.busy == "reject":
            return _busy(machine)
        lane.users += 1
        try:
            async with lane.lock:
                return await self._serve(conversation, Given(event, key, time_zone))
        except (StoreFailed, FlowUnavailable) as failure:
            self.states.drop(conversation)
            _log.error("%s: an event was refused: %s", conversation, failure)
            return Refusal("store_unavailable", machine.language.text("store_unavailable"))
        finally:
            lane.users -= 1
            if not lane.users:
                del self._lanes[conversation]

    async def _serve(self, conversation: str, given: Given) -> Accepted | Duplicate | Refusal:
        """Try until the turn is done: where another process wrote first, the state was old."""
        pause_s = 0.0
        while True:
            known = self.states.get(conversation)
            state = known or await self.settled(conversation)
            if isinstance(state, Refusal):
                return state
            try:
                done = await self._attempt(conversation, given, state)
            except Conflict:
                if known is None and not await self._is_old(conversation, state):
                    raise
                self.states.drop(conversation)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s + 0.001, LONGEST_PAUSE_S)
                continue
            if isinstance(done, Refusal) and known is not None and await self._is_old(conversation, known):
                self.states.drop(conversation)
                continue
            return done

    async def _is_old(self, conversation: str, state: State | None) -> bool:
        """Whether another process has left a state behind, or is about to."""
        newest = await self.store.load(conversation)
        return newest is not None and (state is None or newest.seq != state.seq)

    async def _attempt(self, conversation: str, given: Given, state: State | None) -> Accepted | Duplicate | Refusal:
        """One turn, from a state that may be old. Raises `Conflict` where it is."""
        receipt = Receipt(given.key, given.body, state.turn + 1 if state is not None else 1) if given.key else None
        if receipt is not None and state is not None:
            known = await self._known(conversation, receipt, state)
            if known is not None:
                return known
        if given.event is None and state is not None:
            return Duplicate((), state)
        machine = await self._machine(state)
        host = self._host(machine, conversation, state, "first", receipt)
        try:
            done = await run_turn(machine, host, self.clock, given.event, time_zone=given.time_zone)
        except Superseded:
            return await self._finished_elsewhere(conversation, host)
        if isinstance(done, Refusal):
            return done
        self.states.put(conversation, done[0])
        return Accepted(tuple(done[1]), done[0], state)

    async def _machine(self, state: State | None) -> Machine:
        if state is not None:
            return await self.machines.of(state.fingerprint)
        await self.machines.keep_current()
        return self.machines.current

    async def _known(self, conversation: str, receipt: Receipt, state: State) -> Duplicate | Refusal | None:
        """The same key returns the same events and does nothing; with another body it is refused."""
        known = await self.store.receipt(conversation, receipt.key)
        if known is None:
            return None
        if known.body != receipt.body:
            return Refusal("key_reused", f"the key {receipt.key!r} came before with another event")
        return Duplicate(await self.store.turn(conversation, known.turn), state)

    async def _finished_elsewhere(self, conversation: str, host: TurnHost) -> Accepted | Refusal:
        """The turn began here and another process took it over: wait for its end there."""
        self.states.drop(conversation)
        state = await self.settled(conversation, waits=True)
        assert isinstance(state, State)
        return Accepted(await self.store.turn(conversation, host.number), state)

    # turns that are under way ----------------------------------------------------------------

    async def settled(self, conversation: str, *, waits: bool = False) -> State | Refusal | None:
        """The state between two turns. A turn that was cut off goes on first, from the effect that it
        waited for; one that another process runs is waited for, or is why the event is refused.
        """
        pause_s = 0.002
        while True:
            state = await self.store.load(conversation)
            if state is None or state.doing is None:
                return state
            claim = await self.store.claim(conversation)
            if claim is None or claim.is_mine or not claim.is_alive:
                try:
                    return await self._recovered(conversation, state)
                except Conflict:
                    continue
            machine = self.machines.current
            if machine.flow.busy == "reject" and not waits:
                return _busy(machine)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _recovered(self, conversation: str, state: State) -> State:
        machine = await self.machines.of(state.fingerprint)
        host = self._host(machine, conversation, state, "takeover")
        done = await finish_turn(machine, host, self.clock, state)
        self.states.put(conversation, done)
        return done

    def _host(
        self,
        machine: Machine,
        conversation: str,
        state: State | None,
        part: Literal["first", "takeover"],
        receipt: Receipt | None = None,
    ) -> TurnHost:
        return TurnHost(self.store, self.performer, self.listeners, machine, conversation, state, part, receipt)

    async def start(self) -> None:
        """Go on with the turns that were cut off when their process ended."""
        for conversation in await self.store.cut_off():
            try:
                await self._alone(conversation, self.settled(conversation))
            except TurnwiseError as error:
                _log.error("%s: a turn that was cut off cannot go on: %s", conversation, error)

    async def _alone(self, conversation: str, work: Awaitable[object]) -> None:
        """Do something in the lane of a conversation."""
        lane = self._lanes.setdefault(conversation, _Lane())
        lane.users += 1
        try:
            async with lane.lock:
                await work
        finally:
            lane.users -= 1
            if not lane.users:
                del self._lanes[conversation]

    # timers ----------------------------------------------------------------------------------

    async def fire_due(self) -> int:
        """Fire the timers that are due, each once; gives how many."""
        due = await self.store.due(self.machines.current.flow.name, self.clock.now_ms(), MOST_DUE)
        await asyncio.gather(*(self._fire(one) for one in due))
        return len(due)

    async def next_due(self) -> int | None:
        """When the next timer comes due, in milliseconds since 1970."""
        return await self.store.next_due(self.machines.current.flow.name)

    async def _fire(self, due: Due) -> None:
        timer = due.timer
        key = f"timer/{timer.transition}/{timer.visit}/{timer.due_ms}"
        done = await self.submit(due.conversation, TimerFired(timer.transition, timer.visit), key)
        if isinstance(done, Refusal):
            _log.warning("%s: the timer %r was refused: %s", due.conversation, timer.transition, done.code)

    # what can be asked -----------------------------------------------------------------------

    async def state(self, conversation: str) -> State:
        """The state of a conversation. Raises `UnknownConversation`."""
        state = await self.store.load(conversation)
        if state is None:
            raise UnknownConversation(conversation)
        return state

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """The entries after a position, then those to come, whichever process writes them."""
        return self.listeners.follow(self.store, conversation, after)

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        self._is_draining = True
        for lane in list(self._lanes.values()):
            async with lane.lock:
                pass


def _busy(machine: Machine) -> Refusal:
    return Refusal("busy", machine.language.text("busy"))

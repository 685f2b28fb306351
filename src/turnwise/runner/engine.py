"""The local engine: every conversation takes its turns one after another (law 3.10), whichever process runs them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import encode

from turnwise.core.events import Entry, OutsideEvent
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.turn import Refusal
from turnwise.errors import (
    Conflict,
    FlowUnavailable,
    StoreFailed,
    StoreUnavailable,
    Superseded,
    TurnwiseError,
    UnknownConversation,
)
from turnwise.runner.cache import States
from turnwise.runner.host import TurnHost
from turnwise.runner.lanes import Busy, Lanes
from turnwise.runner.loop import finish_turn, run_turn
from turnwise.runner.machines import Machines
from turnwise.runner.past import state_after
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Duplicate, Receipt, Store
from turnwise.runner.stream import Listeners

LONGEST_PAUSE_S = 0.1
MOST_REVIVED = 100
"""How many turns that were cut off go on at once."""

_DRAINING = "this chat is draining and takes no more events"
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


class LocalEngine:
    """Takes events and gives each its turn; waiting messages are served in order, or refused, by flow."""

    def __init__(self, machines: Machines, store: Store, performer: Performer, clock: Clock) -> None:
        self.machines = machines
        self.store = store
        self.performer = performer
        self.clock = clock
        self.states = States()
        self.lanes = Lanes(store)
        self.listeners = Listeners()
        self.on_armed: Callable[[int], None] | None = None
        """Is told when a timer that was armed is due, in milliseconds since 1970."""
        self.is_draining = False
        self._background: set[asyncio.Task[None]] = set()
        self._reviving = asyncio.Semaphore(MOST_REVIVED)
        self._revived: set[str] = set()
        self._hopeless: set[str] = set()
        """Conversations whose cut-off turn cannot go on in this process."""

    # taking events ---------------------------------------------------------------------------

    async def submit(
        self, conversation: str, event: OutsideEvent | None, key: str = "", *, time_zone: str = ""
    ) -> Accepted | Duplicate | Refusal:
        """Take an event in; `None` only starts the conversation. The same key is one turn."""
        if self.is_draining:
            raise TurnwiseError(_DRAINING)
        machine, given = self.machines.current, Given(event, key, time_zone)
        waits = machine.flow.busy != "reject"
        try:
            return await self.lanes.alone(conversation, lambda: self._serve(conversation, given), waits=waits)
        except Busy:
            return _busy(machine)
        except (StoreFailed, FlowUnavailable) as failure:
            self.states.drop(conversation)
            _log.error("%s: an event was refused: %s", conversation, failure)
            return Refusal("store_unavailable", machine.language.text("store_unavailable"))

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
            if known is None or isinstance(done, Accepted) or not await self._is_old(conversation, known):
                return done
            self.states.drop(conversation)

    async def _is_old(self, conversation: str, state: State | None) -> bool:
        """Whether another process has left another state behind, or is about to, or has forgotten it."""
        newest = await self.store.load(conversation)
        return (newest.seq if newest is not None else 0) != (state.seq if state is not None else 0)

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
        except asyncio.CancelledError:
            self._finish_later(host)
            raise
        except Superseded:
            return await self._finished_elsewhere(conversation, host)
        if isinstance(done, Refusal):
            return done
        self._ended(conversation, done[0])
        return Accepted(tuple(done[1]), done[0], state)

    def _ended(self, conversation: str, state: State) -> None:
        self.states.put(conversation, state)
        if state.timers and self.on_armed is not None:
            self.on_armed(min(timer.due_ms for timer in state.timers))

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

    async def _finished_elsewhere(self, conversation: str, host: TurnHost) -> Accepted:
        """The turn began here and another process took it over: wait for its end there."""
        self.states.drop(conversation)
        await self.settled(conversation, waits=True)
        state = await state_after(self.store, conversation, host.number)
        if state is None:
            raise UnknownConversation(conversation, is_forgotten=True)
        return Accepted(await self.store.turn(conversation, host.number), state)

    # turns that are under way ----------------------------------------------------------------

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
                return _busy(machine)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _recovered(self, conversation: str, state: State) -> State | None:
        """Finish the turn that is under way in a state; `None` where somebody else went on with it."""
        machine = await self.machines.of(state.fingerprint)
        host = self._host(machine, conversation, state, "takeover")
        try:
            done = await finish_turn(machine, host, self.clock, state)
        except asyncio.CancelledError:
            self._finish_later(host)
            raise
        except Conflict:
            return None
        self._ended(conversation, done)
        return done

    def _finish_later(self, host: TurnHost) -> None:
        """Whoever waited for a turn is gone: what has begun goes on without them."""
        if host.state is not None and host.state.doing is not None and host.number:
            self._in_background(self._finish(host.conversation, host.state))

    async def _finish(self, conversation: str, state: State) -> None:
        try:
            await self.lanes.alone(conversation, lambda: self._recovered(conversation, state))
        except (StoreFailed, FlowUnavailable) as failure:
            _log.error("%s: a turn that was left cannot go on: %s", conversation, failure)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

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
        await asyncio.gather(*(self._revive(conversation) for conversation in await self._cut_off()))

    async def rescue(self) -> None:
        """The same in the background, for those whose process has ended since."""
        for conversation in await self._cut_off():
            self._in_background(self._revive(conversation))

    async def _cut_off(self) -> list[str]:
        """Those that nobody is at work on, and that might go on here."""
        busy = self.lanes.busy() | self._revived | self._hopeless
        if self.is_draining:
            return []
        return [one for one in await self.store.cut_off() if one not in busy and not self.lanes.is_owned(one)]

    async def _revive(self, conversation: str) -> None:
        self._revived.add(conversation)
        try:
            async with self._reviving:
                await self.lanes.alone(conversation, lambda: self._settled_here(conversation))
        except StoreUnavailable as failure:
            _log.warning("%s: a turn that was cut off cannot go on yet: %s", conversation, failure)
        except Exception as error:  # noqa: BLE001  one conversation must not keep the others from going on
            self._hopeless.add(conversation)
            trace = None if isinstance(error, TurnwiseError) else error
            _log.error("%s: a turn that was cut off cannot go on: %s", conversation, error, exc_info=trace)
        finally:
            self._revived.discard(conversation)

    async def _settled_here(self, conversation: str) -> None:
        settled = await self.settled(conversation)
        if isinstance(settled, Refusal) and settled.code != "busy":
            self._hopeless.add(conversation)

    async def forget(self, conversation: str) -> bool:
        """Delete all that is kept of a conversation, after the turn that it is in."""
        return await self.lanes.alone(conversation, lambda: self._forget(conversation))

    async def _forget(self, conversation: str) -> bool:
        self.states.drop(conversation)
        return await self.store.forget(conversation)

    # what can be asked -----------------------------------------------------------------------

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """The entries after a position, then those to come, whichever process writes them."""
        return self.listeners.follow(self.store, conversation, after)

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        self.is_draining = True
        await self.lanes.drain()
        while self._background:
            await asyncio.wait(self._background)


def _busy(machine: Machine) -> Refusal:
    return Refusal("busy", machine.language.text("busy"))


def _other_flow(machine: Machine, conversation: str, state: State) -> Refusal:
    """Where the same name is used with two flows, neither may go on with the other's conversation."""
    words = f"the conversation {conversation!r} belongs to the flow {state.flow!r}, not to {machine.flow.name!r}"
    return Refusal("other_flow", words)

"""The local engine: every conversation takes its turns one after another (law 3.10), whichever process runs them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.core.state.events import Continued, Entry, OutsideEvent, TimerFired
from turnwise.core.step.receive import awaits_continuation
from turnwise.core.turn import Refusal
from turnwise.errors import Conflict, FlowUnavailable, StoreFailed, TurnwiseError
from turnwise.runner.autonomous import Runs
from turnwise.runner.conversation_locks import Busy, Lanes
from turnwise.runner.machines import Machines
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Duplicate, Hear, Receipt, Store
from turnwise.runner.recovery import Rescue
from turnwise.runner.turn_tasks import Caller
from turnwise.runner.turns import Turns, busy

LONGEST_PAUSE_S = 0.1
"""The longest time between two attempts at a turn that other processes are ahead of."""

OF_NOBODY = TimerFired | Continued
"""Events whose turns nobody waits for."""
_DRAINING = "this chat is draining and takes no more events"
_log = logging.getLogger("turnwise.runner")


class Given(Struct, frozen=True):
    """An event on its way to its turn, and its caller: `None` only starts the conversation."""

    event: OutsideEvent | None
    key: str
    time_zone: str
    hear: Hear | None
    caller: Caller

    @property
    def body(self) -> str:
        """A hash of the event, by which a key that comes again is known to bring the same."""
        return sha256(encode(self.event)).hexdigest()[:16] if self.key else ""


class Unreceived(NamedTuple):
    """Turns of a conversation that no caller received: of callers who left, and those that the machine started."""

    turns: set[int]
    unprompted: set[int]


class LocalEngine:
    """Takes events and gives each its turn; waiting messages are served in order, or refused, by flow."""

    def __init__(self, machines: Machines, store: Store, performer: Performer, clock: Clock) -> None:
        self.machines = machines
        self.store = store
        self.clock = clock
        self.lanes = Lanes(store)
        self.turns = Turns(machines, store, performer, clock)
        self.is_draining = False
        self._missed: dict[str, Unreceived] = {}
        """By conversation the turns that nobody received, while the journal does not say so."""
        self._rescue = Rescue(store, self.turns, self.lanes)
        self._runs = Runs(store, self.lanes, self.submit)

    # taking events ---------------------------------------------------------------------------

    async def submit(
        self,
        conversation: str,
        event: OutsideEvent | None,
        key: str = "",
        *,
        time_zone: str = "",
        hear: Hear | None = None,
    ) -> Accepted | Duplicate | Refusal:
        """Take an event in; `None` only starts the conversation. The same key is one turn; `hear` is called with
        each piece of text that a model says in it.

        A caller who is cancelled before the turn begins withdraws the event. Later the turn goes on to its end, and
        the next turn reports it.
        """
        if self.is_draining:
            raise TurnwiseError(_DRAINING)
        machine, caller = self.machines.current, Caller()
        given = Given(event, key, time_zone, hear, caller)
        waits = machine.flow.busy != "reject"
        try:
            return await self.lanes.alone(
                conversation, lambda: self._take(conversation, given), waits=waits, caller=caller
            )
        except Busy:
            return busy(machine)
        except asyncio.CancelledError:
            self.missed(conversation, caller.missed)
            raise

    async def _take(self, conversation: str, given: Given) -> Accepted | Duplicate | Refusal:
        """Serve an event while this task has the conversation; record it where the caller has left meanwhile."""
        try:
            if self._missed:
                await self._note_missed(conversation)
            done = await self._serve(conversation, given)
            if isinstance(done, Refusal) and not isinstance(given.event, OF_NOBODY) and not given.caller.has_left:
                done = await self._reporting(conversation, done)
            if given.caller.has_left and self._miss(conversation, done):
                await self._note_missed(conversation)
            if isinstance(done, Accepted) and awaits_continuation(done.state):
                self._runs.begin(conversation)
            return done
        except (StoreFailed, FlowUnavailable) as failure:
            self.turns.states.drop(conversation)
            _log.error("%s: an event was refused: %s", conversation, failure)
            return Refusal("store_unavailable", self.machines.current.language.text("store_unavailable"))

    async def _reporting(self, conversation: str, refusal: Refusal) -> Refusal:
        """A refusal with the turns that nobody received. It reports them once, as the next turn would have; while a
        turn is under way, that one does.
        """
        state = await self.store.load(conversation)
        if state is None or state.doing is not None or state.flow != self.machines.current.flow.name:
            return refusal
        recovered, unprompted = state.unreported, state.unprompted
        if not recovered and not unprompted:
            return refusal
        await self.turns.note_reported(conversation, state)
        return replace(refusal, recovered=recovered, unprompted=unprompted)

    def missed(self, conversation: str, done: object) -> None:
        """The caller left before it received the outcome: the next turn reports it."""
        if self._miss(conversation, done):
            self.lanes.later(self._note_later(conversation))

    def _miss(self, conversation: str, done: object) -> bool:
        """Remember the turns that an outcome would have reported to its caller; false if there are none. A refusal is
        no turn, so of a refusal only those that it would have reported.
        """
        match done:
            case Refusal(recovered=turns, unprompted=own) if turns or own:
                pass
            case Accepted(entries=(first, *_), before=before) if not isinstance(first.event, OF_NOBODY):
                turns, own = (before.unreported, before.unprompted) if before is not None else ((), ())
                turns = (*turns, done.state.turn)
            case _:
                return False
        self._unreceived(conversation, turns, own)
        return True

    def _unreceived(self, conversation: str, turns: Iterable[int], unprompted: Iterable[int]) -> None:
        found = self._missed.setdefault(conversation, Unreceived(set(), set()))
        found.turns.update(turns)
        found.unprompted.update(unprompted)

    async def _note_later(self, conversation: str) -> None:
        try:
            await self.lanes.alone(conversation, lambda: self._note_missed(conversation))
        except (StoreFailed, FlowUnavailable) as failure:
            _log.warning("%s: it is not recorded that a caller has left: %s", conversation, failure)

    async def _note_missed(self, conversation: str) -> None:
        """Record it in the journal, unless that is done."""
        found = self._missed.pop(conversation, None)
        if found is None:
            return
        try:
            state = self.turns.states.get(conversation) or await self.turns.settled(conversation)
            if isinstance(state, State):
                await self.turns.note_missed(conversation, state, *found)
        except BaseException:
            self._unreceived(conversation, *found)
            raise

    async def _serve(self, conversation: str, given: Given) -> Accepted | Duplicate | Refusal:
        """Try until the turn is done: where another process wrote first, the state was old."""
        states, pause_s = self.turns.states, 0.0
        while True:
            if given.caller.has_left:
                raise asyncio.CancelledError
            known = states.get(conversation)
            state = known or await self.turns.settled(conversation)
            if isinstance(state, Refusal):
                return state
            try:
                done = await self._attempt(conversation, given, state)
            except Conflict:
                if known is None and not await self._is_old(conversation, state):
                    raise
                states.drop(conversation)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s + 0.001, LONGEST_PAUSE_S)
                continue
            if known is None or isinstance(done, Accepted) or not await self._is_old(conversation, known):
                return done
            states.drop(conversation)

    async def _is_old(self, conversation: str, state: State | None) -> bool:
        """Whether another process has left another state behind, or is about to, or has forgotten it."""
        newest = await self.store.load(conversation)
        return (newest.seq if newest is not None else 0) != (state.seq if state is not None else 0)

    async def _attempt(self, conversation: str, given: Given, state: State | None) -> Accepted | Duplicate | Refusal:
        """One turn, from a state that may be old; none where its key is known, or there is nothing to start.
        Raises `Conflict` where it is old.
        """
        receipt = Receipt(given.key, given.body, state.turn + 1 if state is not None else 1) if given.key else None
        if receipt is not None and state is not None:
            known = await self._known(conversation, receipt, state)
            if known is not None:
                return known
        if given.event is None and state is not None:
            return Duplicate((), state)
        return await self.turns.begin(conversation, state, given.event, receipt, given.time_zone, given.hear)

    async def _known(self, conversation: str, receipt: Receipt, state: State) -> Duplicate | Refusal | None:
        """The same key returns the same events and does nothing; with another body it is refused."""
        known = await self.store.receipt(conversation, receipt.key)
        if known is None:
            return None
        if known.body != receipt.body:
            return Refusal("key_reused", f"the key {receipt.key!r} came before with another event")
        return Duplicate(await self.store.turn(conversation, known.turn), state)

    async def wait(self, conversation: str) -> None:
        """Wait while an autonomous flow goes on by itself (law 2.8)."""
        await self._runs.wait(conversation)

    # its life --------------------------------------------------------------------------------

    async def start(self) -> None:
        """Go on with the turns that were cut off when their process ended."""
        if not self.is_draining:
            await self._rescue.finish()

    async def rescue(self) -> None:
        """The same in the background, for those whose process has ended since."""
        if not self.is_draining:
            await self._rescue.begin()

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        self.is_draining = True
        await self.lanes.drain()

    def reset(self) -> None:
        """The event loop is closed, and with it all that was under way: forget it. The store knows what to finish."""
        self.lanes.reset()
        self._rescue.reset()
        self._runs.reset()
        self.turns.states.clear()

    # conversations as a whole ----------------------------------------------------------------

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """The entries after a position, then those to come, whichever process writes them."""
        return self.turns.listeners.follow(self.store, conversation, after)

    async def forget(self, conversation: str) -> bool:
        """Delete all that is kept of a conversation, after the turn that it is in."""
        return await self.lanes.alone(conversation, lambda: self._forget(conversation))

    async def _forget(self, conversation: str) -> bool:
        self.turns.states.drop(conversation)
        self._missed.pop(conversation, None)
        return await self.store.forget(conversation)

"""The local engine: accepts events, and runs their turns one after another per conversation (law 3.10)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.commands.reasons import may_ask_why
from turnwise.core.state import State
from turnwise.core.state.events import (
    CallerLeft,
    Entry,
    Note,
    OutsideEvent,
    TurnRestarted,
    UserChose,
    UserSaid,
)
from turnwise.core.state.fold.beginnings import UNPROMPTED
from turnwise.core.step.receive import awaits_continuation
from turnwise.core.turn import Refusal
from turnwise.errors import Conflict, FlowUnavailable, StoreFailed, TurnwiseError, UnknownConversation
from turnwise.runner.conversation_locks import Busy, Caller, ConversationLocks
from turnwise.runner.machines import Machines
from turnwise.runner.model_port import OnDelta
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Duplicate, Receipt, Store
from turnwise.runner.recovery import AutonomousRuns, Recovery
from turnwise.runner.refusals import Refusals
from turnwise.runner.stored import own_entries
from turnwise.runner.streams import Observer
from turnwise.runner.timers import Timers
from turnwise.runner.turns import Turns, busy_refusal

LONGEST_PAUSE_S = 0.1
"""The longest time between two attempts at a turn where other processes write first, in seconds."""
MOST_UNSEEN_ENTRIES = 500
"""How many entries after the last one that a sender had received are searched; with more, its message is refused as
stale."""

_log = logging.getLogger("turnwise.runner")


class Submission(Struct, frozen=True):
    """A submitted event with its key, options and caller; without an event it only starts the conversation."""

    event: OutsideEvent | None
    """What is submitted; `None` only starts the conversation."""
    key: str
    """The idempotency key; empty without one."""
    time_zone: str
    """The time zone of the user; empty for that of the flow."""
    on_delta: OnDelta | None
    """A function that is called with each piece of a model's text; `None` for no streaming."""
    caller: Caller
    """The caller who waits for the result."""
    seen: int | None = None
    """The last journal position that the sender of a message had received; `None` where it is unknown."""
    is_for_existing: bool = False
    """Whether the event must not begin the conversation."""

    def is_new(self, state: State | None) -> bool:
        """Return whether the event may answer a question that no caller received. It may if its sender has seen the
        question, or if it has a key, so that it repeats no earlier event, and no timer or operator asked the question.
        """
        has_seen = self.seen is not None or (isinstance(self.event, UserChose) and self.event.position is not None)
        return has_seen or (bool(self.key) and not (state is not None and state.is_question_of_others))

    def receipt(self, turn: int) -> Receipt:
        """Return the receipt of the event: its key, and a hash that detects reuse of the key for another event."""
        return Receipt(self.key, sha256(encode(self.event) + self.time_zone.encode()).hexdigest()[:16], turn)


class Unreceived(NamedTuple):
    """Turns whose result no caller received: the caller was cancelled, or the machine started the turn."""

    turns: set[int]
    """The numbers of the turns whose caller left."""
    unprompted: set[int]
    """The numbers of the turns that the machine started itself."""


class LocalEngine:
    """Accepts events and runs a turn for each; while a turn runs, events wait or are refused, as the flow declares."""

    def __init__(self, machines: Machines, store: Store, performer: Performer, clock: Clock) -> None:
        self.machines = machines
        self.store = store
        self.clock = clock
        self.locks = ConversationLocks(store)
        self.turns = Turns(machines, store, performer, clock)
        self.is_draining = False
        self._missed: dict[str, Unreceived] = {}
        """By conversation the turns that no caller received and that the journal does not record yet."""
        self.refusals = Refusals(self.turns, self.locks)
        self._recovery = Recovery(store, self.turns, self.locks)
        self._runs = AutonomousRuns(store, self.locks, self.submit)
        self._timers = Timers(self, machines, store, clock)
        self.turns.on_armed = self._timers.wake

    async def submit(
        self,
        conversation: str,
        event: OutsideEvent | None,
        key: str = "",
        *,
        time_zone: str = "",
        on_delta: OnDelta | None = None,
        seen: int | None = None,
        is_for_existing: bool = False,
        caller: Caller | None = None,
    ) -> Accepted | Duplicate | Refusal:
        """Run the turn of an event while holding its conversation's lock, and refuse it while draining; see
        `Engine.submit`.
        """
        if self.is_draining:
            raise TurnwiseError("this chat is draining and takes no more events")
        machine, caller, meter = self.machines.current, caller or Caller(), self.turns.performer.meter
        waits = machine.flow.busy != "reject"
        submission = Submission(event, key, time_zone, on_delta, caller, seen, is_for_existing)
        work = partial(self._answer_caller, conversation, submission)
        work = work if meter is None else meter.measured_event(work)
        try:
            return await self.locks.run_locked(conversation, work, waits=waits, caller=caller)
        except Busy:
            found = busy_refusal(machine)
            if meter is not None:
                meter.refused(found.code)
            self.refusals.note_later(conversation, event, found)
            return found
        except asyncio.CancelledError:
            self.record_missed(conversation, caller.missed_result)
            raise

    async def _answer_caller(self, conversation: str, submission: Submission) -> Accepted | Duplicate | Refusal:
        """Process an event while holding the conversation's lock; record its turn if the caller has left meanwhile."""
        event, caller = submission.event, submission.caller
        try:
            if self._missed:
                await self._note_missed(conversation)
                if caller.has_withdrawn:
                    raise asyncio.CancelledError
            done = await self._retry_conflicts(conversation, submission)
            if isinstance(done, Refusal):
                await self.refusals.note(conversation, event, done)
                done = await self._with_answer(conversation, event, done)
            if isinstance(done, Refusal) and type(event) not in UNPROMPTED and not caller.has_left:
                done = await self._with_reports(conversation, done)
            if caller.has_left and self._remember_missed(conversation, done):
                await self._note_missed(conversation)
            if isinstance(done, Accepted) and awaits_continuation(done.state):
                self._runs.begin(conversation)
            return done
        except FlowUnavailable as failure:
            self.turns.states.drop(conversation)
            self.machines.kept.note_needed(failure.fingerprint, conversation)
            _log.error("%s: an event was refused: %s", conversation, failure)
            return Refusal("flow_unavailable", str(failure))
        except StoreFailed as failure:
            self.turns.states.drop(conversation)
            _log.error("%s: an event was refused: %s", conversation, failure)
            return Refusal("store_unavailable", self.machines.current.language.text("store_unavailable"))

    async def _with_answer(self, conversation: str, event: OutsideEvent | None, refusal: Refusal) -> Refusal:
        """Return the refusal of a message after the end; where a user who may asks why in it, with the answer."""
        answer = self.turns.performer.answer_why
        if refusal.code != "conversation_ended" or not isinstance(event, UserSaid) or answer is None:
            return refusal
        state = await self.store.load(conversation)
        machine = await self.machines.of_state(state) if state is not None else None
        if state is None or machine is None or not may_ask_why(machine, event.text):
            return refusal
        found = await answer(conversation, event.text, state.turn)
        return replace(refusal, text=" ".join(dict.fromkeys((found, refusal.text))).strip())

    async def _retry_conflicts(self, conversation: str, submission: Submission) -> Accepted | Duplicate | Refusal:
        """Run the turn, and retry with a new state if another process wrote first."""
        states, pause_s = self.turns.states, 0.0
        while True:
            cached = states.get(conversation)
            state = cached or await self.turns.finish(conversation)
            if isinstance(state, Refusal):
                return state
            try:
                done = await self._run_once_per_key(conversation, submission, state)
            except Conflict:
                if cached is None and not await self._is_outdated(conversation, state):
                    raise
                states.drop(conversation)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s + 0.001, LONGEST_PAUSE_S)
                if submission.caller.has_withdrawn:
                    raise asyncio.CancelledError from None
                continue
            if cached is None or isinstance(done, Accepted) or not await self._is_outdated(conversation, cached):
                return done
            states.drop(conversation)

    async def _is_outdated(self, conversation: str, state: State | None) -> bool:
        """Return whether another process has written or deleted the conversation since this state."""
        newest = await self.store.load(conversation)
        return (newest.seq if newest is not None else 0) != (state.seq if state is not None else 0)

    async def _run_once_per_key(
        self, conversation: str, submission: Submission, state: State | None
    ) -> Accepted | Duplicate | Refusal:
        """Run one turn from a state that may be outdated; return `Duplicate` if the key is known, or there is nothing
        to start. Raises `Conflict` if the state is outdated.
        """
        event, receipt = submission.event, None
        if state is None and submission.is_for_existing:
            raise UnknownConversation(conversation)
        if submission.key:
            receipt = submission.receipt(state.turn + 1 if state is not None else 1)
            known = await self.store.receipt(conversation, receipt.key) if state is not None else None
            if known is not None and state is not None:
                if known.body != receipt.body:
                    return Refusal("key_reused", f"the key {receipt.key!r} came before with another event")
                return Duplicate(own_entries(await self.store.turn(conversation, known.turn)), state)
        if event is None and state is not None:
            return Duplicate((), state)
        if (
            submission.seen is not None
            and state is not None
            and await self._is_stale(conversation, state, submission.seen)
        ):
            return Refusal("stale", self.machines.current.language.text("stale"))
        if isinstance(event, UserSaid | UserChose) and submission.is_new(state):
            event = replace(event, is_new=True)
        return await self.turns.run(conversation, state, event, receipt, submission.time_zone, submission.on_delta)

    async def _is_stale(self, conversation: str, state: State, seen: int) -> bool:
        """Return whether the user has sent something after a position, or another question was asked."""
        if state.frame.question is not None and state.frame.question.first > seen:
            return True
        later = await self.store.entries(conversation, seen, seen + MOST_UNSEEN_ENTRIES) if state.seq > seen else ()
        return state.seq > seen + MOST_UNSEEN_ENTRIES or any(
            isinstance(one.event, UserSaid | UserChose) for one in later
        )

    # turns that no caller received -------------------------------------------------------------

    async def _with_reports(self, conversation: str, refusal: Refusal) -> Refusal:
        """Return a refusal that also reports the turns that no caller received, once. While a turn is in progress, that
        turn reports them.
        """
        state = await self.store.load(conversation)
        if state is None or state.doing is not None or state.flow != self.machines.current.flow.name:
            return refusal
        recovered, unprompted = state.unreported, state.unprompted
        if not recovered and not unprompted:
            return refusal
        if not await self.turns.note(conversation, state, CallerLeft(())):  # now every such turn is reported
            return refusal  # the next turn reports them
        return replace(refusal, recovered=recovered, unprompted=unprompted)

    def record_missed(self, conversation: str, missed: object) -> None:
        """Record what a caller did not receive: the result of a `submit`, or the number of a turn that had ended."""
        if isinstance(missed, int):
            self._remember(conversation, (missed,), ())
        elif not self._remember_missed(conversation, missed):
            return
        self.locks.run_in_background(self._note_later(conversation))

    def _remember_missed(self, conversation: str, done: object) -> bool:
        """Remember the turns that an outcome would have reported to its caller; return false if there are none. Of a
        refusal, which is no turn, these are the turns that it reports.
        """
        match done:
            case Refusal(recovered=turns, unprompted=own) if turns or own:
                pass
            case Accepted(entries=entries) if any(isinstance(one.event, TurnRestarted) for one in entries):
                return False  # who took the turn over has recorded it
            case Accepted(entries=(first, *_), before=before) if type(first.event) not in UNPROMPTED:
                turns, own = (before.unreported, before.unprompted) if before is not None else ((), ())
                turns = (*turns, done.state.turn)
            case _:
                return False
        self._remember(conversation, turns, own)
        return True

    def _remember(self, conversation: str, turns: Iterable[int], unprompted: Iterable[int]) -> None:
        found = self._missed.setdefault(conversation, Unreceived(set(), set()))
        found.turns.update(turns)
        found.unprompted.update(unprompted)

    async def _note_later(self, conversation: str) -> None:
        try:
            await self.locks.run_locked(conversation, partial(self._note_missed, conversation, waits=True))
        except (StoreFailed, FlowUnavailable) as failure:
            _log.warning("%s: it is not recorded that a caller has left: %s", conversation, failure)

    async def _note_missed(self, conversation: str, *, waits: bool = False) -> None:
        """Record in the journal the turns that no caller received, if there are any. During a turn of another process
        this must wait: here with `waits`, else in the background.
        """
        found = self._missed.pop(conversation, None)
        if found is None:
            return
        try:
            state = self.turns.states.get(conversation) or await self.turns.finish(conversation, waits=waits)
            while isinstance(state, State) and not await self.turns.note_missed(conversation, state, *found):
                state = await self.turns.finish(conversation, waits=waits)
        except BaseException:
            self._remember(conversation, *found)
            raise
        if isinstance(state, Refusal) and state.code == "busy":
            self._remember(conversation, *found)
            self.locks.run_in_background(self._note_later(conversation))

    async def record_fact(self, conversation: str, fact: Note) -> State | None:
        """Record a fact about a conversation after its turn in progress; return the state, `None` if none exists."""
        if self.is_draining:
            raise TurnwiseError("this chat is draining and takes no more events")

        async def record() -> State | None:
            noted: State | None = None
            while noted is None:
                state = self.turns.states.get(conversation) or await self.turns.finish(conversation, waits=True)
                if not isinstance(state, State):
                    return None
                noted = await self.turns.note(conversation, state, fact)
            return noted

        return await self.locks.run_locked(conversation, record)

    # its life ----------------------------------------------------------------------------------

    async def recover(self, *, waits: bool = False) -> None:
        """Finish the turns whose process has ended, in the background; with `waits` return when they are finished."""
        if not self.is_draining:
            await (self._recovery.finish() if waits else self._recovery.begin())

    async def fire_due(self) -> int:
        """Fire the due timers, and those that their turns make due, and wait for them; return how many timers fired."""
        return await self._timers.fire_due()

    async def run(self) -> None:
        """Recover turns and fire timers until cancelled."""
        await self._timers.run()

    async def wait(self, conversation: str) -> None:
        """Wait until an autonomous run of the conversation ends (law 2.8)."""
        await self._runs.wait(conversation)

    async def drain(self) -> None:
        """Refuse new events, and wait for the turns in progress."""
        self.is_draining = self.refusals.is_draining = self._timers.is_draining = True
        await self.locks.drain()

    async def cancel_turns(self) -> None:
        """Cancel the turns in progress; another process finishes them."""
        await self.locks.cancel()

    def reset(self) -> None:
        """Drop work in progress after its event loop was closed; the store knows which turns to finish."""
        self.locks.reset()
        self._recovery.reset()
        self._runs.reset()
        self._timers.reset()
        self.refusals.reset()
        self.turns.states.clear()

    # conversations as a whole ------------------------------------------------------------------

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """Yield the journal entries after position `after`, then new ones, until the conversation is deleted."""
        return self.turns.listeners.follow(self.store, conversation, after)

    def observe(self, observer: Observer) -> None:
        """Have an observer receive from now on what this engine does."""
        self.turns.listeners.observers.append(observer)

    def deliver_turns(self, wake: Callable[[], None]) -> None:
        """From now on add the turns for which no caller waits to the store's outbox; call `wake` after each."""
        self.turns.on_queued = wake

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation after its turn in progress; return false if no such conversation exists."""

        async def forget() -> bool:
            self.turns.states.drop(conversation)
            self._missed.pop(conversation, None)
            is_found = await self.store.forget(conversation)
            self.locks.refuse_waiting(conversation)
            return is_found

        return await self.locks.run_locked(conversation, forget)

"""Runs turns to their end: new ones, and those whose process or caller is gone (law 3.8).

It does not decide which event is next.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Set

from turnwise.core.machine import Machine
from turnwise.core.state import MOST_UNREPORTED, Ended, ForcedOverlay, State
from turnwise.core.state.erased_words import words_due
from turnwise.core.state.events import CallerLeft, Entry, Note, OutsideEvent
from turnwise.core.step import note_fact
from turnwise.core.turn import Refusal
from turnwise.errors import Conflict, Superseded, TurnwiseError, UnknownConversation
from turnwise.runner.cache import Cache
from turnwise.runner.loop import TurnHost, finish_turn, run_turn
from turnwise.runner.machines import Machines
from turnwise.runner.model_port import OnDelta
from turnwise.runner.overlays import forced_for_all, overlay_news
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Commit, Receipt, Store
from turnwise.runner.spans import NO_SPAN, turn_ended, turn_span
from turnwise.runner.stored import StoredConversation
from turnwise.runner.streams import Listeners

_log = logging.getLogger("turnwise.runner")

LONGEST_PAUSE_S = 0.1
"""The longest time between two looks at a turn that another process runs, in seconds."""


class Turns:
    """Runs turns, even if their callers leave, and caches their final states."""

    def __init__(self, machines: Machines, store: Store, performer: Performer, clock: Clock) -> None:
        self.machines = machines
        self.store = store
        self.performer = performer
        self.clock = clock
        self.states: Cache[State] = Cache()
        self.listeners = Listeners()
        self.on_queued: Callable[[], None] | None = None
        """Is called when a turn was added to the outbox; `None` where nothing is delivered."""
        self.on_armed: Callable[[int], None] | None = None
        """Is called when a timer is armed, with the time at which it is due in milliseconds since 1970."""

    async def run(
        self,
        conversation: str,
        state: State | None,
        event: OutsideEvent | None,
        receipt: Receipt | None,
        time_zone: str = "",
        on_delta: OnDelta | None = None,
    ) -> Accepted | Refusal:
        """Run a turn from a state (`None`: begin) and store its `receipt`. Raises `Conflict` if the state is old."""
        machine = self.machines.current
        if state is None:
            await self.machines.keep_current()
        elif state.fingerprint != machine.fingerprint:
            machine = await self.machines.of_state(state)
        forced = await forced_for_all(self.store, machine) if machine.overlays else ()
        if state is not None and (forced or state.overlays is not None):
            state = await self._knowing(conversation, state, forced)
        host = TurnHost(self.store, self.performer, self.listeners, machine, conversation, state, "first", receipt)
        host.on_delta, host.delivers = on_delta, self.on_queued is not None
        spans = self.performer.spans
        try:
            with turn_span(spans, machine, conversation, event) if spans is not None else NO_SPAN as span:
                done = await run_turn(machine, host, self.clock, event, time_zone=time_zone, overlays=forced)
                if isinstance(done, Refusal):
                    span.fail(done.code, done.text)
                    return done
                after, entries = done
                if spans is not None:
                    turn_ended(span, machine, after.node, entries)
        except Superseded:
            self._abandon(host)
            return await self._finished_elsewhere(conversation, host.number)
        except BaseException:
            self._abandon(host)
            raise
        self._ended(conversation, after, host)
        if machine.erases_words and any(words_due(one) for one in entries):
            await self._erase_words(conversation)
        return Accepted(tuple(entries), after, state)

    async def _knowing(self, conversation: str, state: State, forced: tuple[ForcedOverlay, ...]) -> State:
        """Return the state after it has recorded which overlays are forced for all. Raises `Conflict`."""
        news = overlay_news(state, forced)
        noted = await self.note(conversation, state, *news) if news else state
        if noted is None:
            raise Conflict(f"{conversation}: another process has written it")
        return noted

    async def finish(self, conversation: str, *, waits: bool = False) -> State | Refusal | None:
        """Return the state between two turns, after resuming an interrupted one; `None` for no conversation.
        A turn that another process runs is awaited with `waits`, and where the flow lets events wait; else a refusal is
        returned.
        """
        pause_s = 0.002
        while True:
            state = await self.store.load(conversation)
            machine = self.machines.current
            if state is not None and state.flow != machine.flow.name:
                words = f"belongs to the flow {state.flow!r}, not to {machine.flow.name!r}"
                return Refusal("other_flow", f"the conversation {conversation!r} {words}")
            if state is None or state.doing is None:
                return state
            claim = await self.store.claim(conversation)
            if claim is None or claim.is_mine or not claim.is_alive:
                recovered = await self._recover(conversation, state)
                if recovered is not None:
                    return recovered
            elif machine.flow.busy == "reject" and not waits:
                return busy_refusal(machine)
            else:
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _recover(self, conversation: str, state: State) -> State | None:
        """Finish the turn that is under way in a state; return `None` if another process has taken it over."""
        machine = await self.machines.of_state(state)
        host = TurnHost(self.store, self.performer, self.listeners, machine, conversation, state, "takeover")
        host.delivers = self.on_queued is not None
        if host.delivers:
            host.earlier = await self.store.turn(conversation, state.turn)
        try:
            done = await finish_turn(machine, host, self.clock, state)
        except Conflict:
            self._abandon(host)
            return None
        except BaseException:
            self._abandon(host)
            raise
        self._ended(conversation, done, host)
        if self.performer.meter is not None:
            self.performer.meter.recovered()
        if machine.erases_words:
            await self._erase_words(conversation)
        return done

    async def _erase_words(self, conversation: str) -> None:
        """Erase the words of scopes that are not kept any longer. Where that fails, retention does it later: the turn
        has ended.
        """
        try:
            await self.store.erase_words(self.clock.now_ms(), conversation)
        except TurnwiseError as error:
            _log.error("%s: the words of a scope are not erased yet: %s", conversation, error)

    def _ended(self, conversation: str, state: State, host: TurnHost) -> None:
        """Cache the state, arm its timers, have its messages sent. A conversation that has ended needs no memory."""
        if isinstance(state.status, Ended):
            self.states.drop(conversation)
            self.performer.windows.drop(conversation)
        else:
            self.states.put(conversation, state)
        has_timers = state.frame.timers or state.schedules is not None
        if has_timers and self.on_armed is not None and (timers := state.due_timers):
            self.on_armed(min(timer.due_ms for timer in timers))
        if host.delivery and self.on_queued is not None:
            self.on_queued()

    def _abandon(self, host: TurnHost) -> None:
        """Drop what was cached for a run of a turn that did not end."""
        host.release()
        self.states.drop(host.conversation)
        self.performer.windows.drop(host.conversation)

    async def _finished_elsewhere(self, conversation: str, number: int) -> Accepted:
        """Wait for the end of a turn that began here and that another process took over."""
        await self.finish(conversation, waits=True)
        state = await StoredConversation(self.store, conversation).state_after(number)
        if state is None:
            raise UnknownConversation(conversation, is_forgotten=True)
        return Accepted(await self.store.turn(conversation, number), state)

    # turns that no caller received -------------------------------------------------------------

    async def note_missed(self, conversation: str, state: State, turns: Set[int], unprompted: Set[int]) -> bool:
        """Record that some turns' results reached no caller, for the next turn to report; return false on a conflict.
        `unprompted` are turns that the machine started. A conflict is that another process has written the conversation
        since this state.
        """
        missed = sorted({*turns, *state.unreported})[:MOST_UNREPORTED]
        own = sorted({*unprompted, *state.unprompted} - {*missed})[-MOST_UNREPORTED:]
        return await self.note(conversation, state, CallerLeft(tuple(missed), tuple(own))) is not None

    async def note(self, conversation: str, state: State, *facts: Note) -> State | None:
        """Record facts between two turns; return the state after them, `None` if the state is outdated."""
        entries: list[Entry] = []
        for fact in facts:
            noted = note_fact(state, fact, self.clock.now_ms())
            state = noted.state
            entries += noted.entries
        try:
            await self.store.commit(conversation, Commit(tuple(entries), state=state))
        except Conflict:
            self.states.drop(conversation)
            return None
        self.states.put(conversation, state)
        self.listeners.notify(conversation, tuple(entries), state)
        return state


def busy_refusal(machine: Machine) -> Refusal:
    """Return the refusal of an event that arrives during a turn and does not wait."""
    return Refusal("busy", machine.language.text("busy"))

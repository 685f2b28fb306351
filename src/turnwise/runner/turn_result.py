"""Turns with all that tells about them: what they need of earlier entries is remembered, or read.

A turn that was just taken and the same turn asked for later are built here alike, so they tell the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress

from turnwise.core.decision.judge import message_read
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold_all
from turnwise.core.state.fold.moves import moment_key
from turnwise.core.turn import Refusal
from turnwise.errors import FlowUnavailable, StoreFailed, UnknownTurn
from turnwise.runner.cache import MOST
from turnwise.runner.machines import AnyMachines
from turnwise.runner.past import state_at
from turnwise.runner.ports import Accepted, Duplicate, Store
from turnwise.runner.result import Turn

MOST_NAMED = 64
"""How many entries of a conversation are remembered before those that nothing names any more make room."""

_REFERENCED = (e.UserSaid, e.UserChose, e.Decided, e.WordsHidden)


class Recall:
    """Makes turns. It remembers, for the conversations that were active last, the entries that a state names."""

    def __init__(self, machines: AnyMachines, store: Store) -> None:
        self.machines = machines
        self.store = store
        self._known: OrderedDict[str, dict[int, e.Entry]] = OrderedDict()

    async def taken(self, conversation: str, done: Accepted) -> Turn:
        """The turn that was just taken."""
        known = self._remembered(conversation)
        before = done.before
        if before is None and done.entries[0].seq > 1:
            before = await state_at(self.store, conversation, done.entries[0].seq - 1)
        turn = await self._turn(conversation, done.entries, before, done.state, known)
        known.update([(entry.seq, entry) for entry in _referenced(done.entries)])
        if len(known) > MOST_NAMED:
            self._prune(conversation, done)
        return turn

    def _prune(self, conversation: str, done: Accepted) -> None:
        """Keep what the state names, and what this turn brought."""
        named = {*_places(done.state), *done.state.decided.values()}
        first = done.entries[0].seq
        known = self._known[conversation]
        self._known[conversation] = {s: entry for s, entry in known.items() if s in named or s >= first}

    async def again(self, conversation: str, done: Duplicate) -> Turn:
        """The turn that a key had when it came first."""
        if not done.entries:
            machine = await self.machines.shown(done.state.fingerprint)
            return Turn(conversation, machine, done.state, before=done.state, is_duplicate=True)
        return await self._past(conversation, done.entries, is_duplicate=True)

    async def refused(self, conversation: str, refusal: Refusal, machine: Machine) -> Turn:
        """An event that was refused, with the state as it is, where a store that refuses gives one; `machine`
        is the one that a new conversation begins with.
        """
        state = None
        with suppress(StoreFailed, FlowUnavailable):
            found = await self.store.load(conversation)
            if found is not None:
                state, machine = found, await self.machines.of(found.fingerprint)
        return Turn(
            conversation,
            machine,
            state,
            before=state,
            refused=refusal.code,
            refusal=refusal.text,
            recovered=await self._kept(conversation, refusal.recovered),
            unprompted=await self._unprompted(conversation, refusal.unprompted, refusal.recovered),
        )

    async def turn(self, conversation: str, number: int, last: int) -> Turn:
        """A past turn. Raises `UnknownTurn`."""
        entries = await self.store.turn(conversation, number)
        if not _is_kept(entries):
            raise UnknownTurn(conversation, number, last, is_erased=bool(entries))
        return await self._past(conversation, entries)

    async def _past(self, conversation: str, entries: Sequence[e.Entry], *, is_duplicate: bool = False) -> Turn:
        before = await state_at(self.store, conversation, entries[0].seq - 1)
        after = fold_all(entries, before)
        assert after is not None
        return await self._turn(conversation, entries, before, after, {}, is_duplicate=is_duplicate)

    async def _turn(
        self,
        conversation: str,
        entries: Sequence[e.Entry],
        before: State | None,
        after: State,
        known: dict[int, e.Entry],
        *,
        is_duplicate: bool = False,
    ) -> Turn:
        """`known` is what is remembered of earlier turns; what the turn tells of and is not there is read."""
        machine = await self.machines.shown(after.fingerprint)
        earlier = _earlier(before, entries)
        first = entries[0].seq
        missing = [seq for seq in earlier | _places(after) if seq < first and seq not in known]
        if missing:
            known.update(await self.store.at(conversation, missing))
        judged = [known[seq].event for seq in earlier if seq in known]
        heard = [message_read(machine, event) for event in judged if isinstance(event, e.Decided)]
        missing = [seq for seq in heard if seq is not None and seq not in known]
        if missing:
            known.update(await self.store.at(conversation, missing))
        if machine.has_secrets:
            known.update(await self._hidden(conversation, [known[seq] for seq in heard if seq in known], first))
        named = dict(known)
        if before is None or isinstance(entries[0].event, e.TimerFired | e.Continued):  # no caller: reports nothing
            return Turn(conversation, machine, after, tuple(entries), before, named, is_duplicate=is_duplicate)
        recovered = await self._kept(conversation, before.unreported)
        unprompted = await self._unprompted(conversation, before.unprompted, before.unreported)
        return Turn(
            conversation,
            machine,
            after,
            tuple(entries),
            before,
            named,
            is_duplicate=is_duplicate,
            recovered=recovered,
            unprompted=unprompted,
        )

    async def _hidden(self, conversation: str, said: Iterable[e.Entry], first: int) -> dict[int, e.Entry]:
        """Where the words of secrets stand in messages of earlier turns, from the turns that heard them."""
        turns = {entry.turn for entry in said if entry.seq < first}
        found = [entry for turn in turns for entry in await self.store.turn(conversation, turn)]
        return {entry.seq: entry for entry in found if isinstance(entry.event, e.WordsHidden)}

    async def _kept(self, conversation: str, numbers: Iterable[int]) -> tuple[Turn, ...]:
        """Past turns, as far as they are kept."""
        turns = [await self.store.turn(conversation, number) for number in numbers]
        return tuple([await self._past(conversation, one) for one in turns if _is_kept(one)])

    async def _unprompted(
        self, conversation: str, numbers: Iterable[int], recovered: Container[int]
    ) -> tuple[Turn, ...]:
        """The turns among those that the machine started which said something, without those that are reported as
        recovered.
        """
        turns = await self._kept(conversation, [number for number in numbers if number not in recovered])
        return tuple([turn for turn in turns if turn.said])

    def drop(self, conversation: str) -> None:
        """Remember nothing of a conversation."""
        self._known.pop(conversation, None)

    def _remembered(self, conversation: str) -> dict[int, e.Entry]:
        known = self._known.pop(conversation, {})
        self._known[conversation] = known
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return known


def _referenced(entries: Iterable[e.Entry]) -> list[e.Entry]:
    """What later turns may name."""
    return [entry for entry in entries if type(entry.event) in _REFERENCED]


def _is_kept(entries: Sequence[e.Entry]) -> bool:
    """Whether a turn is there, with all its words."""
    return bool(entries) and not any(isinstance(entry.event, e.Erased) for entry in entries)


def _earlier(before: State | None, entries: Iterable[e.Entry]) -> set[int]:
    """Where the moments that were judged in a turn had been judged before."""
    if before is None:
        return set()
    last = before.decided
    judged = [entry.event for entry in entries if isinstance(entry.event, e.Decided)]
    return {last[key] for key in [moment_key(one.node, one.moment) for one in judged] if key in last}


def _places(state: State) -> set[int]:
    """The messages that the answers of the form in charge came from."""
    if state.frame.form is None:
        return set()
    return {value.place[0] for value in state.values.values() if value.place is not None}

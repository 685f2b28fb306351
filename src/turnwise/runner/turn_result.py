"""Builds the public result of a turn, `Turn`, with the earlier entries that it refers to.

A turn that has just ended and the same turn asked for later are built by the same code, so they are equal.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import cast

from msgspec.structs import replace

from turnwise.core.decision.judge import has_stored_reads
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold_all, moment_key
from turnwise.core.state.fold.beginnings import UNPROMPTED
from turnwise.core.state.read_lists import stands_for_lists, with_lists
from turnwise.core.turn import Refusal
from turnwise.errors import FlowUnavailable, StoreFailed, UnknownConversation, UnknownTurn
from turnwise.flow.model import Moment
from turnwise.runner.cache import MOST_CONVERSATIONS, GivenSecrets
from turnwise.runner.machines import AnyMachines
from turnwise.runner.outbox_port import HasOutbox
from turnwise.runner.ports import Accepted, Duplicate, Store
from turnwise.runner.result import Turn
from turnwise.runner.stored import StoredConversation, WholeTurn, folded, is_kept, messages_quoted_by, with_pauses

MOST_CACHED_ENTRIES = 64
"""How many entries of a conversation may be cached; beyond it those of earlier turns that the state does not name are
dropped."""

_REFERENCED = frozenset((e.UserSaid, e.UserChose, e.Decided, e.WordsHidden))
"""Events that later turns may refer to."""

Entries = dict[int, e.Entry]
"""Entries by position."""


class TurnResults:
    """Builds `Turn` objects, and caches the earlier entries that recently active conversations' turns refer to."""

    def __init__(self, machines: AnyMachines, store: Store) -> None:
        self.machines = machines
        self.store = store
        self._cache: OrderedDict[str, Entries] = OrderedDict()
        self.secrets = GivenSecrets(store)

    async def turn_of(self, conversation: str, done: Accepted | Duplicate | Refusal, machine: Machine) -> Turn:
        """Return the public turn of a submitted event, from the engine's result (`done`); `machine` is the one that new
        conversations begin with.
        """
        match done:
            case Accepted():
                return await self._accepted(conversation, done, machine)
            case Duplicate(entries=()):
                machine = await self.machines.shown_of_state(done.state)
                return Turn(conversation, machine, done.state, before=done.state, is_duplicate=True)
            case Duplicate():
                return await self.stored_turn(conversation, done.entries[0].turn, done.entries, is_duplicate=True)
            case Refusal():
                return await self._refused(conversation, done, machine)

    async def stored_turn(
        self, conversation: str, number: int, entries: Sequence[e.Entry] = (), *, is_duplicate: bool = False
    ) -> Turn:
        """Return a stored turn with the turns that it reported; `entries` are its own, where they are known.
        With `is_duplicate` it is marked as the result of a repeated key. Raises `UnknownTurn`, and
        `UnknownConversation` for one that was deleted meanwhile.
        """
        found = await StoredConversation(self.store, conversation).whole_turn(number, entries)
        machine = await self.machines.shown_of_state(found.after)
        return await self._turn(
            conversation, machine, found.entries, found.state_before, found.after, {}, is_duplicate=is_duplicate
        )

    async def erased_turn(self, conversation: str, number: int) -> Turn | None:
        """Return the last turn that retention erased, with the state at its end; `None` for any other turn.
        Its entries are the snapshot of that state, and what was recorded later.
        """
        left = await self.store.turn(conversation, number)
        left = left[bisect_left(left, 1, key=lambda entry: not isinstance(entry.event, e.Erased)) :]
        if not left or not isinstance(left[0].event, e.Snapshot):
            return None
        state = fold_all(left)
        return await self.of_entries(conversation, left, None, state) if state is not None else None

    async def stored_turns(self, conversation: str, first: int, last: int) -> tuple[Turn, ...]:
        """Return the fully stored turns from `first` to `last`, both inclusive, with few reads of the store."""
        begin, end = await self.store.turn(conversation, first), await self.store.turn(conversation, last)
        if not begin or not end:
            return ()
        state = await StoredConversation(self.store, conversation).state_at(begin[0].seq - 1)
        entries = await self.store.entries(conversation, begin[0].seq - 1, end[-1].seq)  # last: they may be erased now
        known, latest = entries_referred_to(entries), 0
        found: list[Turn] = []
        async for _, group in with_pauses(groupby(entries, lambda entry: entry.turn)):
            own = tuple(group)
            before, state = state, fold_all(own, state)
            known |= {entry.seq: entry for entry in _with_lists(own, before)}
            if state is None or not is_kept(own):
                continue
            machine = await self.machines.shown_of_state(state)
            latest = latest or (await self._latest(conversation) if machine.has_secrets else 0)
            named = await self._named(conversation, machine, own, before, state, known, latest)
            found.append(Turn(conversation, machine, state, own, before, named))
        return tuple(found)

    async def of_entries(
        self,
        conversation: str,
        entries: Sequence[e.Entry],
        before: State | None,
        after: State,
        known: Mapping[int, e.Entry] | None = None,
    ) -> Turn:
        """Return a turn, or a part of one, from its entries and the states `before` and `after` it, which the caller
        has. Earlier entries that it refers to are read, unless they are `known`. It reports no other turns.
        """
        machine = await self.machines.shown_of_state(after)
        named = await self._named(conversation, machine, entries, before, after, Entries(known or {}))
        return Turn(conversation, machine, after, tuple(entries), before, named)

    def drop(self, conversation: str) -> None:
        """Drop the cached entries of a conversation."""
        self._cache.pop(conversation, None)
        self.secrets.drop(conversation)

    async def _accepted(self, conversation: str, done: Accepted, machine: Machine) -> Turn:
        cached = self._cache[conversation] = self._cache.pop(conversation, {})
        if len(self._cache) > MOST_CONVERSATIONS:
            self._cache.popitem(last=False)
        before, entries = done.before, done.entries
        if before is None and entries[0].seq > 1:
            before = await StoredConversation(self.store, conversation).state_at(entries[0].seq - 1)
        if done.state.fingerprint != machine.fingerprint:
            machine = await self.machines.for_display(done.state.fingerprint)
        if machine.has_variants:
            machine = machine.for_conversation(done.state)
        if machine.has_secrets:
            self.secrets.add(machine, conversation, entries)
        latest = done.state.seq if done.before is not None else 0
        turn = await self._turn(conversation, machine, entries, before, done.state, cached, latest=latest)
        if isinstance(done.state.status, Ended):
            self.drop(conversation)
            return turn
        for entry in entries:
            if type(entry.event) in _REFERENCED:
                cached[entry.seq] = entry
        if len(cached) > MOST_CACHED_ENTRIES:
            decided = {seq for frame in done.state.frames for seq in frame.decided.values()}
            read = {_message_read(machine, cached[seq].event) for seq in decided & cached.keys()}
            named = messages_quoted_by(done.state, of_forms=True) | decided | read
            kept = {seq: entry for seq, entry in cached.items() if seq in named or seq >= entries[0].seq}
            self._cache[conversation] = kept
        return turn

    async def _refused(self, conversation: str, refusal: Refusal, machine: Machine) -> Turn:
        """Return a refused event as a turn, with the present state if the store can load it."""
        state = None
        with suppress(StoreFailed, FlowUnavailable):
            found = await self.store.load(conversation)
            if found is not None:
                machine, state = await self.machines.of_state(found), found
        return Turn(
            conversation,
            machine,
            state,
            before=state,
            refused=refusal.code,
            refusal=refusal.text,
            refused_fields=refusal.fields,
            recovered=await self._kept(conversation, await self._undelivered(conversation, refusal.recovered)),
            unprompted=await self._unprompted(conversation, refusal.unprompted, refusal.recovered),
        )

    async def _turn(
        self,
        conversation: str,
        machine: Machine,
        entries: Sequence[e.Entry],
        before: State | None,
        after: State,
        known: Entries,
        *,
        is_duplicate: bool = False,
        latest: int = 0,
    ) -> Turn:
        """Return a turn; the entries that it refers to and that are not in `known` are read, and added to it."""
        named = await self._named(conversation, machine, entries, before, after, known, latest)
        recovered = unprompted = ()
        # the turn of an event without a caller reports nothing
        if before is not None and type(entries[0].event) not in UNPROMPTED:
            missed = before.unreported if before.missed or before.cut_off else ()
            if missed:
                recovered = await self._kept(conversation, await self._undelivered(conversation, missed))
            if before.unprompted:
                unprompted = await self._unprompted(conversation, before.unprompted, missed)
        return Turn(
            conversation,
            machine,
            after,
            tuple(entries),
            before,
            dict(named),
            is_duplicate=is_duplicate,
            recovered=recovered,
            unprompted=unprompted,
        )

    async def _named(
        self,
        conversation: str,
        machine: Machine,
        entries: Sequence[e.Entry],
        before: State | None,
        after: State,
        known: Entries,
        latest: int = 0,
    ) -> Entries:
        """Return the earlier entries that a turn refers to: the last decision at each moment that it judged, the
        messages that those decisions read, and those that the answers of its form came from. What `known` lacks is
        read, and added to it. In a flow with secrets it is all that is known: any of it may say where they stand.
        `latest` is the position of the newest entry of the conversation, where the caller knows it.
        """
        first, last = entries[0].seq, before.frame.decided if before is not None else {}
        decided: set[int] = set()
        for entry in entries:
            if type(entry.event) is e.Decided:
                decided.add(last.get(moment_key(entry.event.node, entry.event.moment), first))
        named = {seq for seq in messages_quoted_by(before, after, of_forms=True) | decided if seq < first}
        if not known.keys() >= named:
            await self._read(conversation, named, known)
        read: set[int] = set()
        if not decided.isdisjoint(known):
            read = await self._read_by_decisions(conversation, machine, known, decided, first)
            if not known.keys() >= read:
                await self._read(conversation, read, known)
        if machine.has_secrets:  # a turn that understood a message recorded where the words of secrets are in it
            turns = {known[seq].turn for seq in read if seq in known}
            hidden = [entry for turn in turns for entry in await self.store.turn(conversation, turn)]
            known.update((entry.seq, entry) for entry in hidden if isinstance(entry.event, e.WordsHidden))
            until = (latest or await self._latest(conversation)) + 1  # words of a turn may have become secret after it
            given = await self.secrets.entries_before(machine, conversation, max(first, until))
            known.update((entry.seq, entry) for entry in given)
            return known
        return {seq: known[seq] for seq in named | read if seq in known}

    async def _read_by_decisions(
        self, conversation: str, machine: Machine, known: Entries, decided: set[int], first: int
    ) -> set[int]:
        """Return the positions of the messages before a turn that some known decisions read. Their lists are read."""
        read: set[int] = set()
        for seq in decided & known.keys():
            event = known[seq].event
            if type(event) is not e.Decided or not (event.reads or event.code):
                continue
            if (dict in map(type, event.reads) or event.code) and stands_for_lists(event):
                state = await StoredConversation(self.store, conversation).state_at(seq - 1)
                known[seq] = replace(known[seq], event=with_lists(event, state))
            found = _message_read(machine, event)
            if found is not None and found < first:
                read.add(found)
        return read

    async def _latest(self, conversation: str) -> int:
        """Return the position of the newest entry, 0 in a conversation that was deleted."""
        state = await self.store.load(conversation)
        return state.seq if state is not None else 0

    async def _read(self, conversation: str, positions: Iterable[int], known: Entries) -> None:
        """Add the entries at some positions to those that are known."""
        known.update(await self.store.at(conversation, [seq for seq in positions if seq not in known]))

    async def _kept(self, conversation: str, numbers: Collection[int]) -> tuple[Turn, ...]:
        """Return those of some past turns that are still stored in full, to be reported by another turn.

        Each is without the turns that it reported: where its caller did not receive it, they are among `numbers`. To
        read one returns those before it, too; so the newest is read first, and most others need no read.
        """
        stored, whole = StoredConversation(self.store, conversation), dict[int, WholeTurn]()
        for number in sorted(numbers, reverse=True):
            with suppress(UnknownTurn, UnknownConversation):
                whole[number] = await stored.whole_turn(number)
        found = [whole[number] for number in numbers if number in whole]
        return tuple([await self.of_entries(conversation, one.entries, one.state_before, one.after) for one in found])

    async def _undelivered(self, conversation: str, numbers: Sequence[int]) -> Sequence[int]:
        """Return those of some turns that are not delivered: the outbox has none of them, or gave them up."""
        if not numbers or not isinstance(self.store, HasOutbox):
            return numbers
        queued = await self.store.outbox.queued(conversation, numbers)
        return [number for number in numbers if number not in queued]

    async def _unprompted(
        self, conversation: str, numbers: Iterable[int], recovered: Container[int]
    ) -> tuple[Turn, ...]:
        """Return turns that the machine started and in which it replied, without those in `recovered`."""
        own = await self._undelivered(conversation, [number for number in numbers if number not in recovered])
        turns = await self._kept(conversation, own)
        return tuple([turn for turn in turns if turn.said])


def _with_lists(entries: Sequence[e.Entry], before: State | None) -> list[e.Entry]:
    """Return the decisions of a turn that stand for lists, with these lists; `before` is the state before the turn."""
    if not any(type(one.event) is e.Decided and stands_for_lists(one.event) for one in entries):
        return []
    found = [(one.entry, one.entry.event, one.before) for one in folded(entries, before)]
    return [
        replace(entry, event=with_lists(event, state))
        for entry, event, state in found
        if type(event) is e.Decided and stands_for_lists(event)
    ]


def entries_referred_to(entries: Iterable[e.Entry]) -> Entries:
    """Return those of some entries to which later turns may refer, by position."""
    return {entry.seq: entry for entry in entries if type(entry.event) in _REFERENCED}


def _message_read(machine: Machine, decided: e.AnyEvent) -> int | None:
    """Return the journal position of the message that a decision read, `None` if it read none or is no decision."""
    if not isinstance(decided, e.Decided) or decided.node not in machine.nodes:
        return None
    candidates = machine.candidates(decided.node, cast("Moment", decided.moment))
    if candidates.message_at is None or not has_stored_reads(candidates, decided):
        return None
    return cast("int | None", decided.reads[candidates.message_at])

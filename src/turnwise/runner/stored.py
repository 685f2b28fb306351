"""Reads stored conversations: entries by page and backwards, the states between them, whole turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import chain, groupby, repeat
from operator import attrgetter
from typing import NamedTuple, TypeVar

from turnwise.core.state import State
from turnwise.core.state.events import Decided, Entry, Erased, Migrated, ScopeOpened, Snapshot, Started, TurnEnded
from turnwise.core.state.fold import fold, fold_all
from turnwise.core.state.retention import erasure_of, erasure_text
from turnwise.errors import TurnwiseError, UnknownConversation, UnknownTurn
from turnwise.flow.diagnostic import nearest_name
from turnwise.runner.ports import Progress, Store

Item = TypeVar("Item")
"""The type of the items that are yielded."""
PAGE_ENTRIES = 200
"""How many entries are read at once: a long journal needs little memory, and other tasks run after each page."""
BLOCK, LARGEST_BLOCK = 250, 2000
"""How many entries are read at first where they are read backwards, and at most: each block is twice the one before."""
ITEMS_BETWEEN_PAUSES = 100
"""After how many items of a long loop other tasks run."""
MOST_NAMES_COMPARED = 1000
"""How many conversations a store may have for a similar name to be looked for: a host may ask for unknown ones all day.
"""


class Folded(NamedTuple):
    """An entry with the states before and after it."""

    entry: Entry
    """The entry."""
    before: State | None
    """The state before the entry; `None` before the first one, and where retention erased it."""
    after: State | None
    """The state after the entry; `None` where retention erased it."""


class WholeTurn(NamedTuple):
    """A stored turn of which retention has erased nothing."""

    entries: tuple[Entry, ...]
    """The entries of the turn, in order."""
    states: tuple[State | None, ...]
    """The state before each entry, in the same order; `None` before the first entry of the conversation."""
    after: State
    """The state after the turn."""

    @property
    def state_before(self) -> State | None:
        """The state before the turn; `None` for the first one."""
        return self.states[0]


class StoredConversation:
    """One conversation of a store. Ended turns that were read are cached as long as this object exists."""

    def __init__(self, store: Store, conversation: str) -> None:
        self.store = store
        self.conversation = conversation
        self.erased_until = 0
        """The position of the last entry that is known to be erased."""
        self._whole: dict[int, WholeTurn] = {}

    # entries -----------------------------------------------------------------------------------

    async def entries(self, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries after position `after` up to and including `until` (`None`: up to the last), in order."""
        return await self.store.entries(self.conversation, after, until)

    async def pages(
        self, after: int = 0, until: int | None = None, *, sizes: Sequence[int] = (PAGE_ENTRIES,)
    ) -> AsyncIterator[tuple[Entry, ...]]:
        """Yield the entries after `after` up to and including `until`, by pages of `sizes`; the last size repeats."""
        following = chain(sizes, repeat(sizes[-1]))
        while until is None or after < until:
            size = next(following)
            page = await self.entries(after, after + size if until is None else min(after + size, until))
            if not page:
                return
            yield page
            await asyncio.sleep(0)  # the store may have been in memory, and never waited
            after = page[-1].seq

    async def all_entries(self, after: int = 0, until: int | None = None) -> list[Entry]:
        """Return the entries after position `after` up to and including `until`, read by page."""
        return [entry async for page in self.pages(after, until) for entry in page]

    async def unerased(self, first: int, last: int) -> tuple[Entry, ...]:
        """Return the entries from `first` to `last`, both inclusive, without the leading ones that retention erased."""
        found = await self.entries(max(0, first - 1), last)
        erased = [entry for entry in found if type(entry.event) is Erased]
        if erased:
            await self.note_erased(erased)
        return found[len(erased) :]

    async def note_erased(self, entries: Sequence[Entry]) -> None:
        """Record up to which entry retention has erased the conversation."""
        self.erased_until = entries[-1].seq

    async def backwards(self, until: int, after: int = 0) -> AsyncIterator[Entry]:
        """Yield the stored entries from position `until` back to just after `after`, the newest first."""
        size = BLOCK
        while until > max(after, self.erased_until):
            begin = max(after, until - size)
            for entry in reversed(await self.unerased(begin + 1, until)):
                yield entry
            await asyncio.sleep(0)  # as in `pages`
            until, size = begin, min(2 * size, LARGEST_BLOCK)

    async def by_version(
        self, after: int = 0, until: int | None = None, fingerprint: str = ""
    ) -> AsyncIterator[tuple[Entry, str]]:
        """Yield the entries after `after` up to `until`, each with the fingerprint of the flow that applies after it.
        `fingerprint` applies before the first one, and is empty as long as none is known.
        """
        async for page in self.pages(after, until):
            for entry in page:
                match entry.event:
                    case Started(fingerprint=fingerprint) | Migrated(fingerprint=fingerprint):
                        pass
                    case Snapshot(state=state):
                        fingerprint = state.fingerprint
                    case _:
                        pass
                yield entry, fingerprint

    async def folded(self, after: int = 0) -> AsyncIterator[Folded]:
        """Yield the entries after a position, in order, each with the states before and after it."""
        state = await self.state_at(after)
        async for page in self.pages(after):
            for one in folded(page, state):
                yield one
                state = one.after

    async def decisions(self, turn: int | None = None) -> AsyncIterator[tuple[Entry, State]]:
        """Yield the decisions of all turns or of one, each with the state that it was made on. Raises `UnknownTurn`."""
        if turn is not None:
            whole = await self.whole_turn(turn)
            for entry, before in zip(whole.entries, whole.states, strict=True):
                if isinstance(entry.event, Decided) and before is not None:
                    yield entry, before
            return
        async for entry, before, _ in self.folded():
            if isinstance(entry.event, Decided) and before is not None:
                yield entry, before

    # states ------------------------------------------------------------------------------------

    async def state_at(self, seq: int, *, from_start: bool = False) -> State | None:
        """Return the state after the entry at position `seq`; `None` before the first entry or if no longer stored.
        It is folded from the newest snapshot before it, or with `from_start` from the first entry.
        """
        if seq < 1:
            return None
        entries = await self.store.entries(self.conversation, 0 if from_start else await self._snapshot(seq), seq)
        return fold_all(entries) if _can_be_folded(entries) else None

    async def state_after(self, turn: int) -> State | None:
        """Return the state at the end of a turn; `None` if it is not stored."""
        entries = await self.store.turn(self.conversation, turn)
        if not entries:
            return None
        last = entries[-1]
        state = fold_all([last]) if isinstance(last.event, Snapshot) else await self.state_at(last.seq)
        return state if state is None or not state.outer or not await self._is_inside_erased(state) else None

    async def _is_inside_erased(self, state: State) -> bool:
        """Return whether a state is inside a scope whose words were erased since."""
        opened = (await self.store.at(self.conversation, [frame.id for frame in state.frames])).values()
        return any(isinstance(one.event, ScopeOpened) and one.event.erased is not None for one in opened)

    async def state_between_turns(self) -> State:
        """Return the state after the last complete turn. Raises `UnknownConversation`.
        It raises `TurnwiseError` if the first turn is in progress.
        """
        state = await self.store.load(self.conversation)
        if state is None:
            raise await unknown_conversation(self.store, self.conversation)
        if state.doing is None:
            return state
        entries = await self.store.turn(self.conversation, state.turn)
        before = await self.state_at(entries[0].seq - 1) if entries else None
        if before is None:
            raise TurnwiseError(f"the first turn of conversation {self.conversation!r} is under way")
        return before

    async def _snapshot(self, seq: int) -> int:
        """Return the position before the newest snapshot up to a position, from which entries are folded; else 0."""
        snapshot = await self.store.snapshot(self.conversation, seq)
        return snapshot.seq - 1 if snapshot is not None else 0

    # turns -------------------------------------------------------------------------------------

    async def begin_of_turn(self, seq: int) -> int | None:
        """Return the position before the turn to which the entry at position `seq` belongs; `None` where no entry has
        this position.
        """
        at = await self.store.at(self.conversation, [seq]) if seq else {}
        first = await self.store.turn(self.conversation, at[seq].turn) if seq in at else ()
        return first[0].seq - 1 if first else None

    async def whole_turn(self, number: int, own: Sequence[Entry] = ()) -> WholeTurn:
        """Return the turn with this number, with its states; `own` are its entries, where they are known.
        The turns since the snapshot before it are read with it. Raises `UnknownTurn`, and `UnknownConversation` for one
        that was deleted.
        """
        if number not in self._whole:
            own = own or await self.store.turn(self.conversation, number)
            if is_kept(own):
                self._whole |= await self.turns_until(own)
        if number not in self._whole:
            raise await self.missing_turn(number)
        return self._whole[number]

    async def turns_until(self, own: Sequence[Entry]) -> dict[int, WholeTurn]:
        """Return the turn with these entries and the turns before it since the last snapshot, by number.
        One read gives entries and states, so that they fit together, whatever is erased or deleted meanwhile. The turn
        itself is missing if it was erased or deleted.
        """
        entries = own
        if own[0].seq > 1:
            entries = await self.entries(await self._snapshot(own[0].seq - 1), own[-1].seq)
        found: dict[int, WholeTurn] = {}
        state: State | None = None
        for turn, group in groupby(entries if _can_be_folded(entries) else (), attrgetter("turn")):
            own_folded = folded(group, state)
            (first, before, _), state = own_folded[0], own_folded[-1].after
            of_turn = tuple([one.entry for one in own_folded])
            if state is not None and (before is not None or first.seq == 1) and is_kept(of_turn):
                found[turn] = WholeTurn(of_turn, tuple([one.before for one in own_folded]), state)
        if own[0].turn in found and found[own[0].turn].entries != tuple(own):
            del found[own[0].turn]
        return found

    async def missing_turn(self, number: int) -> UnknownTurn | UnknownConversation:
        """Return the error for a turn that is not stored whole: it never existed, or was erased or deleted."""
        last = await self.store.load(self.conversation)
        if last is None:
            return await unknown_conversation(self.store, self.conversation)
        left = await self.store.turn(self.conversation, number)
        erasure = erasure_text(erasure_of(left))
        return UnknownTurn(self.conversation, number, last_whole_turn(last), is_erased=bool(left), erasure=erasure)


def folded(entries: Iterable[Entry], state: State | None) -> list[Folded]:
    """Return entries with the states before and after each; `state` is the state before the first entry."""
    found: list[Folded] = []
    for entry in entries:
        before, state = state, fold(state, entry) if type(entry.event) is not Erased else None
        found.append(Folded(entry, before, state))
    return found


def own_entries(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries of a turn up to its end, with its snapshot, but without entries that were recorded later."""
    end = next((at for at, entry in enumerate(entries) if isinstance(entry.event, TurnEnded)), len(entries))
    last = end + 1 if len(entries) > end + 1 and isinstance(entries[end + 1].event, Snapshot) else end
    return entries[: last + 1]


def last_whole_turn(state: State) -> int:
    """Return the number of the last turn that has ended."""
    return state.turn - (state.doing is not None)


def is_kept(entries: Sequence[Entry]) -> bool:
    """Return whether the turn of these entries is stored with all its texts."""
    return bool(entries) and Erased not in [type(entry.event) for entry in entries]


def _can_be_folded(entries: Iterable[Entry]) -> bool:
    """Return whether entries begin as a journal does, or with a snapshot. Else the conversation was deleted and begun
    anew since their position was read.
    """
    first = next((entry.event for entry in entries if not isinstance(entry.event, Erased)), None)
    return isinstance(first, Started | Snapshot)


def messages_quoted_by(*states: State | None, of_forms: bool = False) -> set[int]:
    """Return the positions of the messages that the field values of some states were taken from.
    With `of_forms` only of states in which a form is in charge.
    """
    found: set[int] = set()
    for state in states:
        if state is not None and (state.frame.form is not None or not of_forms):
            for value in (*state.values.values(), *state.shelved.values()):
                if value.place is not None:
                    found.add(value.place[0])
    return found


# all conversations -------------------------------------------------------------------------------


def with_progress(names: Iterable[str], progress: Progress | None) -> Iterable[str]:
    """Yield the names, and call `progress` after each with how many were yielded and how many there are."""
    found = tuple(names)
    for number, name in enumerate(found, 1):
        yield name
        if progress is not None:
            progress(number, len(found))


async def conversation_ids(store: Store, conversation: str | None) -> tuple[str, ...]:
    """Return the id of one conversation, or (`None`) the ids of all in a store. Raises `UnknownConversation`."""
    if conversation is None:
        return await store.conversations()
    if await store.load(conversation) is None:
        raise await unknown_conversation(store, conversation)
    return (conversation,)


async def unknown_conversation(store: Store, conversation: str) -> UnknownConversation:
    """Return the error for an unknown conversation, with the most similar id."""
    names = await store.conversations(MOST_NAMES_COMPARED + 1)
    similar = nearest_name(conversation, names) if len(names) <= MOST_NAMES_COMPARED else ""
    return UnknownConversation(conversation, f"did you mean '{similar}'?" if similar else "")


async def with_pauses(items: Iterable[Item], every: int = ITEMS_BETWEEN_PAUSES) -> AsyncIterator[Item]:
    """Yield items, and let other tasks run after each `every` of them: a long conversation takes seconds."""
    for number, item in enumerate(items, 1):
        yield item
        if number % every == 0:
            await asyncio.sleep(0)

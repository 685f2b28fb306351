"""Walking through journals, a page at a time, so that a long one needs little memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from turnwise.core.state import State
from turnwise.core.state.events import Decided, Entry, Erased, Migrated, Snapshot, Started
from turnwise.core.state.fold import fold
from turnwise.errors import TurnwiseError, UnknownConversation, UnknownTurn
from turnwise.flow.diagnostic import nearest_name
from turnwise.runner.past import state_at
from turnwise.runner.ports import Progress, Store

PAGE = 2000
"""How many entries are read at once."""
MOST_ALIKE = 1000
"""Among more conversations than these no name is looked for: a host may ask for unknown ones all day."""


def told(names: Iterable[str], progress: Progress | None) -> Iterable[str]:
    """The names, one after another; after each it is told how many are done."""
    found = tuple(names)
    for number, name in enumerate(found, 1):
        yield name
        if progress is not None:
            progress(number, len(found))


async def chosen(store: Store, conversation: str | None) -> tuple[str, ...]:
    """One conversation, or all of a store. Raises `UnknownConversation`."""
    if conversation is None:
        return await store.conversations()
    if await store.load(conversation) is None:
        raise await unknown(store, conversation)
    return (conversation,)


async def unknown(store: Store, conversation: str) -> UnknownConversation:
    """The error for a conversation that is not there, with the nearest name. Among very many none is looked for."""
    names = await store.conversations(MOST_ALIKE + 1)
    alike = nearest_name(conversation, names) if len(names) <= MOST_ALIKE else ""
    return UnknownConversation(conversation, f"did you mean '{alike}'?" if alike else "")


async def pages(store: Store, conversation: str, until: int | None = None) -> AsyncIterator[tuple[Entry, ...]]:
    """The entries of a conversation, in order, up to a position."""
    after = 0
    while until is None or after < until:
        last = after + PAGE if until is None else min(after + PAGE, until)
        page = await store.entries(conversation, after, last)
        if not page:
            return
        yield page
        after = page[-1].seq


async def settled(store: Store, conversation: str) -> State:
    """The state at the end of the last whole turn. Raises `UnknownConversation`, and `TurnwiseError` for
    one whose first turn is under way.
    """
    state = await store.load(conversation)
    if state is None:
        raise await unknown(store, conversation)
    if state.doing is None:
        return state
    entries = await store.turn(conversation, state.turn)
    before = await state_at(store, conversation, entries[0].seq - 1)
    if before is None:
        raise TurnwiseError(f"the first turn of conversation {conversation!r} is under way")
    return before


async def decisions(store: Store, conversation: str, turn: int | None = None) -> AsyncIterator[tuple[Entry, State]]:
    """Every decision that is kept of a conversation, or of one of its turns, each with the state on which it
    was made. Raises `UnknownTurn`.
    """
    state: State | None = None
    if turn is not None:
        entries = await store.turn(conversation, turn)
        if not entries or any(isinstance(entry.event, Erased) for entry in entries):
            last = await store.load(conversation)
            raise UnknownTurn(conversation, turn, last.turn if last is not None else 0, is_erased=bool(entries))
        state = await state_at(store, conversation, entries[0].seq - 1)
        source = _once(entries)
    else:
        source = pages(store, conversation)
    async for page in source:
        for entry in page:
            if state is None and isinstance(entry.event, Erased):
                continue
            if isinstance(entry.event, Decided) and state is not None:
                yield entry, state
            state = fold(state, entry)


async def _once(entries: tuple[Entry, ...]) -> AsyncIterator[tuple[Entry, ...]]:
    yield entries


def version(entry: Entry, before: str) -> str:
    """The version of the flow from this entry on."""
    match entry.event:
        case Started(fingerprint=fingerprint) | Migrated(fingerprint=fingerprint):
            return fingerprint
        case Snapshot(state=state):
            return state.fingerprint
        case _:
            return before

"""Reads the history of conversations: states at any position, decisions, entries by page, effects that undo keeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeGuard, TypeVar

from turnwise.core.state import State, TakenBack
from turnwise.core.state.effects import RunTool
from turnwise.core.state.events import (
    AnyEvent,
    Decided,
    EffectAsked,
    Entry,
    Erased,
    Migrated,
    Moved,
    Said,
    Snapshot,
    Started,
    ToolFailed,
    ToolReturned,
    ToolUsed,
    TurnEnded,
    Undone,
)
from turnwise.core.state.fold import fold_all, fold_stored
from turnwise.core.state.performed import KeptEffect, digest
from turnwise.core.state.retention import erasure_of, erasure_text
from turnwise.errors import TurnwiseError, UnknownConversation, UnknownTurn
from turnwise.flow.diagnostic import nearest_name
from turnwise.runner.ports import Progress, Store

Item = TypeVar("Item")
PAGE = 200
"""How many entries are read at once: a long journal needs little memory, and other tasks run after each page."""
LONGEST_RESULT = 40
"""How long a result may be that is shown where an effect is asked about again."""
PAUSE = 100
"""After how many items of a long loop other tasks run."""
MOST_SIMILAR = 1000
"""Among more conversations than these no similar name is looked for: a host may ask for unknown ones all day."""


class WholeTurn(NamedTuple):
    """A turn that is stored with all its texts: its entries, the state before each of them, and the state after it."""

    entries: tuple[Entry, ...]
    states: tuple[State | None, ...]
    after: State

    @property
    def before(self) -> State | None:
        """The state before the turn."""
        return self.states[0]


def own_entries(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries of a turn up to its end and the snapshot of it, without what was recorded later."""
    end = next((at for at, entry in enumerate(entries) if isinstance(entry.event, TurnEnded)), len(entries))
    last = end + 1 if len(entries) > end + 1 and isinstance(entries[end + 1].event, Snapshot) else end
    return entries[: last + 1]


async def turns_until(
    store: Store,
    conversation: str,
    own: Sequence[Entry],
    read: Callable[[str, int, int], Awaitable[tuple[Entry, ...]]] | None = None,
) -> dict[int, WholeTurn]:
    """Return a turn with these entries, by number, and the turns before it since the last snapshot. `read` may return
    entries that are known.

    One read gives entries and states, so that they fit together, whatever is erased or deleted meanwhile. The turn is
    not among them if it was.
    """
    entries = own
    if own[0].seq > 1:
        begin = await _before_snapshot(store, conversation, own[0].seq - 1)
        entries = await (read or store.entries)(conversation, begin, own[-1].seq)
    found: dict[int, WholeTurn] = {}
    state: State | None = None
    for turn, group in groupby(entries if _can_be_folded(entries) else (), lambda entry: entry.turn):
        of_turn = tuple(group)
        states: list[State | None] = []
        for entry in of_turn:
            states.append(state)
            state = fold_stored(state, entry)
        is_whole = states[0] is not None or of_turn[0].seq == 1
        if state is not None and is_whole and is_kept(of_turn):
            found[turn] = WholeTurn(of_turn, tuple(states), state)
    if own[0].turn in found and found[own[0].turn].entries != tuple(own):
        del found[own[0].turn]
    return found


async def whole_turn(store: Store, conversation: str, number: int) -> WholeTurn:
    """Return a turn with its states. Raises `UnknownTurn`, and `UnknownConversation` for one that was deleted."""
    own = await store.turn(conversation, number)
    found = (await turns_until(store, conversation, own)).get(number) if is_kept(own) else None
    if found is None:
        raise await missing_turn(store, conversation, number)
    return found


async def missing_turn(store: Store, conversation: str, number: int) -> UnknownTurn | UnknownConversation:
    """Return the error for a turn that is not stored in full: it never was, or was erased or deleted."""
    last = await store.load(conversation)
    if last is None:
        return await unknown_conversation(store, conversation)
    left = await store.turn(conversation, number)
    is_erased, erasure = bool(left) and not is_kept(left), erasure_text(erasure_of(left))
    return UnknownTurn(conversation, number, last_whole_turn(last), is_erased=is_erased, erasure=erasure)


def last_whole_turn(state: State) -> int:
    """Return the number of the last turn that has ended."""
    return state.turn - (state.doing is not None)


def is_kept(entries: Sequence[Entry]) -> bool:
    """Return whether a turn is stored with all its texts."""
    return bool(entries) and not any(isinstance(entry.event, Erased) for entry in entries)


def _can_be_folded(entries: Iterable[Entry]) -> bool:
    """Return whether entries begin as a journal does, or with a snapshot. Else the conversation was deleted and begun
    anew since their position was read.
    """
    first = next((entry.event for entry in entries if not isinstance(entry.event, Erased)), None)
    return isinstance(first, Started | Snapshot)


async def state_at(store: Store, conversation: str, seq: int, *, from_start: bool = False) -> State | None:
    """Return the state after the entry at a position, folded from the newest snapshot before it or from the start;
    `None` before the first entry, and if its entries are no longer stored.
    """
    if seq < 1:
        return None
    begin = await _before_snapshot(store, conversation, seq) if not from_start else 0
    entries = await store.entries(conversation, begin, seq)
    return fold_all(entries) if _can_be_folded(entries) else None


async def _before_snapshot(store: Store, conversation: str, seq: int) -> int:
    """Return the position before the newest snapshot up to a position, from which entries are folded; 0 without one."""
    snapshot = await store.snapshot(conversation, seq)
    return snapshot.seq - 1 if snapshot is not None else 0


async def state_after(store: Store, conversation: str, turn: int) -> State | None:
    """Return the state at the end of a turn."""
    entries = await store.turn(conversation, turn)
    if not entries:
        return None
    last = entries[-1]
    if isinstance(last.event, Snapshot):
        return fold_all([last])
    return await state_at(store, conversation, last.seq)


def last_said(entries: Iterable[Entry]) -> str:
    """Return the last reply text of a turn, except about an undo. It is empty if there is none, or if it asked for
    approval: that question is repeated only while its call waits.
    """
    said = [entry.event for entry in entries if isinstance(entry.event, Said)]
    last = next((one for one in reversed(said) if one.kind not in ("undo", "undone")), None)
    return last.text if last is not None and last.kind != "consent" else ""


async def entries_since(store: Store, conversation: str, turn: int) -> tuple[Entry, ...]:
    """Return the entries after the end of a turn."""
    entries = await store.turn(conversation, turn)
    return await store.entries(conversation, entries[-1].seq if entries else 0)


def tools_used(events: Iterable[AnyEvent], changing: Container[str]) -> tuple[str, ...]:
    """Return the tool of each use that an undo cannot reverse: every use by the host, and every use that changed the
    world, or may have.
    """
    return tuple([event.tool for event in events if _stays(event, changing)])


def calls_made(events: Iterable[AnyEvent], changing: Container[str]) -> tuple[str, ...]:
    """Return the ids of a model's calls that had, or may have had, side effects."""
    uses = [event for event in events if _stays(event, changing)]
    return tuple([one.call for one in uses if isinstance(one, ToolReturned | ToolFailed) and one.call])


def own_calls(events: Iterable[AnyEvent], node: str, changing: Container[str]) -> tuple[TakenBack, ...]:
    """Return the tool calls of nodes' own work that had, or may have had, side effects; `node` is the first node."""
    asked: dict[str, TakenBack] = {}
    found: dict[str, TakenBack] = {}
    for event in events:
        match event:
            case Moved(target=target):
                node = target
            case Undone(state=state) | Snapshot(state=state) | Migrated(state=state):
                node = state.frame.node
            case EffectAsked(RunTool(id=id_, tool=tool, arguments=arguments, call="")):
                asked[id_] = TakenBack(id_, node, tool, digest(arguments))
            case ToolReturned(effect=id_) | ToolFailed(effect=id_) if id_ in asked and _stays(event, changing):
                found.setdefault(id_, asked[id_])
            case _:
                pass
    return tuple(found.values())


def effects_done(
    entries: Iterable[Entry], changing: Container[str], *, has_secrets: bool = False
) -> tuple[KeptEffect, ...]:
    """Return the effects that were performed, or may have been, by any caller of the tool. Of their results only short
    ones are kept, and with `has_secrets` none.
    """
    asked: dict[str, dict[str, Any]] = {}
    found: list[KeptEffect] = []
    for entry in entries:
        event, result, is_in_doubt = entry.event, None, False
        match event:
            case EffectAsked(RunTool(id=id_, arguments=arguments)):
                asked[id_] = arguments
                continue
            case ToolUsed(arguments=arguments, result=result):
                pass
            case ToolReturned(effect=id_, result=result) if id_ in asked:
                arguments = asked[id_]
            case ToolFailed(effect=id_, in_doubt=is_in_doubt) if id_ in asked:
                arguments = asked[id_]
            case _:
                continue
        if event.tool in changing and _stays(event, changing):
            shown = "" if has_secrets else _in_short(result)
            effect = KeptEffect(event.tool, digest(arguments), entry.turn, entry.at_ms, shown, is_in_doubt)
            found.append(effect)
    return tuple(found)


def _in_short(result: Any) -> str:
    """Return a result that a user may read beside a question, such as the number of a booking; else nothing."""
    if isinstance(result, bool) or not isinstance(result, str | int):
        return ""
    text = str(result).strip()
    return text if len(text) <= LONGEST_RESULT and text.isprintable() else ""


def _stays(event: AnyEvent, changing: Container[str]) -> TypeGuard[ToolUsed | ToolReturned | ToolFailed]:
    """Return whether an undo cannot reverse a tool use; a call that failed and is not in doubt had no effect."""
    if isinstance(event, ToolReturned | ToolFailed):
        return event.tool in changing and (isinstance(event, ToolReturned) or event.in_doubt)
    return isinstance(event, ToolUsed)


# conversations and journals ----------------------------------------------------------------------


def with_progress(names: Iterable[str], progress: Progress | None) -> Iterable[str]:
    """Yield the names, and report progress after each."""
    found = tuple(names)
    for number, name in enumerate(found, 1):
        yield name
        if progress is not None:
            progress(number, len(found))


async def conversation_names(store: Store, conversation: str | None) -> tuple[str, ...]:
    """Return the ids of one conversation, or of all in a store. Raises `UnknownConversation`."""
    if conversation is None:
        return await store.conversations()
    if await store.load(conversation) is None:
        raise await unknown_conversation(store, conversation)
    return (conversation,)


async def unknown_conversation(store: Store, conversation: str) -> UnknownConversation:
    """Return the error for an unknown conversation, with the most similar id."""
    names = await store.conversations(MOST_SIMILAR + 1)
    similar = nearest_name(conversation, names) if len(names) <= MOST_SIMILAR else ""
    return UnknownConversation(conversation, f"did you mean '{similar}'?" if similar else "")


async def pages(
    store: Store, conversation: str, until: int | None = None, after: int = 0
) -> AsyncIterator[tuple[Entry, ...]]:
    """Yield the entries of a conversation, in order, up to a position, a page at a time."""
    while until is None or after < until:
        last = after + PAGE if until is None else min(after + PAGE, until)
        page = await store.entries(conversation, after, last)
        if not page:
            return
        yield page
        await asyncio.sleep(0)  # the store may have been in memory, and never waited
        after = page[-1].seq


async def with_pauses(items: Iterable[Item], every: int = PAUSE) -> AsyncIterator[Item]:
    """Yield items, and let other tasks run after each `every` of them: a long conversation takes seconds."""
    for number, item in enumerate(items, 1):
        yield item
        if number % every == 0:
            await asyncio.sleep(0)


async def state_between_turns(store: Store, conversation: str) -> State:
    """Return the state after the last complete turn. Raises `UnknownConversation`, and `TurnwiseError` if the first
    turn is in progress.
    """
    state = await store.load(conversation)
    if state is None:
        raise await unknown_conversation(store, conversation)
    if state.doing is None:
        return state
    entries = await store.turn(conversation, state.turn)
    before = await state_at(store, conversation, entries[0].seq - 1) if entries else None
    if before is None:
        raise TurnwiseError(f"the first turn of conversation {conversation!r} is under way")
    return before


async def decisions(store: Store, conversation: str, turn: int | None = None) -> AsyncIterator[tuple[Entry, State]]:
    """Yield the stored decisions of a conversation, or of one turn, each with the state that it was made on. Raises
    `UnknownTurn`.
    """
    if turn is not None:
        found = await whole_turn(store, conversation, turn)
        for entry, before in zip(found.entries, found.states, strict=True):
            if isinstance(entry.event, Decided) and before is not None:
                yield entry, before
        return
    state: State | None = None
    async for page in pages(store, conversation):
        for entry in page:
            if isinstance(entry.event, Decided) and state is not None:
                yield entry, state
            state = fold_stored(state, entry)


async def entries_by_version(
    store: Store, conversation: str, until: int | None = None, after: int = 0, fingerprint: str = ""
) -> AsyncIterator[tuple[Entry, str]]:
    """Yield the entries of a conversation between two positions, in order, each with the fingerprint of the flow that
    applies after it; `fingerprint` applies before the first one, and is empty as long as none is known.
    """
    async for page in pages(store, conversation, until, after):
        for entry in page:
            fingerprint = fingerprint_after(entry, fingerprint)
            yield entry, fingerprint


def fingerprint_after(entry: Entry, before: str) -> str:
    """Return the flow fingerprint that applies after this entry."""
    match entry.event:
        case Started(fingerprint=fingerprint) | Migrated(fingerprint=fingerprint):
            return fingerprint
        case Snapshot(state=state):
            return state.fingerprint
        case _:
            return before

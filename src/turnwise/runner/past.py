"""The past of a conversation: its state at any position, and its turns as they were."""

from __future__ import annotations

from collections.abc import Container
from typing import TypeGuard

from turnwise.core.events import AnyEvent, Entry, Snapshot, ToolFailed, ToolReturned, ToolUsed
from turnwise.core.fold import fold_all
from turnwise.core.state import State
from turnwise.runner.ports import Store


async def state_at(store: Store, conversation: str, seq: int, *, from_start: bool = False) -> State | None:
    """The state after the entry at a position, folded from the newest snapshot before it, or from all
    that is kept; `None` before the first entry, and where it is no longer kept.
    """
    if seq < 1:
        return None
    snapshot = await store.snapshot(conversation, seq) if not from_start else None
    begin = snapshot.seq - 1 if snapshot is not None else 0
    return fold_all(await store.entries(conversation, begin, seq))


async def state_after(store: Store, conversation: str, turn: int) -> State | None:
    """The state at the end of a turn."""
    entries = await store.turn(conversation, turn)
    if not entries:
        return None
    last = entries[-1]
    if isinstance(last.event, Snapshot):
        return fold_all([last])
    return await state_at(store, conversation, last.seq)


async def tools_since(store: Store, conversation: str, turn: int, changing: Container[str]) -> tuple[str, ...]:
    """The tools that were used after a turn, once for each use: by the host, and those that changed the world, or
    may have, by whomever.
    """
    entries = await store.turn(conversation, turn)
    after = entries[-1].seq if entries else 0
    later: tuple[Entry, ...] = await store.entries(conversation, after)
    events = [entry.event for entry in later]
    return tuple([event.tool for event in events if _stays(event, changing)])


def _stays(event: AnyEvent, changing: Container[str]) -> TypeGuard[ToolUsed | ToolReturned | ToolFailed]:
    """What failed and is surely not done leaves nothing behind."""
    if isinstance(event, ToolReturned | ToolFailed):
        return event.tool in changing and (isinstance(event, ToolReturned) or event.in_doubt)
    return isinstance(event, ToolUsed)

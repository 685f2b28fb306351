"""The past of a conversation: its state at any position, and its turns as they were."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TypeGuard

from turnwise.core.state import State, TakenBack
from turnwise.core.state.effects import RunTool
from turnwise.core.state.events import (
    AnyEvent,
    EffectAsked,
    Entry,
    Migrated,
    Moved,
    Said,
    Snapshot,
    ToolFailed,
    ToolReturned,
    ToolUsed,
    Undone,
)
from turnwise.core.state.fold import fold_all
from turnwise.core.tools.work import digest
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


def last_said(entries: Iterable[Entry]) -> str:
    """The text that was said last in a turn, apart from what was said of an undo; empty where there is none, or where
    it asked for consent: that question is put again only while its call waits.
    """
    said = [entry.event for entry in entries if isinstance(entry.event, Said)]
    last = next((one for one in reversed(said) if one.kind not in ("undo", "undone")), None)
    return last.text if last is not None and last.kind != "consent" else ""


async def events_since(store: Store, conversation: str, turn: int) -> list[AnyEvent]:
    """The events after the end of a turn."""
    entries = await store.turn(conversation, turn)
    after = entries[-1].seq if entries else 0
    return [entry.event for entry in await store.entries(conversation, after)]


def tools_used(events: Iterable[AnyEvent], changing: Container[str]) -> tuple[str, ...]:
    """The tools that were used, once for each use: by the host, and those that changed the world, or may have, by
    whomever.
    """
    return tuple([event.tool for event in events if _stays(event, changing)])


def own_calls(events: Iterable[AnyEvent], node: str, changing: Container[str]) -> tuple[TakenBack, ...]:
    """The calls that were the work of a node and changed the world, or may have; `node` is in charge at first."""
    asked: dict[str, TakenBack] = {}
    found: dict[str, TakenBack] = {}
    for event in events:
        match event:
            case Moved(target=target):
                node = target
            case Undone(state=state) | Snapshot(state=state) | Migrated(state=state):
                node = state.node
            case EffectAsked(RunTool(id=id_, tool=tool, arguments=arguments, call="")):
                asked[id_] = TakenBack(id_, node, tool, digest(arguments))
            case ToolReturned(effect=id_) | ToolFailed(effect=id_) if id_ in asked and _stays(event, changing):
                found.setdefault(id_, asked[id_])
            case _:
                pass
    return tuple(found.values())


def _stays(event: AnyEvent, changing: Container[str]) -> TypeGuard[ToolUsed | ToolReturned | ToolFailed]:
    """What failed and is surely not done leaves nothing behind."""
    if isinstance(event, ToolReturned | ToolFailed):
        return event.tool in changing and (isinstance(event, ToolReturned) or event.in_doubt)
    return isinstance(event, ToolUsed)

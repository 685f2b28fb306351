"""Copies all of a store to another one of any kind: flows, settings, conversations with their receipts and deliveries.

A run that was broken off is taken up where it stopped, and one that is repeated brings over what came since. States are
folded from the journals, so what is read later agrees with the replay; timers are in the states. What is counted of
conversations is counted anew.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.core.state.fold import fold_all
from turnwise.errors import StoreFailed, WrongUsage
from turnwise.runner.outbox_port import DeliveryQuery, HasOutbox, StoredDelivery
from turnwise.runner.ports import Commit, Progress, Store
from turnwise.runner.store_upkeep import ListedConversation, StoreCopy, StoreUpkeep

ENTRIES_AT_ONCE = 5000
"""How many entries of a journal are read at once."""
_FENCE = 1


class Copied(Struct, frozen=True):
    """The result of copying a store: how many conversations it has, and how many of them this run copied."""

    conversations: int
    """How many conversations the copied store has."""
    copied: int
    """How many conversations this run copied."""


async def copy_store(source: Store, target: Store, progress: Progress | None = None) -> Copied:
    """Copy everything of the store `source` that the store `target` does not have; return how many conversations were
    copied. A turn that is under way goes on where the copy is opened. Raises `StoreFailed` for a conversation that went
    on in both stores, `WrongUsage` for a store that cannot be copied.
    """
    for store in (source, target):
        if not isinstance(store, StoreCopy) or not isinstance(store, StoreUpkeep):
            raise WrongUsage("a store of this kind cannot be copied; there are sqlite:///file.db and postgresql://…")
    assert isinstance(source, StoreCopy) and isinstance(source, StoreUpkeep)  # noqa: PT018  for the type check
    assert isinstance(target, StoreCopy) and isinstance(target, StoreUpkeep)  # noqa: PT018  for the type check
    for fingerprint in await source.versions():
        document = await source.flow(fingerprint)
        assert document is not None, "versions are those of flows that are kept"
        await target.keep_flow(fingerprint, document)
    await target.keep_settings(await source.all_settings())
    listed, known = await source.listed(), await target.listed()
    there = {one.conversation: one for one in known}
    newest = known[-1].conversation if known else None
    copied = 0
    for done, one in enumerate(listed, 1):
        other = there.get(one.conversation)
        if other is None or one.is_open or other.is_open or other.entries != one.entries or one.conversation == newest:
            copied += await _copied(source, target, one)
        if progress is not None:
            progress(done, len(listed))
    return Copied(len(listed), copied)


async def _copied(source: Store, target: Store, one: ListedConversation) -> bool:
    """Bring over a conversation; return false if it is there already."""
    name = one.conversation
    entries, there = await _journal(source, name), await _journal(target, name)
    if there and there != entries[: len(there)]:
        raise StoreFailed(name, "this conversation went on in the other store; forget it there, or leave it")
    is_same = len(there) == len(entries) and await _is_whole(source, target, name)
    if is_same or not entries:
        return False
    if there:
        await target.forget(name)
    whole, rest = entries[: one.entries], entries[one.entries :]
    if whole:
        await target.commit(name, Commit(whole, "first", _state(whole)))
    if rest:
        await target.commit(name, Commit(rest, "first", None, fence=_FENCE))
    await _keep_rest(source, target, name, entries[-1].turn)
    return True


async def _is_whole(source: Store, target: Store, name: str) -> bool:
    """Return whether what comes after the journal is there, too: a run may have been broken off before it."""
    assert isinstance(source, StoreCopy) and isinstance(target, StoreCopy)  # noqa: PT018  it was checked
    return len(await source.receipts(name)) == len(await target.receipts(name)) and len(
        await _deliveries(source, name)
    ) == len(await _deliveries(target, name))


async def _keep_rest(source: Store, target: Store, name: str, last_turn: int) -> None:
    """Bring over the receipts and deliveries of the turns that were brought over."""
    assert isinstance(source, StoreCopy) and isinstance(target, StoreCopy)  # noqa: PT018  it was checked
    await target.keep_deliveries([_waiting(row) for row in await _deliveries(source, name) if row.turn <= last_turn])
    await target.keep_receipts(name, [one for one in await source.receipts(name) if one.turn <= last_turn])


def _waiting(row: StoredDelivery) -> StoredDelivery:
    """Return a delivery as the other store gets it: no process there sends one that was being sent, so it is due."""
    return replace(row, status="waiting", due_ms=row.since_ms) if row.status == "sending" else row


async def _deliveries(store: Store, name: str) -> list[StoredDelivery]:
    found: list[StoredDelivery] = []
    if isinstance(store, HasOutbox):
        query = DeliveryQuery(conversation=name)
        while page := await store.outbox.find(query):
            found += page
            query = DeliveryQuery(conversation=name, after=page[-1].number)
    return found


async def _journal(store: Store, name: str) -> tuple[Entry, ...]:
    found: list[Entry] = []
    while page := await store.entries(name, len(found), len(found) + ENTRIES_AT_ONCE):
        found += page
    return tuple(found)


def _state(entries: tuple[Entry, ...]) -> State:
    state = fold_all(entries)
    assert state is not None, "a journal leads to a state"
    return state

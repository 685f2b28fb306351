"""Replay of what a store keeps: folded and compared with the state, and run again and compared with the journal."""

from __future__ import annotations

from msgspec import Struct

from turnwise.archive.walk import pages, settled
from turnwise.core.machine import Machine
from turnwise.core.replay import Difference, difference, version
from turnwise.core.state.codec import decode_state, encode_state
from turnwise.core.state.events import Entry, Migrated
from turnwise.core.state.fold import fold_all
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store


class Replayed(Struct, frozen=True):
    """What a replay showed: whether folding gives the kept state, and, where it was run again, the first
    place at which that differs from the journal.
    """

    conversation: str
    entries: int
    turns: int
    folds: bool
    is_run: bool = False
    difference: Difference | None = None

    @property
    def agrees(self) -> bool:
        """True if nothing differs."""
        return self.folds and self.difference is None


async def replay(
    store: Store, machines: AnyMachines, conversation: str, *, runs: bool = False, flow: Machine | None = None
) -> Replayed:
    """Fold all that is kept and compare; with `runs` also run it again, by the flows that the store keeps or
    by another one. Raises `UnknownConversation`, and `FlowUnavailable` where a flow cannot run.
    """
    state = await settled(store, conversation)
    entries = [entry async for page in pages(store, conversation, state.seq) for entry in page]
    folded = fold_all(entries)
    folds = folded is not None and decode_state(encode_state(folded)) == decode_state(encode_state(state))
    if not runs and flow is None:
        return Replayed(conversation, len(entries), state.turn, folds)
    machine, others = await _machines(machines, entries, flow)
    found = difference(machine, entries, others)
    return Replayed(conversation, len(entries), state.turn, folds, is_run=True, difference=found)


async def _machines(
    machines: AnyMachines, entries: list[Entry], flow: Machine | None
) -> tuple[Machine, dict[str, Machine]]:
    """The machine that a journal begins with, and those to which it was migrated."""
    if flow is not None:
        return flow, {}
    others = {event.fingerprint for entry in entries if isinstance(event := entry.event, Migrated)}
    return await machines.of(version(entries)), {one: await machines.of(one) for one in others}

"""Counts how often transitions were judged, and in how many conversations of a store something was used.

The counts are kept, and only conversations that changed since are read again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, cast

from turnwise.core.explain.history import Edge, Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.errors import FlowUnavailable
from turnwise.flow.model import Moment
from turnwise.runner.machines import AnyMachines
from turnwise.runner.past import entries_by_version
from turnwise.runner.ports import Store
from turnwise.runner.search import ConversationQuery, ConversationRow

PAGE = 500
MOST_AT_ONCE = 2_000
"""How many conversations one refresh reads at most; the next one goes on."""
MARGIN_MS = 60_000
"""Clocks of several processes may differ by this much: so far back unchanged conversations are looked through."""


class Use(NamedTuple):
    """That a conversation entered a node, took a transition, called a tool, set a field, or that a timer came due, in a
    version of its flow. With `kind` `"conversation"`, that it had a turn in this version; with `"erased"`, that
    retention erased a part of it.
    """

    kind: str
    name: str
    version: int


class _Counted(NamedTuple):
    """What one conversation contributes, up to a position; `version` is the number of its flow there."""

    flow: str
    seq: int
    began_ms: int
    fingerprint: str
    version: int
    tally: Tally
    uses: set[Use]

    def once(self) -> set[tuple[str, str]]:
        """Return what it used, in whatever version."""
        return {(use.kind, use.name) for use in self.uses}


class _Total:
    """The counts of one flow: `uses` by version, `once` over all versions."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.uses: Counter[Use] = Counter()
        self.once: Counter[tuple[str, str]] = Counter()

    def leave(self, known: _Counted) -> None:
        """Take away what a conversation contributed."""
        self.tally.leave(known.tally)
        self.uses.subtract(known.uses)
        self.once.subtract(known.once())

    def join(self, known: _Counted) -> None:
        """Add what a conversation contributes."""
        self.tally.join(known.tally)
        self.uses.update(known.uses)
        self.once.update(known.once())


class EdgeCounts:
    """Counts transitions and uses by flow. `refresh` brings the counts up to date."""

    def __init__(self, store: Store, machines: AnyMachines) -> None:
        self.store = store
        self.machines = machines
        self._counted: dict[str, _Counted] = {}
        self._totals: dict[str, _Total] = {}
        self._known: dict[str, Machine] = {}
        self.has_reached_all = False
        """Whether a refresh looked through every conversation; a later one need not look so far back."""
        self._refreshing = asyncio.Lock()
        """Held by one refresh at a time, so that two readers do not count the same decision twice."""

    def edges(self, flow: str) -> tuple[Edge, ...]:
        """Return the history of the transitions of a flow."""
        return self._total(flow).tally.edges()

    def visits(self, flow: str) -> dict[str, int]:
        """Return how many conversations entered each node of a flow."""
        return {name: count for (kind, name), count in self._total(flow).once.items() if kind == "node" and count}

    def conversations(self, flow: str) -> int:
        """Return how many conversations of a flow are counted."""
        return self._total(flow).once["conversation", ""]

    def used(self, flow: str, kind: str, name: str) -> int:
        """Return how many conversations of a flow used something."""
        return self._total(flow).once[kind, name]

    def versions(self, flow: str, kind: str = "conversation", name: str = "") -> dict[int, int]:
        """Return how many conversations used something in each version of a flow, or had a turn in it, the oldest
        version first.
        """
        found = [(use.version, count) for use, count in self._total(flow).uses.items() if use[:2] == (kind, name)]
        return {number: count for number, count in sorted(found) if count}

    def know(self, machine: Machine) -> None:
        """Add every transition of a flow, also those that were never judged."""
        if machine.fingerprint not in self._known:
            self._known[machine.fingerprint] = machine
            self._total(machine.flow.name).tally.know(machine, MOMENTS)

    def _total(self, flow: str) -> _Total:
        return self._totals.setdefault(flow, _Total())

    # refreshing --------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Count what has come since; conversations that were deleted no longer count."""
        async with self._refreshing:
            await self._refresh()

    async def refresh_all(self) -> None:
        """Count what has come since, of however many conversations."""
        await self.refresh()
        while not self.has_reached_all:
            await self.refresh()

    async def _refresh(self) -> None:
        changed, total = await self._changed()
        for row in changed[:MOST_AT_ONCE]:
            await self._count(row)
        if len(self._counted) > total:
            names = set(await self.store.conversations())
            for name in [name for name in self._counted if name not in names]:
                self._forget(name)

    async def _changed(self) -> tuple[list[ConversationRow], int]:
        """Return the conversations that changed, and how many there are."""
        found: list[ConversationRow] = []
        after, newest_ms = "", 0
        while True:
            page = await self.store.find(ConversationQuery(after=after, limit=PAGE))
            changed = [row for row in page.rows if not self._is_counted(row)]
            found += changed
            newest_ms = newest_ms or (page.rows[0].at_ms if page.rows else 0)
            is_far_back = bool(page.rows) and page.rows[-1].at_ms < newest_ms - MARGIN_MS
            is_last = not page.next or (not changed and is_far_back and self.has_reached_all)
            if is_last or len(found) >= MOST_AT_ONCE:
                self.has_reached_all = is_last and len(found) <= MOST_AT_ONCE
                return found, page.total
            after = page.next

    def _is_counted(self, row: ConversationRow) -> bool:
        known = self._counted.get(row.conversation)
        return known is not None and (known.seq, known.began_ms) == (row.seq, row.began_ms)

    async def _count(self, row: ConversationRow) -> None:
        known = self._counted.get(row.conversation)
        if known is not None and (known.began_ms != row.began_ms or known.seq > row.seq):
            self._forget(row.conversation)
            known = None
        total = self._total(row.flow)
        if known is not None:
            total.leave(known)
        else:
            known = _Counted(row.flow, 0, row.began_ms, "", 0, Tally(), set[Use]())
        fingerprint, number, tally, uses = known.fingerprint, known.version, known.tally, known.uses
        later = entries_by_version(self.store, row.conversation, row.seq, known.seq, fingerprint)
        async for entry, fingerprint in later:
            number = _number(entry.event, number)
            uses.add(Use("conversation", "", number))
            if isinstance(entry.event, e.Forked) and entry.event.source in self._counted:
                tally, uses = Tally(), {Use("conversation", "", number)}  # the rest is counted in the source
            for kind, name in _uses(entry.event):
                uses.add(Use(kind, name, number))
            if isinstance(entry.event, e.Decided) and fingerprint:
                taken = await self._decided(fingerprint, entry.event, tally)
                uses |= {Use("transition", taken, number)} if taken else set()
        self._counted[row.conversation] = counted = _Counted(
            row.flow, row.seq, row.began_ms, fingerprint, number, tally, uses
        )
        total.join(counted)

    async def _decided(self, fingerprint: str, decided: e.Decided, tally: Tally) -> str:
        """Count a decision; return the transition that was taken, empty without one, or where the flow is unknown."""
        machine = self._known.get(fingerprint)
        if machine is None:
            try:
                machine = await self.machines.for_display(fingerprint)
            except FlowUnavailable:
                return ""
            self.know(machine)
            self._known[fingerprint] = machine  # without its Python guards a machine has another fingerprint
        tally.add(machine, decided)
        candidates = machine.candidates(decided.node, cast("Moment", decided.moment)).all
        return candidates[decided.taken].id if decided.taken >= 0 else ""

    def _forget(self, conversation: str) -> None:
        known = self._counted.pop(conversation)
        self._total(known.flow).leave(known)


def _number(event: e.AnyEvent, before: int) -> int:
    """Return the version of the flow that applies after an event."""
    match event:
        case e.Started(version=number):
            return number
        case e.Migrated(state=state) | e.Snapshot(state=state):
            return state.version
        case _:
            return before


def _uses(event: e.AnyEvent) -> Iterator[tuple[str, str]]:
    """Yield what an event uses, as a kind and a name."""
    match event:
        case e.Started(node=node, is_entered=True) | e.Moved(target=node):
            yield "node", node
        case e.EffectAsked(effect=RunTool(tool=tool)) | e.ToolUsed(tool=tool) | e.CallAnswered(tool=tool):
            yield "tool", tool
        case e.TimerFired(timer=timer):
            yield "timer", timer
        case e.FieldSet(field=field):
            yield "field", field
        case e.Erased():
            yield "erased", ""
        case _:
            pass

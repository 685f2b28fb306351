"""Counts how often transitions were judged and nodes were visited, over all conversations of a store.

The counts are kept, and only conversations that changed since are read again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import NamedTuple

from turnwise.core.explain.history import Edge, Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.errors import FlowUnavailable
from turnwise.runner.machines import AnyMachines
from turnwise.runner.past import pages, version
from turnwise.runner.ports import Store
from turnwise.runner.search import ConversationQuery, ConversationRow

PAGE = 500
MOST_AT_ONCE = 2_000
"""How many conversations one refresh reads at most; the next one goes on."""
MARGIN_MS = 60_000
"""Clocks of several processes may differ by this much: so far back unchanged conversations are looked through."""


class _Counted(NamedTuple):
    """What one conversation contributes, up to a position."""

    flow: str
    seq: int
    began_ms: int
    fingerprint: str
    tally: Tally
    visits: Counter[str]


class _Total:
    """The counts of one flow."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.visits: Counter[str] = Counter()
        self.conversations = 0


class EdgeCounts:
    """Counts transitions and visits by flow. `refresh` brings the counts up to date."""

    def __init__(self, store: Store, machines: AnyMachines) -> None:
        self.store = store
        self.machines = machines
        self._counted: dict[str, _Counted] = {}
        self._totals: dict[str, _Total] = {}
        self._known: dict[str, Machine] = {}
        self._refreshing = asyncio.Lock()
        """Held by one refresh at a time, so that two readers do not count the same decision twice."""

    def edges(self, flow: str) -> tuple[Edge, ...]:
        """Return the history of the transitions of a flow."""
        return self._total(flow).tally.edges()

    def visits(self, flow: str) -> dict[str, int]:
        """Return how many conversations entered each node of a flow."""
        return {node: count for node, count in self._total(flow).visits.items() if count}

    def conversations(self, flow: str) -> int:
        """Return how many conversations of a flow are counted."""
        return self._total(flow).conversations

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

    async def _refresh(self) -> None:
        newest = max((one.seq for one in self._counted.values()), default=0)
        changed, total = await self._changed(first=newest == 0)
        for row in changed[:MOST_AT_ONCE]:
            await self._count(row)
        if len(self._counted) > total:
            names = set(await self.store.conversations())
            for name in [name for name in self._counted if name not in names]:
                self._forget(name)

    async def _changed(self, *, first: bool) -> tuple[list[ConversationRow], int]:
        """Return the conversations that changed, and how many there are."""
        found: list[ConversationRow] = []
        after, newest_ms = "", 0
        while True:
            page = await self.store.find(ConversationQuery(after=after, limit=PAGE))
            changed = [row for row in page.rows if not self._is_counted(row)]
            found += changed
            newest_ms = newest_ms or (page.rows[0].at_ms if page.rows else 0)
            is_far_back = bool(page.rows) and page.rows[-1].at_ms < newest_ms - MARGIN_MS
            if not page.next or len(found) >= MOST_AT_ONCE or (not changed and is_far_back and not first):
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
        if known is None:
            known = _Counted(row.flow, 0, row.began_ms, "", Tally(), Counter[str]())
            self._total(row.flow).conversations += 1
        total = self._total(row.flow)
        total.tally.leave(known.tally)
        total.visits.subtract(known.visits)
        fingerprint, tally, visits = known.fingerprint, known.tally, known.visits
        async for page in pages(self.store, row.conversation, row.seq, known.seq):
            for entry in page:
                fingerprint = version(entry, fingerprint)
                match entry.event:
                    case e.Forked(source=source) if source in self._counted:
                        tally, visits = Tally(), Counter[str]()  # what was copied is counted where it was copied from
                    case e.Started(node=node, is_entered=True) | e.Moved(target=node):
                        visits[node] = 1
                    case e.Decided() as decided if fingerprint:
                        await self._decided(fingerprint, decided, tally)
                    case _:
                        pass
        total.tally.join(tally)
        total.visits.update(visits)
        self._counted[row.conversation] = _Counted(row.flow, row.seq, row.began_ms, fingerprint, tally, visits)

    async def _decided(self, fingerprint: str, decided: e.Decided, tally: Tally) -> None:
        machine = self._known.get(fingerprint)
        if machine is None:
            try:
                machine = await self.machines.shown(fingerprint)
            except FlowUnavailable:
                return
            self.know(machine)
            self._known[fingerprint] = machine  # without its Python guards a machine has another fingerprint
        tally.add(machine, decided)

    def _forget(self, conversation: str) -> None:
        known = self._counted.pop(conversation)
        total = self._total(known.flow)
        total.tally.leave(known.tally)
        total.visits.subtract(known.visits)
        total.conversations -= 1

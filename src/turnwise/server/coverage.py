"""Coverage: which nodes stored conversations of a flow visited, and how often each transition was judged and taken.

A journal is read once: later only the entries that have come since.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict

from turnwise.core.explain.history import Edge, Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.core.trace import Outcome
from turnwise.runner.machines import AnyMachines
from turnwise.runner.past import pages, version
from turnwise.runner.ports import Store
from turnwise.runner.search import ConversationQuery, ConversationRow
from turnwise.server.wire.flows import Coverage
from turnwise.server.wire.trace import EdgeHistory

MOST = 2_000
"""How many conversations are counted: those that changed last."""


class _Seen:
    """What one conversation has seen up to a position."""

    __slots__ = ("began_ms", "fingerprint", "nodes", "seq", "tally")

    def __init__(self, began_ms: int) -> None:
        self.began_ms = began_ms
        self.seq = 0
        self.fingerprint = ""
        self.nodes: set[str] = set()
        self.tally = Tally()

    async def extend(self, store: Store, machines: AnyMachines, conversation: str) -> None:
        """Count the entries that have come since."""
        async for page in pages(store, conversation, after=self.seq):
            for entry in page:
                self.seq = entry.seq
                self.fingerprint = version(entry, self.fingerprint)
                match entry.event:
                    case e.Started(node=node, is_entered=True) | e.Moved(target=node):
                        self.nodes.add(node)
                    case e.Forked():
                        self.tally = Tally()  # what came before is counted in the conversation that it was copied from
                    case e.Decided() as decided if self.fingerprint:
                        self.tally.add(await machines.shown(self.fingerprint), decided)
                    case _:
                        pass


class CoverageCounter:
    """Counts the coverage of flows over the conversations of a store."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, _Seen] = OrderedDict()
        self._lock = asyncio.Lock()

    async def of(self, store: Store, machines: AnyMachines, machine: Machine) -> Coverage:
        """Return the coverage of a flow."""
        async with self._lock:
            return await self._count(store, machines, machine)

    async def _count(self, store: Store, machines: AnyMachines, machine: Machine) -> Coverage:
        nodes, total, count = Counter[str](), Tally(), 0
        total.know(machine, MOMENTS)
        for row in await _rows(store, machine.flow.name):
            seen = self._seen.pop(row.conversation, None)
            if seen is None or seen.began_ms != row.began_ms or seen.seq > row.seq:
                seen = _Seen(row.began_ms)
            if seen.seq < row.seq:
                await seen.extend(store, machines, row.conversation)
            self._seen[row.conversation] = seen
            nodes.update(seen.nodes)
            total.join(seen.tally)
            count += 1
        while len(self._seen) > MOST * 2:
            self._seen.popitem(last=False)
        return Coverage(dict(nodes), tuple([history_of(edge) for edge in total.edges()]), count)


async def _rows(store: Store, flow: str) -> list[ConversationRow]:
    """Return the conversations of a flow that changed last, at most `MOST`."""
    found: list[ConversationRow] = []
    after = ""
    while len(found) < MOST:
        page = await store.find(ConversationQuery(flow=flow, limit=200, after=after))
        found += page.rows
        after = page.next
        if not after:
            break
    return found


def history_of(edge: Edge) -> EdgeHistory:
    """Return how often a transition was judged and taken, as clients receive it."""
    outcomes: dict[Outcome, int] = {outcome: count for outcome, count in edge.outcomes.items() if count}
    return EdgeHistory(
        edge.node, edge.moment, edge.transition, edge.target, edge.judged, edge.held, edge.taken, edge.line, outcomes
    )

"""Caches of what the server made from journals, to answer the same requests again quickly."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from turnwise.api.app import App
from turnwise.archive.edge_counts import EdgeCounts, FlowCounts
from turnwise.archive.outline import Outline, Outlines
from turnwise.core.machine import Machine
from turnwise.server.views.flow_page import history_of
from turnwise.server.wire.trace import EdgeHistory

COUNTS_TIMEOUT_S = 0.03
"""How many seconds a question about one turn waits for new counts over all conversations; then it uses the cached ones.
"""


class Caches:
    """Caches outlines of conversations, and counts over all of them, without words and values of conversations."""

    def __init__(self, apps: Mapping[str, App]) -> None:
        self.apps = apps
        app = next(iter(apps.values()))
        self._counts = EdgeCounts(app.runtime.store, app.runtime.machines)
        self._outlines = {name: Outlines(app.runtime.store, app.runtime.machines) for name, app in apps.items()}
        self._refreshing: asyncio.Task[None] | None = None
        self._has_counted_all = False

    async def outline(self, flow: str, conversation: str) -> Outline:
        """Return the outline of a conversation. Raises `UnknownConversation`."""
        return await self._outlines[flow].outline(conversation)

    async def counts(self, flow: str) -> FlowCounts:
        """Return the counts over all conversations of a flow as they are now, with every transition."""
        if self._refreshing is not None and not self._refreshing.done():
            await asyncio.wait((self._refreshing,))  # it may have begun before the last turn
        await asyncio.shield(self._refresh())
        return await self._counts.flow_counts(flow, self._machine(flow))

    async def histories(self, flow: str) -> dict[tuple[str, str, str], EdgeHistory]:
        """Return the history of each transition of a flow over all conversations, by (node, moment, id). Where many
        conversations must be read first, the cached history is returned; nothing until all were counted once.
        """
        await asyncio.wait((self._refresh(),), timeout=COUNTS_TIMEOUT_S)
        if not self._has_counted_all:
            return {}
        edges = await self._counts.edges(flow, self._machine(flow))
        return {(edge.node, edge.moment, edge.transition): history_of(edge) for edge in edges}

    def _machine(self, flow: str) -> Machine | None:
        return self.apps[flow].machine if flow in self.apps else None

    async def _count(self) -> None:
        has_counted_all = await self._counts.refresh()
        self._has_counted_all = self._has_counted_all or has_counted_all

    def _refresh(self) -> asyncio.Task[None]:
        """Return the refresh that is running, or begin one; never two run at once."""
        running = self._refreshing
        if running is None or running.done():
            if running is not None and not running.cancelled():
                running.exception()  # its failure was reported to who waited, or comes again now
            running = self._refreshing = asyncio.create_task(self._count(), name="turnwise-counts")
        return running

"""Counts how often transitions were judged, and in how many conversations of a store something was used.

The store keeps the counts, and only entries that came since are read.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import json

from turnwise.core.explain.decision import outcome_of
from turnwise.core.explain.history import Edge, Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.state.in_charge import entered_node
from turnwise.errors import FlowUnavailable
from turnwise.flow.model import Moment
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.stored import StoredConversation
from turnwise.runner.uses import ANY_VERSION, Uncounted, Use, UseCount, Uses

BATCH_SIZE = 20
"""How many conversations are written at once; turns of others wait meanwhile."""
MOST_PER_REFRESH = 2_000
"""How many conversations one refresh counts at most; the next one goes on."""
_EDGE = "edge"
"""The kind of an outcome of a transition at a node; its name is a list as JSON."""


class FlowCounts:
    """Counts of what the conversations of one flow used, by kind and name. The kind `"conversation"` counts
    conversations with a turn in a version, the kind `"erased"` those of which retention had erased a part before they
    were counted.
    """

    def __init__(self, found: Iterable[UseCount], machine: Machine | None = None) -> None:
        self._found = tuple(found)
        self._machine = machine
        """A version of the flow whose transitions are listed also where they were never judged."""

    def edges(self) -> tuple[Edge, ...]:
        """Return the history of each transition of the flow."""
        tally = Tally()
        if self._machine is not None:
            tally.add_machine(self._machine, MOMENTS)
        for one in self._found:
            if one.kind == _EDGE:
                node, moment, transition, target, outcome = json.decode(one.name)
                tally.count(Edge(node, moment, transition, target, {outcome: one.times}))
        return tally.edges()

    def visits(self) -> dict[str, int]:
        """Return how many conversations entered each node, by node."""
        return {one.name: one.conversations for one in self._found if one.kind == "node" and one.version == ANY_VERSION}

    def conversations(self) -> int:
        """Return how many conversations are counted."""
        return self.count_of("conversation", "")

    def count_of(self, kind: str, name: str) -> int:
        """Return how many conversations used the thing of this kind and name."""
        return next((one.conversations for one in self._found if one[:3] == (kind, name, ANY_VERSION)), 0)

    def versions(self, kind: str = "conversation", name: str = "") -> dict[int, int]:
        """Return how many conversations used a thing in each flow version, by version number, the oldest first. Without
        a name, how many had a turn in that version.
        """
        found = sorted((one.version, one.conversations) for one in self._found if one[:2] == (kind, name))
        return {version: count for version, count in found if version != ANY_VERSION}


class EdgeCounts:
    """Counts the uses of transitions and other things by flow. `refresh` brings the counts up to date."""

    def __init__(self, store: Store, machines: AnyMachines) -> None:
        self.store = store
        self.machines = machines
        self._refreshing = asyncio.Lock()
        """Held by one refresh at a time, so that two readers do not read the same entries."""

    async def flow_counts(self, flow: str, machine: Machine | None = None, kind: str = "") -> FlowCounts:
        """Return the counts of a flow, of one kind or, if empty, of all. All transitions of `machine` are listed."""
        return FlowCounts(await self.store.use_counts(flow, kind), machine)

    async def edges(self, flow: str, machine: Machine | None = None) -> tuple[Edge, ...]:
        """Return the history of each transition of a flow."""
        return (await self.flow_counts(flow, machine, _EDGE)).edges()

    async def refresh(self) -> bool:
        """Count entries that came since the last call; return whether none is left."""
        async with self._refreshing:
            left = MOST_PER_REFRESH
            while found := await self.store.uncounted(min(BATCH_SIZE, left)):
                await self.store.count_uses([await self._uses(one) for one in found])
                left -= len(found)
                if not left:
                    return not await self.store.uncounted(1)
            return True

    async def refresh_all(self) -> None:
        """Count all entries that came since the last call, however many conversations they belong to."""
        while not await self.refresh():
            pass

    async def _uses(self, uncounted: Uncounted) -> Uses:
        """Read what the uncounted entries of a conversation use."""
        at, replaces = uncounted, False
        fingerprint, version, counts = at.fingerprint, at.version, Counter[Use]()
        stored = StoredConversation(self.store, at.conversation)
        async for entry, fingerprint in stored.by_version(at.after, at.until, at.fingerprint):
            event = entry.event
            version = _version(event, version)
            if isinstance(event, e.Forked) and await self.store.at(event.source, [1]):
                counts.clear()  # the rest is counted in the source
                replaces = True
            for kind, name in [("conversation", ""), *_used(event)]:
                counts.update([Use(kind, name, ANY_VERSION), Use(kind, name, version)])
            if isinstance(event, e.Decided) and fingerprint:
                counts.update(await self._decided(fingerprint, version, event))
        return Uses(uncounted, fingerprint, version, dict(counts), replaces)

    async def _decided(self, fingerprint: str, version: int, decided: e.Decided) -> Counter[Use]:
        """Return the outcomes of a decision, and the transition that was taken; nothing where the flow is unknown."""
        found = Counter[Use]()
        try:
            machine = await self.machines.for_display(fingerprint)
        except FlowUnavailable:
            return found
        candidates = machine.candidates(decided.node, cast("Moment", decided.moment)).all
        for candidate, letter in zip(candidates, decided.outcomes, strict=True):
            edge = (decided.node, decided.moment, candidate.id, candidate.target, outcome_of(letter))
            found[Use(_EDGE, json.encode(edge).decode(), ANY_VERSION)] += 1
        if decided.taken >= 0:
            taken = candidates[decided.taken].id
            found.update([Use("transition", taken, ANY_VERSION), Use("transition", taken, version)])
        return found


def _version(event: e.AnyEvent, before: int) -> int:
    """Return the version of the flow that applies after an event."""
    match event:
        case e.Started(version=number):
            return number
        case e.Migrated(state=state) | e.Snapshot(state=state):
            return state.version
        case _:
            return before


def _used(event: e.AnyEvent) -> Iterator[tuple[str, str]]:
    """Yield what an event uses, as a kind and a name."""
    match event:
        case e.Started() | e.Moved() | e.ScopeOpened():
            if node := entered_node(event):
                yield "node", node
        case e.EffectAsked(effect=RunTool(tool=tool)) | e.ToolUsed(tool=tool) | e.CallAnswered(tool=tool):
            yield "tool", tool
        case e.TimerFired(timer=timer):
            yield "timer", timer
        case e.ScheduleFired(schedule=schedule, did="called" | "offered" | "instructed"):
            yield "schedule", schedule
        case e.EventReceived(name=name):
            yield "event", name
        case e.FieldSet(field=field):
            yield "field", field
        case e.Erased():
            yield "erased", ""
        case _:
            pass

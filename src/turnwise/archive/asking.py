"""Questions about many decisions: what if a value or a rule had been another, and how often an edge held."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.archive.walk import chosen, decisions, pages, told, version
from turnwise.core.explain.history import Edge, Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.explain.what_if import Otherwise, supposed, with_rules
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.events import Decided, Entry, Forked
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import nearest
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Progress, Store


class Supposition(Struct, frozen=True):
    """What is supposed to be otherwise: values of fields (`None` takes one away), guards of transitions by
    their names, or a whole flow.
    """

    values: dict[str, Any] = {}
    rules: dict[str, str] = {}
    flow: Machine | None = None


class WhatIf(Struct, frozen=True):
    """How many decisions were judged again, and those that would have come out otherwise. `skipped` were made
    where the supposed flow has no such node.
    """

    judged: int
    otherwise: tuple[Otherwise, ...]
    skipped: int = 0


async def what_if(
    store: Store,
    machines: AnyMachines,
    supposition: Supposition,
    conversation: str | None = None,
    turn: int | None = None,
    progress: Progress | None = None,
) -> WhatIf:
    """Judge the decisions of a turn, a conversation or a whole store again. A value is supposed in every
    state that is judged. Raises `TurnwiseError` for what no field takes and for names that nothing has.
    """
    names = await chosen(store, conversation)
    asking = _Supposing(machines, supposition)
    for name in told(names, progress):
        async for entry, state in decisions(store, name, turn):
            await asking.ask(name, entry, state)
    return WhatIf(asking.judged, tuple(asking.found), asking.skipped)


class _Supposing:
    """One asking, with the machines that were changed for it."""

    def __init__(self, machines: AnyMachines, supposition: Supposition) -> None:
        self.machines = machines
        self.supposition = supposition
        self.changed: dict[str, Machine] = {}
        self.found: list[Otherwise] = []
        self.judged = self.skipped = 0

    async def ask(self, conversation: str, entry: Entry, state: State) -> None:
        """Judge one decision again."""
        flow = self.supposition.flow
        if flow is not None and state.flow != flow.flow.name:
            return
        machine = await self.machine(state.fingerprint)
        if state.node not in machine.nodes:
            self.skipped += 1
            return
        self.judged += 1
        then = await self.machines.shown(state.fingerprint)
        found = supposed(machine, entry, state, then, self.supposition.values, conversation)
        if found is not None:
            self.found.append(found)

    async def machine(self, fingerprint: str) -> Machine:
        """The machine of a state, with the supposed rules."""
        if self.supposition.flow is not None:
            return self.supposition.flow
        found = self.changed.get(fingerprint)
        if found is None:
            found = await self.machines.of(fingerprint)
            if self.supposition.rules:
                found = link(with_rules(found, self.supposition.rules), found.code.values())
            self.changed[fingerprint] = found
        return found


async def history(
    store: Store,
    machines: AnyMachines,
    conversation: str | None = None,
    transition: str | None = None,
    progress: Progress | None = None,
) -> tuple[Edge, ...]:
    """How often each edge, or one, was judged and held: in one conversation, or over all. Edges of the flows
    that were met are there also where they were never judged. Raises `TurnwiseError` for an unknown name.
    """
    tally, known = Tally(), set[str]()
    names = await chosen(store, conversation)
    for name in told(names, progress):
        fingerprint, own = "", Tally()
        async for page in pages(store, name):
            for entry in page:
                fingerprint = version(entry, fingerprint)
                if fingerprint and fingerprint not in known:
                    known.add(fingerprint)
                    tally.know(await machines.shown(fingerprint), MOMENTS)
                if isinstance(entry.event, Forked) and entry.event.source in names and len(names) > 1:
                    own = Tally()  # what came before is counted in the conversation that it was copied from
                if isinstance(entry.event, Decided) and fingerprint:
                    own.add(await machines.shown(fingerprint), entry.event)
        tally.join(own)
    found = tally.edges(transition or "")
    if transition and not found:
        raise TurnwiseError(f"no transition is called '{transition}'" + _hint(transition, tally))
    return found


def _hint(transition: str, tally: Tally) -> str:
    hint = nearest(transition, {edge.transition for edge in tally.edges()})
    return f"; {hint}" if hint else ""

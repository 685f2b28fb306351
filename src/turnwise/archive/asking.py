"""Questions about stored conversations: what-if with other values or rules, history of transitions, replay."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.explain.history import Edge, Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.explain.what_if import ChangedDecision, judge_supposed, with_rules
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.replay import Difference, difference
from turnwise.core.replay import first_fingerprint as first_version
from turnwise.core.state import State
from turnwise.core.state.codec import decode_state, encode_state
from turnwise.core.state.events import Decided, Entry, Forked, Migrated
from turnwise.core.state.fold import fold_all
from turnwise.core.state.kinds import ERASED
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import nearest
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Progress, Store
from turnwise.runner.stored import StoredConversation, conversation_ids, unknown_conversation, with_progress


class Supposition(Struct, frozen=True):
    """What a what-if supposes: values of fields (`None` removes a value), guards by transition, or a whole flow."""

    values: dict[str, Any] = {}
    """The values to suppose by field; `None` removes the value."""
    rules: dict[str, str] = {}
    """The guards to suppose, by the name of their transition."""
    flow: Machine | None = None
    """The machine of another flow to suppose; `None` for the conversation's own."""


class WhatIf(Struct, frozen=True):
    """The result of judging decisions again under suppositions: how many were judged, and those that would differ.
    `skipped` decisions were made at nodes that the supposed flow does not have.
    """

    judged: int
    """How many decisions were judged again."""
    otherwise: tuple[ChangedDecision, ...]
    """The decisions that would differ."""
    skipped: int = 0
    """How many decisions were made at nodes that the supposed flow does not have."""


async def what_if(
    store: Store,
    machines: AnyMachines,
    supposition: Supposition,
    conversation: str | None = None,
    turn: int | None = None,
    progress: Progress | None = None,
    *,
    keep_same: bool = False,
) -> WhatIf:
    """Judge the decisions of a turn, a conversation or a whole store again, with the supposed values, guards or flow
    (`supposition`). With `keep_same` the result also has those that come out as they did. Raises `TurnwiseError` for a
    value that no field takes, and for an unknown name.
    """
    names = await conversation_ids(store, conversation)
    asking = _Supposing(machines, supposition, keep_same=keep_same)
    for name in with_progress(names, progress):
        async for entry, state in StoredConversation(store, name).decisions(turn):
            await asking.ask(name, entry, state)
    return WhatIf(asking.judged, tuple(asking.found), asking.skipped)


class _Supposing:
    """One what-if, with the machines that were changed for it."""

    def __init__(self, machines: AnyMachines, supposition: Supposition, *, keep_same: bool) -> None:
        self.machines = machines
        self.keep_same = keep_same
        self.supposition = supposition
        self.changed: dict[str, Machine] = {}
        self.found: list[ChangedDecision] = []
        self.judged = self.skipped = 0

    async def ask(self, conversation: str, entry: Entry, state: State) -> None:
        """Judge one decision again, unless the values on which it was made have been erased."""
        if any(found.value == ERASED for found in state.values.values()):
            self.skipped += 1
            return
        flow = self.supposition.flow
        if flow is not None and state.flow != flow.flow.name:
            return
        machine = await self.machine(state.fingerprint)
        if state.node not in machine.nodes:
            self.skipped += 1
            return
        self.judged += 1
        then = await self.machines.shown_of_state(state)
        values = self.supposition.values
        found = judge_supposed(machine, entry, state, then, values, conversation, keep_same=self.keep_same)
        if found is not None:
            self.found.append(found)

    async def machine(self, fingerprint: str) -> Machine:
        """Return the machine of a state, with the supposed rules."""
        if self.supposition.flow is not None:
            return self.supposition.flow
        found = self.changed.get(fingerprint)
        if found is None:
            found = await self.machines.runnable_machine(fingerprint)
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
    """Return how often each transition, or only one, was judged and held, in one conversation or in all.
    Transitions of the flows that were met are included even if they were never judged. Raises `TurnwiseError` for an
    unknown name.
    """
    tally, known = Tally(), set[str]()
    names = await conversation_ids(store, conversation)
    for name in with_progress(names, progress):
        own = Tally()
        async for entry, fingerprint in StoredConversation(store, name).by_version():
            if fingerprint and fingerprint not in known:
                known.add(fingerprint)
                tally.add_machine(await machines.for_display(fingerprint), MOMENTS)
            if isinstance(entry.event, Forked) and entry.event.source in names and len(names) > 1:
                own = Tally()  # what came before is counted in the conversation that it was copied from
            if isinstance(entry.event, Decided) and fingerprint:
                own.add(await machines.for_display(fingerprint), entry.event)
        tally.add_tally(own)
    found = tally.edges(transition or "")
    if transition and not found:
        hint = nearest(transition, {edge.transition for edge in tally.edges()})
        raise TurnwiseError(f"no transition is called '{transition}'" + (f"; {hint}" if hint else ""))
    return found


# replay ------------------------------------------------------------------------------------------


class Replayed(Struct, frozen=True):
    """The result of a replay: whether folding gives the stored state, and the first difference of running it again.
    The latter only if the journal was run again.
    """

    conversation: str
    """The name of the conversation."""
    entries: int
    """How many entries were folded."""
    turns: int
    """How many turns the folded entries have."""
    folds: bool
    """Whether folding the entries leads to the stored state."""
    is_run: bool = False
    """Whether the machine was run again on the events from outside."""
    difference: Difference | None = None
    """The first difference between the stored entries and those of the new run; `None` where there is none."""

    @property
    def agrees(self) -> bool:
        """True if nothing differs."""
        return self.folds and self.difference is None


async def replay(
    store: Store, machines: AnyMachines, conversation: str, *, runs: bool = False, flow: Machine | None = None
) -> Replayed:
    """Fold all entries of a conversation and compare the result with the stored state; with `runs` also run the
    conversation again and compare the entries. It runs with the stored flows, or with `flow`. Raises
    `UnknownConversation`, and `FlowUnavailable` if a flow cannot run.
    """
    stored = StoredConversation(store, conversation)
    state = await stored.state_between_turns()
    entries = await stored.all_entries(until=state.seq)
    if not entries:
        raise await unknown_conversation(store, conversation)
    folded = fold_all(entries)
    folds = folded is not None and decode_state(encode_state(folded)) == decode_state(encode_state(state))
    if not runs and flow is None:
        return Replayed(conversation, len(entries), state.turn, folds)
    others: dict[str, Machine] = {}
    if flow is None:
        flow = await machines.runnable_machine(first_version(entries))
        migrated = {event.fingerprint for entry in entries if isinstance(event := entry.event, Migrated)}
        others = {one: await machines.runnable_machine(one) for one in migrated}
    found = difference(flow, entries, others)
    return Replayed(conversation, len(entries), state.turn, folds, is_run=True, difference=found)

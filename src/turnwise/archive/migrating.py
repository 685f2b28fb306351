"""Forks of conversations, and their migration to another version of the flow (law 6.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from turnwise.archive.transfer import is_imported_already, receipt_of, write_imported
from turnwise.core.machine import Machine
from turnwise.core.migration import NO_RENAMING, MisfitReason, Renaming
from turnwise.core.migration.carry import carry_state, record_migration
from turnwise.core.state import Ended, State
from turnwise.core.state.events import Forked, Migrated
from turnwise.core.step import note_fact
from turnwise.errors import Conflict, FlowUnavailable, TurnwiseError
from turnwise.flow.diagnostic import nearest
from turnwise.runner.machines import AnyMachines, document_of
from turnwise.runner.ports import Clock, Commit, Progress, Store
from turnwise.runner.stored import StoredConversation, conversation_ids, with_progress


async def fork(
    store: Store,
    machines: AnyMachines,
    clock: Clock,
    source: str,
    conversation: str,
    turn: int | None = None,
    *,
    effects: bool = False,
    key: str | None = None,
) -> None:
    """Begin a conversation as a copy of another (`source`) up to the end of a turn, by default the last whole one.
    Its timers are copied too. Tools with effects are refused in it, unless `effects` allows them. With the same `key`
    the same request makes one copy. Raises `UnknownTurn`, `ConversationExists`, `KeyReused`.
    """
    stored = StoredConversation(store, source)
    last = await stored.state_between_turns()
    receipt = receipt_of(key, (source, turn, effects), last)
    if await is_imported_already(store, conversation, receipt):
        return
    number = last.turn if turn is None else turn
    if number > last.turn:
        raise await stored.missing_turn(number)
    of_turn, _, state = await stored.whole_turn(number)
    entries = await stored.all_entries(until=of_turn[-1].seq)
    is_inside = bool(state.outer) and await stored.state_after(number) is None  # of a scope whose words were erased
    if is_inside or tuple(entries[of_turn[0].seq - 1 :]) != of_turn:  # it was erased or deleted meanwhile
        raise await stored.missing_turn(number)
    await machines.shown_of_state(state)  # raises if no one could continue the copy
    step = note_fact(state, Forked(source, number, effects), clock.now_ms())
    await write_imported(store, conversation, (*entries, *step.entries), step.state, receipt)


Outcome = Literal["compatible", "needs_mapping", "must_finish", "current", "ended", "busy", "other_flow"]
"""Whether a conversation can be moved, and if not, why."""


class MigrationOutcome(Struct, frozen=True):
    """A conversation and the outcome of its migration; `is_moved` is true if it continues with the new version.
    `unavailable` is why the version that it is on cannot run, as where a Python function has changed (law 6.8).
    `schedules` are those that it did not have, and has with the new version.
    """

    conversation: str
    """The name of the conversation."""
    outcome: Outcome
    """Whether the conversation was moved, would fit, or what prevents it."""
    node: str = ""
    """The node in which the conversation waits; empty for a conversation of another flow."""
    reasons: tuple[MisfitReason, ...] = ()
    """The reasons for which the conversation does not fit the new version; empty where it fits."""
    is_moved: bool = False
    """True if the conversation continues with the new version."""
    unavailable: str = ""
    """Why the conversation's present version cannot run, such as a changed Python function (law 6.8); or empty."""
    schedules: tuple[str, ...] = ()
    """The names of the schedules that the conversation has only with the new version."""


class Migration(Struct, frozen=True):
    """The outcomes of a migration for the conversations of one flow in a store."""

    fingerprint: str
    """The hash that identifies the new version."""
    conversations: tuple[MigrationOutcome, ...]
    """One outcome for each conversation of the flow."""

    @property
    def counts(self) -> dict[str, int]:
        """How many conversations have each outcome, by outcome."""
        return dict(Counter(waiting.outcome for waiting in self.conversations))

    @property
    def moved(self) -> int:
        """How many conversations were moved."""
        return sum(waiting.is_moved for waiting in self.conversations)

    @property
    def schedules(self) -> dict[str, int]:
        """How many conversations get each new schedule, by its name."""
        return dict(Counter(name for waiting in self.conversations for name in waiting.schedules))

    def by_node(self) -> dict[str, dict[str, int]]:
        """Return how many conversations have each outcome, by the node in which they wait and then by outcome."""
        found: dict[str, Counter[str]] = {}
        for waiting in self.conversations:
            if waiting.node:
                found.setdefault(waiting.node, Counter())[waiting.outcome] += 1
        return {node: dict(counts) for node, counts in found.items()}


async def migrate(
    store: Store,
    machines: AnyMachines,
    clock: Clock,
    new: Machine,
    renaming: Renaming = NO_RENAMING,
    *,
    conversation: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Migration:
    """Move conversations, or one, to a `new` version of their flow; with `dry_run` only report.
    Return each one's outcome. Raises `TurnwiseError` for new names that the version does not have, and for old names
    that none of the old versions has.
    """
    check_renaming(new, renaming)
    names = await conversation_ids(store, conversation)
    if renaming != NO_RENAMING:
        check_old_names(renaming, await _versions(store, machines, new, names))
    migrator = _Migrator(store, machines, clock, new, renaming, dry_run, {})
    if not dry_run:
        await store.keep_flow(new.fingerprint, document_of(new))
    found = [await migrator.move(name) for name in with_progress(names, progress)]
    return Migration(new.fingerprint, tuple([waiting for waiting in found if waiting.outcome != "other_flow"]))


def check_renaming(new: Machine, renaming: Renaming) -> None:
    """Raise `TurnwiseError` for a new name in a renaming that the version `new` does not have."""
    parts = ("node", renaming.nodes, new.nodes), ("field", renaming.fields, new.fields)
    for what, names, known in (*parts, ("overlay", renaming.overlays, new.overlays)):
        for old, name in names.items():
            if name not in known and (name or what != "field"):
                hint = nearest(name, known)
                raise TurnwiseError(
                    f"'{old}' would be '{name}', which no {what} is called" + (f"; {hint}" if hint else "")
                )


def check_old_names(renaming: Renaming, versions: Collection[Machine]) -> None:
    """Raise `TurnwiseError` for an old name in a renaming that no version has, if there are versions."""
    nodes = {name for machine in versions for name in machine.nodes}
    fields = {address for machine in versions for address in machine.fields}
    overlays = {name for machine in versions for name in machine.overlays}
    parts = ("node", renaming.nodes, nodes), ("field", renaming.fields, fields)
    for what, names, known in (*parts, ("overlay", renaming.overlays, overlays)):
        for old in names:
            if versions and old not in known:
                hint = nearest(old, known)
                raise TurnwiseError(f"no {what} was called '{old}'" + (f"; {hint}" if hint else ""))


async def _versions(store: Store, machines: AnyMachines, new: Machine, names: Iterable[str]) -> list[Machine]:
    """Return the versions that conversations of this flow run on; none if all run on the new one already, or if one of
    them cannot be used.
    """
    found: set[str] = set()
    for name in names:
        state = await store.load(name)
        if state is not None and state.flow == new.flow.name:
            found.add(state.fingerprint)
    if found <= {new.fingerprint}:
        return []
    try:
        return [new if one == new.fingerprint else await machines.for_display(one) for one in found]
    except FlowUnavailable:
        return []


class _Migrator(NamedTuple):
    """One migration under way."""

    store: Store
    machines: AnyMachines
    clock: Clock
    new: Machine
    renaming: Renaming
    dry_run: bool
    unavailable: dict[str, str]
    """Why a version cannot run, by its fingerprint; empty where it can."""

    async def move(self, conversation: str) -> MigrationOutcome:
        """Move one conversation, or return why not."""
        state = await self.store.load(conversation)
        if state is None or state.flow != self.new.flow.name:
            return MigrationOutcome(conversation, "other_flow")
        if state.fingerprint == self.new.fingerprint:
            return MigrationOutcome(conversation, "current", state.node)
        if isinstance(state.status, Ended):
            return MigrationOutcome(conversation, "ended", state.node)
        if state.doing is not None:
            return MigrationOutcome(conversation, "busy", state.node)
        return await self._carry(conversation, state)

    async def _carry(self, conversation: str, state: State) -> MigrationOutcome:
        at_ms = self.clock.now_ms()
        old: Machine | None = None
        with suppress(FlowUnavailable):
            old = await self.machines.shown_of_state(state)
        found = carry_state(self.new, state, self.renaming, old=old, at_ms=at_ms)
        known = {one.schedule for one in state.schedules.armed} if state.schedules is not None else set[str]()
        new = tuple([name for name in self.new.schedules if name not in known]) if found.fit == "compatible" else ()
        if found.fit != "compatible" or self.dry_run:
            why = await self._why_unavailable(state.fingerprint)
            outcome = MigrationOutcome(conversation, found.fit, state.node, found.reasons, unavailable=why)
            return replace(outcome, schedules=new)
        event = Migrated(self.new.fingerprint, found.state)
        step = record_migration(self.new, state, event, at_ms)
        try:
            await self.store.commit(conversation, Commit(step.entries, state=step.state))
        except Conflict:
            return MigrationOutcome(conversation, "busy", state.node)
        return MigrationOutcome(conversation, "compatible", state.node, is_moved=True, schedules=new)

    async def _why_unavailable(self, fingerprint: str) -> str:
        if fingerprint not in self.unavailable:
            try:
                await self.machines.runnable_machine(fingerprint)
                self.unavailable[fingerprint] = ""
            except FlowUnavailable as error:
                self.unavailable[fingerprint] = error.reason
        return self.unavailable[fingerprint]

"""The turns of one conversation as facts, each read once; and values traced back through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from turnwise.core.explain.hiding import Hide, hide_nothing, hiding_values
from turnwise.core.secrets import joined_values, secret_values
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.retention import erasure_of
from turnwise.errors import UnknownConversation
from turnwise.flow.addresses import map_of
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.result import Turn
from turnwise.runner.stored import StoredConversation, WholeTurn, is_kept
from turnwise.runner.turn_result import Entries, TurnResults, entries_referred_to
from turnwise.why.answer import Fact, Subject
from turnwise.why.earlier_runs import with_earlier_run
from turnwise.why.facts import KnownFacts, TurnFacts
from turnwise.why.facts.values import FACTS_OF_ROOT
from turnwise.why.kinds import FactKind, words

MOST_STEPS = 64
"""How many values are traced back in one answer."""
_NEWEST = 64
"""How many entries are read for the last turn, which is among them, unless it is long."""


class History(StoredConversation):
    """The turns of one conversation, and their facts; all entries stay as they were at the first read.

    `erased` are the turns that were asked for and that retention erased.
    """

    def __init__(
        self,
        store: Store,
        machines: AnyMachines,
        turns: TurnResults,
        known: KnownFacts,
        conversation: str,
        state: State,
    ) -> None:
        super().__init__(store, conversation)
        self.machines = machines
        self.turns = turns
        self.known = known
        self.last = state
        self.erased: dict[int, e.Erasure | None] = {}
        self._entries: Entries = {}
        """The entries that were read."""
        self._referenced: Entries = {}
        """Effects of whole turns that later turns may refer to."""
        self._turns: dict[int, Turn] = {}
        self._facts: dict[int, TurnFacts] = {}

    async def turn(self, number: int) -> Turn | None:
        """Return the turn with this number; `None` if retention erased it. Raises `UnknownTurn` if
        there never was one.
        """
        if number not in self._turns:
            found = await self.stored_turn(number)
            if found is not None:
                self._turns[number] = await self.turns.of_entries(
                    self.conversation, found.entries, found.state_before, found.after, self._referenced
                )
        return self._turns.get(number)

    async def stored_turn(self, number: int) -> WholeTurn | None:
        """Return the entries and states of a turn without its facts, to read many turns fast; `None` and errors as in
        `turn`.
        """
        if number not in self._whole and number not in self.erased:
            await self._read_until(number)
        return self._whole.get(number)

    async def refuse_deleted(self) -> None:
        """Raise `UnknownConversation` if the conversation was deleted while it was read.

        The entries may then be of two conversations.
        """
        last = self.last
        found = (await self.store.at(self.conversation, (last.seq,))).get(last.seq)
        if found is None or (found.turn, found.at_ms) != (last.turn, last.at_ms):
            raise UnknownConversation(self.conversation, "it was deleted while it was read")

    async def hide(self) -> Hide:
        """Return the function that hides secrets, of now and of each turn that was read, in values and texts."""
        states = {state.fingerprint: [state] for state in (self.last,)}
        for one in self._whole.values():
            states.setdefault(one.after.fingerprint, []).append(one.after)
        machines = {fingerprint: await self.machines.for_display(fingerprint) for fingerprint in states}
        values = [secret_values(machines[name], state) for name, own in states.items() for state in own]
        return hiding_values(joined_values(*values)) if any(values) else hide_nothing

    async def _read_until(self, number: int) -> None:
        """Read a turn, and the turns before it since the last snapshot, from which its state is folded."""
        if number == self.last.turn:
            await self.entries(max(0, self.last.seq - _NEWEST), self.last.seq)
        own = self._known(number) or await self.store.turn(self.conversation, number)
        if not own:
            raise await self.missing_turn(number)
        if not is_kept(own):
            self.erased[number] = erasure_of(own)
            return
        found = await self.turns_until(own)
        if number not in found:  # it was erased or deleted meanwhile
            self._entries.clear()
            await self._read_until(number)
            return
        self._whole |= found
        for one in found.values():
            self._referenced |= entries_referred_to(one.entries)

    def _known(self, number: int) -> tuple[e.Entry, ...]:
        """Return the entries of a turn, if all of them were read."""
        places = [seq for seq, entry in self._entries.items() if entry.turn == number]
        if not places:
            return ()
        first, last = min(places), max(places)
        around = range(max(1, first - 1), min(self.last.seq, last + 1) + 1)
        is_whole = self._entries.keys() >= set(around)
        return tuple([self._entries[seq] for seq in range(first, last + 1)]) if is_whole else ()

    async def note_erased(self, entries: Sequence[e.Entry]) -> None:
        """Record that retention erased some entries, and the last turn among them."""
        await super().note_erased(entries)
        number = entries[-1].turn
        if await self.turn(number) is not None:  # it was read before it was erased
            self.erased[number] = erasure_of(entries)

    async def entries(self, after: int = 0, until: int | None = None) -> tuple[e.Entry, ...]:
        """Return the entries after position `after` up to `until` (inclusive, `None` for the last), as first read."""
        places = range(after + 1, (self.last.seq if until is None else until) + 1)
        missing = [seq for seq in places if seq not in self._entries]
        if missing:
            found = await self.store.entries(self.conversation, missing[0] - 1, missing[-1])
            self._entries |= {one.seq: one for one in found}
        return tuple([self._entries[seq] for seq in places if seq in self._entries])

    def erasures(self) -> tuple[str, ...]:
        """Return in words which turns that the answer needed are erased, in order."""
        return tuple([self.erased_fact(number).text for number in sorted(self.erased)])

    def erased_fact(self, number: int, *about: Subject) -> Fact:
        """Return the fact that a turn is erased: when, and by which retention rule."""
        by, values = self.erased[number], dict[str, Any](turn=number)
        if by is not None:
            values |= {"on": by.day, "kept": by.duration}
        return Fact("erased", words("erased", values), (Subject("turn", str(number)), *about), number, values=values)

    async def facts(self, number: int, seq: int | None = None) -> tuple[Fact, ...]:
        """Return the facts of a turn, or those up to the entry at `seq`; empty if retention erased the turn."""
        if number not in self._facts:
            turn = await self.turn(number)
            if turn is None:
                return ()
            self._facts[number] = self.known.facts_of(turn, self._whole[number].states)
        return self._facts[number].facts_until(seq)

    async def with_traced_values(self, fact: Fact) -> Fact:
        """Return a fact with the causes of each value that it read, traced back to the user's words.
        Each value once, at most `MOST_STEPS`.
        """
        return await self._traced(fact, set())

    async def _traced(self, fact: Fact, done: set[tuple[str, int, int]]) -> Fact:
        if fact.kind == "tool_called" and fact.values.get("again"):
            fact = await with_earlier_run(self, fact)
        if fact.kind == "root_read" and fact.about and not fact.causes:
            fact = await self._as_it_ran(fact)
        if fact.kind in _FROM_BEFORE and not fact.causes:
            origin = await self._earlier_origin(fact, done)
            causes = [await self._traced(origin, done)] if origin is not None else []
        else:
            causes = [await self._traced(cause, done) for cause in fact.causes] if fact.causes else []
        return replace(fact, causes=tuple(causes)) if causes else fact

    async def _earlier_origin(self, read: Fact, done: set[tuple[str, int, int]]) -> Fact | None:
        """Return the fact by which a value came that was read later, or a node whose timer came due; that its turn is
        erased; `None` for a default, and for what was met before.
        """
        if read.kind == "root_read" and not read.about:
            return await self._happened(read)
        since = int(read.values.get("since") or 0)
        until = read.seq if since == read.turn else 0
        key = (read.about[-1].name if read.kind == "timer_fired" else str(read.values["name"]), since, until)
        if not since or key in done or len(done) >= MOST_STEPS:
            return None
        done.add(key)
        if await self.turn(since) is None:
            return self.erased_fact(since)
        if read.kind == "root_read":
            return next((fact for fact in reversed(await self.facts(since)) if _is_use(fact, read)), None)
        if read.kind == "timer_fired":
            return await self._armed(read, since)
        written = await self.writes(since, key[0])
        return next((fact for fact in reversed(written) if not until or fact.seq < until), None)

    async def _as_it_ran(self, read: Fact) -> Fact:
        """Return what a rule read of a use with the turn in which that ran: a state dates a use that an undo kept to
        the undo.
        """
        since = int(read.values.get("since") or 0)
        undone = next((one for one in await self.facts(since) if one.kind == "turn_undone"), None) if since else None
        if undone is None:
            return read
        for number in range(since - 1, int(undone.values["to"]), -1):
            if any(_is_use(one, read) for one in await self.facts(number)):
                return read.with_values(since=number)
        return read

    async def _armed(self, fired: Fact, since: int) -> Fact | None:
        """Return how a timer was armed that came due: when its node was entered, or anew in a later turn."""
        timer = fired.values["timer"]
        for number in range(fired.turn - 1, max(since, fired.turn - _NEAR) - 1, -1):
            for fact in reversed(await self.facts(number)):
                if fact.kind == "timer_armed" and fact.values["timer"] == timer:
                    return fact
        return None

    async def _happened(self, read: Fact) -> Fact | None:
        """Return what a form or a person did last before a turn whose rules read it."""
        root = str(read.values["name"]).partition(".")[0]
        kinds = FACTS_OF_ROOT[root] if root in _LASTING else ()
        if not kinds or str(read.values["value"]) == "0":
            return None
        for number in range(read.turn - 1, max(0, read.turn - _NEAR), -1):
            found = [fact for fact in await self.facts(number) if fact.kind in kinds]
            if found:
                return found[-1]
        return None

    async def writes(self, number: int, field: str) -> list[Fact]:
        """Return facts about how a turn set a field, or changed the items of a list, in order."""
        turn = await self.turn(number)
        events = turn.entries if turn is not None else ()
        own = [one.seq for one in events if isinstance(one.event, _WRITES) and field in _set_by(one.event)]
        facts = await self.facts(number, own[-1]) if own else ()
        return [one for one in facts if one.kind in WRITE_FACTS and one.seq in own]


WRITE_FACTS: tuple[FactKind, ...] = ("field_set", "item_added", "item_changed", "item_removed", "item_moved")
"""The kinds of facts that say how a field got its value."""
_WRITES = (e.FieldSet, e.ItemAdded, e.ItemChanged, e.ItemRemoved, e.ItemMoved)


def _set_by(event: e.FieldSet | e.ItemEvent) -> tuple[str, str]:
    """Return the fields that an event sets: its own, and the map of answers that an answer belongs to."""
    return event.field, map_of(event.field)


_NEAR = 20
"""How many turns are searched for what armed a timer, or for what a form or a person did."""
_LASTING = ("form", "person", "errors")
"""The roots of guards that outlast the turn in which something happened to them."""
_FROM_BEFORE: tuple[FactKind, ...] = ("value_read", "root_read", "timer_fired")
"""Facts whose causes are in a turn before, of which they have the number."""


def _is_use(fact: Fact, read: Fact) -> bool:
    return fact.kind in ("tool_returned", "tool_failed", "tool_used_by_host") and read.about[0] in fact.about

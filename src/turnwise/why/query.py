"""One question: its subject, its turn, the facts of that turn, and a look back at the turns before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.trace import Decision
from turnwise.runner.result import Turn
from turnwise.runner.stored import ITEMS_BETWEEN_PAUSES
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import at_end
from turnwise.why.history import History
from turnwise.why.path import on_path

MOST_ENTRIES_READ = 2000
"""How many entries are searched, back from the turn that is asked about, where the state does not name the turn."""
_BLOCK = 250
"""How many entries are read at first; each block is as long as all before it."""

IsFact = Callable[[Fact], bool]
"""A function that returns whether a fact is of the sort that is looked for."""


PERSON_ACTS = (e.Commands, e.TakenOver, e.OperatorSaid, e.GivenBack, e.GiveBackRefused, e.EventRefused)
"""The events that are acts of persons."""


def actor(event: e.AnyEvent) -> str:
    """Return the name of the person who caused an event (an operator, a sender of commands); empty if none did."""
    match event:
        case e.Commands(by=name):
            return name
        case e.TakenOver(operator=name) | e.OperatorSaid(operator=name):
            return name
        case e.GivenBack(operator=name) | e.GiveBackRefused(operator=name) | e.EventRefused(operator=name):
            return name
        case _:
            return ""


class Query:
    """A question about a subject at the end of a turn.

    `facts` has the facts of its turn, `end` makes facts about how things stand at the end of it.

    `names_turn` is false where no turn was named, and the last one stands for the whole conversation. `searched` is the
    first turn that was searched, where a search was given up before it found anything or came to the first turn that is
    stored; else 0.
    """

    def __init__(
        self, history: History, turn: Turn, facts: tuple[Fact, ...], subject: Subject, *, names_turn: bool = True
    ) -> None:
        self.history = history
        self.turn = turn
        self.facts = facts
        self.subject = subject
        self.names_turn = names_turn
        self.end = at_end(turn, facts)
        self.machine: Machine = turn.machine
        self.state: State = turn.state
        self.decisions: list[Decision] = []
        self.searched = 0
        self._read = list(reversed(turn.entries))
        """The entries that were read so far, the newest first, for all questions about the turn."""

    async def at_turn(self, turn: Turn) -> Query:
        """Return the same question at the end of another turn."""
        return Query(self.history, turn, await self.history.facts(turn.number), self.subject)

    def about_subject(self, subject: Subject) -> Query:
        """Return the question about another subject at the end of the same turn."""
        found = Query(self.history, self.turn, self.facts, subject, names_turn=self.names_turn)
        found._read = self._read
        return found

    @property
    def facts_about(self) -> list[Fact]:
        """The facts of the turn that are about the subject, in order."""
        return [fact for fact in self.facts if self.subject in fact.about]

    @property
    def turns_searched(self) -> str:
        """The turns that were searched, in words: `in turns 30 to 90`; empty if all were."""
        if self.searched:
            return phrase("in turns {searched} to {number}", searched=self.searched, number=self.turn.number)
        return Phrase("in the turns that are still stored") if self.history.erased else ""

    async def last(
        self,
        *types: type[e.AnyEvent],
        is_event: Callable[[Any], bool] | None = None,
        is_fact: IsFact | None = None,
        since: int = 1,
        **values: Any,
    ) -> Fact | None:
        """Return the newest fact, back to turn `since`, of an event of these types with these values; `None` if none.
        `is_event` must be true for the event, and `is_fact` for the fact. Only events that match are made into facts.
        """
        async for entry in self.entries_backwards(*types, since=since):
            is_meant = all(getattr(entry.event, name) == value for name, value in values.items())
            if is_meant and (is_event is None or is_event(entry.event)):
                found = [fact for fact in await self.facts_of(entry) if is_fact is None or is_fact(fact)]
                if found:
                    return found[-1]
        return None

    async def time_of(self, fact: Fact) -> int:
        """Return when the event of a fact happened, in milliseconds since 1970."""
        turn = await self.history.turn(fact.turn)
        assert turn is not None, "a turn with facts is stored"
        return turn.entries[fact.seq - turn.entries[0].seq].at_ms

    async def facts_of(self, entry: e.Entry) -> list[Fact]:
        """Return the facts of a journal entry."""
        return [fact for fact in await self.history.facts(entry.turn, entry.seq) if fact.seq == entry.seq]

    async def newest_in_turn(self, number: int, is_fact: IsFact) -> Fact | None:
        """Return the newest fact of a turn for which `is_fact` is true; `None` without one, and for a later turn."""
        facts = await self.history.facts(number) if 0 < number <= self.turn.number else ()
        return next((fact for fact in reversed(facts) if is_fact(fact)), None)

    async def entries_backwards(self, *types: type[e.AnyEvent], since: int = 1) -> AsyncIterator[e.Entry]:
        """Yield the entries of the turn and of those back to turn `since`, newest first; only of `types` if given."""
        at, wanted = 0, frozenset(types)
        while at < len(self._read) or await self._read_more(since):
            entry = self._read[at]
            if entry.turn < since:
                return
            if not wanted or type(entry.event) in wanted:
                yield entry
            at += 1
            if at % ITEMS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)

    async def acts_of_persons(self, person: str = "") -> list[e.Entry]:
        """Return the entries of acts of persons, or of one, in order: of operators and senders of commands."""
        found = [
            entry
            async for entry in self.entries_backwards(*PERSON_ACTS)
            if (name := actor(entry.event)) and person in ("", name)
        ]
        return found[::-1]

    async def undone_since(self, fact: Fact | None) -> Fact | None:
        """Return the undo that took back the turn of a fact and was not itself taken back; `None` if there is none."""
        if fact is None:
            return None
        async for entry in on_path(self.entries_backwards(e.Undone, since=fact.turn + 1)):
            if isinstance(entry.event, e.Undone) and entry.event.to < fact.turn:
                return (await self.facts_of(entry))[-1]
        return None

    async def undone_later(self) -> list[Fact]:
        """Return the later undo of the turn, in a list, if it is within the next `MOST_ENTRIES_READ` entries."""
        after, last = self.turn.entries[-1].seq, self.history.last
        if self.turn.number >= last.turn:
            return []
        for entry in await self.history.unerased(after + 1, min(last.seq, after + MOST_ENTRIES_READ)):
            if isinstance(entry.event, e.Undone) and entry.event.to < self.turn.number:
                return [fact for fact in await self.facts_of(entry) if fact.kind == "turn_undone"]
        return []

    async def _read_more(self, since: int) -> bool:
        """Read the next block before what was read; return whether it has an entry that is still stored."""
        oldest = self._read[-1]
        if oldest.seq == 1 or since >= self.turn.number or oldest.seq <= self.history.erased_until + 1:
            return False
        if len(self._read) >= MOST_ENTRIES_READ:
            self.searched = oldest.turn
            return False
        size = min(max(_BLOCK, len(self._read)), MOST_ENTRIES_READ)
        found = await self.history.unerased(oldest.seq - size, oldest.seq - 1)
        self._read += reversed(found)
        return bool(found)

"""The facts of a turn: every event of the journal as facts, each with the facts of the same turn that caused it.

Every type of event has a fact maker, or is named in `SILENT` with the reason why it has no fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.runner.result import Turn
from turnwise.why.answer import Fact
from turnwise.why.facts import (
    beginnings,
    budgets,
    calls,
    endings,
    external_events,
    fields,
    items,
    moves,
    offers,
    options,
    overlays,
    people,
    question_lists,
    schedules,
    scopes,
)
from turnwise.why.facts.builder import FactBuilder

FactMaker = Callable[[FactBuilder, Any], Iterator[Fact]]
"""A function that yields the facts of an event."""

FACT_MAKERS: dict[type, FactMaker] = {
    **beginnings.FACT_MAKERS,
    **fields.FACT_MAKERS,
    **items.FACT_MAKERS,
    **moves.FACT_MAKERS,
    **calls.FACT_MAKERS,
    **people.FACT_MAKERS,
    **scopes.FACT_MAKERS,
    **offers.FACT_MAKERS,
    **overlays.FACT_MAKERS,
    **schedules.FACT_MAKERS,
    **external_events.FACT_MAKERS,
    **question_lists.FACT_MAKERS,
    **options.FACT_MAKERS,
    **budgets.FACT_MAKERS,
    **endings.FACT_MAKERS,
}
"""The functions that yield the facts of an event, by its class; every class is here, or in `SILENT` with a reason."""

SILENT: dict[type, str] = {
    e.Snapshot: "it repeats the state, for faster reading",
    e.WordsRecalled: "the machine read words of the journal, to show them",
    e.Erased: "a turn that retention erased has no facts; the answer says that it is erased",
    e.StateRecalled: "the undo that it belongs to has facts",
}
"""The classes of events that are no facts, each with the reason."""


MOST_KNOWN = 64
"""How many turns are kept with their facts."""


class KnownFacts:
    """A cache of the facts of the turns that were asked about last, of all conversations.

    A turn that is read differently by now, for example because retention erased what it refers to, is read again.
    """

    def __init__(self, most: int = MOST_KNOWN) -> None:
        self.most = most
        self._known: dict[tuple[str, int], TurnFacts] = {}

    def facts_of(self, turn: Turn, states: Iterable[State | None]) -> TurnFacts:
        """Return the facts of a turn; `states` are the states before each of its entries."""
        key = (turn.conversation, turn.number)
        known = self._known.pop(key, None)
        if known is None or known.turn != turn:
            known = TurnFacts(turn, states)
        self._known[key] = known
        if len(self._known) > self.most:
            del self._known[next(iter(self._known))]
        return known

    def drop(self, conversation: str) -> None:
        """Remove the cached facts of a conversation."""
        self._known = {key: facts for key, facts in self._known.items() if key[0] != conversation}


class TurnFacts:
    """The facts of a turn, in the order in which they happened; each is made when it is asked for.

    `states` are the states before each of its entries.
    """

    def __init__(self, turn: Turn, states: Iterable[State | None]) -> None:
        self.turn = turn
        self._builder = FactBuilder(turn) if turn.entries else None
        self._entries = zip(turn.entries, states, strict=True)
        self._last = 0

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts of the turn."""
        return self.facts_until(None)

    def facts_until(self, seq: int | None) -> tuple[Fact, ...]:
        """Return the facts up to the entry at position `seq`, which later ones cannot have caused; all for `None`."""
        builder = self._builder
        if builder is None:
            return ()
        while seq is None or self._last < seq:
            following = next(self._entries, None)
            if following is None:
                break
            builder.entry, builder.state = entry, _ = following
            self._last = entry.seq
            make = FACT_MAKERS.get(type(entry.event))
            if make is not None:
                builder.add(make(builder, entry.event))
        return tuple(builder.facts)

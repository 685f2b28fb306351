"""The story of a turn: every event of the journal as facts, each with the facts of the same turn that caused it.

It is total: an event of any kind is told, or is named in `SILENT` with the reason why there is nothing to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.state import events as e
from turnwise.core.state.fold import fold
from turnwise.runner.result import Turn
from turnwise.why.answer import Fact
from turnwise.why.story import beginnings, calls, endings, fields, moves, people
from turnwise.why.story.telling import Telling

Teller = Callable[[Telling, Any], Iterator[Fact]]

TELLERS: dict[type, Teller] = {
    **beginnings.TELLERS,
    **fields.TELLERS,
    **moves.TELLERS,
    **calls.TELLERS,
    **people.TELLERS,
    **endings.TELLERS,
}

SILENT: dict[type, str] = {
    e.Snapshot: "it repeats the state, for faster reading",
    e.WordsRecalled: "the machine read words of the journal, to show them",
    e.Erased: "a turn that retention erased has no story; the answer says that it is erased",
    e.StateRecalled: "the undo that it belongs to is told",
}


class Story:
    """The facts of a turn, in the order in which they happened. They are made as far as they are asked for."""

    def __init__(self, turn: Turn) -> None:
        self._telling = Telling(turn) if turn.entries else None
        self._entries = iter(turn.entries)
        self._last = 0

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts of the turn."""
        return self.until(None)

    def until(self, seq: int | None) -> tuple[Fact, ...]:
        """Return the facts up to an entry: no later one caused any of them."""
        telling = self._telling
        if telling is None:
            return ()
        while seq is None or self._last < seq:
            entry = next(self._entries, None)
            if entry is None:
                break
            telling.entry, self._last = entry, entry.seq
            teller = TELLERS.get(type(entry.event))
            if teller is not None:
                telling.add(teller(telling, entry.event))
            telling.state = fold(telling.state, entry)
        return tuple(telling.facts)

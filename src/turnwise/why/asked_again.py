"""Finds what the user was asked for again: by a form, or by a model in a node that still lacks it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection

from turnwise.core.commands.allowed_input import fields_to_collect
from turnwise.core.state import events as e
from turnwise.why.answer import Subject
from turnwise.why.kind_words import KIND_WORDS
from turnwise.why.names import words_in
from turnwise.why.query import Query

_AGAIN = frozenset(
    (
        *("again", "twice", "repeat", "repeats", "repeated", "repeatedly"),
        *("doppelt", "erneut", "nochmal", "nochmals", "wiederholt", "zweimal"),
    )
)
"""Words for what happened more than once."""
_MOST_TURNS = 50
"""How many turns are searched for one that asked again."""


def asks_about_repetition(words: Collection[str]) -> bool:
    """Return whether words of a question ask why something was asked again."""
    return not _AGAIN.isdisjoint(words) and not KIND_WORDS["question"].isdisjoint(words)


async def asked_again(query: Query, words: Collection[str]) -> tuple[Subject, int] | None:
    """Return what the user was asked for in two turns in a row, and the second turn; `None` if nothing was.
    What the `words` of the question name comes first, else the newest.
    """
    found = [one async for one in _repeated(query)]
    named = (one for one in found if not set(words_in(query.machine.title(one[0].name))).isdisjoint(words))
    return next(named, found[0] if found else None)


async def _repeated(query: Query) -> AsyncIterator[tuple[Subject, int]]:
    """Yield what was asked for again, with the turn, the newest first."""
    last = query.turn.number
    first = max(1, last - _MOST_TURNS)
    async for entry in query.entries_backwards(e.Missed, since=first):
        if isinstance(entry.event, e.Missed) and entry.event.field in query.machine.fields:
            yield Subject("question", entry.event.field), entry.turn
    later: tuple[str, ...] = ()
    for number in range(last, first - 1, -1):
        turn = await query.history.turn(number)
        lacked = tuple(fields_to_collect(turn.machine, turn.state)) if turn is not None else ()
        for field in later:
            if field in lacked:
                yield Subject("field", field), number + 1
        known = turn.state.values if turn is not None else ()
        later = tuple([field for field in lacked if field not in known and field in query.machine.fields])

"""Why the conversation ended or goes on, and the few decisions that brought it where it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from turnwise.core.phrase import listed, phrase
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.path import on_path
from turnwise.why.plain.moves import decision
from turnwise.why.query import Query
from turnwise.why.subjects.turns import what_waits

MOST_MOVES = 6
"""How many moves are listed: the last of those that matter."""


async def answer(query: Query) -> list[Fact]:
    """Return why the conversation ended, or why it goes on, and the few moves that brought it to its last node.
    The moves are those that matter for the node in charge, each with the values that made it, and how many others there
    were. If no condition decided the end, the last move that a condition decided comes before the others.
    """
    first = await _first(query)
    trail = await _trail(query)
    known = {one.seq for one in first.walk()}
    facts: list[Fact] = []
    for entry in trail.moves[-MOST_MOVES:]:
        if entry.seq not in known:
            facts += [fact for fact in await query.facts_of(entry) if fact.kind == "node_left"]
    query.decisions += [one for one in query.turn.decisions if one.taken]
    decisive = _decisive(first, facts) if first.kind == "conversation_ended" else None
    if decisive is None:
        return [first, *facts, *_others(query, trail)]
    others = [fact for fact in facts if fact is not decisive]
    ended = with_grounds(first, held_in_words(decisive)).with_values(decisive=decisive.seq)
    return [ended, decisive, *others, *_others(query, trail)]


def _decisive(ended: Fact, moves: Sequence[Fact]) -> Fact | None:
    """Return the last of some moves that a condition decided; `None` where something else decided the end: a condition
    of its own, a person, a model, or a failure.
    """
    if any(one.values.get("is_planned") and not one.values["unguarded"] for one in ended.causes):
        return None
    for move in (ended, *reversed(moves)):
        decided = decision(move)
        if _values_read(decided):
            return move if move is not ended else None
        if decided.values.get("moment") in ("choice", "error") or any(decided.values.get(one) for one in _OTHERWISE):
            return None
    return None


_OTHERWISE = ("operator", "grounds", "is_planned")
"""Values of a move that something else decided than a condition that was judged then."""


def _values_read(decided: Fact) -> list[str]:
    return [one.text for one in decided.causes if one.kind in ("value_read", "root_read")]


def with_grounds(fact: Fact, grounds: str) -> Fact:
    """Return a move, or the end, with `grounds` (the values that decided it) added to its text."""
    return fact.with_values(because=str(fact.values.get("because") or "").rstrip("."), grounds=grounds, rule="")


def held_in_words(move: Fact) -> str:
    """Return in words that the transition of a move held for the values that it read; empty if it read none."""
    decided = decision(move)
    read = _values_read(decided)
    return (
        phrase(
            "{transition} held in turn {turn}, as {read}",
            transition=decided.values["transition"],
            turn=move.turn,
            read=listed(read),
        )
        if read
        else ""
    )


async def _first(query: Query) -> Fact:
    if isinstance(query.state.status, Ended):
        ended = await query.last(e.Ended)
        return ended or await what_waits(query)
    waits = await what_waits(query)
    return query.end.fact_of_state("conversation_goes_on", Subject("end"), causes=(waits,), reason=waits.text)


async def after_end(query: Query) -> Fact | None:
    """Return the fact that messages after the end are not kept; `None` if the conversation has not ended."""
    if not isinstance(query.state.status, Ended):
        return None
    ended = await query.last(e.Ended)
    if ended is None:
        return None
    return query.end.fact_of_state("message_not_kept", Subject("end"), causes=(ended,), turn=ended.turn)


class _Trail(NamedTuple):
    """The moves that matter, the oldest first; how many others only led in a circle, and how many were undone."""

    moves: tuple[e.Entry, ...]
    circles: int
    undone: int


async def _trail(query: Query) -> _Trail:
    """Return the moves to the node in charge, without those that an undo took back and those that only led back to a
    node where the conversation had been.
    """
    every = [entry async for entry in query.entries_backwards() if isinstance(entry.event, e.Moved)]
    path = [entry async for entry in on_path(query.entries_backwards()) if isinstance(entry.event, e.Moved)]
    moves = _without_circles(reversed(path))
    if path and path[0] not in moves:  # it led back, and put the node in charge nevertheless
        moves = (*moves, path[0])
    return _Trail(moves, len(path) - len(moves), len(every) - len(path))


def _without_circles(path: Iterable[e.Entry]) -> tuple[e.Entry, ...]:
    """Return a path, the oldest move first, without the moves between two visits of a node."""
    found: list[e.Entry] = []
    sources: list[str] = []
    for entry in path:
        assert isinstance(entry.event, e.Moved)
        found.append(entry)
        sources.append(entry.event.source)
        if entry.event.target in sources:
            begin = sources.index(entry.event.target)
            del found[begin:], sources[begin:]
    return tuple(found)


def _others(query: Query, trail: _Trail) -> list[Fact]:
    """Return how many moves are not listed, if there are any."""
    earlier = max(0, len(trail.moves) - MOST_MOVES)
    if not earlier and not trail.circles and not trail.undone:
        return []
    values: dict[str, Any] = {"earlier": earlier, "circles": trail.circles, "undone": trail.undone}
    node = query.state.node
    counts = (
        (earlier, "{count} earlier move on the way to {node}", "{count} earlier moves on the way to {node}"),
        (trail.circles, "{count} move in a circle", "{count} moves in a circle"),
        (trail.undone, "{count} undone move", "{count} undone moves"),
    )
    moves = [phrase(one if count == 1 else more, count=count, node=node) for count, one, more in counts if count]
    return [query.end.fact_of_state("moves_left_out", Subject("end"), node=node, moves=listed(moves), **values)]

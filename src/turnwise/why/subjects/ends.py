"""Why the conversation ended or goes on, and the few decisions that brought it where it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.asking import Asking
from turnwise.why.path import on_path
from turnwise.why.subjects.turns import what_waits

MOST_MOVES = 6
"""How many moves are listed: the last of those that matter."""


async def answer(asking: Asking) -> list[Fact]:
    """Return why the conversation ended, else why it goes on; then the moves that matter for the node in charge, each
    with the values that made it, and how many others there were.
    """
    first = await _first(asking)
    trail = await _trail(asking)
    known = {one.seq for one in first.walk()}
    told: list[Fact] = []
    for entry in trail.moves[-MOST_MOVES:]:
        if entry.seq not in known:
            told += [fact for fact in await asking.told_by(entry) if fact.kind == "node_left"]
    asking.decisions += [one for one in asking.turn.decisions if one.taken]
    return [first, *told, *_others(asking, trail)]


async def _first(asking: Asking) -> Fact:
    if isinstance(asking.state.status, Ended):
        ended = await asking.last(lambda event: isinstance(event, e.Ended))
        return ended or await what_waits(asking)
    waits = await what_waits(asking)
    return asking.end.standing("conversation_goes_on", Subject("end"), causes=(waits,), reason=waits.text)


class _Trail(NamedTuple):
    """The moves that matter, the oldest first; how many others only led in a circle, and how many were undone."""

    moves: tuple[e.Entry, ...]
    circles: int
    undone: int


async def _trail(asking: Asking) -> _Trail:
    """Return the moves to the node in charge, without those that an undo took back and those that only led back to a
    node where the conversation had been.
    """
    every = [entry async for entry in asking.back() if isinstance(entry.event, e.Moved)]
    path = [entry async for entry in on_path(asking.back()) if isinstance(entry.event, e.Moved)]
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


def _others(asking: Asking, trail: _Trail) -> list[Fact]:
    """Return how many moves are not listed, if there are any."""
    earlier = max(0, len(trail.moves) - MOST_MOVES)
    if not earlier and not trail.circles and not trail.undone:
        return []
    values: dict[str, Any] = {"earlier": earlier, "circles": trail.circles, "undone": trail.undone}
    return [asking.end.standing("moves_left_out", Subject("end"), node=asking.state.node, **values)]

"""The path of a conversation: the decisions that led to its present node, without those that an undo took back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

from turnwise.core.phrase import phrase
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import in_charge
from turnwise.why.history import History


class Move(NamedTuple):
    """A move from one node to another, or to an end."""

    source: str
    """The name of the node that was left."""
    target: str
    """The name of the node that was entered; empty if the move ended the conversation."""
    transition: str
    """The name of the transition that was taken."""
    turn: int
    """The number of the turn in which the move was made."""
    seq: int
    """The position of the move's event in the journal."""
    scope: str = ""
    """The scope that the move opened, or closed with an outcome; empty if it did neither."""
    outcome: str = ""
    """The outcome with which the scope or the conversation ended; empty if neither ended."""

    @property
    def way(self) -> tuple[str, ...]:
        """The nodes and the transition, by which the same move of another conversation is recognised."""
        return self.source, self.target, self.transition, self.scope, self.outcome

    @property
    def text(self) -> str:
        """The move in words: `went to expert by expert`."""
        way = self.transition
        if self.outcome:
            return phrase("closed {scope} as {outcome}", scope=self.scope, outcome=self.outcome)
        if self.scope:
            return phrase("opened {scope}[ by {way}]", scope=self.scope, way=way)
        if self.target:
            return phrase("went to {target}[ by {way}]", target=self.target, way=way)
        return phrase("ended in {node}[ by {way}]", node=self.source, way=way)


async def on_path(entries: AsyncIterator[e.Entry]) -> AsyncIterator[e.Entry]:
    """Yield the entries (newest first) that no later undo among them took back."""
    async for entry, undo in with_undos(entries):
        if undo is None:
            yield entry


async def with_undos(entries: AsyncIterator[e.Entry]) -> AsyncIterator[tuple[e.Entry, e.Entry | None]]:
    """Yield the entries (newest first), each with the later undo among them that took it back, or `None`."""
    last: e.Entry | None = None
    async for entry in entries:
        if last is not None and isinstance(last.event, e.Undone) and entry.turn > last.event.to:
            yield entry, last
        else:
            yield entry, None
            last = entry if isinstance(entry.event, e.Undone) else last


class Path(NamedTuple):
    """The moves that led to a position in the journal."""

    moves: tuple[Move, ...]
    """The moves, the oldest first."""
    unknown_until: int = 0
    """The last turn whose moves are unknown because retention erased them; 0 if all are known."""


async def path_to(history: History, until: int) -> Path:
    """Return the moves that led to position `until` in the journal, without those that an undo took back."""
    events = (
        *(e.Started, e.Moved, e.ScopeOpened, e.ScopeClosed),
        *(e.Undone, e.Ended, e.Snapshot, e.Migrated),
    )
    found = [entry async for entry in on_path(history.backwards(until)) if isinstance(entry.event, events)]
    moves: list[Move] = []
    nodes = tuple[str, ...]()
    for entry in reversed(found):
        match entry.event:
            case e.Moved(source=source, target=target, transition=transition):
                moves.append(Move(source, target, transition, entry.turn, entry.seq))
            case e.ScopeOpened(scope=scope, node=node, transition=transition):
                moves.append(Move(nodes[-1], node, transition, entry.turn, entry.seq, scope))
            case e.ScopeClosed(scope=scope, outcome=outcome):
                moves.append(Move(nodes[-1], nodes[-2], "", entry.turn, entry.seq, scope, outcome))
            case e.Ended():
                moves.append(Move(nodes[-1], "", "", entry.turn, entry.seq))
            case _:
                pass
        nodes = in_charge(nodes, entry.event)
    oldest = found[-1].event if found else None
    was_moved = isinstance(oldest, e.Snapshot) and sum(oldest.state.visits.values()) > 1  # moves before it are erased
    return Path(tuple(moves), found[-1].turn if was_moved else 0)

"""The timeline of a conversation, compact: arrays instead of objects for turns and marks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.archive.outline import Began
from turnwise.archive.timeline_events import Sign


class TimelineMark(Struct, frozen=True, array_like=True):
    """One decision on the timeline."""

    seq: int
    """The position of the decision in the journal."""
    turn: int
    at_ms: int
    """When it was made, in milliseconds since 1970."""
    node: int
    """The index of its lane."""
    mark: Literal["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"]
    """Its outcome: that of the candidate that was taken or blocked, else of the nearest."""
    target: int
    """The index of the lane it moves to, -1 where it stays."""
    text: str
    """The decision in one line."""
    is_undone: bool
    """True where a later undo took it back."""
    moment: str = ""
    """The moment that was judged; `person` for an act of a person."""
    transition: str = ""
    """The transition that was taken."""
    judged: int = -1
    """The index of its candidates in `Timeline.candidates`, -1 where there were none."""
    outcomes: str = ""
    """One letter per candidate, as `Decided.outcomes` has them."""
    frame: int = 0
    """The id of the frame in which it was judged."""
    depth: int = 0
    """How many frames are around that one."""
    has_moved: bool = False
    """True where it led to another node, or ended the conversation."""


class TimelineTurn(Struct, frozen=True, array_like=True):
    """One turn on the timeline."""

    turn: int
    """The number of the turn."""
    first_seq: int
    """The position of its first entry in the journal."""
    last_seq: int
    """The position of its last entry."""
    at_ms: int
    """When it began."""
    node: int
    """The index of the lane in which it ends."""
    began: Began
    """What began it: `said` for a message, `chose` for a button, `tool` for one that the host used."""
    is_undone: bool
    """True where a later undo took it back."""
    frame: int = 0
    """The id of the frame in which it ends."""
    depth: int = 0
    """How many frames are around that one."""


class TimelineSign(Struct, frozen=True, array_like=True):
    """Something around the conversation on the timeline: a timer that fired, an offer, an event of another system."""

    seq: int
    """The position of its event in the journal."""
    turn: int
    at_ms: int
    """When it happened, in milliseconds since 1970."""
    sign: Sign
    """Which sign the page shows."""
    text: str
    """What happened, in one line."""


class TimelineOverlay(Struct, frozen=True, array_like=True):
    """An overlay on the timeline: from the position at which it became active, to that at which it ended."""

    name: str
    persona_name: str
    """The name that the agent had while it was active."""
    from_seq: int
    """The position at which it became active."""
    to_seq: int | None
    """The position at which it ended; `None` while it is active."""


class Timeline(Struct, frozen=True):
    """The whole path of a conversation, compact: arrays instead of objects for turns and marks."""

    conversation: str
    lanes: tuple[str, ...]
    """The names of the nodes, in the order of the flow; those inside a scope follow its node."""
    turns: tuple[TimelineTurn, ...]
    """The turns, in order."""
    marks: tuple[TimelineMark, ...]
    """The decisions, in order."""
    commits: tuple[int, ...]
    """The positions of the last entry of each commit."""
    moves: tuple[tuple[int, int, int], ...]
    """Position, lane before, lane after; also where a scope was opened or closed."""
    last_seq: int
    """The position of the last entry of the journal."""
    is_cut: bool = False
    """True where earlier turns are no longer stored."""
    candidates: tuple[tuple[str, ...], ...] = ()
    """The distinct lists of transitions that were judged, in the order of judging."""
    depths: tuple[int, ...] = ()
    """In how many scopes each lane stands."""
    signs: tuple[TimelineSign, ...] = ()
    """What happened around it by the clock, by offers, and in other systems."""
    overlays: tuple[TimelineOverlay, ...] = ()
    """The overlays, in the order in which they became active."""
    titles: dict[str, str] = {}
    """What people call each lane, by its name."""

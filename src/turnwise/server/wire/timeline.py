"""The timeline of a conversation, compact: arrays instead of objects for turns and marks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.archive.outline import Began
from turnwise.archive.timeline_events import Sign


class TimelineMark(Struct, frozen=True, array_like=True):
    """A decision on the timeline of a conversation."""

    seq: int
    """The position of the decision in the journal."""
    turn: int
    """The number of the decision's turn."""
    at_ms: int
    """When the decision was made, in milliseconds since 1970."""
    node: int
    """The index in `Timeline.lanes` of the node at which it was made, from 0."""
    mark: Literal["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"]
    """The outcome of the candidate that was taken or blocked, else of the nearest one."""
    target: int
    """The index in `Timeline.lanes` of the node that the decision moved to, from 0; -1 where it stays."""
    text: str
    """The decision in one line."""
    is_undone: bool
    """True where a later undo reversed the decision."""
    moment: str = ""
    """The moment that was judged; `person` for an act of a person."""
    transition: str = ""
    """The name of the transition that was taken; empty if none was."""
    judged: int = -1
    """The index in `Timeline.candidates` of the judged transitions, from 0; -1 where there were none."""
    outcomes: str = ""
    """The outcomes of the judged transitions, one letter for each, as in `Decided.outcomes`."""
    frame: int = 0
    """The id of the frame in which the decision was made; 0 for the conversation itself."""
    depth: int = 0
    """How many frames are around the frame of the decision."""
    has_moved: bool = False
    """True where the decision led to another node, or ended the conversation."""


class TimelineTurn(Struct, frozen=True, array_like=True):
    """A turn on the timeline of a conversation."""

    turn: int
    """The number of the turn."""
    first_seq: int
    """The position of the turn's first entry in the journal."""
    last_seq: int
    """The position of the turn's last entry in the journal."""
    at_ms: int
    """When the turn began, in milliseconds since 1970."""
    node: int
    """The index in `Timeline.lanes` of the node in which the turn ends, from 0."""
    began: Began
    """What began the turn: `said` for a message, `chose` for a button, `tool` for one that the host used."""
    is_undone: bool
    """True where a later undo reversed the turn."""
    frame: int = 0
    """The id of the frame in which the turn ends; 0 for the conversation itself."""
    depth: int = 0
    """How many frames are around the frame in which the turn ends."""


class TimelineSign(Struct, frozen=True, array_like=True):
    """An event around the conversation on its timeline: a fired timer, an offer, an external event."""

    seq: int
    """The position of the event in the journal."""
    turn: int
    """The number of the event's turn."""
    at_ms: int
    """When the event happened, in milliseconds since 1970."""
    sign: Sign
    """The kind of sign that the page shows."""
    text: str
    """What happened, in one line."""


class TimelineOverlay(Struct, frozen=True, array_like=True):
    """A period on the timeline in which an overlay was active."""

    name: str
    """The name of the overlay."""
    persona_name: str
    """The name that the agent had while the overlay was active; empty for no other name."""
    from_seq: int
    """The journal position at which the overlay became active."""
    to_seq: int | None
    """The journal position at which the overlay ended; `None` while it is active."""


class Timeline(Struct, frozen=True):
    """The whole path of a conversation, compact: arrays instead of objects for turns and marks."""

    conversation: str
    """The name of the conversation."""
    lanes: tuple[str, ...]
    """The names of the nodes, one for each lane, in the order of the flow; those in a scope follow its node."""
    turns: tuple[TimelineTurn, ...]
    """The turns, in order."""
    marks: tuple[TimelineMark, ...]
    """The decisions, in order."""
    commits: tuple[int, ...]
    """The journal positions of the last entry of each commit."""
    moves: tuple[tuple[int, int, int], ...]
    """The moves as (position, lane before, lane after), also where a scope was opened or closed; lanes from 0."""
    last_seq: int
    """The position of the last entry of the journal."""
    is_cut: bool = False
    """True where earlier turns are no longer stored."""
    candidates: tuple[tuple[str, ...], ...] = ()
    """The distinct lists of transitions that were judged, each in the order of judging."""
    depths: tuple[int, ...] = ()
    """The number of scopes around each lane's node, in the order of `lanes`."""
    signs: tuple[TimelineSign, ...] = ()
    """The events around the conversation: of timers and schedules, of offers, and of other systems."""
    overlays: tuple[TimelineOverlay, ...] = ()
    """The overlays, in the order in which they became active."""
    titles: dict[str, str] = {}
    """The titles of the nodes for people, by lane name."""

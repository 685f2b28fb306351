"""What the keeping of a journal brings with it."""

from __future__ import annotations

from turnwise.core.events.base import Event
from turnwise.core.state import State


class TurnRestarted(Event, frozen=True, tag="turn_restarted"):
    """A turn that was cut off goes on from the effect that it awaits; what was shown and not kept is taken back."""


class CallerLeft(Event, frozen=True, tag="caller_left"):
    """Nobody received the outcome of these turns: their callers had left. Without turns: a refusal has reported all
    that nobody had received.
    """

    turns: tuple[int, ...]


class Snapshot(Event, frozen=True, tag="snapshot"):
    """The state at this position: folding may begin here. It changes nothing."""

    state: State


class Forked(Event, frozen=True, tag="forked"):
    """All that comes before was taken over from another conversation, up to the end of a turn. Without `effects`
    tools that change the world are not run here (law 6.9).
    """

    source: str
    turn: int
    effects: bool = False


class Migrated(Event, frozen=True, tag="migrated"):
    """The conversation goes on with another version of its flow, from this state."""

    fingerprint: str
    state: State


class Erased(Event, frozen=True, tag="erased"):
    """An event that is no longer kept; `kind` is what it was."""

    kind: str


Kept = TurnRestarted | CallerLeft | Snapshot | Forked | Migrated | Erased

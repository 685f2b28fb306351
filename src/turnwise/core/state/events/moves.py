"""Events about moves: made, planned for the next message, put off until other calls were made, or taken back."""

from __future__ import annotations

from typing import Literal

from turnwise.core.state import State
from turnwise.core.state.events.base import Event
from turnwise.core.state.events.scopes import KeptWords


class MovePlanned(Event, frozen=True, tag="move_planned"):
    """A transition was decided, whose move is made at the next event of the user."""

    transition: str
    """The name of the transition."""
    target: str
    """The node that will be entered."""


class MovePutOff(Event, frozen=True, tag="move_put_off"):
    """A move that was decided at `tool` waits until the other calls of that tool in the same reply are done."""

    transition: str = ""
    """The transition of the move; empty where the put-off move was tried and not made."""
    target: str = ""
    """The node that will be entered."""
    reply: str = ""
    """The id of the model call whose reply holds the calls."""
    tool: str = ""
    """The tool for whose other calls the move waits."""


class JudgingPlanned(Event, frozen=True, tag="judging_planned"):
    """Transitions are judged later: after all calls of a reply, or when the operator gives the conversation back.

    After the calls the moment is `calls`. Without a reply, a result or a failure came while an operator was in charge.
    """

    reply: str
    """The id of the model call whose reply holds the calls; empty if a person was in charge."""
    moment: Literal["tool", "error"] = "tool"
    """The moment that is judged when the person gives the conversation back; used only without `reply`."""


class Moved(Event, frozen=True, tag="moved"):
    """A node was left and another entered."""

    source: str
    """The node that was left."""
    target: str
    """The node that was entered."""
    transition: str
    """The name of the transition; empty for a move without one."""
    because: str = ""
    """The author's reason for the transition, where the user may ask why; else empty."""
    note: str = ""
    """The text that the transition passes to the model of the target node; empty if none."""


class Undone(Event, frozen=True, tag="undone"):
    """An undo restored the state at the end of an earlier turn; effects that ran since are not reversed."""

    to: int
    """The number of the turn whose final state was restored."""
    state: State
    """The state that was restored."""
    kept: tuple[str, ...] = ()
    """The names of the tools whose effects were not reversed."""
    closed: tuple[KeptWords, ...] = ()
    """The open scopes whose opening was undone and whose words are kept for a limited time only."""

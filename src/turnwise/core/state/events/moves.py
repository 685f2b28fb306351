"""Events about moves: made, planned for the next message, put off until other calls were made, or taken back."""

from __future__ import annotations

from typing import Literal

from turnwise.core.state import State
from turnwise.core.state.events.base import Event
from turnwise.core.state.events.scopes import KeptWords


class MovePlanned(Event, frozen=True, tag="move_planned"):
    """A move was decided that is taken at the next user event."""

    transition: str
    target: str
    """The node that will be entered."""


class MovePutOff(Event, frozen=True, tag="move_put_off"):
    """A move that was decided at `tool` is made when the other calls of that tool in the same reply are done."""

    transition: str = ""
    """The transition of the move; empty where it was tried then, and not made."""
    target: str = ""
    """The node that will be entered."""
    reply: str = ""
    """The id of the model call whose reply has the calls."""
    tool: str = ""
    """The tool whose other calls it waits for."""


class JudgingPlanned(Event, frozen=True, tag="judging_planned"):
    """A call of a reply of the model was made: the transitions at `calls` are judged when all calls of the reply have
    their results. Without a reply a result or a failure came while a person was in charge.
    """

    reply: str
    """The id of the model call whose reply has the calls; empty without a reply."""
    moment: Literal["tool", "error"] = "tool"
    """Without a reply: the moment that is judged when the person gives the conversation back."""


class Moved(Event, frozen=True, tag="moved"):
    """A node was left and another entered."""

    source: str
    """The node that was left."""
    target: str
    """The node that was entered."""
    transition: str
    because: str = ""
    """Why the author wants the transition, where the user may ask."""
    note: str = ""
    """What the transition hands over to the model of the target."""


class Undone(Event, frozen=True, tag="undone"):
    """The state of the end of an earlier turn was restored; effects that were performed are not reversed."""

    to: int
    """The turn at whose end that state was."""
    state: State
    """The restored state."""
    kept: tuple[str, ...] = ()
    """The tools whose effects were not reversed."""
    closed: tuple[KeptWords, ...] = ()
    """The open scopes whose opening was taken back and whose words are kept for a time only."""

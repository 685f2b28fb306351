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
    """A move that was decided at `tool` is made when the other calls of `tool` in the same reply are done. Without a
    `transition` it was tried then, and not made.
    """

    transition: str = ""
    target: str = ""
    """The node that will be entered."""
    reply: str = ""
    """The id of the model call whose reply has the calls."""
    tool: str = ""


class JudgingPlanned(Event, frozen=True, tag="judging_planned"):
    """A call of a reply of the model was made: the transitions at `calls` are judged when all calls of the reply have
    their results. Without a reply a result or a failure came while a person was in charge: those at `tool`, or at the
    `moment`, are judged when the person gives the conversation back.
    """

    reply: str
    """The id of the model call whose reply has the calls."""
    moment: Literal["tool", "error"] = "tool"


class Moved(Event, frozen=True, tag="moved"):
    """A node was left and another entered. `note` is what the transition hands over to the model of the target."""

    source: str
    """The node that was left."""
    target: str
    """The node that was entered."""
    transition: str
    because: str = ""
    """Why the author wants the transition, where the user may ask."""
    note: str = ""


class Undone(Event, frozen=True, tag="undone"):
    """The state of the end of turn `to` was restored; effects that were performed are not reversed. `closed` are the
    open scopes whose opening was taken back and whose words are kept for a time only.
    """

    to: int
    state: State
    """The restored state."""
    kept: tuple[str, ...] = ()
    """The tools whose effects were not reversed."""
    closed: tuple[KeptWords, ...] = ()

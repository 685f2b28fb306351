"""Events about moves from node to node: made, planned for the next message, or put off until other calls were made."""

from __future__ import annotations

from turnwise.core.state.events.base import Event


class MovePlanned(Event, frozen=True, tag="move_planned"):
    """A move was decided that is taken at the next user event."""

    transition: str
    target: str


class MovePutOff(Event, frozen=True, tag="move_put_off"):
    """A move that was decided at `tool` is made when the other calls of `tool` in the same reply are done. Without a
    `transition` it was tried then, and not made.
    """

    transition: str = ""
    target: str = ""
    reply: str = ""
    tool: str = ""


class JudgingPlanned(Event, frozen=True, tag="judging_planned"):
    """A call of a reply of the model was made: the transitions at `calls` are judged when all calls of the reply have
    their results.
    """

    reply: str


class Moved(Event, frozen=True, tag="moved"):
    """A node was left and another entered. `note` is what the transition hands over to the model of the target."""

    source: str
    target: str
    transition: str
    because: str = ""
    note: str = ""

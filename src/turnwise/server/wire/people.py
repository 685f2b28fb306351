"""A person who takes a conversation over and gives it back (law 6.10): what clients send, and what they see before."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.trace import Decision
from turnwise.flow.model import Moment
from turnwise.server.wire.requests import Fault, Name, Words


class TakeOver(Struct, frozen=True, forbid_unknown_fields=True):
    """A person takes a conversation over."""

    operator: Name
    """The name that the user sees. With keys the trace records the owner of the key."""
    reason: str = ""
    """Why the person takes over; it is recorded."""
    instead_of: str | None = None
    """The person in charge (`person.operator`) from whom this one takes over; `None` where no one is in charge."""


class OperatorMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """A message of the person in charge."""

    text: Words
    operator: str | None = None
    """The person who writes: refused where another one is in charge. With keys the owner of the key is the operator."""


class GiveBack(Struct, frozen=True, forbid_unknown_fields=True):
    """The person gives the conversation back to the machine."""

    outcome: str = "done"
    """What guards read as `person.outcome`."""
    set: dict[str, Any] = {}
    """The values of fields that were agreed; `null` removes one."""
    transition: str | None = None
    """The transition to take, whatever its guard says."""
    end: str | None = None
    """The outcome with which the conversation ends; `None` to go on."""
    reason: str = ""
    """Why the person gives it back; it is recorded."""
    operator: str | None = None
    """Who gives it back, on a server without keys."""


class TransitionChoice(Struct, frozen=True):
    """A transition that the person may take: its name, its moment, and where it leads."""

    name: str
    """The name of the transition in the flow."""
    moment: Moment
    """When its guard would be judged."""
    target: str
    """The node that it leads to."""
    because: str = ""
    """Why the author wants it."""


class GiveBackPreview(Struct, frozen=True):
    """What giving a conversation back would do now, without doing it."""

    is_known: bool
    """False where a model or a tool would decide what follows, or where only admins may see it."""
    refused: str = ""
    """The code of the refusal; empty where it would be accepted."""
    text: str = ""
    """What the machine would reply, or the reason of the refusal."""
    faults: tuple[Fault, ...] = ()
    """What would be refused."""
    moves: tuple[str, ...] = ()
    """The transitions that would be taken, in order, as far as they are known."""
    node: str = ""
    """The node in which the turn would end."""
    outcome: str = ""
    """The outcome with which the conversation would end; empty if it would go on."""
    values: dict[str, Any] = {}
    """The values that would change, by field."""
    decisions: tuple[Decision, ...] = ()
    """The decisions that would be made, with all candidates, for callers with `debug:read`."""
    transitions: tuple[TransitionChoice, ...] = ()
    """The transitions that the person may take by name."""
    outcomes: tuple[str, ...] = ()
    """The outcomes that the transitions of the node know."""
    why: str = ""
    """Why what follows is not known; empty where it is."""

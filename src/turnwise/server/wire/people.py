"""A person who takes a conversation over and gives it back (law 6.10): what clients send, and what they see before."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.trace import Decision
from turnwise.flow.model import Moment
from turnwise.server.wire.requests import Fault, Name, Words


class TakeOver(Struct, frozen=True, forbid_unknown_fields=True):
    """A request by which a person takes over a conversation."""

    operator: Name
    """The name of the person that the user sees. With keys the trace records the owner of the key."""
    reason: str = ""
    """Why the person takes over, which is recorded; empty for no reason."""
    instead_of: str | None = None
    """The person in charge (`person.operator`) who is replaced; `None` where no person is in charge."""


class OperatorMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """A message that the person in charge sends to the user."""

    text: Words
    """The message."""
    operator: str | None = None
    """The person who writes, refused if another one is in charge; `None`: any. With keys it is the key's owner."""


class GiveBack(Struct, frozen=True, forbid_unknown_fields=True):
    """A request by which the person in charge gives the conversation back to the machine."""

    outcome: str = "done"
    """The result of the person's work, which guards read as `person.outcome`."""
    set: dict[str, Any] = {}
    """The agreed values by field; `null` removes a value."""
    transition: str | None = None
    """The name of the transition to take, whatever its guard says; `None` to let the flow decide."""
    end: str | None = None
    """The outcome with which the conversation is to end; `None` to continue it."""
    reason: str = ""
    """Why the person gives the conversation back; it is recorded. Empty for no reason."""
    operator: str | None = None
    """The name of the person, on a server without keys; `None` for the one in charge."""


class TransitionChoice(Struct, frozen=True):
    """A transition that the person may take: its name, its moment, and where it leads."""

    name: str
    """The name of the transition in the flow."""
    moment: Moment
    """When the guard of the transition would be judged."""
    target: str
    """The node that the transition leads to."""
    because: str = ""
    """Why the author wants the transition; empty if not given."""


class GiveBackPreview(Struct, frozen=True):
    """What giving a conversation back would do now, without doing it."""

    is_known: bool
    """True if it is known what follows; false where a model or a tool decides, or where only admins may see it."""
    refused: str = ""
    """The code of the refusal; empty where giving back would be accepted."""
    text: str = ""
    """What the machine would reply, or the reason of the refusal."""
    faults: tuple[Fault, ...] = ()
    """What would be refused in the request."""
    moves: tuple[str, ...] = ()
    """The transitions that would be taken, in order, as far as they are known."""
    node: str = ""
    """The node in charge after the turn."""
    outcome: str = ""
    """The outcome with which the conversation would end; empty if it would go on."""
    values: dict[str, Any] = {}
    """The values that would change, by field."""
    decisions: tuple[Decision, ...] = ()
    """The decisions that would be made, with all candidates, for callers with `debug:read`."""
    transitions: tuple[TransitionChoice, ...] = ()
    """The transitions that the person may take by name."""
    outcomes: tuple[str, ...] = ()
    """The values of `person.outcome` that the node's transitions test."""
    why: str = ""
    """Why it is not known what follows; empty where it is known."""

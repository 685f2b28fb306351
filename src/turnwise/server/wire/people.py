"""A person who takes a conversation over and gives it back (law 6.10): what clients send, and what they see before."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.trace import Decision
from turnwise.flow.model import Moment
from turnwise.server.wire.requests import Fault, Name, Words


class TakeOver(Struct, frozen=True, forbid_unknown_fields=True):
    """A person takes a conversation over; `operator` is the name that the user sees. With keys the trace records the
    owner of the key. `instead_of` is the person in charge (`person.operator`) from whom this one takes over.
    """

    operator: Name
    reason: str = ""
    """Why the person takes over; it is recorded."""
    instead_of: str | None = None


class OperatorMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """A message of the person in charge. With `operator` it is refused where another person is in charge; with keys
    the owner of the key is the operator.
    """

    text: Words
    operator: str | None = None


class GiveBack(Struct, frozen=True, forbid_unknown_fields=True):
    """The person gives the conversation back to the machine.

    `outcome` is what guards read as `person.outcome`. `set` are the fields that were agreed, `null` removes one.
    `transition` is taken whatever its guard says, `end` ends the conversation; `reason` is recorded.
    """

    outcome: str = "done"
    set: dict[str, Any] = {}
    transition: str | None = None
    end: str | None = None
    reason: str = ""
    operator: str | None = None
    """Who gives it back, on a server without keys."""


class TransitionChoice(Struct, frozen=True):
    """A transition that the person may take: its name, its moment, and where it leads."""

    name: str
    moment: Moment
    """When its guard would be judged."""
    target: str
    """The node that it leads to."""
    because: str = ""
    """Why the author wants it."""


class GiveBackPreview(Struct, frozen=True):
    """What giving a conversation back would do now, without doing it.

    `is_known` is false where a model or a tool would decide what follows, and `moves` go as far as that; or where only
    admins may see it. `why` says which. `decisions` are those that would be made, with all candidates, for callers with
    `debug:read`. `faults` are what would be refused.
    """

    is_known: bool
    refused: str = ""
    """The code of the refusal; empty where it would be accepted."""
    text: str = ""
    """What the machine would reply, or the reason of the refusal."""
    faults: tuple[Fault, ...] = ()
    moves: tuple[str, ...] = ()
    node: str = ""
    """The node in which the turn would end."""
    outcome: str = ""
    """The outcome with which the conversation would end; empty if it would go on."""
    values: dict[str, Any] = {}
    """The values that would change, by field."""
    decisions: tuple[Decision, ...] = ()
    transitions: tuple[TransitionChoice, ...] = ()
    """The transitions that the person may take by name."""
    outcomes: tuple[str, ...] = ()
    """The outcomes that the transitions of the node know."""
    why: str = ""

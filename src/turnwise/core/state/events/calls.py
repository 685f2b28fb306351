"""Events of tool calls: those that the machine answers, refuses, or lets wait for approval."""

from __future__ import annotations

from typing import Any

from turnwise.core.state.events.base import Event
from turnwise.core.state.kinds import CallRefusal
from turnwise.flow.model.words import Approver


class CallAnswered(Event, frozen=True, tag="call_answered"):
    """The machine itself answered a call of a generated tool; the resulting events are recorded with it."""

    call: str
    """The id of the call."""
    tool: str
    result: dict[str, Any]
    """What the model gets back."""


class CallRefused(Event, frozen=True, tag="call_refused"):
    """A call was not run: the reason for machines, the text for the model."""

    call: str
    """The id of the call."""
    tool: str
    reason: CallRefusal
    """The code of the reason."""
    text: str
    """The reason in words, for the model."""
    by: str = ""
    """The person who declined it, where the host named one; else empty."""


class CallHeld(Event, frozen=True, tag="call_held"):
    """A call waits for approval (law 4.5)."""

    tool: str
    arguments: dict[str, Any]
    """The arguments as they will be given to the tool."""
    call: str = ""
    """The id of the model's call; empty where the tool is the work of the node."""
    effect: str = ""
    """The id under which it will be run."""
    approver: Approver = "user"
    """Who may decide: the user, or only an operator."""
    since_ms: int = 0
    """When it began to wait."""
    due_ms: int | None = None
    """When it is declined if no one decides; `None` if never."""


class ApprovalUnclear(Event, frozen=True, tag="approval_unclear"):
    """The user answered the question about a call neither with yes nor with no: the question is asked again."""

    call: str
    """The id of the call."""
    tool: str
    is_counted: bool = True
    """False where the message was only a greeting or thanks, or asked for help, for time, or for the question."""


class CallQueued(Event, frozen=True, tag="call_queued"):
    """A call that needs no approval waits, because an earlier call of its reply waits for approval."""

    call: str
    """The id of the call."""
    tool: str


class CallApproved(Event, frozen=True, tag="call_approved"):
    """A call that waited was approved by a decision of a client."""

    call: str
    """The id of the call."""
    tool: str
    arguments: dict[str, Any]
    """The arguments that are approved."""
    by: str = ""
    """Who approved it; empty if that is not known."""
    approver: Approver = "user"
    """Who had to decide: the user, or an operator."""
    is_edited: bool = False
    """True where the arguments are others than the call had."""


class SequenceAdvanced(Event, frozen=True, tag="sequence_advanced"):
    """The conversation has passed this many positions of the node's tool sequence (law 4.1)."""

    to: int
    """How many positions were passed."""

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
    """The name of the tool."""
    result: dict[str, Any]
    """The result that the model gets: values by name."""


class CallRefused(Event, frozen=True, tag="call_refused"):
    """A tool call was refused and did not run: `reason` is the code, `text` the reason in words for the model."""

    call: str
    """The id of the model's call."""
    tool: str
    """The name of the tool, as the model wrote it."""
    reason: CallRefusal
    """The code of why the call was refused."""
    text: str
    """Why the call was refused, in words for the model."""
    by: str = ""
    """The name of the person who declined the call; empty if none did, or the name is not known."""


class CallHeld(Event, frozen=True, tag="call_held"):
    """A call waits for approval (law 4.5)."""

    tool: str
    """The name of the tool."""
    arguments: dict[str, Any]
    """The arguments with which the tool will be called, by name."""
    call: str = ""
    """The id of the model's call; empty if the node itself makes the call."""
    effect: str = ""
    """The id of the effect that will run the call."""
    approver: Approver = "user"
    """Who may approve the call: the user, or only an operator."""
    since_ms: int = 0
    """Since when the call waits, in milliseconds since 1970."""
    due_ms: int | None = None
    """When the call is declined if no one decides, in milliseconds since 1970; `None` if never."""


class ApprovalUnclear(Event, frozen=True, tag="approval_unclear"):
    """The user answered the question about a call with neither yes nor no, and is asked again."""

    call: str
    """The id of the call."""
    tool: str
    """The name of the tool."""
    is_counted: bool = True
    """False where the message was only a greeting or thanks, or asked for help, time or the question: it is no miss."""


class CallQueued(Event, frozen=True, tag="call_queued"):
    """A call that needs no approval waits, because an earlier call of its reply waits for approval."""

    call: str
    """The id of the call."""
    tool: str
    """The name of the tool."""


class CallApproved(Event, frozen=True, tag="call_approved"):
    """A call that waited for approval was approved."""

    call: str
    """The id of the call."""
    tool: str
    """The name of the tool."""
    arguments: dict[str, Any]
    """The arguments that were approved, by name."""
    by: str = ""
    """The name of the person who approved the call; empty if it is not known."""
    approver: Approver = "user"
    """Who had to decide: the user, or an operator."""
    is_edited: bool = False
    """True where the person changed arguments of the call."""


class SequenceAdvanced(Event, frozen=True, tag="sequence_advanced"):
    """The node's tool sequence advanced (law 4.1): `to` is how many of its positions are done."""

    to: int
    """How many positions of the sequence are done."""

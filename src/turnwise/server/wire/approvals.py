"""Calls that wait for approval (law 4.5): what clients see of them, and what they decide."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from turnwise.flow.model.words import Approver
from turnwise.server.wire.values import ItemTexts


class WaitingArgument(Struct, frozen=True):
    """An argument of a tool call that waits for approval; a secret value is redacted."""

    name: str
    """The name of the argument in the flow."""
    title: str
    """The title of the argument for people."""
    type: str
    """The type of the argument in the flow: `text`, `number`, `choice`."""
    value: Any = None
    """The value of the argument as JSON data; `None` without one."""
    text: str = ""
    """The value as people read it; empty without one."""
    options: tuple[str, ...] = ()
    """The values that the argument may have, if it is a choice; empty for any."""
    is_secret: bool = False
    """True where the value is redacted."""
    is_optional: bool = False
    """True where the call may be made without the argument."""
    items: ItemTexts | None = None
    """The items of the value, if it is a list of records; `None` for any other value."""


class WaitingQuestionPart(Struct, frozen=True):
    """A part of the question about a tool call that waits for approval."""

    text: str
    """The words of the part."""
    arguments: tuple[str, ...] = ()
    """The names of the arguments that the text is made of."""
    is_value: bool = False
    """True where the text is the value of one argument: a client that changes the argument can change the question."""


class WaitingCall(Struct, frozen=True):
    """A tool call that waits for approval."""

    id: str
    """The id of the call, by which decisions name it."""
    tool: str
    """The name of the called tool."""
    about: str
    """What the tool does, as its author wrote it."""
    arguments: tuple[WaitingArgument, ...] = ()
    """The arguments of the call."""
    approver: Approver = "user"
    """Who may decide about the call: the user, or only an operator."""
    since_ms: int = 0
    """When the call began to wait, in milliseconds since 1970."""
    due_ms: int | None = None
    """When the call is declined if no one decides, in milliseconds since 1970; `None` for never."""
    is_asked: bool = False
    """True for the call that the open question of the conversation is about."""
    then: tuple[str, ...] = ()
    """The names of the tools of the calls that wait behind this one."""
    question: tuple[WaitingQuestionPart, ...] = ()
    """The question for approval that the author wrote, in parts; empty without one."""
    done_before: str = ""
    """A sentence that says when the same effect was done before an undo; empty where it was not."""


class CallChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """The decision about one tool call that waits."""

    call: str
    """The `id` of the waiting call."""
    approve: bool
    """True to approve the call, false to decline it."""
    arguments: dict[str, Any] = {}
    """The new values of arguments to change, by name."""
    reason: str = ""
    """Why the call is declined; empty for no reason."""


class Decide(Struct, frozen=True, forbid_unknown_fields=True):
    """Decisions about tool calls that wait, each by itself. If one of them is refused, none counts."""

    decisions: Annotated[tuple[CallChoice, ...], Meta(min_length=1)]
    """A decision for each call that is decided; the other calls continue to wait."""


class DecideAsOperator(Struct, frozen=True, forbid_unknown_fields=True):
    """Decisions of an operator about waiting tool calls. With keys the owner of the key is recorded as the operator."""

    decisions: Annotated[tuple[CallChoice, ...], Meta(min_length=1)]
    """A decision for each call that is decided; the other calls continue to wait."""
    operator: str = ""
    """The name of the operator who decides, on a server without keys."""

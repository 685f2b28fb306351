"""Calls that wait for approval (law 4.5): what clients see of them, and what they decide."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from turnwise.flow.model.words import Approver
from turnwise.server.wire.values import ItemTexts


class WaitingArgument(Struct, frozen=True):
    """An argument of a call that waits; a secret value is redacted."""

    name: str
    """The name of the argument in the flow."""
    title: str
    """What people call the argument."""
    type: str
    """Its type in the flow: `text`, `number`, `choice`."""
    value: Any = None
    """The value as JSON data."""
    text: str = ""
    """The value as people read it."""
    options: tuple[str, ...] = ()
    """The values that it may have, of a choice."""
    is_secret: bool = False
    """True where the value is redacted."""
    is_optional: bool = False
    """True where the call may be made without it."""
    items: ItemTexts | None = None
    """The items, of a list of records."""


class WaitingQuestionPart(Struct, frozen=True):
    """A part of the question about a call that waits."""

    text: str
    """The words of the part."""
    arguments: tuple[str, ...] = ()
    """The names of the arguments that the text is made of."""
    is_value: bool = False
    """True where it is the value of one argument, so a client that changes the argument can show the question again."""


class WaitingCall(Struct, frozen=True):
    """A call that waits for approval."""

    id: str
    """Its name in decisions."""
    tool: str
    """The name of the tool."""
    about: str
    """What it does."""
    arguments: tuple[WaitingArgument, ...] = ()
    """What it is called with."""
    approver: Approver = "user"
    """Who may decide: the user, or only an operator."""
    since_ms: int = 0
    """When it began to wait."""
    due_ms: int | None = None
    """When it is declined if no one decides; `None` if it is not."""
    is_asked: bool = False
    """True for the call that the open question of the conversation is about."""
    then: tuple[str, ...] = ()
    """The tools of calls that wait behind it."""
    question: tuple[WaitingQuestionPart, ...] = ()
    """The question that the author wrote for its approval, in parts; empty without one."""
    done_before: str = ""
    """That the same effect was done before an undo, and when; empty where it was not."""


class CallChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """The decision about one call."""

    call: str
    """The `id` of the call."""
    approve: bool
    """False to decline it."""
    arguments: dict[str, Any] = {}
    """The arguments to change, by name."""
    reason: str = ""
    """Why it is declined."""


class Decide(Struct, frozen=True, forbid_unknown_fields=True):
    """Decisions about calls that wait, each by itself. If one of them is refused, none counts."""

    decisions: Annotated[tuple[CallChoice, ...], Meta(min_length=1)]
    """One for each call that is decided; the others go on waiting."""


class DecideAsOperator(Struct, frozen=True, forbid_unknown_fields=True):
    """Decisions of an operator. With keys the owner of the key is recorded as the operator."""

    decisions: Annotated[tuple[CallChoice, ...], Meta(min_length=1)]
    """One for each call that is decided; the others go on waiting."""
    operator: str = ""
    """Who decides, on a server without keys."""

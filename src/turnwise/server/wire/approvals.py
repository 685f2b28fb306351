"""Calls that wait for approval (law 4.5): what clients see of them, and what they decide."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from turnwise.flow.model.words import Approver
from turnwise.server.wire.values import ItemTexts


class WaitingArgument(Struct, frozen=True):
    """An argument of a call that waits. `text` is the value as people read it; a secret value is redacted."""

    name: str
    title: str
    """What people call the argument."""
    type: str
    """Its type in the flow: `text`, `number`, `choice`."""
    value: Any = None
    text: str = ""
    options: tuple[str, ...] = ()
    """The values that it may have, of a choice."""
    is_secret: bool = False
    is_optional: bool = False
    items: ItemTexts | None = None
    """The items, of a list of records."""


class WaitingQuestionPart(Struct, frozen=True):
    """A part of the question about a call that waits: its text, and the arguments that it is made of. With `is_value`
    it is the value of one argument, so a client that changes the argument can show the question again.
    """

    text: str
    arguments: tuple[str, ...] = ()
    """The names of the arguments that the text is made of."""
    is_value: bool = False


class WaitingCall(Struct, frozen=True):
    """A call that waits for approval: `id` names it in decisions, `about` is what it does, `question` the question that
    the author wrote for its approval, in parts; empty without one. `done_before` says that the same effect was done
    before an undo, and when; empty where it was not.

    `is_asked` is true for the call that the open question of the conversation is about. `then` are the tools of calls
    that wait behind it. `due_ms` is when it is declined if nobody decides.
    """

    id: str
    tool: str
    about: str
    arguments: tuple[WaitingArgument, ...] = ()
    approver: Approver = "user"
    """Who may decide: the user, or only an operator."""
    since_ms: int = 0
    """When it began to wait."""
    due_ms: int | None = None
    is_asked: bool = False
    then: tuple[str, ...] = ()
    question: tuple[WaitingQuestionPart, ...] = ()
    done_before: str = ""


class CallChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """The decision about one call: `arguments` are those to change, `reason` is why it is declined."""

    call: str
    """The `id` of the call."""
    approve: bool
    arguments: dict[str, Any] = {}
    reason: str = ""


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

"""What clients send: the bodies and queries of requests, and the problem that answers a wrong one."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from turnwise.archive.names import LONGEST_NAME, NAME
from turnwise.core.state.commands import AnyCommand
from turnwise.server.wire.turns import TurnResult

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=NAME)]
"""The name of a new conversation, or of an operator."""
MOST_DIGITS = 11
"""The digits of the largest position that a client may name; stores take more."""
Seq = Annotated[int, Meta(ge=0, lt=10**MOST_DIGITS)]
"""The position of an entry in a journal."""


Words = Annotated[str, Meta(extra_json_schema={"pattern": r"[^\s\u0000-\u001f\u007f-\u009f]"})]
"""What a person says: not only blanks and control characters."""
Cursor = Annotated[str, Meta(extra_json_schema={"pattern": r"^([0-9]{1,15}\.[0-9]{1,15})?(?![\s\S])"})]
"""The `next` of a page, empty for the first page."""


class NewConversation(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a conversation."""

    flow: str
    """The name of the flow."""
    name: Name | None = None
    """The name of the conversation; without one the server makes one."""
    time_zone: str | None = None
    """The time zone of the user, as `Europe/Berlin`; by default that of the flow."""


class ToolReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A use of a tool by the code of the host."""

    name: str
    """The tool."""
    arguments: dict[str, Any] = {}
    """What it was called with, by name."""
    result: Any = None
    """What it returned, as JSON data."""


class TimerToFire(Struct, frozen=True, forbid_unknown_fields=True):
    """A timer, named by its transition."""

    transition: str
    """The transition that the timer takes."""
    visit: int | None = None
    """Which visit of the node the timer belongs to, where it was visited several times."""


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Undo the last turn, or several."""

    to: int | None = None
    """The turn after which all turns are undone; `None` for the last one only."""


class NewTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """One event for a conversation: exactly one of the keys, beside `position`."""

    text: Words | None = None
    """A message of the user."""
    button: Words | None = None
    """The value or label of a button that the user pressed."""
    position: int | None = None
    """With a button the position of the turn which offered it; with a text the last one that the sender has received
    (`seq`): where the user has sent something else since, the text is refused (`stale`).
    """
    undo: UndoRequest | None = None
    """Take turns back."""
    commands: tuple[AnyCommand, ...] | None = None
    """Commands instead of words, from a program."""
    tool: ToolReport | None = None
    """A tool that the host used itself."""
    timer: TimerToFire | None = None
    """Fire a timer now."""


class Fault(Struct, frozen=True):
    """One thing that is wrong in a request: where, what, and what to do."""

    at: str
    """A JSON pointer into the body (in a file of lines the first part is the line, from 0), `?name` for a parameter, or
    the name of a header.
    """
    message: str
    """What is wrong."""
    hint: str = ""
    """What to do."""


class SubjectCandidate(Struct, frozen=True):
    """What a question may be about: the subject as it can be asked for, what the flow or the user calls it, and why it
    is offered.
    """

    subject: str
    """The subject, to be sent as the question."""
    title: str
    """What the flow or the user calls it."""
    because: str
    """Why it is offered."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error as RFC 9457 defines it."""

    type: str
    """The kind of problem as a URI."""
    title: str
    """The kind of problem in words."""
    status: int
    """The HTTP status."""
    detail: str
    """What is wrong, for people."""
    code: str
    """What is wrong, for programs."""
    limit: str | None = None
    """The name of the limit that was exceeded."""
    hint: str | None = None
    """What to do."""
    errors: tuple[Fault, ...] = ()
    """All things that are wrong in the request."""
    turn: TurnResult | None = None
    """The turn that was taken nevertheless, or the refused event."""
    login_url: str | None = None
    """Where the user can log in."""
    candidates: tuple[SubjectCandidate, ...] = ()
    """What an unclear question may be about."""

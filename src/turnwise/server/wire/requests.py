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
"""A text that a person writes, which may not consist of blanks and control characters only."""
Cursor = Annotated[str, Meta(extra_json_schema={"pattern": r"^([0-9]{1,15}\.[0-9]{1,15})?(?![\s\S])"})]
"""The `next` of a page, empty for the first page."""


class NewConversation(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to begin a conversation."""

    flow: str
    """The name of the flow."""
    name: Name | None = None
    """The name of the conversation; `None` to have the server make one."""
    time_zone: str | None = None
    """The time zone of the user, such as `Europe/Berlin`; `None` for that of the flow."""


class ToolReport(Struct, frozen=True, forbid_unknown_fields=True):
    """The report of a program that it has used a tool itself."""

    name: str
    """The name of the tool."""
    arguments: dict[str, Any] = {}
    """The values of the tool's arguments, by name."""
    result: Any = None
    """The result of the tool, as JSON data; `null` if it returned none."""


class TimerToFire(Struct, frozen=True, forbid_unknown_fields=True):
    """A timer that is to fire now, named by its transition."""

    transition: str
    """The name of the transition that the timer takes."""
    visit: int | None = None
    """The visit of the node that the timer belongs to, from 1; `None` for the timer that is armed."""


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to undo the last turn, or several."""

    to: int | None = None
    """The number of the turn after which all turns are undone; `None` to undo only the last one."""


class NewTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """An event for a conversation: exactly one of the attributes, beside `position`."""

    text: Words | None = None
    """A message of the user; `None` for another event."""
    button: Words | None = None
    """The value or label of a button that the user pressed; `None` for another event."""
    position: int | None = None
    """The position of the turn that offered the button; with a text the last position that the sender has received.
    Where the user has sent something else since, the text is refused (`stale`)."""
    undo: UndoRequest | None = None
    """A request to undo turns; `None` for another event."""
    commands: tuple[AnyCommand, ...] | None = None
    """Commands of a program, instead of words of a user; `None` for another event."""
    tool: ToolReport | None = None
    """A tool that a program used itself; `None` for another event."""
    timer: TimerToFire | None = None
    """A timer to fire now; `None` for another event."""


class Fault(Struct, frozen=True):
    """A fault in a request: where it is, what is wrong, and what to do."""

    at: str
    """The place of the fault: a JSON pointer into the body, `?name` for a query parameter, or a header's name.
    In a file of lines the first part of the pointer is the line, from 0."""
    message: str
    """What is wrong, in words."""
    hint: str = ""
    """What to do about it; empty where nothing is suggested."""


class SubjectCandidate(Struct, frozen=True):
    """A subject that an unclear question may be about, with its title and why it is offered."""

    subject: str
    """The subject, to be sent as the question."""
    title: str
    """The name of the subject in the flow or for the user."""
    because: str
    """Why the subject is offered."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """A problem document, which answers a failed request (RFC 9457)."""

    type: str
    """The kind of problem as a URI."""
    title: str
    """The kind of problem in words."""
    status: int
    """The HTTP status."""
    detail: str
    """What is wrong, for people."""
    code: str
    """The code of what is wrong, for programs."""
    limit: str | None = None
    """The name of the limit that was exceeded; `None` if it was none."""
    hint: str | None = None
    """What to do about it; `None` where nothing is suggested."""
    errors: tuple[Fault, ...] = ()
    """The faults of the request; empty where it has none by itself."""
    turn: TurnResult | None = None
    """The turn that ran nevertheless, or the refused event; `None` for none."""
    login_url: str | None = None
    """The URL where the user can log in; `None` where there is none."""
    candidates: tuple[SubjectCandidate, ...] = ()
    """The subjects that an unclear question may be about."""

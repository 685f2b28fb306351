"""What clients send: the bodies and queries of requests, and the problem that answers a wrong one."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from turnwise.archive.names import LONGEST_NAME, NAME
from turnwise.core.state.commands import AnyCommand
from turnwise.server.wire.conversations import TurnResult

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
    """Begin a conversation. Without a `name` the server makes one."""

    flow: str
    name: Name | None = None
    time_zone: str | None = None


class ToolReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A use of a tool by the code of the host."""

    name: str
    arguments: dict[str, Any] = {}
    result: Any = None


class TimerToFire(Struct, frozen=True, forbid_unknown_fields=True):
    """A timer, named by its transition; `visit` distinguishes timers of several visits of a node."""

    transition: str
    visit: int | None = None


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Undo the last turn, or all turns after `to`."""

    to: int | None = None


class NewTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """One event for a conversation: exactly one of the keys, beside `position`.

    The `position` of a button is that of the turn which offered it. The `position` of a text is the last one that the
    sender has received (`seq`): where the user has sent something else since, the text is refused (`stale`).
    """

    text: Words | None = None
    button: Words | None = None
    position: int | None = None
    undo: UndoRequest | None = None
    commands: tuple[AnyCommand, ...] | None = None
    tool: ToolReport | None = None
    timer: TimerToFire | None = None


class Fault(Struct, frozen=True):
    """One thing that is wrong in a request: where, what, and what to do. `at` is a JSON pointer into the body (in a
    file of lines the first part is the line, from 0), `?name` for a parameter, or the name of a header.
    """

    at: str
    message: str
    hint: str = ""


class SubjectCandidate(Struct, frozen=True):
    """What a question may be about: the subject as it can be asked for, what the flow or the user calls it, and why it
    is offered.
    """

    subject: str
    title: str
    because: str


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error as RFC 9457 defines it. `code` is for programs, `detail` for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    limit: str | None = None
    """The name of the limit that was exceeded."""
    hint: str | None = None
    errors: tuple[Fault, ...] = ()
    turn: TurnResult | None = None
    """Of a refused event: the conversation as it is, with the turns that no caller received before."""
    login_url: str | None = None
    """Of `not_logged_in`: where the application around the server lets people log in."""
    candidates: tuple[SubjectCandidate, ...] = ()
    """Of a question that is not clear: what it may be about, the likeliest first."""

"""Conversations as the list, the transcript and the queue show them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.archive.activity import ActivityKind
from turnwise.archive.timeline_events import Sign
from turnwise.core.state import ValueOrigin
from turnwise.core.state.events import Button
from turnwise.core.state.kinds import ReplyKind, Wait, WarningCode
from turnwise.server.wire.values import ItemTexts

Scope = Literal["chat", "debug:read", "operator", "events", "edit", "metrics", "admin"]
Status = Literal["waiting", "working", "person", "ended", "failed"]


class OwnerLimits(Struct, frozen=True):
    """The limits that the server applies to this owner."""

    body_bytes: int
    message_chars: int
    requests_per_minute: int
    open_streams: int
    conversations: int


class Me(Struct, frozen=True):
    """Who is asking: the owner, the scopes, the limits, and what this server offers."""

    owner: str
    scopes: tuple[Scope, ...]
    limits: OwnerLimits
    version: str
    is_local: bool = False
    """True on loopback without keys: everybody who reaches the server may do everything."""
    has_demo_clock: bool = False


class TimerView(Struct, frozen=True):
    """A timer that is armed: its transition, its node and when it is due."""

    transition: str
    node: str
    due_ms: int
    because: str = ""
    target: str = ""


class NextSchedule(Struct, frozen=True):
    """The schedule that fires next in a conversation, and when."""

    name: str
    at_ms: int


class PersonView(Struct, frozen=True):
    """The part of a person in a conversation (law 6.10). `operator` is empty while it waits in the queue; with keys it
    is the owner of the key. `display` is the name that the user sees, if it is another.
    """

    queue: str
    about: str
    since_ms: int
    operator: str = ""
    taken_ms: int | None = None
    reason: str = ""
    display: str = ""


class ConversationSummary(Struct, frozen=True):
    """One conversation in a list. `waits_for` and `since_ms` say what it waits for and since when."""

    id: str
    flow: str
    version: int
    status: Status
    node: str
    turn: int
    seq: int
    at_ms: int
    waits_for: Wait | Literal["person", ""] = ""
    since_ms: int = 0
    outcome: str = ""
    owner: str = ""
    snippet: str = ""
    """The end of the last message, for search results."""
    timers: tuple[TimerView, ...] = ()
    next_schedule: NextSchedule | None = None
    person: PersonView | None = None
    marks: tuple[Literal["code_differs", "guard_error", "fork", "other_version"], ...] = ()
    headline: str = ""
    """What it does, in short: `Asks for purpose, 3 of 5`; empty for its user."""
    headlines: dict[str, str] = {}
    """The same in each language of the page, by its code."""
    language: str = ""
    """The language of the conversation: that of its texts, labels and values."""
    name: str = ""
    """What people call it: the fields that name it, the id that was chosen for it, its first words, or flow and time;
    empty for its user.
    """
    flow_title: str = ""
    node_title: str = ""


class ConversationList(Struct, frozen=True):
    """A page of conversations, the most recently changed first. `next` is the cursor of the next page.

    `total` counts all that match. A text is searched in 5,000 conversations, and `total` then counts those of them that
    match, from this page on; where `is_complete` is false, there are at least so many, for older ones are not searched
    yet: ask for `next`, also after a page without conversations.
    """

    conversations: tuple[ConversationSummary, ...]
    total: int
    next: str | None = None
    is_complete: bool = True


class KnownValue(Struct, frozen=True):
    """A value that is known: what its field is called, and how people read it."""

    field: str
    label: str
    value: str


class Waiting(Struct, frozen=True):
    """A conversation that waits for a person, or has one. `why` is what led to it, as a sentence: the words of the
    rule, or that the user asked for a person. `due_ms` is when the wait ends if no person comes.
    """

    conversation: ConversationSummary
    person: PersonView
    why: str = ""
    due_ms: int | None = None
    known: tuple[KnownValue, ...] = ()


# the transcript ----------------------------------------------------------------------------------


class UnderstoodValue(Struct, frozen=True):
    """A value that was understood in a message; `start` and `end` are its words, as offsets in the text."""

    field: str
    value: Any
    how: ValueOrigin
    start: int | None = None
    end: int | None = None
    did: Literal["set", "added", "changed", "removed", "moved"] = "set"
    """What was done: a value was set, or something was done with an item of a list of records. Then `field` names the
    item, `order.items[i2]`, or its value, `order.items[i2].size`; `value` is what it has now, or its place, from 1.
    """


class FormItem(Struct, frozen=True):
    """A question of a form with its answer, for the summary and the edit chooser; a list of records has `items`."""

    field: str
    title: str
    answer: str = ""
    words: str = ""
    state: Literal["answered", "open", "missing", "inactive", "skipped"] = "missing"
    reason: str = ""
    items: ItemTexts | None = None
    label: str = ""
    """What it is called, in a few words."""
    counts: bool = True
    """Whether progress counts it: it applies, and is asked."""


class FormView(Struct, frozen=True):
    """The form in charge as data: its progress in per cent, the open question, its items."""

    status: str
    editing: str
    asked: str
    progress: int
    items: tuple[FormItem, ...]
    statement: str = ""
    free_text: bool = False
    """True where the open question also takes an answer in free text (*Other*)."""


class Message(Struct, frozen=True):
    """One message of the transcript, of either side.

    `by` is the kind of speaker: the user, a pressed button, a model, a fixed text, or a person; for readers with
    `debug:read` also a tool with its result. `system` is the summary of a closed scope and, for them, what a command
    or an undo did. `speaker` is the name of the node, of the tool, of the scope or of the operator. A later undo took
    back the messages with `is_undone`.
    """

    seq: int
    turn: int
    at_ms: int
    by: Literal["user", "button", "model", "text", "person", "tool", "system"]
    text: str
    speaker: str = ""
    kind: ReplyKind | Literal[""] = ""
    buttons: tuple[Button, ...] = ()
    understood: tuple[UnderstoodValue, ...] = ()
    form: FormView | None = None
    is_undone: bool = False
    is_erased: bool = False
    note: str = ""
    """What became of the message, in words: not understood, refused, not interpreted while a person is in charge."""
    frame: int = 0
    """The id of the frame to which it belongs; 0 for the conversation itself."""
    closes: int | None = None
    """The id of the frame that was closed here; then the text is its summary, and `note` its outcome."""
    sign: Sign | Literal[""] = ""
    """Of a line of the system."""
    subject: str = ""
    """What a question of why calls what a line of the system with a sign is about: `timer idle`."""


class ActivityView(Struct, frozen=True):
    """What a conversation does, as a headline: `Asks for “purpose”: 3 of 5 answered`.

    `inside` is the title of the inner conversation in charge, empty at the top.
    """

    kind: ActivityKind
    text: str
    inside: str
    texts: dict[str, str] = {}
    """The headline in each language of the page, by its code."""


class Seam(Struct, frozen=True):
    """A decision between two messages, in one line. `text` is made of the parts beside it. With the moment `person` it
    is no decision but an act of a person, who took over, or gave the conversation back.
    """

    seq: int
    turn: int
    at_ms: int
    node: str
    moment: str
    outcome: Literal["moved", "stayed", "blocked", "ended", "error", "person"]
    mark: Literal["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"]
    text: str
    target: str = ""
    transition: str = ""
    because: str = ""
    nearest: str = ""
    operator: str = ""
    is_undone: bool = False
    frame: int = 0
    """The id of the frame in which it was decided."""
    activity: ActivityView | None = None
    """What the conversation does at the end of its turn, where it is the last decision, chose nothing, and something is
    open there."""


class Transcript(Struct, frozen=True):
    """What the chat shows. `seams` are empty without `debug:read`."""

    conversation: ConversationSummary
    messages: tuple[Message, ...]
    seams: tuple[Seam, ...] = ()
    is_cut: bool = False
    """True where earlier messages are no longer stored."""
    erasure: str = ""
    """When retention erased the last of them, and its rule: `on 2026-11-01, which keeps events for 30 days`."""
    starts: tuple[Button, ...] = ()
    """The buttons by which the user may begin an inner conversation now."""


# turns -------------------------------------------------------------------------------------------


class TurnWarning(Struct, frozen=True):
    """A problem of a turn, by its code. What happened is in the trace, which needs `debug:read`: the words may name
    guards, providers and operators.
    """

    code: WarningCode


class TurnResult(Struct, frozen=True):
    """The result of a turn, or the refusal of an event (`refused` is its code, `text` its words)."""

    conversation: str
    number: int
    text: str
    buttons: tuple[Button, ...]
    status: Literal["waiting", "ended", "failed", ""]
    node: str = ""
    outcome: str = ""
    position: int | None = None
    """Send it with a button, so that a stale button is recognised."""
    seq: int = 0
    refused: str = ""
    is_duplicate: bool = False
    messages: tuple[Message, ...] = ()
    form: FormView | None = None
    artefacts: tuple[dict[str, Any], ...] = ()
    warnings: tuple[TurnWarning, ...] = ()
    recovered: tuple[TurnResult, ...] = ()
    unprompted: tuple[TurnResult, ...] = ()
    operator: str = ""
    """The person in charge after the turn, by the name that the user sees; empty while the machine is in charge."""
    starts: tuple[Button, ...] = ()
    """The buttons by which the user may begin an inner conversation now."""


class BegunConversation(Struct, frozen=True):
    """A conversation that began, with its first turn."""

    conversation: ConversationSummary
    turn: TurnResult


class DryRun(Struct, frozen=True):
    """What an event would do, without effects. `is_known` is false where only a model, a tool or an understanding of
    the host could say, which `decided_by` names; `why` says it in words. Without `debug:read` there are no `moves`,
    `values` and `why`.
    """

    is_known: bool
    decided_by: Literal["", "model", "tool", "understanding"] = ""
    refused: str = ""
    text: str = ""
    moves: tuple[str, ...] = ()
    """The transitions that would be taken, in order."""
    node: str = ""
    values: dict[str, Any] = {}
    why: str = ""

"""Conversations as the list, the transcript and the queue show them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.archive.activity import ActivityKind
from turnwise.archive.decision_words import VerdictWords
from turnwise.archive.timeline_events import Sign
from turnwise.core.state import FormStatus, ValueOrigin
from turnwise.core.state.events import Button
from turnwise.core.state.kinds import ReplyKind, Wait
from turnwise.server.wire.values import ItemTexts

Scope = Literal["chat", "debug:read", "operator", "events", "edit", "metrics", "admin"]
"""What a key allows its owner to do."""
Status = Literal["waiting", "working", "person", "ended", "failed"]
"""How a conversation stands: `working` on a turn or for a result, with a `person`, or over."""


class OwnerLimits(Struct, frozen=True):
    """The limits that the server applies to this owner."""

    body_bytes: int
    """The largest body of a request."""
    message_chars: int
    """The longest message of a user."""
    requests_per_minute: int
    open_streams: int
    """How many event streams may be open at once."""
    conversations: int
    """How many conversations the owner may have."""


class Me(Struct, frozen=True):
    """Who is asking: the owner, the scopes, the limits, and what this server offers."""

    owner: str
    """Whose conversations the caller sees; empty for those of all owners."""
    scopes: tuple[Scope, ...]
    """What the caller may do."""
    limits: OwnerLimits
    version: str
    """The version of turnwise."""
    is_local: bool = False
    """True on loopback without keys: everybody who reaches the server may do everything."""
    has_demo_clock: bool = False
    """True on a demonstration, whose clock can be moved."""


class TimerView(Struct, frozen=True):
    """A timer that is armed: its transition, its node and when it is due."""

    transition: str
    """The transition that it takes."""
    node: str
    """The node that it was armed in."""
    due_ms: int
    """When it is due."""
    because: str = ""
    """Why the author wants the transition."""
    target: str = ""
    """The node that the transition leads to."""


class NextSchedule(Struct, frozen=True):
    """The schedule that fires next in a conversation."""

    name: str
    at_ms: int
    """When it fires."""


class PersonView(Struct, frozen=True):
    """The part of a person in a conversation (law 6.10)."""

    queue: str
    """The queue in which the conversation waits for a person."""
    about: str
    """What the person is asked to do, as the author wrote it."""
    since_ms: int
    """When the wait began."""
    operator: str = ""
    """The person; empty while the conversation waits in the queue. With keys it is the owner of the key."""
    taken_ms: int | None = None
    """When the person took over; `None` while it waits."""
    reason: str = ""
    """Why the person took over."""
    display: str = ""
    """The name that the user sees, if it is another."""


class ConversationSummary(Struct, frozen=True):
    """One conversation in a list."""

    id: str
    """With keys it begins with the owner: `ada:x`."""
    flow: str
    """The name of its flow."""
    version: int
    """The version number of the flow that it uses."""
    status: Status
    """`waiting` for the user, `working` on a turn or for a result, with a `person`, or over."""
    node: str
    """The node in charge."""
    turn: int
    """The number of its last turn."""
    seq: int
    """The position of its last entry in the journal."""
    at_ms: int
    """When it last changed."""
    waits_for: Wait | Literal["person", ""] = ""
    """What it waits for; empty where it is over."""
    since_ms: int = 0
    """Since when it waits, or is over."""
    outcome: str = ""
    """The outcome with which it ended; empty while it goes on."""
    owner: str = ""
    """The owner, which is the part of the id before the colon; empty without one."""
    snippet: str = ""
    """The end of the last message, for search results."""
    timers: tuple[TimerView, ...] = ()
    """The timers that are armed, the next one first."""
    next_schedule: NextSchedule | None = None
    """The schedule that fires next; `None` if none does."""
    person: PersonView | None = None
    """The person who is in charge, or for whom it waits."""
    marks: tuple[Literal["code_differs", "guard_error", "fork", "other_version"], ...] = ()
    """What a list points out: in its last decisions a rule that disagrees with its Python guard, or a guard that
    failed; that it is a fork; that the flow has a newer version.
    """
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
    """What people call the flow."""
    node_title: str = ""
    """What people call the node."""


class ConversationList(Struct, frozen=True):
    """A page of conversations, the most recently changed first."""

    conversations: tuple[ConversationSummary, ...]
    total: int
    """How many match. A text is searched in 5,000 conversations; then it is how many of them match, from this page on.
    """
    next: str | None = None
    """The cursor of the next page; `None` at the end."""
    is_complete: bool = True
    """False where older conversations are not searched yet, so that there are at least `total`: ask for `next`, also
    after a page without conversations.
    """


class KnownValue(Struct, frozen=True):
    """A value that is known: what its field is called, and how people read it."""

    field: str
    """The address of the field, `record.field`."""
    label: str
    """What the field is called."""
    value: str
    """The value as people read it."""


class Waiting(Struct, frozen=True):
    """A conversation that waits for a person, or has one."""

    conversation: ConversationSummary
    person: PersonView
    """The person in charge, or the wait for one."""
    why: str = ""
    """What led to it, as a sentence: the words of the rule, or that the user asked for a person."""
    due_ms: int | None = None
    """When the wait ends if no person comes; `None` if it does not end by itself."""
    known: tuple[KnownValue, ...] = ()
    """The values that the person sees in the list."""


# the transcript ----------------------------------------------------------------------------------


class UnderstoodValue(Struct, frozen=True):
    """A value that was understood in a message."""

    field: str
    """The address of the field, `record.field`."""
    value: Any
    """What was understood, as JSON data."""
    how: ValueOrigin
    """How it was understood: typed, chosen, by a model."""
    start: int | None = None
    """Where its words begin in the text; `None` where no words are known."""
    end: int | None = None
    """Where its words end in the text."""
    did: Literal["set", "added", "changed", "removed", "moved"] = "set"
    """What it did to its field."""


class FormItem(Struct, frozen=True):
    """A question of a form with its answer, for the summary and the edit chooser."""

    field: str
    """The address of the field, `record.field`."""
    title: str
    """The question."""
    answer: str = ""
    """The answer as people read it."""
    words: str = ""
    """The words of the user that it came from."""
    state: Literal["answered", "open", "missing", "inactive", "skipped"] = "missing"
    """`open`: it is asked now; `missing`: it is not answered yet; `inactive`: it does not apply."""
    reason: str = ""
    """Why it does not apply."""
    items: ItemTexts | None = None
    """The items of a list of records."""
    label: str = ""
    """What it is called, in a few words."""
    counts: bool = True
    """Whether progress counts it: it applies, and is asked."""


class FormView(Struct, frozen=True):
    """The form in charge as data: its progress in per cent, the open question, its items."""

    status: FormStatus
    """How far the form is: it collects answers, waits for the confirmation, or is closed."""
    editing: Literal["", "chooser", "one", "walk"]
    """What the user does to change answers: chooses one, answers `one` again, or all in order (`walk`); else empty."""
    asked: str
    """The field whose question is open; empty if none is."""
    progress: int
    """In per cent."""
    items: tuple[FormItem, ...]
    """Its questions, in order."""
    statement: str = ""
    """The problem statement that it has made of the answers so far; empty without one."""
    free_text: bool = False
    """True where the open question also takes an answer in free text (*Other*)."""


class Message(Struct, frozen=True):
    """One message of the transcript, of either side."""

    seq: int
    """Its position in the journal."""
    turn: int
    at_ms: int
    """When it was sent, in milliseconds since 1970."""
    by: Literal["user", "button", "model", "text", "person", "tool", "system"]
    """The kind of speaker: the user, a pressed button, a model, a fixed text, or a person; for readers with
    `debug:read` also a tool with its result. `system` is the summary of a closed scope and, for them, what a command or
    an undo did.
    """
    text: str
    """What was said."""
    speaker: str = ""
    """The name of the node, of the tool, of the scope or of the operator; empty for the user."""
    kind: ReplyKind | Literal[""] = ""
    """What a reply is: the text of a node, a question, a confirmation; empty for messages of the user."""
    buttons: tuple[Button, ...] = ()
    """The buttons that it offers."""
    understood: tuple[UnderstoodValue, ...] = ()
    """The values that were understood in it."""
    form: FormView | None = None
    """The form, where the message is its summary or its chooser of answers."""
    is_undone: bool = False
    """True where a later undo took it back."""
    is_erased: bool = False
    """True where retention erased its text."""
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
    texts: dict[str, str] = {}
    """A line of the system in each language of the page, by its code."""


class ActivityView(Struct, frozen=True):
    """What a conversation does, as a headline: `Asks for “purpose”: 3 of 5 answered`."""

    kind: ActivityKind
    """What it does."""
    text: str
    """The headline in the language of the conversation."""
    inside: str
    """The title of the inner conversation in charge; empty at the top."""
    texts: dict[str, str] = {}
    """The headline in each language of the page, by its code."""


class Seam(Struct, frozen=True):
    """A decision between two messages, in one line. With the moment `person` it is no decision but an act of a person,
    who took over, or gave the conversation back.
    """

    seq: int
    """The position of the decision in the journal."""
    turn: int
    at_ms: int
    """When it was made, in milliseconds since 1970."""
    node: str
    """The node at which it was made."""
    moment: str
    """The moment that was judged."""
    outcome: Literal["moved", "stayed", "blocked", "ended", "error", "person"]
    """What it came to; `error` is a stay in which a candidate was in error."""
    mark: Literal["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"]
    """The outcome of the candidate that stands for the decision: the one taken or blocked, else the nearest."""
    text: str
    """The line, made of the parts beside it, with ids."""
    target: str = ""
    """The node that was entered; empty if none was."""
    transition: str = ""
    """The transition that was taken; empty if none was."""
    because: str = ""
    """Why the author wants that transition."""
    nearest: str = ""
    """The candidate that was nearest to holding, where none was taken."""
    operator: str = ""
    """The person who made the decision."""
    is_undone: bool = False
    """True where a later undo took it back."""
    frame: int = 0
    """The id of the frame in which it was decided."""
    activity: ActivityView | None = None
    """What the conversation does at the end of its turn, where it is the last decision, chose nothing, and something is
    open there."""
    words: dict[str, VerdictWords] = {}
    """The decision with titles, in each language of the page."""


class Transcript(Struct, frozen=True):
    """What the chat shows."""

    conversation: ConversationSummary
    messages: tuple[Message, ...]
    """The messages, the oldest first."""
    seams: tuple[Seam, ...] = ()
    """The decisions, in order; empty without `debug:read`."""
    is_cut: bool = False
    """True where earlier messages are no longer stored."""
    erasure: str = ""
    """When retention erased the last of them, and its rule: `on 2026-11-01, which keeps events for 30 days`."""
    starts: tuple[Button, ...] = ()
    """The buttons by which the user may begin an inner conversation now."""

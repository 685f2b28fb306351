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
"""The status of a conversation: it works on a turn or for a result (`working`), waits, has a `person`, or is over."""


class OwnerLimits(Struct, frozen=True):
    """The limits that the server applies to this owner; 0 means no limit."""

    body_bytes: int
    """The largest body of a request, in bytes."""
    message_chars: int
    """The longest message of a user, in characters."""
    requests_per_minute: int
    """How many requests the owner may send per minute; 0 for no limit."""
    open_streams: int
    """How many event streams the owner may have open at once; 0 for no limit."""
    conversations: int
    """How many conversations the owner may have; 0 for no limit."""


class Me(Struct, frozen=True):
    """The caller's identity: the owner, the scopes, the limits, and what this server offers."""

    owner: str
    """The owner whose conversations the caller sees; empty for those of all owners."""
    scopes: tuple[Scope, ...]
    """The scopes of the caller: what they may do."""
    limits: OwnerLimits
    """The limits of the caller."""
    version: str
    """The version of turnwise."""
    is_local: bool = False
    """True on loopback without keys: every caller may do everything."""
    has_demo_clock: bool = False
    """True on a demonstration, whose clock can be moved."""


class TimerView(Struct, frozen=True):
    """A timer that is armed: its transition, its node and when it is due."""

    transition: str
    """The name of the transition that the timer takes."""
    node: str
    """The node in which the timer was armed."""
    due_ms: int
    """When the timer is due, in milliseconds since 1970."""
    because: str = ""
    """Why the author wants the transition, in words; empty if not given."""
    target: str = ""
    """The node that the transition leads to."""


class NextSchedule(Struct, frozen=True):
    """The schedule that fires next in a conversation."""

    name: str
    """The name of the schedule."""
    at_ms: int
    """When the schedule fires, in milliseconds since 1970."""


class PersonView(Struct, frozen=True):
    """The role of a person in a conversation (law 6.10): waited for, or in charge."""

    queue: str
    """The queue in which the conversation waits for a person."""
    about: str
    """What the person is asked to do, as the author wrote it."""
    since_ms: int
    """When the wait for a person began, in milliseconds since 1970."""
    operator: str = ""
    """The name of the person in charge; empty while none is. With keys it is the owner of the key."""
    taken_ms: int | None = None
    """When the person took over, in milliseconds since 1970; `None` while the conversation waits for one."""
    reason: str = ""
    """Why the person took over; empty if not given."""
    display: str = ""
    """The name of the person that the user sees; empty if it is `operator`."""


class ConversationSummary(Struct, frozen=True):
    """A summary of one conversation, as lists show it."""

    id: str
    """The id of the conversation. With keys it begins with the owner: `ada:x`."""
    flow: str
    """The name of the conversation's flow."""
    version: int
    """The version number of the flow that the conversation uses."""
    status: Status
    """`waiting` for the user, `working` on a turn or for a result, with a `person`, or ended or failed."""
    node: str
    """The node in charge."""
    turn: int
    """The number of the conversation's last turn."""
    seq: int
    """The position of the conversation's last entry in the journal."""
    at_ms: int
    """When the conversation last changed, in milliseconds since 1970."""
    waits_for: Wait | Literal["person", ""] = ""
    """What the conversation waits for; empty where it has ended or failed."""
    since_ms: int = 0
    """Since when the conversation waits, or has ended, in milliseconds since 1970; 0 if unknown."""
    outcome: str = ""
    """The outcome with which the conversation ended; empty until then."""
    owner: str = ""
    """The owner of the conversation, the part of its id before the colon; empty without one."""
    snippet: str = ""
    """The end of the last message, for search results; empty elsewhere."""
    timers: tuple[TimerView, ...] = ()
    """The timers that are armed, the next one first."""
    next_schedule: NextSchedule | None = None
    """The schedule that fires next; `None` if none does."""
    person: PersonView | None = None
    """The person who is in charge, or the wait for one; `None` where there is neither."""
    marks: tuple[Literal["code_differs", "guard_error", "fork", "other_version"], ...] = ()
    """Warnings for a list: a rule that disagrees with its Python guard, a guard error, a fork, an older flow version.
    The former two are of its last decisions."""
    headline: str = ""
    """What the conversation does, in short: `Asks for purpose, 3 of 5 answered`; empty for its user."""
    headlines: dict[str, str] = {}
    """The headline in each language of the page, by the language's code."""
    language: str = ""
    """The code of the language of the conversation's texts, labels and values."""
    name: str = ""
    """The name of the conversation for people; empty for its user.
    It is made of the fields that name it, the id that was chosen for it, its first words, or flow and time."""
    flow_title: str = ""
    """The title of the flow for people."""
    node_title: str = ""
    """The title of the node in charge for people."""


class ConversationList(Struct, frozen=True):
    """A page of conversations, the most recently changed first."""

    conversations: tuple[ConversationSummary, ...]
    """The conversations of the page."""
    total: int
    """How many conversations match; with a text, how many of the 5,000 that are searched from this page on."""
    next: str | None = None
    """The cursor of the next page; `None` at the end."""
    is_complete: bool = True
    """False where older conversations are not searched yet, so that at least `total` match: continue with `next`.
    The next page may also have no conversations."""


class KnownValue(Struct, frozen=True):
    """A field with a known value, as people read it."""

    field: str
    """The address of the field, `record.field`."""
    label: str
    """The label of the field for people."""
    value: str
    """The value as people read it."""


class Waiting(Struct, frozen=True):
    """A conversation that waits for a person, or has one in charge, as the queue shows it."""

    conversation: ConversationSummary
    """The conversation in short, as lists show it."""
    person: PersonView
    """The person in charge, or the wait for a person."""
    why: str = ""
    """Why the conversation waits, as a sentence: the words of the rule, or that the user asked for a person."""
    due_ms: int | None = None
    """When the wait ends if no person comes, in milliseconds since 1970; `None` for never."""
    known: tuple[KnownValue, ...] = ()
    """The values that the person sees in the queue."""


# the transcript ----------------------------------------------------------------------------------


class UnderstoodItem(Struct, frozen=True):
    """An item of a list of records at the moment when something was understood about it."""

    number: int
    """The position of the item in its list, from 1."""
    text: str
    """The item with all its values as users read it; empty if one of them is secret."""


class UnderstoodValue(Struct, frozen=True):
    """A field value that was understood from a message."""

    field: str
    """The address of the field, `record.field`."""
    value: Any
    """The understood value, as JSON data."""
    how: ValueOrigin
    """How the value was understood: typed, chosen, by a model."""
    start: int | None = None
    """The offset in the message of the value's first character; `None` where no words are known."""
    end: int | None = None
    """The offset in the message after the value's last character; `None` where no words are known."""
    did: Literal["set", "added", "changed", "removed", "moved"] = "set"
    """What the value did to its field."""
    item: UnderstoodItem | None = None
    """The item of a list as it was then; `None` for the value of a field."""
    title: str = ""
    """The title of the question, where the questions of a form are data of the conversation; else empty."""


class FormItem(Struct, frozen=True):
    """A question of a form with its answer, for the summary and for choosing an answer to edit."""

    field: str
    """The address of the field, `record.field`."""
    title: str
    """The text of the question."""
    answer: str = ""
    """The answer as people read it; empty without one."""
    words: str = ""
    """The words of the user that the answer came from; empty where none are known."""
    state: Literal["answered", "open", "missing", "inactive", "skipped"] = "missing"
    """The state of the question. `open`: asked now; `missing`: not answered yet; `inactive`: does not apply."""
    reason: str = ""
    """Why the question does not apply; empty where it does."""
    items: ItemTexts | None = None
    """The items of the answer, if it is a list of records; else `None`."""
    label: str = ""
    """The label of the question, in a few words."""
    counts: bool = True
    """True where the form's progress counts the question: it applies, and is asked."""


class FormView(Struct, frozen=True):
    """The form in charge as data: its progress, the open question, its questions and answers."""

    status: FormStatus
    """The status of the form: it collects answers, waits for the confirmation, or is closed."""
    editing: Literal["", "chooser", "one", "walk"]
    """How the user changes answers now: chooses one, answers `one` again, or all in order (`walk`); else empty."""
    asked: str
    """The field whose question is open; empty if none is."""
    progress: int
    """How much of the form is answered, in per cent."""
    items: tuple[FormItem, ...]
    """The questions of the form, in order, with their answers."""
    statement: str = ""
    """The problem statement that the form has made of the answers so far; empty without one."""
    free_text: bool = False
    """True where the open question also takes an answer in free text (*Other*)."""


class Message(Struct, frozen=True):
    """One message of the transcript, of the user, the machine or a person."""

    seq: int
    """The position of the message in the journal."""
    turn: int
    """The number of the message's turn."""
    at_ms: int
    """When the message was sent, in milliseconds since 1970."""
    by: Literal["user", "button", "model", "text", "person", "tool", "system"]
    """The kind of speaker: the user, a pressed button, a model, a fixed text, a person, a tool, or the system.
    For readers with `debug:read` also a tool with its result. `system` is the summary of a closed scope and, for them,
    what a command or an undo did."""
    text: str
    """The text of the message."""
    speaker: str = ""
    """The name of the speaking node, tool, scope or operator; empty for the user."""
    kind: ReplyKind | Literal[""] = ""
    """The kind of a reply: the text of a node, a question, a confirmation; empty for messages of the user."""
    buttons: tuple[Button, ...] = ()
    """The buttons that the message offers."""
    understood: tuple[UnderstoodValue, ...] = ()
    """The values that were understood from the message."""
    form: FormView | None = None
    """The form, where the message is its summary or its choice of answers; else `None`."""
    is_undone: bool = False
    """True where a later undo reversed the message's turn."""
    is_erased: bool = False
    """True where retention erased the text of the message."""
    note: str = ""
    """What happened to the message, in words: not understood, refused, not interpreted; empty for a normal one."""
    frame: int = 0
    """The id of the frame to which the message belongs; 0 for the conversation itself."""
    closes: int | None = None
    """The id of the frame that the message closes, with its summary as text and its outcome as `note`; else `None`."""
    sign: Sign | Literal[""] = ""
    """The kind of sign that a system line has; empty for none."""
    subject: str = ""
    """The subject, in questions to `why`, of a system line with a sign: `timer idle`; empty for none."""
    texts: dict[str, str] = {}
    """The text of a system line in each language of the page, by the language's code."""


class ActivityView(Struct, frozen=True):
    """What a conversation does now, as a headline: `Asks for “purpose”: 3 of 5 answered`."""

    kind: ActivityKind
    """The kind of activity."""
    text: str
    """The headline in English, with a time of the conversation's zone."""
    inside: str
    """The title of the inner conversation in charge; empty for the outermost conversation."""
    texts: dict[str, str] = {}
    """The headline in each language of the page, by its code, without that time."""
    since_ms: int | None = None
    """Since when that is so, in milliseconds since 1970; `None` where the headline names no time."""


class Seam(Struct, frozen=True):
    """A decision between two messages of the chat, in one line.
    With the moment `person` it is no decision but an act of a person, who took over, or gave the conversation back.
    """

    seq: int
    """The position of the decision in the journal."""
    turn: int
    """The number of the decision's turn."""
    at_ms: int
    """When the decision was made, in milliseconds since 1970."""
    node: str
    """The node at which the decision was made."""
    moment: str
    """The moment that was judged, such as `before` or `after`; `person` for an act of a person."""
    outcome: Literal["moved", "stayed", "blocked", "ended", "error", "person"]
    """What the decision did; `error` is a stay in which a candidate was in error."""
    mark: Literal["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"]
    """The outcome of the candidate that stands for the decision: of the one taken or blocked, else of the nearest one.
    """
    text: str
    """The decision in one line, made of the other attributes, with ids."""
    target: str = ""
    """The node that was entered; empty if none was."""
    transition: str = ""
    """The transition that was taken; empty if none was."""
    because: str = ""
    """Why the author wants the taken transition; empty if none was taken."""
    nearest: str = ""
    """The candidate that was nearest to holding, where none was taken; else empty."""
    operator: str = ""
    """The person who acted; empty for a decision of the machine."""
    is_undone: bool = False
    """True where a later undo reversed the decision."""
    frame: int = 0
    """The id of the frame in which the decision was made; 0 for the conversation itself."""
    activity: ActivityView | None = None
    """What the conversation does after its turn's last decision, if that chose nothing; `None` if nothing is open."""
    words: dict[str, VerdictWords] = {}
    """The decision in words with titles, by the code of each language of the page."""


class Transcript(Struct, frozen=True):
    """The messages and decisions that the chat shows of a conversation."""

    conversation: ConversationSummary
    """The conversation in short, as lists show it."""
    messages: tuple[Message, ...]
    """The messages, the oldest first."""
    seams: tuple[Seam, ...] = ()
    """The decisions as lines between messages, in order; empty without `debug:read`."""
    is_cut: bool = False
    """True where earlier messages are no longer stored."""
    erasure: str = ""
    """When retention erased the last erased message, and its rule: `on 2026-11-01, which keeps events for 30 days`;
    else empty."""
    starts: tuple[Button, ...] = ()
    """The buttons by which the user may begin an inner conversation now."""

"""One turn as the debug panel shows it: its decisions, state, prompts, calls and entries."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.state import ToolUse
from turnwise.core.state.events import AnyEvent
from turnwise.core.trace import Decision, Outcome
from turnwise.server.wire.approvals import WaitingCall
from turnwise.server.wire.conversations import ActivityView, FormView, PersonView, Seam, TimerView
from turnwise.server.wire.values import Origin, ValueView


class StateView(Struct, frozen=True):
    """The state at the end of a turn."""

    turn: int
    """The number of the turn."""
    seq: int
    """The position of the last entry of the turn in the journal."""
    node: str
    """The node in charge."""
    status: dict[str, Any]
    """What it waits for, or how it ended, as it is stored."""
    values: tuple[ValueView, ...]
    """All fields of the records."""
    timers: tuple[TimerView, ...] = ()
    """The timers that are armed."""
    form: FormView | None = None
    """The form of the node in charge."""
    question: str = ""
    """The kind of the open question and its field, as `ask order.size`; empty if none is open."""
    pending: str = ""
    """The move that is planned for the next message."""
    awaiting_approval: dict[str, Any] | None = None
    """The first call that waits for approval, as it is stored."""
    visits: dict[str, int] = {}
    """How often each node was entered."""
    tools: dict[str, int] = {}
    """How often each tool was used."""
    last_tools: tuple[ToolUse, ...] = ()
    """The last uses of tools, the newest last."""
    errors: int = 0
    """How many failures the conversation had."""
    stack: tuple[str, ...] = ()
    """The nodes of the frames, the outermost first."""
    frames: tuple[int, ...] = ()
    """The ids of the frames, the outermost first."""
    person: PersonView | None = None
    """The person in charge, or the wait for one."""
    time_zone: str = ""
    """The time zone of its local dates and times."""
    language: str = ""
    """The code of the language of the conversation."""
    approvals: tuple[WaitingCall, ...] = ()
    """All calls that wait for approval, in order."""


class PromptPart(Struct, frozen=True):
    """A part of a prompt: persona, instructions, entry, a message of the transcript, notes."""

    part: Literal[
        "persona",
        "prompt",
        "entry",
        "instructions",
        "transcript",
        "missing",
        "notes",
        "question",
        "wording",
        "must_call",
    ]
    """What the part is."""
    text: str
    """The words of the part."""
    role: Literal["", "user", "agent", "tool", "person"] = ""
    """Who speaks, in a message of the transcript."""


class PromptView(Struct, frozen=True):
    """A prompt that was sent to a model, made again from the journal."""

    effect: str
    """The id of the call."""
    node: str
    """The node that called the model."""
    purpose: str
    """What the model was called for: the reply of a node, understanding a message, a summary."""
    parts: tuple[PromptPart, ...]
    """What it consists of, in order."""
    text: str
    """The whole prompt."""
    previous: str | None = None
    """The text of the prompt before it in this conversation, to show the difference."""
    previous_parts: tuple[PromptPart, ...] | None = None
    """The parts of that prompt."""
    hash: str = ""
    """The recorded hash; empty where the call failed."""
    is_proved: bool = False
    """True if its hash is the recorded one."""
    is_erased: bool = False
    """True where retention erased what it was made of."""


class ToolView(Struct, frozen=True):
    """A tool of the flow at this node: offered to the model, or why not."""

    name: str
    about: str
    """What it does."""
    is_offered: bool
    """Whether the model may call it now."""
    reason: str = ""
    """Why it is not offered, in words."""
    policy: str = ""
    """What decides this: the key of the flow, or the tool that must come first."""
    is_effect: bool = False
    """True where it has side effects."""
    used: int = 0
    """How often the conversation has used it."""
    parameters: dict[str, Any] = {}
    """The JSON Schema of its arguments."""
    code: str = ""
    """The reason for programs: `offered`, `denied`, `not_allowed`, `out_of_sequence` and others."""


class CallView(Struct, frozen=True):
    """A call of a tool in this turn, and what came of it."""

    id: str
    """The id of the call."""
    tool: str
    arguments: dict[str, Any]
    """What the tool was called with, by name; secrets are redacted."""
    status: Literal["returned", "failed", "refused", "waiting", "answered", "unknown"]
    """What came of it; `answered` by the machine itself, `unknown` while its result is missing."""
    result: Any = None
    """What the tool returned, as JSON data."""
    error: str = ""
    """Why it failed or was refused, in words."""
    reason: str = ""
    """The code of a refusal; `host` where a program used the tool itself."""
    seq: int = 0
    """The position of the call in the journal."""
    took_ms: int | None = None
    """How long the tool ran."""


class ModelCallView(Struct, frozen=True):
    """A request to a model in this turn."""

    effect: str
    """The id of the call."""
    node: str
    """The node that called the model."""
    purpose: str
    """What the model was called for: the reply of a node, understanding a message, a summary."""
    model: str
    """The model that answered; empty where the call failed."""
    seq: int
    """The position of the call in the journal."""
    tokens_in: int | None = None
    """How many tokens the request had; `None` where that is not known."""
    tokens_out: int | None = None
    """How many tokens the reply had; `None` where that is not known."""
    cost: float | None = None
    """In US dollars, where the provider's prices are known."""
    took_ms: int | None = None
    """How long the model took."""
    error: str = ""
    """Why it failed."""


class DecisionView(Struct, frozen=True):
    """A decision with what a client needs beside the record: no client parses a sentence."""

    decision: Decision
    """The record, with all candidates."""
    headline: str
    """`Stayed in introduction`, `Moved to profiler`."""
    detail: str
    """The rest of the verdict line."""
    seam: Seam
    """The same in one line, as the chat shows it."""
    nearest: str = ""
    """The candidate that was nearest to holding."""
    moments: dict[str, str] = {}
    """The moment of each rule of `evaluatedRules`, by its id."""
    evaluation: dict[str, Any] = {}
    """The payload of `debug_transition_eval`."""
    histories: dict[str, EdgeHistory] = {}
    """How often each candidate was judged and taken before, by its id."""
    places: dict[str, Origin] = {}
    """Where the value of each operand came from, by name."""
    is_compared: bool = False
    """Whether `changed` of its candidates compares it with an earlier judging of the node at the moment."""


class EdgeHistory(Struct, frozen=True):
    """How often a transition was judged, held and taken, in one conversation or in all."""

    node: str
    """The node at which it was judged."""
    moment: str
    """When its guard is judged."""
    transition: str
    target: str
    """The node that it leads to."""
    judged: int
    """How often its guard was judged."""
    held: int
    """How often its guard held, whether or not it was taken."""
    taken: int
    """How often it was taken."""
    line: str
    """The counts in words."""
    outcomes: dict[Outcome, int] = {}
    """How often it had each outcome."""


class EventRow(Struct, frozen=True):
    """An entry of the journal."""

    seq: int
    """Its position in the journal."""
    turn: int
    at_ms: int
    """When it was written, in milliseconds since 1970."""
    kind: str
    """The tag of the event, such as `field_set`."""
    line: str
    """What happened, in one line."""
    subject: str
    """What it is about, as a question of why names it: `field user.age`; empty for nothing."""
    event: AnyEvent
    """The event itself, with secrets redacted."""
    is_erased: bool = False
    """True where retention erased it."""
    lines: dict[str, str] = {}
    """What happened, in one line with titles in place of ids, in each language of the page, by its code."""


class EventPage(Struct, frozen=True):
    """Entries after a position."""

    events: tuple[EventRow, ...]
    last: int
    """The position of the last entry of the journal."""
    next: int | None = None
    """The position to continue after; `None` at the end."""


class TurnTrace(Struct, frozen=True):
    """Everything that the panel shows of one turn."""

    conversation: str
    turn: int
    """The number of the turn."""
    about: str
    """What began the turn, in words."""
    version: int
    """The version number of the flow that it used."""
    fingerprint: str
    """The hash that identifies that version."""
    is_other_version: bool
    """True where new conversations begin with another version."""
    first_seq: int
    """The position of its first entry in the journal."""
    last_seq: int
    """The position of its last entry."""
    at_ms: int
    """When it began."""
    took_ms: int
    """How long the turn took."""
    decisions: tuple[DecisionView, ...]
    """The decisions of the turn, in order."""
    state: StateView
    """The state at its end."""
    prompts: tuple[PromptView, ...] = ()
    """What models were sent."""
    tools: tuple[ToolView, ...] = ()
    """Every tool, and whether it was offered."""
    calls: tuple[CallView, ...] = ()
    """The calls of tools."""
    model_calls: tuple[ModelCallView, ...] = ()
    """The calls of models."""
    events: tuple[EventRow, ...] = ()
    """All entries of the turn."""
    commits: tuple[int, ...] = ()
    """The positions of the last entry of each commit of the turn."""
    overlays: tuple[str, ...] = ()
    """The overlays that were active."""
    nothing_judged: str = ""
    """Why the turn has no decision: which moment would judge."""
    is_erased: bool = False
    """True where retention erased the turn: only its positions and times are left."""
    activity: ActivityView | None = None
    """What the conversation did at the end of the turn, where something was open then."""

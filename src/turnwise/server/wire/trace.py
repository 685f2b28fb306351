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
    """The state of a conversation at the end of a turn."""

    turn: int
    """The number of the turn."""
    seq: int
    """The position of the last entry of the turn in the journal."""
    node: str
    """The node in charge."""
    status: dict[str, Any]
    """The stored status as JSON data: its `kind`, and what the conversation waits for or how it ended."""
    values: tuple[ValueView, ...]
    """The values of all fields of the records."""
    timers: tuple[TimerView, ...] = ()
    """The armed timers, the next one first."""
    form: FormView | None = None
    """The form of the node in charge; `None` where it has none."""
    question: str = ""
    """The kind of the open question and its field, as `ask order.size`; empty if none is open."""
    pending: str = ""
    """The move that is planned for the next message, in words; empty if none is."""
    awaiting_approval: dict[str, Any] | None = None
    """The first tool call that waits for approval, as JSON data of `ApprovalRequest`; `None` if none does."""
    visits: dict[str, int] = {}
    """How often each node was entered, by its address."""
    tools: dict[str, int] = {}
    """How often each tool was used, by its name."""
    last_tools: tuple[ToolUse, ...] = ()
    """The last uses of tools, the newest last."""
    errors: int = 0
    """How many failures the conversation had."""
    stack: tuple[str, ...] = ()
    """The nodes in charge of the frames, the outermost first."""
    frames: tuple[int, ...] = ()
    """The ids of the frames, the outermost first."""
    person: PersonView | None = None
    """The person in charge, or the wait for one; `None` where there is neither."""
    time_zone: str = ""
    """The name of the time zone of the conversation's dates and times."""
    language: str = ""
    """The code of the language of the conversation."""
    approvals: tuple[WaitingCall, ...] = ()
    """All tool calls that wait for approval, in order."""


class PromptPart(Struct, frozen=True):
    """A part of a prompt, such as the persona, the instructions, or a message of the transcript."""

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
    """The kind of the part."""
    text: str
    """The text of the part."""
    role: Literal["", "user", "agent", "tool", "person"] = ""
    """The speaker of a message of the transcript; empty for any other part."""


class PromptView(Struct, frozen=True):
    """A prompt that was sent to a model, rebuilt from the journal."""

    effect: str
    """The id of the model call."""
    node: str
    """The node that called the model."""
    purpose: str
    """What the model was called for: the reply of a node, understanding a message, a summary."""
    parts: tuple[PromptPart, ...]
    """The parts of the prompt, in order."""
    text: str
    """The whole text of the prompt."""
    previous: str | None = None
    """The text of the prompt before it in this conversation, to show the difference; `None` for the first one."""
    previous_parts: tuple[PromptPart, ...] | None = None
    """The parts of the prompt before it in this conversation; `None` for the first one."""
    hash: str = ""
    """The recorded hash of the prompt; empty where the call failed."""
    is_proved: bool = False
    """True if the hash of the rebuilt prompt is the recorded one."""
    is_erased: bool = False
    """True where retention erased what the prompt was made of."""


class ToolView(Struct, frozen=True):
    """A tool of the flow at a node, and whether the model is offered it."""

    name: str
    """The name of the tool."""
    about: str
    """What the tool does, as its author wrote it."""
    is_offered: bool
    """Whether the model may call the tool now."""
    reason: str = ""
    """Why the tool is not offered, in words; empty where it is."""
    policy: str = ""
    """What decides whether the tool is offered: the key of the flow, or the tool that must come first; empty for none.
    """
    is_effect: bool = False
    """True where the tool has side effects."""
    used: int = 0
    """How often the conversation has used the tool."""
    parameters: dict[str, Any] = {}
    """The JSON Schema of the tool's arguments, as data."""
    code: str = ""
    """The code of why the tool is offered or not: `offered`, `denied`, `not_allowed`, `out_of_sequence` and others."""


class CallView(Struct, frozen=True):
    """A tool call in this turn, and its result."""

    id: str
    """The id of the call."""
    tool: str
    """The name of the tool."""
    arguments: dict[str, Any]
    """The values of the tool's arguments, by name; secrets are redacted."""
    status: Literal["returned", "failed", "refused", "waiting", "answered", "unknown"]
    """The status of the call; `answered` by the machine itself, `unknown` while its result is missing."""
    result: Any = None
    """The result of the tool, as JSON data; `None` without one."""
    error: str = ""
    """Why the call failed or was refused, in words; empty where it was neither."""
    reason: str = ""
    """The code of a refusal; `host` where a program used the tool itself; else empty."""
    seq: int = 0
    """The position of the call in the journal; 0 where it is not known."""
    took_ms: int | None = None
    """How many milliseconds the tool ran; `None` where that is not known."""


class ModelCallView(Struct, frozen=True):
    """A request to a model in this turn."""

    effect: str
    """The id of the model call."""
    node: str
    """The node that called the model."""
    purpose: str
    """What the model was called for: the reply of a node, understanding a message, a summary."""
    model: str
    """The name of the model that answered; empty where the call failed."""
    seq: int
    """The position of the call in the journal."""
    tokens_in: int | None = None
    """How many tokens the request had; `None` where that is not known."""
    tokens_out: int | None = None
    """How many tokens the reply had; `None` where that is not known."""
    cost: float | None = None
    """The cost in US dollars; `None` where the provider's prices are not known."""
    took_ms: int | None = None
    """How many milliseconds the model took; `None` where that is not known."""
    error: str = ""
    """Why the call failed, in words; empty where it did not."""


class DecisionView(Struct, frozen=True):
    """A decision of a turn with what a client shows beside the record: no client parses a sentence."""

    decision: Decision
    """The record of the decision, with all candidates."""
    headline: str
    """The decision as a headline: `Stayed in introduction`, `Moved to profiler`."""
    detail: str
    """The rest of the decision's line after the headline."""
    seam: Seam
    """The decision in one line, as the chat shows it."""
    nearest: str = ""
    """The candidate that was nearest to holding; empty where one was taken."""
    moments: dict[str, str] = {}
    """The moment of each rule of `evaluatedRules`, by the rule's id."""
    evaluation: dict[str, Any] = {}
    """The payload of `debug_transition_eval` for the decision, as JSON data (see `TransitionEval`)."""
    histories: dict[str, EdgeHistory] = {}
    """How often each candidate was judged and taken before, by the candidate's id."""
    places: dict[str, Origin] = {}
    """The origin of the value of each operand, by the operand's name."""
    is_compared: bool = False
    """True where `changed` of the candidates compares them with an earlier judging of the node at the moment."""
    conditions: dict[str, str] = {}
    """Conditions and names of values of the decision in words, by their text in the record, in the language of
    `Accept-Language` if the page has it; those that stay unchanged are missing."""


class EdgeHistory(Struct, frozen=True):
    """How often a transition was judged, held and taken, in one conversation or in all."""

    node: str
    """The node at which the transition was judged."""
    moment: str
    """The moment at which the guard is judged, such as `before` or `after`."""
    transition: str
    """The name of the transition."""
    target: str
    """The node that the transition leads to."""
    judged: int
    """How often the guard was judged."""
    held: int
    """How often the guard held, whether or not the transition was taken."""
    taken: int
    """How often the transition was taken."""
    line: str
    """The counts in words."""
    outcomes: dict[Outcome, int] = {}
    """How often judging had each outcome, by outcome."""


class EventRow(Struct, frozen=True):
    """An entry of the journal as a row of a list."""

    seq: int
    """The position of the entry in the journal."""
    turn: int
    """The number of the entry's turn."""
    at_ms: int
    """When the entry was written, in milliseconds since 1970."""
    kind: str
    """The tag of the event, such as `field_set`."""
    line: str
    """What happened, in one line."""
    subject: str
    """The subject of the event, as questions to `why` name it: `field user.age`; empty for none."""
    event: AnyEvent
    """The event itself, with secrets redacted."""
    is_erased: bool = False
    """True where retention erased the event."""
    lines: dict[str, str] = {}
    """What happened, in one line with titles in place of ids, by the code of each language of the page."""


class EventPage(Struct, frozen=True):
    """A page of journal entries after a position."""

    events: tuple[EventRow, ...]
    """The entries of the page."""
    last: int
    """The position of the last entry of the journal."""
    next: int | None = None
    """The position after which the next page begins; `None` at the end."""


class TurnTrace(Struct, frozen=True):
    """Everything that the debug panel shows of one turn."""

    conversation: str
    """The name of the conversation."""
    turn: int
    """The number of the turn."""
    about: str
    """What began the turn, in words."""
    version: int
    """The version number of the flow that the turn used."""
    fingerprint: str
    """The hash that identifies that version of the flow."""
    is_other_version: bool
    """True where new conversations begin with another version."""
    first_seq: int
    """The position of the turn's first entry in the journal."""
    last_seq: int
    """The position of the turn's last entry in the journal."""
    at_ms: int
    """When the turn began, in milliseconds since 1970."""
    took_ms: int
    """How many milliseconds the turn took."""
    decisions: tuple[DecisionView, ...]
    """The decisions of the turn, in order."""
    state: StateView
    """The state at the end of the turn."""
    prompts: tuple[PromptView, ...] = ()
    """The prompts that models were sent in the turn."""
    tools: tuple[ToolView, ...] = ()
    """Every tool of the flow, and whether the model was offered it."""
    calls: tuple[CallView, ...] = ()
    """The tool calls of the turn."""
    model_calls: tuple[ModelCallView, ...] = ()
    """The model calls of the turn."""
    events: tuple[EventRow, ...] = ()
    """All entries of the turn."""
    commits: tuple[int, ...] = ()
    """The positions of the last entry of each commit of the turn."""
    overlays: tuple[str, ...] = ()
    """The names of the overlays that were active in the turn."""
    nothing_judged: str = ""
    """Why the turn has no decision: which moment would judge; empty where it has some."""
    is_erased: bool = False
    """True where retention erased the turn: only its positions and times are left."""
    activity: ActivityView | None = None
    """What the conversation did at the end of the turn; `None` where nothing was open then."""

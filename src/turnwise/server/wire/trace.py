"""One turn as the debug panel shows it, and the timeline of a conversation."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.archive.timeline_events import Sign
from turnwise.core.state import ToolUse
from turnwise.core.state.events import AnyEvent
from turnwise.core.trace import Decision, Outcome
from turnwise.server.wire.approvals import WaitingCall
from turnwise.server.wire.conversations import ActivityView, FormView, PersonView, Seam, TimerView
from turnwise.server.wire.values import Origin, ValueView


class StateView(Struct, frozen=True):
    """The state at the end of a turn."""

    turn: int
    seq: int
    node: str
    status: dict[str, Any]
    values: tuple[ValueView, ...]
    timers: tuple[TimerView, ...] = ()
    form: FormView | None = None
    question: str = ""
    pending: str = ""
    """The move that is planned for the next message."""
    awaiting_approval: dict[str, Any] | None = None
    visits: dict[str, int] = {}
    tools: dict[str, int] = {}
    last_tools: tuple[ToolUse, ...] = ()
    errors: int = 0
    stack: tuple[str, ...] = ()
    """The nodes of the frames, the outermost first."""
    frames: tuple[int, ...] = ()
    """The ids of the frames, the outermost first."""
    person: PersonView | None = None
    time_zone: str = ""
    language: str = ""
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
    text: str
    role: Literal["", "user", "agent", "tool", "person"] = ""


class PromptView(Struct, frozen=True):
    """A prompt that was sent to a model, made again from the journal; `is_proved` if its hash is the recorded one."""

    effect: str
    node: str
    purpose: str
    parts: tuple[PromptPart, ...]
    text: str
    previous: str | None = None
    """The text of the prompt before it in this conversation, to show the difference."""
    previous_parts: tuple[PromptPart, ...] | None = None
    """The parts of that prompt."""
    hash: str = ""
    is_proved: bool = False
    is_erased: bool = False


class ToolView(Struct, frozen=True):
    """A tool of the flow at this node: offered to the model, or why not."""

    name: str
    about: str
    is_offered: bool
    reason: str = ""
    policy: str = ""
    is_effect: bool = False
    used: int = 0
    parameters: dict[str, Any] = {}
    code: str = ""
    """The reason for programs: `offered`, `denied`, `not_allowed`, `out_of_sequence` and others."""


class CallView(Struct, frozen=True):
    """A call of a tool in this turn, and what came of it."""

    id: str
    tool: str
    arguments: dict[str, Any]
    status: Literal["returned", "failed", "refused", "waiting", "answered", "unknown"]
    result: Any = None
    error: str = ""
    reason: str = ""
    seq: int = 0
    took_ms: int | None = None


class ModelCallView(Struct, frozen=True):
    """A request to a model in this turn."""

    effect: str
    node: str
    purpose: str
    model: str
    seq: int
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    took_ms: int | None = None
    error: str = ""


class DecisionView(Struct, frozen=True):
    """A decision with what a client needs beside the record: no client parses a sentence."""

    decision: Decision
    headline: str
    """`Stayed in introduction`, `Moved to profiler`."""
    detail: str
    """The rest of the verdict line."""
    seam: Seam
    nearest: str = ""
    """The candidate that was nearest to holding."""
    moments: dict[str, str] = {}
    """The moment of each rule of `evaluatedRules`, by its id."""
    evaluation: dict[str, Any] = {}
    """The payload of `debug_transition_eval`."""
    histories: dict[str, EdgeHistory] = {}
    places: dict[str, Origin] = {}
    """Where the value of each operand came from, by name."""
    is_compared: bool = False
    """Whether `changed` of its candidates compares it with an earlier judging of the node at the moment."""


class EdgeHistory(Struct, frozen=True):
    """How often a transition was judged, held and taken, in one conversation or in all."""

    node: str
    moment: str
    transition: str
    target: str
    judged: int
    held: int
    taken: int
    line: str
    outcomes: dict[Outcome, int] = {}
    """How often it had each outcome."""


class EventRow(Struct, frozen=True):
    """An entry of the journal, with its kind and one line about it. `subject` is what it is about, as a question of why
    names it: `field user.age`.
    """

    seq: int
    turn: int
    at_ms: int
    kind: str
    line: str
    subject: str
    event: AnyEvent
    is_erased: bool = False


class EventPage(Struct, frozen=True):
    """Entries after a position. `next` is the position to continue after, `None` at the end."""

    events: tuple[EventRow, ...]
    last: int
    next: int | None = None


class TurnTrace(Struct, frozen=True):
    """Everything that the panel shows of one turn."""

    conversation: str
    turn: int
    about: str
    version: int
    fingerprint: str
    is_other_version: bool
    first_seq: int
    last_seq: int
    at_ms: int
    took_ms: int
    decisions: tuple[DecisionView, ...]
    state: StateView
    prompts: tuple[PromptView, ...] = ()
    tools: tuple[ToolView, ...] = ()
    calls: tuple[CallView, ...] = ()
    model_calls: tuple[ModelCallView, ...] = ()
    events: tuple[EventRow, ...] = ()
    commits: tuple[int, ...] = ()
    """The positions of the last entry of each commit of the turn."""
    overlays: tuple[str, ...] = ()
    nothing_judged: str = ""
    """Why the turn has no decision: which moment would judge."""
    is_erased: bool = False
    activity: ActivityView | None = None
    """What the conversation did at the end of the turn, where something was open then."""


# the timeline ------------------------------------------------------------------------------------


class TimelineMark(Struct, frozen=True, array_like=True):
    """One decision on the timeline."""

    seq: int
    turn: int
    at_ms: int
    node: int
    """The index of its lane."""
    mark: Literal["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"]
    target: int
    """The index of the lane it moves to, -1 where it stays."""
    text: str
    is_undone: bool
    moment: str = ""
    transition: str = ""
    """The transition that was taken."""
    judged: int = -1
    """The index of its candidates in `Timeline.candidates`, -1 where there were none."""
    outcomes: str = ""
    """One letter per candidate, as `Decided.outcomes` has them."""
    frame: int = 0
    """The id of the frame in which it was judged."""
    depth: int = 0
    """How many frames are around that one."""


class TimelineTurn(Struct, frozen=True, array_like=True):
    """One turn on the timeline: its number, its first and last position, its time, and the lane it ends in; `frame` is
    the id of the frame it ends in, `depth` how many frames are around that one.
    """

    turn: int
    first_seq: int
    last_seq: int
    at_ms: int
    node: int
    began: str
    is_undone: bool
    frame: int = 0
    depth: int = 0


class TimelineSign(Struct, frozen=True, array_like=True):
    """Something around the conversation on the timeline: a timer that fired, an offer, an event of another system."""

    seq: int
    turn: int
    at_ms: int
    sign: Sign
    text: str


class TimelineOverlay(Struct, frozen=True, array_like=True):
    """An overlay on the timeline: from the position at which it became active, to that at which it ended."""

    name: str
    persona_name: str
    from_seq: int
    to_seq: int | None


class Timeline(Struct, frozen=True):
    """The whole path of a conversation, compact: arrays instead of objects for turns and marks."""

    conversation: str
    lanes: tuple[str, ...]
    """The names of the nodes, in the order of the flow; those inside a scope follow its node."""
    turns: tuple[TimelineTurn, ...]
    marks: tuple[TimelineMark, ...]
    commits: tuple[int, ...]
    moves: tuple[tuple[int, int, int], ...]
    """Position, lane before, lane after; also where a scope was opened or closed."""
    last_seq: int
    is_cut: bool = False
    candidates: tuple[tuple[str, ...], ...] = ()
    """The distinct lists of transitions that were judged, in the order of judging."""
    depths: tuple[int, ...] = ()
    """In how many scopes each lane stands."""
    signs: tuple[TimelineSign, ...] = ()
    """What happened around it by the clock, by offers, and in other systems."""
    overlays: tuple[TimelineOverlay, ...] = ()


# what if -----------------------------------------------------------------------------------------


class GuardProblem(Struct, frozen=True):
    """A problem in a guard that was typed: where, what, and what is near."""

    transition: str
    code: str
    message: str
    line: int
    column: int
    hint: str = ""


class WhatIfDecision(Struct, frozen=True):
    """A decision that was judged again: as recorded, and as it would have been."""

    seq: int
    turn: int
    node: str
    was: Decision
    would: Decision
    differs: bool
    replaced: tuple[str, ...] = ()
    """The transitions whose guard was replaced; their `because` still describes the old one."""


class ChangedConversation(Struct, frozen=True):
    """A conversation in which decisions would differ: how many, and the first turn with one."""

    conversation: str
    differs: int
    turn: int


class WhatIfPage(Struct, frozen=True):
    """What would differ in some of a flow's conversations; `next` is the cursor of the following ones. `skipped` are
    conversations that cannot be judged again: their version of the flow does not have what is supposed.
    """

    conversations: int
    total: int
    judged: int
    differs: int
    changed: tuple[ChangedConversation, ...] = ()
    skipped: int = 0
    problems: tuple[GuardProblem, ...] = ()
    next: str | None = None


class WhatIfResult(Struct, frozen=True):
    """What would differ. `problems` are faults in the values or guards of the question; then nothing was judged."""

    judged: int
    differs: int
    decisions: tuple[WhatIfDecision, ...] = ()
    problems: tuple[GuardProblem, ...] = ()
    skipped: int = 0
    command: str = ""
    """The command that asks the same in a terminal, empty where there is none."""

"""The state of a conversation: one immutable value of bounded size (section 1 of the laws).

It holds no words of the user, only their places in the journal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from turnwise.core.state.approvals import ApprovalRequest as ApprovalRequest
from turnwise.core.state.approvals import in_order
from turnwise.core.state.effects import AnyEffect, Call
from turnwise.core.state.kinds import FailureReason, FaultKind, OutcomeKind, TurnKind, Wait
from turnwise.core.state.performed import KEPT_USES as KEPT_USES
from turnwise.core.state.performed import KeptEffect as KeptEffect
from turnwise.core.state.performed import TakenBack as TakenBack

FORMAT = 1
"""The version of the state's own form; an unknown one is refused by name (law 1.4)."""

KEPT_UNDOS = 64
"""How many spans of turns that undos took back are kept apart; older ones become one."""

MOST_UNREPORTED = 20
"""Of how many turns without a receiver the next turn reports."""

How = Literal[
    "button", "direct", "understood", "command", "operator", "tool", "set", "prefill", "default", "derived", "supposed"
]
SAID_BY_USER: frozenset[How] = frozenset(("button", "direct", "understood"))
"""How values come that the user gave."""
FormStatus = Literal["collecting", "awaiting_confirmation", "confirmed", "stopped", "cancelled", "handed_off"]
BrokenOff = Literal["", "stopped", "cancelled", "handed_off", "left"]
"""How a form was left without being finished as asked: empty where it was not."""
QuestionKind = Literal["field", "confirmation", "chooser", "call"]

Place = tuple[int, int, int]
"""A span of text in the journal: the position of the message, and the start and end in it."""


class FieldValue(Struct, frozen=True, gc=False, array_like=True):
    """A value and its origin. A field without a value has no `FieldValue`."""

    value: Any
    how: How
    turn: int
    at_ms: int
    confidence: float | None = None
    place: Place | None = None


class ToolUse(Struct, frozen=True, gc=False, array_like=True):
    """One use of a tool."""

    tool: str
    turn: int
    node: str


class ToolHistory(Struct, frozen=True, gc=False, omit_defaults=True):
    """How often each tool was used, and the last uses in order, the newest last."""

    counts: dict[str, int] = {}
    last: tuple[ToolUse, ...] = ()


class FormRun(Struct, frozen=True, gc=False, omit_defaults=True):
    """One run of a form.

    `asked` is the field whose question is open; `editing` says whether a chooser is open, one
    answer is being changed, or all are walked through (`walk` holds those still to come);
    `misses` counts per question how often nothing was understood; `correction` is a corrected value
    whose field is being asked for, `correction_place` where its words stand; `suggested` are values known
    from elsewhere, to be affirmed.
    """

    status: FormStatus = "collecting"
    asked: str = ""
    editing: Literal["", "chooser", "one", "walk"] = ""
    walk: tuple[str, ...] = ()
    misses: dict[str, int] = {}
    skipped: tuple[str, ...] = ()
    awaits_other: bool = False
    stopped_at: str = ""
    correction: Any = field(name="held", default=None)
    correction_place: Place | None = field(name="held_place", default=None)
    suggested: dict[str, Any] = {}
    was_confirmed: bool = False
    """True where it was handed over after it was confirmed, or complete without a confirmation."""
    asks_to_go_on: bool = False
    """True where the message that completed it said more than its answers, so that its summary is asked about."""

    @property
    def broken_off(self) -> BrokenOff:
        """How it was left without being finished as asked; empty where it was not."""
        if self.status == "handed_off":
            return "" if self.was_confirmed else "handed_off"
        return self.status if self.status in ("cancelled", "stopped") else ""


class Frame(Struct, frozen=True, gc=False, omit_defaults=True):
    """One level of the stack: its current node, and the number of this visit to the node (0 if the first node could not
    be entered yet).
    """

    node: str
    visit: int = 1
    turns: int = 0
    is_work_done: bool = False
    form: FormRun | None = None
    transcript_from: int = 0
    entered_turn: int = 0
    sequence: int = 0
    """How many positions of the node's tool sequence are behind."""
    person_outcome: str = ""
    """The outcome that the last person gave in this visit (`person.outcome`)."""
    has_message: bool = False
    """True if the user wrote, pressed a button or was answered for since the turn that entered the node."""
    because: str = ""
    """The author's reason for the move to the node, where the user may ask why (`State.explains`)."""
    is_by_person: bool = False
    """True if a person chose that move, where the user may ask why."""

    def after_message(self, turn: int) -> Frame:
        """Return the frame with one more turn of the user; the turn that entered the node has no message since then."""
        return replace(self, turns=self.turns + 1, has_message=self.entered_turn < turn)


class Question(Struct, frozen=True, gc=False, array_like=True):
    """The question that is open, and the journal positions at which it was first and last asked."""

    kind: QuestionKind
    field: str
    first: int
    last: int


class Pending(Struct, frozen=True, gc=False, array_like=True):
    """A move that was decided and is taken at the next user event (`reply: next`); `operator` is who chose it."""

    transition: str
    target: str
    visit: int
    operator: str = ""


class PutOff(Struct, frozen=True, gc=False, array_like=True):
    """A move that was decided at `tool`, and waits for the other calls of the tool in the same reply."""

    transition: str
    target: str
    reply: str
    tool: str


class Timer(Struct, frozen=True, gc=False, array_like=True):
    """A timer that is armed: its transition, the visit, when it is due, and how often it has fired in this wait."""

    transition: str
    node: str
    visit: int
    due_ms: int
    fired: int = 0


class Person(Struct, frozen=True, gc=False, omit_defaults=True):
    """A person for whom the conversation waits, or who is in charge (law 6.10). `operator` is the name of the person,
    empty while nobody has come, and `display` what the user sees instead; `reason` is why the operator took over.

    `since_ms` is when the wait began, `due_ms` when it ends if no person comes, `taken_ms` when the operator took over.
    With `is_work` the person is the work of the node in charge, else the person interrupts it.
    """

    queue: str
    since_ms: int
    about: str = ""
    due_ms: int | None = None
    operator: str = ""
    taken_ms: int | None = None
    reason: str = ""
    is_work: bool = False
    display: str = ""


class Fault(Struct, frozen=True, gc=False, array_like=True):
    """A failure: what `error.*` is bound to while an `error` transition is judged, and what explanations show.

    `subject` is the field (`record.field`), the argument of `tool`, or the limit that the failure is about; `value` is
    the value that was refused, and `bound` what it exceeds. A secret is never among them. `at` is `file:line` in the
    user's own code or flow, `transition` the transition whose guard or write failed.
    """

    kind: FaultKind
    message: str
    tool: str = ""
    subject: str = ""
    value: Any = None
    bound: Any = None
    at: str = ""
    transition: str = ""


class CommandOutcome(Struct, frozen=True, gc=False, array_like=True):
    """What one command of this turn did. `iso` is the text for models if it differs from `text`."""

    kind: OutcomeKind
    field: str = ""
    text: str = ""
    iso: str = ""


class TurnState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The part of the state that lasts for one turn.

    `seq` is the position of the event that began it (of the message if there is one), `base` the turn at whose end it
    began. `calls` are the calls of a model that still wait, in order; `failures` counts by tool what failed or was
    refused. `closed` is the status of a form that was confirmed or handed over in this turn.
    """

    kind: TurnKind
    at_ms: int
    seq: int
    start_node: str = ""
    base: int = 0
    message: str | None = None
    button: str | None = None
    is_used_up: bool = False
    moves: int = 0
    entered: tuple[str, ...] = ()
    understood_for: tuple[str, ...] = ()
    has_spoken: bool = False
    closed: Literal["", "confirmed", "handed_off"] = ""
    outcomes: tuple[CommandOutcome, ...] = field(default=(), name="heard")
    fault: Fault | None = None
    effects: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    calls: tuple[Call, ...] = ()
    failures: dict[str, int] = {}
    asked_to_choose: int = 0
    rearms: bool = False
    """True if the timers of the node are armed anew although no user event came."""
    awaited: AnyEffect | None = None
    cut_off: int = 0
    """`State.cut_off` before this turn."""
    operator: str = ""
    """The person who made the last decision."""
    wants_out: bool = False
    """True if the message asks to stop, or for a person, where no form is open."""
    has_caught: bool = False
    """True if the last decision was made about a failure."""
    missed: tuple[int, ...] = ()
    """`State.missed` before this turn."""
    prompted: str = ""
    """The node for which a model was called last."""


class Waiting(Struct, frozen=True, gc=False, tag="waiting"):
    """The conversation waits for a message, a button, or the result of an effect."""

    what: Wait
    since_ms: int


class Ended(Struct, frozen=True, gc=False, tag="ended"):
    """The conversation has ended."""

    outcome: str


class Failed(Struct, frozen=True, gc=False, tag="failed"):
    """The last turn failed; the next message tries again from the same node."""

    reason: FailureReason
    message: str = ""


class State(Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything that a conversation is at one moment.

    `came_from` is the turn at whose end the last turn began: where an undo goes. `judged` holds a
    mark per `enter_when`, by which it is known whether what it reads has changed. `decided` says at
    which position a node's moment was judged last. `shelved` holds
    inactive answers. `doing` is the turn under way, `None` between turns. `snapshot` is the position
    of the newest snapshot of the journal.
    """

    format: int
    flow: str
    version: int
    fingerprint: str
    seq: int
    turn: int
    at_ms: int
    time_zone: str
    language: str
    status: Waiting | Ended | Failed
    frames: tuple[Frame, ...]
    came_from: int = 0
    values: dict[str, FieldValue] = {}
    shelved: dict[str, FieldValue] = {}
    tools: ToolHistory = ToolHistory()
    errors: int = 0
    visits: dict[str, int] = {}
    question: Question | None = None
    pending: Pending | None = None
    judged: dict[str, int] = {}
    decided: dict[str, int] = {}
    closed_forms: dict[str, FormStatus] = {}
    last_field: str = ""
    timers: tuple[Timer, ...] = ()
    awaiting_approval: ApprovalRequest | None = field(name="held", default=None)
    """The call that the user is asked to approve."""
    approvals: tuple[ApprovalRequest, ...] = ()
    """The other calls that wait for approval: those asked later, and those that an operator decides."""
    put_off: PutOff | None = None
    """The move that was decided after a call, and is made when the reply's other calls of the tool are done."""
    person: Person | None = None
    """The person for whom it waits, or who is in charge."""
    run_moves: int = 0
    explains: bool = False
    """True if the user may ask why (`commands: [why]`), so that the reasons for moves are kept."""
    is_bound: bool = False
    """True in a fork that may not use tools which change the world (law 6.9)."""
    forked: int = 0
    """The position of the newest `Forked`, 0 in a conversation that is no copy."""
    doing: TurnState | None = None
    snapshot: int = 0
    taken_back: tuple[TakenBack, ...] = ()
    """Calls whose result an undo took back, and that no node has made again yet; the last `KEPT_USES` of them."""
    kept_effects: tuple[KeptEffect, ...] = ()
    """Effects that an undo did not reverse and that were not done again since; the last `KEPT_USES` of them."""
    undone: tuple[tuple[int, int], ...] = ()
    """The turns that undos took back, as the turns before and behind them: no model is shown them."""
    request_chars: dict[str, int] = {}
    """The characters to which requests in a node are shortened, since a longer one was too long for its model."""
    cut_off: int = 0
    """The first turn that went on after it was cut off, until a caller receives a later one."""
    missed: tuple[int, ...] = ()
    """The turns whose callers left before they received the outcome, until another caller receives a later one."""
    unprompted: tuple[int, ...] = ()
    """The turns that the machine started itself since the last one that a caller asked for; the last ones, if they are
    many."""
    unseen_from: int = 0
    """The position at which a timer or an operator began a turn, the first since the user's last one; 0 without one."""

    def get(self, key: str, read: Callable[[State], Any]) -> Any:  # noqa: ARG002  other sources look the key up
        """The value of a root of the guard language: a state is the source of its own."""
        return read(self)

    @property
    def unreported(self) -> tuple[int, ...]:
        """The turns whose outcome no caller received; the first ones, if they are many."""
        if not self.missed and not self.cut_off:
            return ()
        last = min(self.turn + 1, self.cut_off + MOST_UNREPORTED)
        return tuple(sorted({*self.missed, *(range(self.cut_off, last) if self.cut_off else ())}))[:MOST_UNREPORTED]

    @property
    def is_question_of_others(self) -> bool:
        """True if the open question came up in turns that a timer or an operator began since the user's last one."""
        return self.question is not None and 0 < self.unseen_from <= self.question.first

    @property
    def may_question_be_unseen(self) -> bool:
        """True if no caller may have received the open question."""
        return self.is_question_of_others or not {self.turn, *self.unprompted}.isdisjoint(self.unreported)

    @property
    def waiting_calls(self) -> tuple[ApprovalRequest, ...]:
        """All calls that wait for approval, in the order of the calls."""
        asked = self.awaiting_approval
        if not self.approvals:
            return () if asked is None else (asked,)
        return in_order(self.approvals if asked is None else (asked, *self.approvals))

    @property
    def current(self) -> TurnState:
        """The state of the turn under way. Raises `AssertionError` between turns."""
        assert self.doing is not None, "no turn is under way"
        return self.doing

    @property
    def frame(self) -> Frame:
        """The frame in charge."""
        return self.frames[-1]

    @property
    def node(self) -> str:
        """The node in charge."""
        return self.frames[-1].node

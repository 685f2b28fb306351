"""A frame of a conversation: one level of its stack, with the node in charge there and what is open at that node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, field

from turnwise.core.state.approvals import ApprovalRequest, in_order
from turnwise.core.state.commands import ItemCommand
from turnwise.core.state.kinds import FaultKind

FormStatus = Literal["collecting", "awaiting_confirmation", "confirmed", "stopped", "cancelled", "handed_off"]
"""How far a form is."""
OPEN_FORM: frozenset[FormStatus] = frozenset(("collecting", "awaiting_confirmation"))
"""A form that asks or confirms."""
BrokenOff = Literal["", "stopped", "cancelled", "handed_off", "left"]
"""How a form was left without being finished as asked: empty where it was not."""
QuestionKind = Literal["field", "confirmation", "chooser", "call", "budget", "offer"]
"""What an open question asks for."""

Place = tuple[int, int, int]
"""A span of text in the journal: the position of the message, and the start and end in it."""


class ToolUse(Struct, frozen=True, gc=False, array_like=True):
    """One use of a tool."""

    tool: str
    turn: int
    """The turn in which it was used."""
    node: str
    """The node in charge."""


class ToolHistory(Struct, frozen=True, gc=False, omit_defaults=True):
    """How often each tool was used, and the last uses in order, the newest last."""

    counts: dict[str, int] = {}
    """How often each tool was used."""
    last: tuple[ToolUse, ...] = ()
    """The last uses, the newest last."""


class FormRun(Struct, frozen=True, gc=False, omit_defaults=True):
    """One run of a form."""

    status: FormStatus = "collecting"
    """How far the form is."""
    asked: str = ""
    """The field whose question is open; empty if none is."""
    editing: Literal["", "chooser", "one", "walk"] = ""
    """Whether a chooser is open, one answer is changed, or all are walked through; empty for none of these."""
    walk: tuple[str, ...] = ()
    """The fields still to come where all answers are walked through."""
    misses: dict[str, int] = {}
    """How often nothing was understood, by question."""
    skipped: tuple[str, ...] = ()
    """The fields whose question was skipped."""
    awaits_other: bool = False
    """True where the user pressed *Other*, and the answer is awaited as a text."""
    stopped_at: str = ""
    """The field whose answer ended the form."""
    correction: Any = field(name="held", default=None)
    """A corrected value whose field is being asked for; `None` without one."""
    correction_place: Place | None = field(name="held_place", default=None)
    """Where the words of the correction stand."""
    suggested: dict[str, Any] = {}
    """Values known from elsewhere that the user is to affirm, by field."""
    was_confirmed: bool = False
    """True where it was handed over after it was confirmed, or complete without a confirmation."""
    asks_to_go_on: bool = False
    """True where the message that completed it said more than its answers, so that its summary is asked about."""
    answers: str = ""
    """Of a form whose questions are data: the address of the field that takes the answers."""
    filling: str = ""
    """The list of a record for which an item is asked, question by question; empty while none is."""
    item: str = ""
    """The id of the item that is changed or completed; empty while a new one is asked for."""
    newest: int = 0
    """The number of the newest item of the conversation when the item was begun: later ones came by a sentence."""
    complete: tuple[str, ...] = ()
    """The lists of which the user said that nothing else follows."""
    choosing: str = ""
    """The list of which the user chooses an item: to change it, or as the one that `waiting` means."""
    waiting: tuple[ItemCommand, ...] = ()
    """Commands on an item of which several fit: they wait until the user says which one is meant."""
    candidates: tuple[tuple[str, int], ...] = ()
    """The ids of the items that fit, in the order in which they are shown, each with the number that it has there."""

    @property
    def asks_which_item(self) -> bool:
        """True while the user is asked which item a command means."""
        return self.editing == "chooser" and bool(self.waiting)

    def shown_items(self, known: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return the items of which the user is asked to choose one, each with its number: those that a command may
        mean, else all that the list has (`known`, by id); none where one is chosen.
        """
        if self.editing != "chooser" or not self.choosing:
            return ()
        if self.waiting:
            return self.candidates
        return tuple([(id_, at) for at, id_ in enumerate(known, 1)]) if self.item not in known else ()

    @property
    def broken_off(self) -> BrokenOff:
        """How it was left without being finished as asked; empty where it was not."""
        if self.status == "handed_off":
            return "" if self.was_confirmed else "handed_off"
        return self.status if self.status in ("cancelled", "stopped") else ""


class Question(Struct, frozen=True, gc=False, array_like=True):
    """The question that is open, and the journal positions at which it was first and last asked."""

    kind: QuestionKind
    """What kind of answer is awaited."""
    field: str
    """The address of the field that it asks for; empty if it asks for none."""
    first: int
    """The position at which it was first asked."""
    last: int
    """The position at which it was last asked."""


class Pending(Struct, frozen=True, gc=False, array_like=True):
    """A move that was decided and is taken at the next user event (`reply: next`)."""

    transition: str
    target: str
    """The node that will be entered."""
    visit: int
    """The visit in which it was decided."""
    operator: str = ""
    """The person who chose it; empty if the machine did."""


class PutOff(Struct, frozen=True, gc=False, array_like=True):
    """A move that was decided at `tool`, and waits for other calls in the same reply."""

    transition: str
    target: str
    """The node that will be entered."""
    reply: str
    """The id of the model call whose reply has the calls."""
    tool: str
    """The tool whose other calls it waits for."""


class Timer(Struct, frozen=True, gc=False, array_like=True):
    """A timer that is armed: its transition, the visit, when it is due, and how often it has fired in this wait."""

    transition: str
    """The transition that is judged when it fires."""
    node: str
    """The node for which it was armed."""
    visit: int
    """The visit of the node for which it was armed."""
    due_ms: int
    """When it fires, in milliseconds since 1970."""
    fired: int = 0
    """How often it has fired in this wait."""


class EventData(Struct, frozen=True, gc=False, array_like=True):
    """What happened in another system: the name of the event, its data, and its position in the journal."""

    name: str
    data: dict[str, Any]
    """Its values by field."""
    seq: int
    """The position of the event in the journal."""


class Person(Struct, frozen=True, gc=False, omit_defaults=True):
    """A person for whom the conversation waits, or who is in charge (law 6.10)."""

    queue: str
    """The queue in which the conversation waits."""
    since_ms: int
    """When the wait began."""
    about: str = ""
    """What the person is asked to do."""
    due_ms: int | None = None
    """When the wait ends if no person comes; `None` if it does not end."""
    operator: str = ""
    """The name of the person; empty until one comes."""
    taken_ms: int | None = None
    """When the operator took over; `None` before that."""
    reason: str = ""
    """Why the operator took over."""
    is_work: bool = False
    """True where the person is the work of the node in charge, else the person interrupts it."""
    display: str = ""
    """The name that the user sees; empty if it is that of the operator."""


OpenedBy = Literal["node", "call", "tool", "user", "program", "offer", "schedule"]
"""Who opened a scope: entering its node, a transition with `call`, a tool of the model, a user, the program, an offer
that the user took, or a schedule.
"""


class OpenScope(Struct, frozen=True, gc=False, omit_defaults=True):
    """The scope that a frame is: its name, who opened it in which turn, and what it was given."""

    name: str
    """The qualified name of the scope."""
    by: OpenedBy
    """Who opened it."""
    turn: int
    """The turn in which it was opened."""
    message: int = 0
    """The position in the journal of the message that it knows; 0 without one."""
    call: str = ""
    """The id of the model's call that opened it, and waits for its summary; empty if none did."""
    tool: str = ""
    """The tool that opened it."""
    turns: int = 0
    """How many turns of the user there were inside."""
    tokens: int = 0
    """The tokens of the model calls inside."""


class Frame(Struct, frozen=True, gc=False, omit_defaults=True):
    """One level of the stack: its node in charge, what is open at this visit to the node, and what the frame remembers
    of its other nodes.
    """

    node: str
    """The node in charge."""
    id: int = 0
    """The position at which the frame was opened, by which entries name it; 0 for the root."""
    visit: int = 1
    """The number of this visit to the node, 0 if the first node could not be entered yet."""
    turns: int = 0
    """How many turns this visit has had."""
    is_work_done: bool = False
    """True if the node has done its work in this visit."""
    form: FormRun | None = None
    """The progress of the node's form."""
    transcript_from: int = 0
    """The position from which the node's model sees the transcript."""
    entered_turn: int = 0
    """The turn in which the node was entered."""
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
    question: Question | None = None
    """The question that is open."""
    pending: Pending | None = None
    """The move that is planned for the next message."""
    timers: tuple[Timer, ...] = ()
    """The timers that are armed."""
    awaiting_approval: ApprovalRequest | None = None
    """The call that the user is asked to approve."""
    approvals: tuple[ApprovalRequest, ...] = ()
    """The other calls that wait for approval: those asked later, and those that an operator decides."""
    put_off: PutOff | None = None
    """The move that was decided after a call, and is made when the reply's other calls of the tool are done."""
    to_judge: tuple[str, ...] = ()
    """The replies of the model after whose calls `calls` is still to be judged."""
    waits_to_judge: bool = False
    """True if `tool` is judged when the person in charge gives back: a result came meanwhile."""
    failed: tuple[FaultKind, str, str] | None = None
    """The failure (kind, message, tool) for which `error` is judged when the person in charge gives back."""
    person: Person | None = None
    """The person for whom it waits, or who is in charge."""
    visits: dict[str, int] = {}
    """How often each node was entered."""
    tools: ToolHistory = ToolHistory()
    """The uses of tools in this frame."""
    judged: dict[str, int] = {}
    """A mark per `enter_when`, by which it is known whether what it reads has changed."""
    calls: dict[str, int] = {}
    """By each `call` transition that was judged in this visit a hash of what it read: it may hold again when that has
    changed."""
    decided: dict[str, int] = {}
    """At which position a node's moment was judged last."""
    closed_forms: dict[str, FormStatus] = {}
    """How the forms that were left ended, by node."""
    last_field: str = ""
    """The field that was asked or filled last."""
    note: str = ""
    """What the transition that entered the node handed over to its model."""
    scope: OpenScope | None = None
    """The scope that the frame is; `None` for the root."""
    has_offered: bool = False
    """True if the node has made its `offer` in this visit."""
    held_events: tuple[EventData, ...] = ()
    """The events of other systems that wait until the frame is in charge and no person interrupts it."""
    scope_outcome: str = ""
    """The outcome of the scope that is the work of the node in charge."""
    wishes: tuple[str, ...] = ()
    """The scopes that were asked for beside the one that was opened: each opens when the one before it closes."""
    program_wishes: tuple[str, ...] = ()
    """Those of the wishes that a program asked for, and not a message."""
    wish_inputs: dict[str, dict[str, Any]] = {}
    """What scopes that were asked for are opened with, by address."""

    @property
    def waiting_calls(self) -> tuple[ApprovalRequest, ...]:
        """All calls that wait for approval, in the order of the calls."""
        asked = self.awaiting_approval
        if not self.approvals:
            return () if asked is None else (asked,)
        return in_order(self.approvals if asked is None else (asked, *self.approvals))

    def entering(self, node: str, turn: int, **by_move: Any) -> Frame:
        """Return the frame at the beginning of a visit to a node; what was open at the last visit is gone. `by_move` is
        what the move brings along.
        """
        visit = self.visits.get(node, 0) + 1
        closed = self.closed_forms
        return Frame(
            node,
            id=self.id,
            visit=visit,
            transcript_from=self.transcript_from,
            entered_turn=turn,
            visits={**self.visits, node: visit},
            tools=self.tools,
            judged=self.judged,
            decided=self.decided,
            closed_forms={one: closed[one] for one in closed if one != node} if node in closed else closed,
            last_field=self.last_field,
            scope=self.scope,
            wishes=self.wishes,
            program_wishes=self.program_wishes,
            wish_inputs=self.wish_inputs,
            held_events=self.held_events,
            **by_move,
        )

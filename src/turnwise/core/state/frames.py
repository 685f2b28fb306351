"""A frame of a conversation: one level of its stack, with the node in charge there and what is open at that node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, field

from turnwise.core.state.approvals import ApprovalRequest, in_order
from turnwise.core.state.commands import ItemCommand
from turnwise.core.state.kinds import FaultKind

FormStatus = Literal["collecting", "awaiting_confirmation", "confirmed", "stopped", "cancelled", "handed_off"]
"""The status of a form."""
OPEN_FORM: frozenset[FormStatus] = frozenset(("collecting", "awaiting_confirmation"))
"""The statuses of a form that asks or confirms."""
BrokenOff = Literal["", "stopped", "cancelled", "handed_off", "left"]
"""How a form was left without being finished as asked: empty where it was not."""
QuestionKind = Literal["field", "confirmation", "chooser", "call", "budget", "offer"]
"""What an open question asks for."""

Place = tuple[int, int, int]
"""A span of text in the journal: the position of the message, and start and end (exclusive) in its characters, from 0.
"""


class ToolUse(Struct, frozen=True, gc=False, array_like=True):
    """One use of a tool: which tool, in which turn and at which node."""

    tool: str
    """The name of the tool."""
    turn: int
    """The number of the turn in which the tool was used."""
    node: str
    """The node that was in charge."""


class ToolHistory(Struct, frozen=True, gc=False, omit_defaults=True):
    """How often each tool was used, and the last uses in order, the newest last."""

    counts: dict[str, int] = {}
    """How often each tool was used, by the name of the tool."""
    last: tuple[ToolUse, ...] = ()
    """The last uses of tools, the newest last."""


class FormRun(Struct, frozen=True, gc=False, omit_defaults=True):
    """The progress of one run of a form."""

    status: FormStatus = "collecting"
    """How far the form is, such as `collecting`."""
    asked: str = ""
    """The address of the field whose question is open; empty if none is."""
    editing: Literal["", "chooser", "one", "walk"] = ""
    """Whether a chooser of answers is open, one answer is changed, or all are walked through; empty for none."""
    walk: tuple[str, ...] = ()
    """The fields still to come while all answers are walked through."""
    misses: dict[str, int] = {}
    """How often the user's answer was not understood, by the field of the question."""
    skipped: tuple[str, ...] = ()
    """The fields whose question was skipped."""
    awaits_other: bool = False
    """True if the user pressed *Other*, so that the answer is expected as text."""
    stopped_at: str = ""
    """The field whose answer ended the form; empty if none did."""
    correction: Any = field(name="held", default=None)
    """A corrected value, while the user is asked which field it belongs to; `None` without one."""
    correction_place: Place | None = field(name="held_place", default=None)
    """Where the words of the correction are: journal position of the message, start and end (exclusive) in it; `None`
    without one."""
    suggested: dict[str, Any] = {}
    """Values known from elsewhere that the user is asked to confirm, by field."""
    was_confirmed: bool = False
    """True if the form was handed over after it was confirmed, or complete in a form without confirmation."""
    asks_to_go_on: bool = False
    """True if the message that completed the form held more than answers, so that its summary is to be confirmed."""
    answers: str = ""
    """The address of the field that takes the answers, if the form's questions are data; else empty."""
    filling: str = ""
    """The list of records for which an item is asked, question by question; empty while none is."""
    item: str = ""
    """The id of the item that is changed or completed; empty while a new item is asked for."""
    newest: int = 0
    """The number of the newest item id when this item was begun: items with higher numbers came by a sentence."""
    complete: tuple[str, ...] = ()
    """The lists that the user has said to be complete."""
    choosing: str = ""
    """The list from which the user is asked to choose an item: to change it, or to say which item the commands in
    `waiting` mean; empty if none."""
    waiting: tuple[ItemCommand, ...] = ()
    """Commands whose item is ambiguous: they wait until the user says which item is meant."""
    candidates: tuple[tuple[str, int], ...] = ()
    """The items that an ambiguous command may mean: id and number as shown to the user, in the order shown."""

    @property
    def asks_which_item(self) -> bool:
        """True while the user is asked which item a command means."""
        return self.editing == "chooser" and bool(self.waiting)

    def shown_items(self, known: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return the items that the user may choose from, by id and number; `known` are the ids of the whole list.
        Those are the items that a command may mean, else all of the list; none where one is chosen.
        """
        if self.editing != "chooser" or not self.choosing:
            return ()
        if self.waiting:
            return self.candidates
        return tuple([(id_, at) for at, id_ in enumerate(known, 1)]) if self.item not in known else ()

    @property
    def broken_off(self) -> BrokenOff:
        """How the form was left unfinished; empty if it was finished or is still open."""
        if self.status == "handed_off":
            return "" if self.was_confirmed else "handed_off"
        return self.status if self.status in ("cancelled", "stopped") else ""


class Question(Struct, frozen=True, gc=False, array_like=True):
    """The open question, and the journal positions at which it was first and last asked."""

    kind: QuestionKind
    """What kind of answer the question expects."""
    field: str
    """The address of the field that the question asks for; empty if none."""
    first: int
    """The journal position at which the question was first asked."""
    last: int
    """The journal position at which the question was last asked."""


class Pending(Struct, frozen=True, gc=False, array_like=True):
    """A move that was decided and is made at the next event of the user (`reply: next`)."""

    transition: str
    """The name of the transition."""
    target: str
    """The node that will be entered."""
    visit: int
    """The number of the visit to the node in which the move was decided."""
    operator: str = ""
    """The operator who chose the transition; empty if the machine did."""


class PutOff(Struct, frozen=True, gc=False, array_like=True):
    """A move that was decided at `tool` and waits for other calls of the same reply."""

    transition: str
    """The name of the transition."""
    target: str
    """The node that will be entered."""
    reply: str
    """The id of the model call whose reply holds the calls."""
    tool: str
    """The tool for whose other calls the move waits."""


class Timer(Struct, frozen=True, gc=False, array_like=True):
    """An armed timer: its transition, the visit to the node, when it fires, and how often it has fired in this wait."""

    transition: str
    """The name of the transition that is judged when the timer fires."""
    node: str
    """The node for which the timer was armed."""
    visit: int
    """The number of the visit to the node for which the timer was armed."""
    due_ms: int
    """When the timer fires, in milliseconds since 1970."""
    fired: int = 0
    """How often the timer has fired during the current wait."""


class EventData(Struct, frozen=True, gc=False, array_like=True):
    """An event of another system: its name, its data, and its position in the journal."""

    name: str
    """The name of the external event, as the flow declares it."""
    data: dict[str, Any]
    """The data of the event, by field."""
    seq: int
    """The position of the event in the journal."""


class Person(Struct, frozen=True, gc=False, omit_defaults=True):
    """An operator who is in charge, or for whom the conversation waits in a queue (law 6.10)."""

    queue: str
    """The queue in which the conversation waits."""
    since_ms: int
    """When the wait began, in milliseconds since 1970."""
    about: str = ""
    """What the operator is asked to do, in words; empty for no text."""
    due_ms: int | None = None
    """When the wait ends if no operator comes, in milliseconds since 1970; `None` if it has no end."""
    operator: str = ""
    """The name of the operator; empty until one takes over."""
    taken_ms: int | None = None
    """When the operator took over, in milliseconds since 1970; `None` before that."""
    reason: str = ""
    """Why the operator took over; empty if no reason was given."""
    is_work: bool = False
    """True if the node itself hands over to a person (its work), false if a person interrupts the node."""
    display: str = ""
    """The operator's name as the user sees it; empty if it is `operator`."""


OpenedBy = Literal["node", "call", "tool", "user", "program", "offer", "schedule"]
"""Who opened a scope: entering its node, a transition with `call`, a tool of the model, a user, the program, an offer
that the user took, or a schedule.
"""


class OpenScope(Struct, frozen=True, gc=False, omit_defaults=True):
    """The open scope of a frame: its name, who opened it, and what was passed into it."""

    name: str
    """The qualified name of the scope."""
    by: OpenedBy
    """Who opened the scope."""
    turn: int
    """The number of the turn in which the scope was opened."""
    message: int = 0
    """The journal position of the user's message that was passed into the scope; 0 without one."""
    call: str = ""
    """The id of the model's call that opened the scope and waits for its summary; empty if none did."""
    tool: str = ""
    """The tool that opened the scope; empty if none did."""
    turns: int = 0
    """How many turns of the user have been taken inside the scope."""
    tokens: int = 0
    """How many tokens the model calls inside the scope have used."""


class Frame(Struct, frozen=True, gc=False, omit_defaults=True):
    """One level of the stack of open scopes: its node in charge, and the state of the visit to that node."""

    node: str
    """The name of the node in charge of this frame."""
    id: int = 0
    """The journal position at which the frame was opened, which identifies it; 0 for the root."""
    visit: int = 1
    """The number of this visit to the node, counted from 1; 0 if the first node could not be entered yet."""
    turns: int = 0
    """How many turns this visit to the node has lasted."""
    is_work_done: bool = False
    """True if the node has done its work in this visit."""
    form: FormRun | None = None
    """The progress of the node's form; `None` if it has none, or it has not begun."""
    transcript_from: int = 0
    """The journal position from which the node's model sees the transcript."""
    entered_turn: int = 0
    """The number of the turn in which the node was entered."""
    sequence: int = 0
    """How many positions of the node's tool sequence are done."""
    person_outcome: str = ""
    """The outcome that the last operator chose in this visit (`person.outcome`); empty before that."""
    has_message: bool = False
    """True if the user wrote, pressed a button, or a program did so for them, since the turn that entered the node."""
    because: str = ""
    """The author's reason for the move to the node, where the user may ask why (`State.explains`); else empty."""
    is_by_person: bool = False
    """True if an operator chose the move to the node, where the user may ask why."""
    question: Question | None = None
    """The question that the user is asked now; `None` if there is none."""
    pending: Pending | None = None
    """The move that is planned for the next event of the user; `None` if none is."""
    timers: tuple[Timer, ...] = ()
    """The timers that are armed."""
    awaiting_approval: ApprovalRequest | None = None
    """The call that the user is asked to approve; `None` if there is none."""
    approvals: tuple[ApprovalRequest, ...] = ()
    """The calls that wait for approval beside `awaiting_approval`."""
    put_off: PutOff | None = None
    """The move that was decided after a call and waits for other calls of the reply; `None` if none does."""
    to_judge: tuple[str, ...] = ()
    """The ids of the model calls after whose replies' tool calls the moment `calls` is still to be judged."""
    waits_to_judge: bool = False
    """True if `tool` is judged when the operator gives back, since a result came while they were in charge."""
    failed: tuple[FaultKind, str, str] | None = None
    """The failure (kind, message, tool) to judge at `error` when the operator gives back; `None` without one."""
    person: Person | None = None
    """The operator who is in charge, or for whom the frame waits; `None` if there is none."""
    visits: dict[str, int] = {}
    """How often each node of this frame was entered, by node."""
    tools: ToolHistory = ToolHistory()
    """The uses of tools in this frame."""
    judged: dict[str, int] = {}
    """Hashes of the values that each `enter_when` read when it was judged last, by node."""
    calls: dict[str, int] = {}
    """Hashes of the values that `call` transitions read in this visit, by transition; if they change, it may hold
    again."""
    decided: dict[str, int] = {}
    """The journal positions of the last judging in this frame, by node and moment (`moment_key`)."""
    closed_forms: dict[str, FormStatus] = {}
    """The final status of the forms that were left, by node."""
    last_field: str = ""
    """The address of the field that was asked for or filled last; empty if none was."""
    note: str = ""
    """The text that the transition into the node passed to its model; empty if none."""
    scope: OpenScope | None = None
    """The open scope that this frame belongs to; `None` for the root."""
    has_offered: bool = False
    """True if the node has made its `offer` in this visit."""
    held_events: tuple[EventData, ...] = ()
    """The events of other systems that wait until the frame is in charge and no person interrupts it."""
    scope_outcome: str = ""
    """The outcome of the scope that the node opened as its work; empty before it closed."""
    wishes: tuple[str, ...] = ()
    """The scopes that wait to be opened, one after the other, when the scope opened before them closes."""
    program_wishes: tuple[str, ...] = ()
    """The scopes among `wishes` that a program asked for, not a message of the user."""
    wish_inputs: dict[str, dict[str, Any]] = {}
    """The input values of the scopes in `wishes`: by scope, then by address."""

    @property
    def waiting_calls(self) -> tuple[ApprovalRequest, ...]:
        """All calls that wait for approval, in the order of the calls."""
        asked = self.awaiting_approval
        if not self.approvals:
            return () if asked is None else (asked,)
        return in_order(self.approvals if asked is None else (asked, *self.approvals))

    def entering(self, node: str, turn: int, **by_move: Any) -> Frame:
        """Return the frame at the beginning of a visit to the node `node` in turn `turn`; `by_move` has further
        attributes of the frame to set.
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

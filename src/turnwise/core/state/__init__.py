"""The state of a conversation: one immutable value of bounded size (section 1 of the laws).

It holds no words of the user, only their places in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state.approvals import ApprovalRequest as ApprovalRequest
from turnwise.core.state.frames import BrokenOff as BrokenOff
from turnwise.core.state.frames import EventData as EventData
from turnwise.core.state.frames import FormRun as FormRun
from turnwise.core.state.frames import FormStatus as FormStatus
from turnwise.core.state.frames import Frame as Frame
from turnwise.core.state.frames import OpenedBy as OpenedBy
from turnwise.core.state.frames import OpenScope as OpenScope
from turnwise.core.state.frames import Pending as Pending
from turnwise.core.state.frames import Person as Person
from turnwise.core.state.frames import Place as Place
from turnwise.core.state.frames import PutOff as PutOff
from turnwise.core.state.frames import Question as Question
from turnwise.core.state.frames import QuestionKind as QuestionKind
from turnwise.core.state.frames import Timer as Timer
from turnwise.core.state.frames import ToolHistory as ToolHistory
from turnwise.core.state.frames import ToolUse as ToolUse
from turnwise.core.state.items import ChangedItem as ChangedItem
from turnwise.core.state.kinds import FailureReason, Wait
from turnwise.core.state.options import OptionList as OptionList
from turnwise.core.state.options import OptionLists as OptionLists
from turnwise.core.state.options import ShownOption as ShownOption
from turnwise.core.state.overlays import ForcedOverlay as ForcedOverlay
from turnwise.core.state.overlays import OverlayState as OverlayState
from turnwise.core.state.performed import KEPT_USES as KEPT_USES
from turnwise.core.state.performed import KeptEffect as KeptEffect
from turnwise.core.state.performed import TakenBack as TakenBack
from turnwise.core.state.proposals import Proposal as Proposal
from turnwise.core.state.questions import DataQuestion as DataQuestion
from turnwise.core.state.questions import QuestionList as QuestionList
from turnwise.core.state.questions import QuestionLists as QuestionLists
from turnwise.core.state.schedules import Schedules
from turnwise.core.state.spending import Spending as Spending
from turnwise.core.state.turn_state import CommandOutcome as CommandOutcome
from turnwise.core.state.turn_state import Fault as Fault
from turnwise.core.state.turn_state import TurnState as TurnState
from turnwise.flow.addresses import map_of

FORMAT = 2
"""The number of the format of stored states; `codec` also reads format 1, and refuses any other (law 1.4)."""

KEPT_UNDOS = 64
"""How many undos are kept apart, as the turns that each took back; older ones are merged into one span."""

MOST_UNREPORTED = 20
"""How many turns whose result no caller received are kept to be reported with the next turn."""

ValueOrigin = Literal[
    "button",
    "direct",
    "understood",
    "command",
    "operator",
    "tool",
    "set",
    "prefill",
    "default",
    "derived",
    "scope",
    "supposed",
]
"""How a value was set."""
SAID_BY_USER: frozenset[ValueOrigin] = frozenset(("button", "direct", "understood"))
"""The origins of values that the user gave."""


class FieldValue(Struct, frozen=True, gc=False, array_like=True):
    """A value and its origin. A field without a value has no `FieldValue`."""

    value: Any
    """The value of the field, in its stored form."""
    how: ValueOrigin
    """How the value was set, such as by the user, a button, a tool or the flow."""
    turn: int
    """The number of the turn in which the value was set."""
    at_ms: int
    """When the value was set, in milliseconds since 1970."""
    confidence: float | None = None
    """How sure the understanding was of the value, from 0 to 1; `None` if it did not say."""
    place: Place | None = None
    """Where the value's words are: the journal position of the message, and start and end (exclusive) in it; `None` if
    not known."""


def value_at(values: Mapping[str, FieldValue], address: str) -> Any:
    """Return the value of a field, or one answer of a field of answers, by its address; `None` if it is missing."""
    found, field = values.get(address), map_of(address)
    if found is not None or not field or field not in values:
        return found.value if found is not None else None
    return values[field].value.get(address[len(field) + 1 :])


class Waiting(Struct, frozen=True, gc=False, tag="waiting"):
    """The conversation waits for a message, a button, or the result of an effect."""

    what: Wait
    """What the conversation waits for, such as a message or the result of an effect."""
    since_ms: int
    """When the wait began, in milliseconds since 1970."""


class Ended(Struct, frozen=True, gc=False, tag="ended"):
    """The conversation has ended."""

    outcome: str
    """The name of the outcome with which the conversation ended."""


class Failed(Struct, frozen=True, gc=False, tag="failed"):
    """The last turn failed; the next message tries again from the same node."""

    reason: FailureReason
    """The code of why the turn failed."""
    message: str = ""
    """Why the turn failed, in words."""


class State(Struct, frozen=True, gc=False, omit_defaults=True):
    """The state of a conversation at one moment: everything that the machine knows of it.

    What belongs to the frame in charge is read through properties of the same name.
    """

    format: int
    """The number of the format in which states are stored."""
    flow: str
    """The name of the conversation's flow."""
    version: int
    """The version number of the flow."""
    fingerprint: str
    """The hash that identifies the version of the flow."""
    seq: int
    """The position of the last entry of the journal, from 1."""
    turn: int
    """The number of the last turn, or of the one under way."""
    at_ms: int
    """When the last entry was written, in milliseconds since 1970."""
    time_zone: str
    """The name of the conversation's time zone, such as `Europe/Vienna`."""
    language: str
    """The code of the conversation's language, such as `de`."""
    status: Waiting | Ended | Failed
    """Whether the conversation waits, has ended, or its last turn failed."""
    frame: Frame
    """The frame in charge, on top of the stack of open scopes."""
    outer: tuple[Frame, ...] = ()
    """The frames below the frame in charge, the root first; only an undo and a migration change them."""
    came_from: int = 0
    """The number of the turn whose end an undo of the last turn restores."""
    values: dict[str, FieldValue] = {}
    """The fields that have a value, by the address of the field."""
    shelved: dict[str, FieldValue] = {}
    """Answers that are inactive, since their question no longer applies, by the address of the field."""
    errors: int = 0
    """How many failures the conversation has had."""
    run_moves: int = 0
    """How many moves between nodes the current autonomous run has made."""
    explains: bool = False
    """True if the user may ask why (`commands: [why]`); the reasons for moves are then kept."""
    is_bound: bool = False
    """True in a fork that may not use tools which change the world (law 6.9)."""
    forked: int = 0
    """The position of the newest event `Forked` in the journal; 0 in a conversation that is no copy."""
    doing: TurnState | None = None
    """The state of the turn in progress; `None` between turns."""
    snapshot: int = 0
    """The position of the newest snapshot in the journal; 0 without one."""
    taken_back: tuple[TakenBack, ...] = ()
    """The calls whose result an undo removed and that no node has repeated; the last `KEPT_USES` of them."""
    kept_effects: tuple[KeptEffect, ...] = ()
    """The effects of tools that an undo did not reverse and that were not repeated; the last `KEPT_USES` of them."""
    undone: tuple[tuple[int, int], ...] = ()
    """The turns that undos took back, as pairs: models see no turn between the two numbers, both excluded."""
    request_chars: dict[str, int] = {}
    """The number of characters to which requests are cut, by node; nodes without a number have had no request that was
    too long."""
    cut_off: int = 0
    """The number of the first turn that resumed after a crash, until a caller receives a later turn; 0 if none."""
    missed: tuple[int, ...] = ()
    """The turns whose callers left before they got the result, until another caller receives a later turn."""
    unprompted: tuple[int, ...] = ()
    """The latest turns that the machine started itself since the last turn that a caller asked for."""
    unseen_from: int = 0
    """The position of the first turn that a timer or an operator began since the user's last turn; 0 without one."""
    spending: Spending | None = None
    """What calls have used; `None` where the flow has no budgets."""
    question_lists: QuestionLists | None = None
    """The questions that forms have read from data, by field; `None` before the first such form."""
    option_lists: OptionLists | None = None
    """The options that fields have read from lists, by field; `None` before the first ones."""
    offers: tuple[Proposal, ...] = ()
    """The scopes that are proposed to the user: at most one is open, others wait, or were passed over."""
    overlays: OverlayState | None = None
    """The overlays that are active or forced; `None` if none ever was."""
    schedules: Schedules | None = None
    """When schedules are due; `None` for a flow without them."""
    last_item: int = 0
    """The number of the newest id of an item in a list of records; 0 if there is none. An undo does not reset it."""
    changed_item: ChangedItem | None = None
    """The item that the last change of a list of records was about; `None` before the first one."""

    def get(self, key: str, read: Callable[[State], Any]) -> Any:  # noqa: ARG002  other sources look the key up
        """Return the value of a root of the guard language (such as `turns`), by calling `read` with this state."""
        return read(self)

    @property
    def unreported(self) -> tuple[int, ...]:
        """The numbers of the turns whose result no caller received; only the first ones, if there are many."""
        if not self.missed and not self.cut_off:
            return ()
        last = min(self.turn + 1, self.cut_off + MOST_UNREPORTED)
        return tuple(sorted({*self.missed, *(range(self.cut_off, last) if self.cut_off else ())}))[:MOST_UNREPORTED]

    @property
    def is_question_of_others(self) -> bool:
        """True if the open question was first asked in a turn of a timer or operator, after the user's last turn."""
        question = self.frame.question
        return question is not None and 0 < self.unseen_from <= question.first

    @property
    def may_question_be_unseen(self) -> bool:
        """True if no caller may have received the open question."""
        return self.is_question_of_others or not {self.turn, *self.unprompted}.isdisjoint(self.unreported)

    current = cast("TurnState", property(attrgetter("doing")))
    """The same as `doing`, for code that runs only during a turn: it is never `None` for a type checker."""

    @property
    def due_timers(self) -> tuple[Timer, ...]:
        """The timers at which a store wakes the conversation: those of the frame in charge, and those of schedules."""
        if self.schedules is None or type(self.status) is Ended:
            return self.frame.timers
        return (*self.frame.timers, *self.schedules.timers)

    # the frame in charge -------------------------------------------------------------------------

    @property
    def frames(self) -> tuple[Frame, ...]:
        """All frames of the stack, the root first and the frame in charge last."""
        return (*self.outer, self.frame)

    @property
    def node(self) -> str:
        """The name of the node in charge."""
        return self.frame.node

    @property
    def visits(self) -> dict[str, int]:
        """How often each node of the frame in charge was entered, by node."""
        return self.frame.visits

    @property
    def tools(self) -> ToolHistory:
        """The uses of tools in the frame in charge."""
        return self.frame.tools

    @property
    def judged(self) -> dict[str, int]:
        """Hashes of the values that each `enter_when` read when it was judged last in the frame in charge, by node."""
        return self.frame.judged

    @property
    def decided(self) -> dict[str, int]:
        """The journal positions of the last decisions in the frame in charge, by node and moment (`moment_key`)."""
        return self.frame.decided

    @property
    def closed_forms(self) -> dict[str, FormStatus]:
        """The final status of the forms that were left in the frame in charge, by node."""
        return self.frame.closed_forms

    @property
    def last_field(self) -> str:
        """The address of the field that was asked for or filled last; empty if none was."""
        return self.frame.last_field

    @property
    def question(self) -> Question | None:
        """The question that the user is asked now; `None` if there is none."""
        return self.frame.question

    @property
    def pending(self) -> Pending | None:
        """The move that is planned for the next event of the user; `None` if none is."""
        return self.frame.pending

    @property
    def timers(self) -> tuple[Timer, ...]:
        """The timers of the frame in charge that are armed."""
        return self.frame.timers

    @property
    def awaiting_approval(self) -> ApprovalRequest | None:
        """The call that the user is asked to approve; `None` if there is none."""
        return self.frame.awaiting_approval

    @property
    def approvals(self) -> tuple[ApprovalRequest, ...]:
        """The calls that wait for approval beside `awaiting_approval`."""
        return self.frame.approvals

    @property
    def waiting_calls(self) -> tuple[ApprovalRequest, ...]:
        """All calls that wait for approval, in the order of the calls."""
        return self.frame.waiting_calls

    @property
    def put_off(self) -> PutOff | None:
        """The move that waits for other calls of the same reply; `None` if none does."""
        return self.frame.put_off

    @property
    def person(self) -> Person | None:
        """The person who is in charge, or for whom the conversation waits; `None` if there is none."""
        return self.frame.person


def with_frame(state: State, **changes: Any) -> State:
    """Return the state with some attributes of the frame in charge changed."""
    return replace(state, frame=replace(state.frame, **changes))

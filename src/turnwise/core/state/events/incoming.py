"""Events that the machine receives from users, programs, operators and the clock, and those of the store itself."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.state import ForcedOverlay, State, Timer
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.events.base import Erasure, Event
from turnwise.core.state.events.external_events import EventReceived
from turnwise.core.state.events.schedules import ScheduleDue
from turnwise.core.state.kinds import RefusalCode, TurnKind


class Started(Event, frozen=True, tag="started"):
    """A conversation began; always the first event of a journal."""

    flow: str
    """The name of the flow."""
    version: int
    """The version number of the flow."""
    fingerprint: str
    """The hash that identifies the version of the flow."""
    node: str
    """The name of the first node."""
    time_zone: str = "UTC"
    """The name of the conversation's time zone."""
    language: str = "en"
    """The code of the conversation's language."""
    is_entered: bool = True
    """True if the first node was entered at once; false if a write that belongs to entering was refused."""
    explains: bool = False
    """True where the user may ask why (`commands: [why]`)."""
    overlays: tuple[ForcedOverlay, ...] = ()
    """The overlays that were forced for all conversations of the flow."""


class UserSaid(Event, frozen=True, tag="user_said"):
    """The user sent a message."""

    text: str
    """The message."""
    is_new: bool = False
    """True if the message may answer a question that no caller received.

    It came with the position that its client has shown, or, unless a timer asked that question, with a key of its own.
    """


class UserChose(Event, frozen=True, tag="user_chose"):
    """The user pressed a button."""

    value: str
    """The value or the label of the button that was pressed."""
    position: int | None = None
    """The journal position of the text that offered the button; `None` if the client did not say."""
    is_new: bool = False
    """True if the choice may answer a question that no caller received, as in `UserSaid`."""


class Commands(Event, frozen=True, tag="commands"):
    """Commands came from the host program, such as an importer, a test or its own understanding."""

    commands: tuple[AnyCommand, ...]
    """The commands, in the order in which they are applied."""
    by: str = ""
    """The name of the client that sent the commands over the API; empty if not known."""


class ToolUsed(Event, frozen=True, tag="tool_used"):
    """The host program's own code used a tool."""

    tool: str
    """The name of the tool."""
    arguments: dict[str, Any] = {}
    """The arguments of the call, by name."""
    result: Any = None
    """What the tool returned, as JSON data; `None` if it returned nothing."""


class TimerFired(Event, frozen=True, tag="timer_fired"):
    """A timer fired: the transition that it belongs to, the visit for which it was armed, and its time."""

    timer: str
    """The name of the transition that the timer belongs to."""
    visit: int | None = None
    """The number of the visit to the node for which the timer was armed; `None` if the caller did not say."""
    due_ms: int | None = None
    """The time for which the timer was armed, in milliseconds since 1970; `None` if the caller did not say."""

    def is_of(self, timer: Timer) -> bool:
        """Return whether this event is the firing of `timer`; a timer that was armed anew since is another one."""
        is_visit = self.visit is None or timer.visit == self.visit
        return timer.transition == self.timer and is_visit and self.due_ms in (None, timer.due_ms)


class CallDecision(Struct, frozen=True, gc=False, omit_defaults=True):
    """The decision about one call that waits for approval."""

    call: str
    """The id of the call."""
    approve: bool
    """True if the call is approved, false if it is declined."""
    arguments: dict[str, Any] = {}
    """The changed arguments by name, with their new values; the others stay."""
    reason: str = ""
    """Why the call is declined; empty if no reason was given."""


class CallsDecided(Event, frozen=True, tag="calls_decided"):
    """Calls that wait for approval were approved or declined, each separately (law 4.5)."""

    decisions: tuple[CallDecision, ...]
    """The decisions, one for each call that was decided."""
    by: str = ""
    """The name of the person who decided; empty if it is not known."""
    is_operator: bool = False
    """True if a person with the rights of an operator decided, who may decide what the user may not."""


class Continued(Event, frozen=True, tag="continued"):
    """An autonomous flow starts its next turn without a message (law 2.8)."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """The host asks to undo the last turn, or all turns after `to`."""

    to: int | None = None
    """The number of the last turn that stays; `None` to undo only the last turn."""


class TakenOver(Event, frozen=True, tag="taken_over"):
    """An operator took the conversation over: until it is given back, no message is interpreted, no model called."""

    operator: str
    """The name of the operator."""
    reason: str = ""
    """Why the operator took over; empty if they did not say."""
    instead_of: str = ""
    """The operator who was in charge before, if one takes over from another; else empty."""
    display: str = ""
    """The operator's name as the user sees it; empty if it is `operator`."""


class OperatorSaid(Event, frozen=True, tag="operator_said"):
    """The operator in charge sent a message to the user."""

    text: str
    """The message."""
    operator: str = ""
    """The name of the operator; if empty, the machine records the operator in charge."""
    display: str = ""
    """The operator's name as the user sees it; empty if it is `operator`."""


class GivenBack(Event, frozen=True, tag="given_back"):
    """The operator in charge gave the conversation back to the machine."""

    outcome: str = ""
    """The outcome that the operator chose, which guards read as `person.outcome`; empty for none."""
    set: dict[str, Any] = {}
    """The values that the operator set, by field; `None` removes a value."""
    transition: str = ""
    """The name of the transition that the operator chose to take; empty if none."""
    end: str = ""
    """The outcome with which the operator ended the conversation; empty if they did not end it."""
    reason: str = ""
    """Why the operator took the transition or ended the conversation; empty if they did not say."""
    operator: str = ""
    """The name of the operator; if empty, the machine records the one in charge."""
    display: str = ""
    """The operator's name as the user sees it; empty if it is `operator`."""


OutsideEvent = (
    UserSaid
    | UserChose
    | Commands
    | ToolUsed
    | TimerFired
    | ScheduleDue
    | EventReceived
    | Continued
    | CallsDecided
    | UndoAsked
    | TakenOver
    | OperatorSaid
    | GivenBack
)
"""The events that begin a turn."""


class TurnRestarted(Event, frozen=True, tag="turn_restarted"):
    """A turn that was cut off resumes at the effect that it waits for; text shown but not stored is withdrawn."""


class CallerLeft(Event, frozen=True, tag="caller_left"):
    """The results of these turns were not delivered, since their callers had left.

    If there are none, a refusal has reported all undelivered turns.
    """

    turns: tuple[int, ...]
    """The numbers of the turns whose results were not delivered."""
    unprompted: tuple[int, ...] = ()
    """The numbers of undelivered turns that the machine started itself."""


class EventRefused(Event, frozen=True, tag="event_refused"):
    """An event from outside was refused and began no turn. The words of a message are not kept."""

    kind: TurnKind
    """The kind of turn that the event would have begun."""
    code: RefusalCode
    """The code of why the event was refused."""
    text: str
    """The reason in words, as the sender of the event got it."""
    name: str = ""
    """The button, timer, tool, transition or turn that the event named; empty if none."""
    operator: str = ""
    """The operator who sent the event; empty if none did."""


class Snapshot(Event, frozen=True, tag="snapshot"):
    """A copy of the state at this position, at which folding the journal may begin. It changes nothing."""

    state: State
    """The whole state of the conversation at this position."""
    by: Erasure | None = None
    """How retention erased the turn before the snapshot; `None` if it did not."""


class Forked(Event, frozen=True, tag="forked"):
    """This conversation is a copy: all earlier entries come from another one, up to the end of its turn `turn`."""

    source: str
    """The id of the conversation that was copied."""
    turn: int
    """The number of the last turn that was copied."""
    effects: bool = False
    """False if tools that change the world do not run in this copy (law 6.9)."""


class Migrated(Event, frozen=True, tag="migrated"):
    """The conversation continues with another version of its flow, from `state`."""

    fingerprint: str
    """The hash that identifies the new version."""
    state: State
    """The state as the new version of the flow has it."""


class Erased(Event, frozen=True, tag="erased"):
    """A placeholder for an event that retention erased."""

    kind: str
    """The tag of the event that was erased, such as `said`."""
    by: Erasure | None = None
    """When and by which rule the turn was erased; only in the last event of a turn, else `None`."""


Kept = TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased
"""Events of the runner and the store, which the machine does not decide on."""

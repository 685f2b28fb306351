"""Events that the machine receives: from users, programs and other systems, results of effects, and the store's own."""

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
    """A conversation began. Always the first event."""

    flow: str
    version: int
    """The version number of the flow."""
    fingerprint: str
    """The hash that identifies that version."""
    node: str
    """The first node."""
    time_zone: str = "UTC"
    language: str = "en"
    is_entered: bool = True
    """True where the first node is entered with it: no write that belongs to entering was refused."""
    explains: bool = False
    """True where the user may ask why."""
    overlays: tuple[ForcedOverlay, ...] = ()
    """The overlays that were forced for all conversations of the flow."""


class UserSaid(Event, frozen=True, tag="user_said"):
    """The user said something."""

    text: str
    is_new: bool = False
    """True if it may answer a question that no caller received: it came with the position that its client has shown,
    or, unless a timer asked that question, with a key of its own.
    """


class UserChose(Event, frozen=True, tag="user_chose"):
    """The user pressed a button."""

    value: str
    """The value or the label of the button."""
    position: int | None = None
    """The position of the text that offered it."""
    is_new: bool = False
    """True if it may answer a question that no caller received, as in `UserSaid`."""


class Commands(Event, frozen=True, tag="commands"):
    """Commands came from the host: an importer, a test, another understanding."""

    commands: tuple[AnyCommand, ...]
    by: str = ""
    """Who sent them over the API; empty if that is not known."""


class ToolUsed(Event, frozen=True, tag="tool_used"):
    """The host's own code used a tool."""

    tool: str
    arguments: dict[str, Any] = {}
    result: Any = None
    """What it returned, as JSON data."""


class TimerFired(Event, frozen=True, tag="timer_fired"):
    """A timer came due: the transition it belongs to, the visit for which it was armed, and its time."""

    timer: str
    """The transition that the timer belongs to."""
    visit: int | None = None
    """The visit of the node for which it was armed."""
    due_ms: int | None = None
    """When it was due."""

    def is_of(self, timer: Timer) -> bool:
        """True if this is that timer; one that was armed anew since is another."""
        is_visit = self.visit is None or timer.visit == self.visit
        return timer.transition == self.timer and is_visit and self.due_ms in (None, timer.due_ms)


class CallDecision(Struct, frozen=True, gc=False, omit_defaults=True):
    """The decision about one call that waits for approval."""

    call: str
    """The id of the call."""
    approve: bool
    """True to approve, false to decline."""
    arguments: dict[str, Any] = {}
    """The arguments to change, with their new values."""
    reason: str = ""
    """Why it is declined."""


class CallsDecided(Event, frozen=True, tag="calls_decided"):
    """Calls that wait were approved or declined, each by itself (law 4.5)."""

    decisions: tuple[CallDecision, ...]
    """One for each call that was decided."""
    by: str = ""
    """Who decided; empty if that is not known."""
    is_operator: bool = False
    """True for a person with the right of operators, who decides what the user may not."""


class Continued(Event, frozen=True, tag="continued"):
    """An autonomous flow starts its next turn without a message (law 2.8)."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """The host undoes the last turn, or all turns after `to`."""

    to: int | None = None
    """The last turn that stays; `None` to undo one turn."""


class TakenOver(Event, frozen=True, tag="taken_over"):
    """A person took the conversation over; until they give it back, nothing is interpreted and no model is called."""

    operator: str
    """Who took it over."""
    reason: str = ""
    """Why the person took over."""
    instead_of: str = ""
    """The person who was in charge before, where one takes over from another; else empty."""
    display: str = ""
    """The name that the user sees; empty if it is the same."""


class OperatorSaid(Event, frozen=True, tag="operator_said"):
    """The person in charge said something to the user."""

    text: str
    operator: str = ""
    """Who said it; without it the machine records who is in charge."""
    display: str = ""
    """The name that the user sees, if it is another."""


class GivenBack(Event, frozen=True, tag="given_back"):
    """The person in charge gave the conversation back to the machine."""

    outcome: str = ""
    """What `person.outcome` is for guards."""
    set: dict[str, Any] = {}
    """The values that the person set, by field; `None` removes one."""
    transition: str = ""
    """The transition that the person took by its name; empty if none."""
    end: str = ""
    """The outcome with which the person ended the conversation; empty if they did not."""
    reason: str = ""
    """Why the person took the transition or ended the conversation."""
    operator: str = ""
    """Who gave it back; without it the machine records who is in charge."""
    display: str = ""
    """The name of the person that the user sees, if it is another."""


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
    """A turn that was cut off resumes at the effect that it awaits; text that was shown but not stored is withdrawn."""


class CallerLeft(Event, frozen=True, tag="caller_left"):
    """The results of these turns were not delivered, because their callers had left. If there are none, a refusal has
    reported all undelivered turns.
    """

    turns: tuple[int, ...]
    """The numbers of the turns."""
    unprompted: tuple[int, ...] = ()
    """The numbers of undelivered turns that the machine started itself."""


class EventRefused(Event, frozen=True, tag="event_refused"):
    """An event from outside was refused and began no turn; nothing else changed. A message's words are not kept."""

    kind: TurnKind
    """The kind of turn that it would have begun."""
    code: RefusalCode
    """The code of the refusal."""
    text: str
    """The reason as its sender got it."""
    name: str = ""
    """The button, timer, tool, transition or turn that it named; empty if none."""
    operator: str = ""
    """The person who sent it; empty if none did."""


class Snapshot(Event, frozen=True, tag="snapshot"):
    """The state at this position: folding may begin here. It changes nothing."""

    state: State
    """The whole state."""
    by: Erasure | None = None
    """How the turn that it ends was erased; `None` if it was not."""


class Forked(Event, frozen=True, tag="forked"):
    """All earlier entries were copied from another conversation, up to the end of a turn."""

    source: str
    """The conversation that was copied."""
    turn: int
    """The last turn that was copied."""
    effects: bool = False
    """False where tools that change the world do not run here (law 6.9)."""


class Migrated(Event, frozen=True, tag="migrated"):
    """The conversation continues with another version of its flow, from this state."""

    fingerprint: str
    """The hash that identifies the new version."""
    state: State
    """The state in the new version."""


class Erased(Event, frozen=True, tag="erased"):
    """An event that retention erased."""

    kind: str
    """The tag of the event that was erased."""
    by: Erasure | None = None
    """How it was erased; given with the last event of a turn only."""


Kept = TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased
"""Events of the runner and the store, which the machine does not decide on."""

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
    """A conversation began. Always the first event. The first node is entered with it, unless a write
    that belongs to entering was refused. `explains` is true where the user may ask why. `overlays` are those that were
    forced for all conversations of the flow.
    """

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
    explains: bool = False
    overlays: tuple[ForcedOverlay, ...] = ()


class UserSaid(Event, frozen=True, tag="user_said"):
    """The user said something. `is_new` says that it may answer a question which no caller received: it came with the
    position that its client has shown, or, unless a timer asked that question, with a key of its own.
    """

    text: str
    is_new: bool = False


class UserChose(Event, frozen=True, tag="user_chose"):
    """The user pressed a button: its value (or label), the position that offered it, and `is_new` as in `UserSaid`."""

    value: str
    """The value or the label of the button."""
    position: int | None = None
    """The position of the text that offered it."""
    is_new: bool = False


class Commands(Event, frozen=True, tag="commands"):
    """Commands came from the host: an importer, a test, another understanding. `by` is who sent them over the API."""

    commands: tuple[AnyCommand, ...]
    by: str = ""


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

    def means(self, timer: Timer) -> bool:
        """True if this is that timer; one that was armed anew since is another."""
        is_visit = self.visit is None or timer.visit == self.visit
        return timer.transition == self.timer and is_visit and self.due_ms in (None, timer.due_ms)


class CallDecision(Struct, frozen=True, gc=False, omit_defaults=True):
    """The decision about one call that waits for approval: `call` is its id, `arguments` are those to change, `reason`
    is why it is declined.
    """

    call: str
    approve: bool
    """True to approve, false to decline."""
    arguments: dict[str, Any] = {}
    reason: str = ""


class CallsDecided(Event, frozen=True, tag="calls_decided"):
    """Calls that wait were approved or declined, each by itself (law 4.5). `by` is who decided, `is_operator` whether
    it is a person with the right of operators, who decides what the user may not.
    """

    decisions: tuple[CallDecision, ...]
    """One for each call that was decided."""
    by: str = ""
    is_operator: bool = False


class Continued(Event, frozen=True, tag="continued"):
    """An autonomous flow starts its next turn without a message (law 2.8)."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """The host undoes the last turn, or all turns after `to`."""

    to: int | None = None
    """The last turn that stays; `None` to undo one turn."""


class TakenOver(Event, frozen=True, tag="taken_over"):
    """A person took the conversation over; until they give it back, nothing is interpreted and no model is called.

    `operator` is who it is, `display` the name that the user sees, if it is another. `instead_of` is the person who was
    in charge before, where one takes over from another.
    """

    operator: str
    reason: str = ""
    """Why the person took over."""
    instead_of: str = ""
    display: str = ""


class OperatorSaid(Event, frozen=True, tag="operator_said"):
    """The person in charge said something to the user. Without `operator` the machine records who is in charge."""

    text: str
    operator: str = ""
    display: str = ""
    """The name that the user sees, if it is another."""


class GivenBack(Event, frozen=True, tag="given_back"):
    """The person in charge gave the conversation back to the machine.

    `outcome` is what `person.outcome` is for guards. `set` are fields with the values that the person set (`None`
    removes one). `transition` is the one that the person took by its name, or `end` the outcome with which the person
    ended the conversation; `reason` is why. Without `operator` the machine records who is in charge.
    """

    outcome: str = ""
    set: dict[str, Any] = {}
    transition: str = ""
    end: str = ""
    reason: str = ""
    operator: str = ""
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
    """The results of these turns were not delivered, because their callers had left. `unprompted` are undelivered
    turns that the machine started itself. If both are empty, a refusal has reported all undelivered turns.
    """

    turns: tuple[int, ...]
    """The numbers of the turns."""
    unprompted: tuple[int, ...] = ()


class EventRefused(Event, frozen=True, tag="event_refused"):
    """An event from outside was refused and began no turn; nothing else changed. `kind` is the kind of turn that it
    would have begun, `name` the button, timer, tool, transition or turn that it named, `operator` the person who sent
    it. `text` is the reason as its sender got it. The words of a message are not kept.
    """

    kind: TurnKind
    code: RefusalCode
    """The code of the refusal."""
    text: str
    name: str = ""
    operator: str = ""


class Snapshot(Event, frozen=True, tag="snapshot"):
    """The state at this position: folding may begin here. It changes nothing. `by` is how the turn that it ends was
    erased.
    """

    state: State
    """The whole state."""
    by: Erasure | None = None


class Forked(Event, frozen=True, tag="forked"):
    """All earlier entries were copied from another conversation, up to the end of a turn. Without `effects`, tools
    that change the world do not run here (law 6.9).
    """

    source: str
    """The conversation that was copied."""
    turn: int
    """The last turn that was copied."""
    effects: bool = False


class Migrated(Event, frozen=True, tag="migrated"):
    """The conversation continues with another version of its flow, from this state."""

    fingerprint: str
    """The hash that identifies the new version."""
    state: State
    """The state in the new version."""


class Erased(Event, frozen=True, tag="erased"):
    """An event that retention erased; `kind` is its former tag. `by` is with the last event of a turn."""

    kind: str
    """The tag of the event that was erased."""
    by: Erasure | None = None


Kept = TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased
"""Events of the runner and the store, which the machine does not decide on."""

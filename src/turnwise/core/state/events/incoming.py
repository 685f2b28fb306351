"""Events that the machine receives: from users, programs and other systems, results of effects, and the store's own."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.state import ForcedOverlay, KeptEffect, State, TakenBack, Timer
from turnwise.core.state.commands import AnyCommand, Dropped
from turnwise.core.state.effects import Call, Thought
from turnwise.core.state.events.base import Erasure, Event
from turnwise.core.state.events.external_events import EventReceived
from turnwise.core.state.events.schedules import ScheduleDue
from turnwise.core.state.kinds import RefusalCode, ReplyFault, TurnKind
from turnwise.core.state.spending import TokenCount


class Started(Event, frozen=True, tag="started"):
    """A conversation began. Always the first event. The first node is entered with it, unless a write
    that belongs to entering was refused. `explains` is true where the user may ask why. `overlays` are those that were
    forced for all conversations of the flow.
    """

    flow: str
    version: int
    fingerprint: str
    node: str
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
    position: int | None = None
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


class TimerFired(Event, frozen=True, tag="timer_fired"):
    """A timer came due: the transition it belongs to, the visit for which it was armed, and its time."""

    timer: str
    visit: int | None = None
    due_ms: int | None = None

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
    arguments: dict[str, Any] = {}
    reason: str = ""


class CallsDecided(Event, frozen=True, tag="calls_decided"):
    """Calls that wait were approved or declined, each by itself (law 4.5). `by` is who decided, `is_operator` whether
    it is a person with the right of operators, who decides what the user may not.
    """

    decisions: tuple[CallDecision, ...]
    by: str = ""
    is_operator: bool = False


class Continued(Event, frozen=True, tag="continued"):
    """An autonomous flow starts its next turn without a message (law 2.8)."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """The host undoes the last turn, or all turns after `to`."""

    to: int | None = None


class TakenOver(Event, frozen=True, tag="taken_over"):
    """A person took the conversation over; until they give it back, nothing is interpreted and no model is called.

    `operator` is who it is, `display` the name that the user sees, if it is another. `instead_of` is the person who was
    in charge before, where one takes over from another.
    """

    operator: str
    reason: str = ""
    instead_of: str = ""
    display: str = ""


class OperatorSaid(Event, frozen=True, tag="operator_said"):
    """The person in charge said something to the user. Without `operator` the machine records who is in charge."""

    text: str
    operator: str = ""
    display: str = ""


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


class Attempt(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """An attempt of a call that failed and was repeated: why it failed, when it began, after how many milliseconds it
    failed, and `file:line` where the user's own code raised. `code` says why a model's reply was none, `tool` is the
    one that it called in its text.
    """

    reason: str
    at_ms: int
    ms: int = 0
    at: str = ""
    code: ReplyFault | Literal[""] = ""
    tool: str = ""


class Understood(Event, frozen=True, tag="understood"):
    """A message was understood as commands. `claims` are other statements of the understanding: recorded, never
    applied. `dropped` are words for values that the rules did not propose, with the reason. If a model understood it,
    `model`, `prompt`, tokens, cost and `attempts` are as in `ModelReplied`.
    """

    effect: str
    commands: tuple[AnyCommand, ...] = ()
    by: Literal["rules", "model", "function"] = "rules"
    claims: dict[str, Any] = {}
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0
    attempts: tuple[Attempt, ...] = ()
    request_chars: int = 0
    """The characters to which the request was shortened, since a longer one was too long; 0 if it was not."""
    dropped: tuple[Dropped, ...] = ()
    is_over_budget: bool = False
    """True where a model would have read the message, and a budget left nothing for that."""
    count: TokenCount | None = None


class UnderstandingFailed(Event, frozen=True, tag="understanding_failed"):
    """Understanding failed; the turn continues without commands. `at` is the `file:line` where user code raised,
    `attempts` are those of a model that failed before the last one.
    """

    effect: str
    reason: str
    at: str = ""
    attempts: tuple[Attempt, ...] = ()
    count: TokenCount | None = None


class ModelReplied(Event, frozen=True, tag="model_replied"):
    """A model answered, with a text, with calls of tools, or with both. `prompt` is a hash that proves what it was
    shown; `cost` is in US dollars, where the provider's prices are known. `attempts` are those that failed before.
    `thoughts` are those that the provider wants back with the calls.
    """

    effect: str
    text: str = ""
    calls: tuple[Call, ...] = ()
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0
    attempts: tuple[Attempt, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    request_chars: int = 0
    """The characters to which the request was shortened, since a longer one was too long; 0 if it was not."""
    count: TokenCount | None = None


class ModelFailed(Event, frozen=True, tag="model_failed"):
    """A model call failed, or its reply was cut off: `text` is the part that had arrived, `at` is `file:line` where the
    user's own code raised. `attempts` are those that failed before the last one. `model` is the name of the model that
    was called, if it has one. `code` says why the reply was none, where one came.
    """

    effect: str
    reason: str
    text: str = ""
    replaced: int = 0
    at: str = ""
    attempts: tuple[Attempt, ...] = ()
    model: str = ""
    code: ReplyFault | Literal[""] = ""
    count: TokenCount | None = None


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool returned a result (JSON data) after `ms` milliseconds. `attempts` are those that failed before."""

    effect: str
    tool: str
    result: Any = None
    ms: int = 0
    call: str = ""
    replaced: int = 0
    attempts: tuple[Attempt, ...] = ()


class ToolFailed(Event, frozen=True, tag="tool_failed"):
    """A tool call failed. `in_doubt` is true where the tool may have done its work nevertheless (law 4.5); `not_run`
    is true where no runner was found, so that the call is not a use of the tool (law 4.3). `at` is `file:line` where
    the user's own code raised. `attempts` are those that failed before the last one.
    """

    effect: str
    tool: str
    reason: str
    ms: int = 0
    call: str = ""
    in_doubt: bool = False
    not_run: bool = False
    at: str = ""
    attempts: tuple[Attempt, ...] = ()


class WordsRecalled(Event, frozen=True, tag="words_recalled"):
    """The runner read words from the journal; `None` where retention erased them."""

    effect: str
    words: tuple[str | None, ...]


class StateRecalled(Event, frozen=True, tag="state_recalled"):
    """The runner read the state at the end of an earlier turn, for an undo. `kept` are the tools used since, which an
    undo cannot reverse; `calls` are those that were the work of a node, `made` the ids of those of a model (`None` in
    journals of version 0.1), `effects` all of them that changed the world; `said` is the last text of that turn.
    `frames` are the frames of those in `kept`, empty where all belong to the one in charge then.
    """

    effect: str
    turn: int
    state: State | None = None
    kept: tuple[str, ...] = ()
    calls: tuple[TakenBack, ...] = ()
    said: str = ""
    made: tuple[str, ...] | None = None
    effects: tuple[KeptEffect, ...] = ()
    frames: tuple[int, ...] = ()


ResultEvent = (
    Understood
    | UnderstandingFailed
    | ModelReplied
    | ModelFailed
    | ToolReturned
    | ToolFailed
    | WordsRecalled
    | StateRecalled
)


class TurnRestarted(Event, frozen=True, tag="turn_restarted"):
    """A turn that was cut off resumes at the effect that it awaits; text that was shown but not stored is withdrawn."""


class CallerLeft(Event, frozen=True, tag="caller_left"):
    """The results of these turns were not delivered, because their callers had left. `unprompted` are undelivered
    turns that the machine started itself. If both are empty, a refusal has reported all undelivered turns.
    """

    turns: tuple[int, ...]
    unprompted: tuple[int, ...] = ()


class EventRefused(Event, frozen=True, tag="event_refused"):
    """An event from outside was refused and began no turn; nothing else changed. `kind` is the kind of turn that it
    would have begun, `name` the button, timer, tool, transition or turn that it named, `operator` the person who sent
    it. `text` is the reason as its sender got it. The words of a message are not kept.
    """

    kind: TurnKind
    code: RefusalCode
    text: str
    name: str = ""
    operator: str = ""


class Snapshot(Event, frozen=True, tag="snapshot"):
    """The state at this position: folding may begin here. It changes nothing. `by` is how the turn that it ends was
    erased.
    """

    state: State
    by: Erasure | None = None


class Forked(Event, frozen=True, tag="forked"):
    """All earlier entries were copied from another conversation, up to the end of a turn. Without `effects`, tools
    that change the world do not run here (law 6.9).
    """

    source: str
    turn: int
    effects: bool = False


class Migrated(Event, frozen=True, tag="migrated"):
    """The conversation continues with another version of its flow, from this state."""

    fingerprint: str
    state: State


class Erased(Event, frozen=True, tag="erased"):
    """An event that retention erased; `kind` is its former tag. `by` is with the last event of a turn."""

    kind: str
    by: Erasure | None = None


Kept = TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased

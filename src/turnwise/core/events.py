"""The events: facts that happened, in past tense. The journal is made of them and of nothing else.

Three kinds: what came from outside, what came back from an effect, and what the machine decided.
Only the last kind is made by `step`; all of them change the state through `fold`.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.commands import AnyCommand
from turnwise.core.effects import AnyEffect
from turnwise.core.messages import Call
from turnwise.core.state import Fault, FormRun, How, Place, QuestionKind, State, Timer


class Event(Struct, frozen=True, omit_defaults=True):
    """What all events share: nothing but being one."""


# from outside -----------------------------------------------------------------------------------


class Started(Event, frozen=True, tag="started"):
    """A conversation began. Always the first event. The first node is entered with it, unless a write
    that belongs to entering was refused.
    """

    flow: str
    version: int
    fingerprint: str
    node: str
    time_zone: str = "UTC"
    language: str = "en"
    is_entered: bool = True


class UserSaid(Event, frozen=True, tag="user_said"):
    """The user said something."""

    text: str


class UserChose(Event, frozen=True, tag="user_chose"):
    """The user pressed a button: its value (or label), and the position that offered it."""

    value: str
    position: int | None = None


class Commands(Event, frozen=True, tag="commands"):
    """Commands came from the host: an importer, a test, another understanding."""

    commands: tuple[AnyCommand, ...]


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


class Continued(Event, frozen=True, tag="continued"):
    """An autonomous flow goes on by itself (law 2.8)."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """The host takes the last turn back, or all turns after `to`."""

    to: int | None = None


# back from effects ------------------------------------------------------------------------------


class Understood(Event, frozen=True, tag="understood"):
    """A message was understood as commands. What else was claimed is recorded and not believed."""

    effect: str
    commands: tuple[AnyCommand, ...] = ()
    by: Literal["rules", "model", "function"] = "rules"
    claims: dict[str, Any] = {}


class UnderstandingFailed(Event, frozen=True, tag="understanding_failed"):
    """Understanding failed; the turn goes on without commands."""

    effect: str
    reason: str


class ModelReplied(Event, frozen=True, tag="model_replied"):
    """A model answered, with a text, with calls of tools, or with both. `prompt` is a hash that proves what it was
    shown; `cost` is in US dollars, where the provider's prices are known.
    """

    effect: str
    text: str = ""
    calls: tuple[Call, ...] = ()
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


class ModelFailed(Event, frozen=True, tag="model_failed"):
    """A model did not answer, or not to its end: `text` is what it had said until then."""

    effect: str
    reason: str
    text: str = ""


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool gave a result (JSON data), after so many milliseconds."""

    effect: str
    tool: str
    result: Any = None
    ms: int = 0
    call: str = ""


class ToolFailed(Event, frozen=True, tag="tool_failed"):
    """A tool gave no result. `in_doubt` is true where it may have done its work all the same (law 4.5)."""

    effect: str
    tool: str
    reason: str
    ms: int = 0
    call: str = ""
    in_doubt: bool = False


class WordsRecalled(Event, frozen=True, tag="words_recalled"):
    """Words from the journal, `None` where they are no longer kept."""

    effect: str
    words: tuple[str | None, ...]


class StateRecalled(Event, frozen=True, tag="state_recalled"):
    """The state at the end of an earlier turn, and what was performed since and stays."""

    effect: str
    turn: int
    state: State | None = None
    kept: tuple[str, ...] = ()


# decided by the machine -------------------------------------------------------------------------


class FieldSet(Event, frozen=True, tag="field_set"):
    """A field was given a value."""

    field: str
    value: Any
    how: How
    confidence: float | None = None
    words: tuple[int, int] | None = None
    place: Place | None = None


class FieldCleared(Event, frozen=True, tag="field_cleared"):
    """A field's value was taken away."""

    field: str
    how: How


class FieldShelved(Event, frozen=True, tag="field_shelved"):
    """An answer became inactive: kept, but missing to guards and not submitted (law 5.7)."""

    field: str


class FieldRevived(Event, frozen=True, tag="field_revived"):
    """An inactive answer counts again."""

    field: str


class CommandApplied(Event, frozen=True, tag="command_applied"):
    """A command that sets no field was applied."""

    command: str
    field: str = ""
    text: str = ""


class CommandRefused(Event, frozen=True, tag="command_refused"):
    """A command was refused: the reason for machines, the text for people."""

    command: str
    reason: str
    field: str = ""
    text: str = ""


class CodeRun(Struct, frozen=True, omit_defaults=True):
    """One call of a Python guard: what it gave back, what it read, and what it raised."""

    guard: str
    returned: Any = None
    reads: dict[str, Any] = {}
    error: str = ""


class Missed(Event, frozen=True, tag="missed"):
    """An answer was not understood: nothing was stored, the same question is put again."""

    field: str = ""


class Decided(Event, frozen=True, tag="decided"):
    """A moment was judged: one letter per candidate, and the values that were read.

    Letters: t taken, f false, u unknown, o outranked, n not reached, b blocked by the limit
    of moves, r blocked since its node was entered before in the turn, e error, m held but only a mirror,
    - no candidate this time. `reads` goes with the docket: first the fields,
    then the roots. The explanation is made from this when someone asks.
    """

    node: str
    moment: str
    outcomes: str
    taken: int = -1
    reads: tuple[Any, ...] = ()
    code: tuple[CodeRun, ...] = ()
    marks: dict[str, int] = {}
    firing: str = ""


class MovePlanned(Event, frozen=True, tag="move_planned"):
    """A move was decided that is taken at the next user event."""

    transition: str
    target: str


class Moved(Event, frozen=True, tag="moved"):
    """A node was left and another entered."""

    source: str
    target: str
    transition: str
    because: str = ""


class FormChanged(Event, frozen=True, tag="form_changed"):
    """The run of the form in charge is now this one."""

    run: FormRun


class FormClosed(Event, frozen=True, tag="form_closed"):
    """A form was left after it had been confirmed or handed over."""

    node: str
    status: Literal["confirmed", "handed_off"]


class Button(Struct, frozen=True):
    """A button: what it shows, and the value that pressing it sends."""

    label: str
    value: str


class Said(Event, frozen=True, tag="said"):
    """The machine said something, with the buttons and the question that it put."""

    text: str
    kind: str = "say"
    buttons: tuple[Button, ...] = ()
    question: QuestionKind | None = None
    field: str = ""


class CallAnswered(Event, frozen=True, tag="call_answered"):
    """A call of a generated tool was answered by the machine itself: the new facts stand beside it."""

    call: str
    tool: str
    result: dict[str, Any]


class CallRefused(Event, frozen=True, tag="call_refused"):
    """A call was not run: the reason for machines, the text for the model."""

    call: str
    tool: str
    reason: str
    text: str


class CallHeld(Event, frozen=True, tag="call_held"):
    """A call waits for the user's consent (law 4.5); `arguments` are as they will be given to the tool."""

    tool: str
    arguments: dict[str, Any]
    call: str = ""


class SequenceAdvanced(Event, frozen=True, tag="sequence_advanced"):
    """So many positions of the node's tool sequence are behind (law 4.1)."""

    to: int


class WorkDone(Event, frozen=True, tag="work_done"):
    """The node in charge has done its work."""

    node: str


A_PERSON = "human"
"""Who takes over where a handoff names nobody."""


class ArtefactMade(Event, frozen=True, tag="artefact_made"):
    """Something for the host: `PROBLEM_STATEMENT`, `DRAFT_PLAN`, `HANDOFF`."""

    kind: str
    data: dict[str, Any]


class EffectAsked(Event, frozen=True, tag="effect_asked"):
    """Work was asked for; its result is awaited."""

    effect: AnyEffect


class Faulted(Event, frozen=True, tag="faulted"):
    """Something failed: a model, a guard, a write, a limit. Counts in `errors`."""

    fault: Fault


class Warned(Event, frozen=True, tag="warned"):
    """Something that the people who run this want to know."""

    code: str
    message: str


class Undone(Event, frozen=True, tag="undone"):
    """The conversation is again as it was at the end of turn `to`; what was performed stays."""

    to: int
    state: State
    kept: tuple[str, ...] = ()


class Ended(Event, frozen=True, tag="ended"):
    """The conversation ended with an outcome."""

    outcome: str


class Failed(Event, frozen=True, tag="failed"):
    """The turn failed; the conversation can go on with the next message."""

    reason: str
    message: str = ""


class TurnEnded(Event, frozen=True, tag="turn_ended"):
    """The turn is over; `waits_for` is empty where the conversation has ended or failed."""

    waits_for: str = ""
    timers: tuple[Timer, ...] = ()


class TurnRestarted(Event, frozen=True, tag="turn_restarted"):
    """A turn that was cut off goes on from the effect that it awaits; what was shown and not kept is taken back."""


class Snapshot(Event, frozen=True, tag="snapshot"):
    """The state at this position: folding may begin here. It changes nothing."""

    state: State


class Forked(Event, frozen=True, tag="forked"):
    """All that comes before was taken over from another conversation, up to the end of a turn."""

    source: str
    turn: int


class Migrated(Event, frozen=True, tag="migrated"):
    """The conversation goes on with another version of its flow, from this state."""

    fingerprint: str
    state: State


class Erased(Event, frozen=True, tag="erased"):
    """An event that is no longer kept; `kind` is what it was."""

    kind: str


OutsideEvent = UserSaid | UserChose | Commands | ToolUsed | TimerFired | Continued | UndoAsked
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
Fact = (
    FieldSet
    | FieldCleared
    | FieldShelved
    | FieldRevived
    | CommandApplied
    | CommandRefused
    | Missed
    | Decided
    | MovePlanned
    | Moved
    | FormChanged
    | FormClosed
    | Said
    | CallAnswered
    | CallRefused
    | CallHeld
    | SequenceAdvanced
    | WorkDone
    | ArtefactMade
    | EffectAsked
    | Faulted
    | Warned
    | Undone
    | Ended
    | Failed
    | TurnEnded
)
Kept = TurnRestarted | Snapshot | Forked | Migrated | Erased
"""What the keeping of a journal brings with it."""
AnyEvent = Started | OutsideEvent | ResultEvent | Fact | Kept


class Entry(Struct, frozen=True):
    """An event in the journal: its position, its turn, and when it happened."""

    seq: int
    turn: int
    at_ms: int
    event: AnyEvent

"""The events: facts in past tense, of which the journal consists.

There are three kinds: events from outside (`incoming`), results of effects (`results`), and what the machine decided
(here and in the other modules; only `step` makes these). All of them change the state through `fold`.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.state import BrokenOff, Fault, QuestionKind, Timer
from turnwise.core.state.commands import CommandName
from turnwise.core.state.effects import AnyEffect
from turnwise.core.state.events.base import Erasure as Erasure
from turnwise.core.state.events.base import Event as Event
from turnwise.core.state.events.budgets import BudgetAnswered as BudgetAnswered
from turnwise.core.state.events.budgets import BudgetEvent as BudgetEvent
from turnwise.core.state.events.budgets import BudgetReached as BudgetReached
from turnwise.core.state.events.budgets import CallSettled as CallSettled
from turnwise.core.state.events.calls import ApprovalUnclear as ApprovalUnclear
from turnwise.core.state.events.calls import CallAnswered as CallAnswered
from turnwise.core.state.events.calls import CallApproved as CallApproved
from turnwise.core.state.events.calls import CallHeld as CallHeld
from turnwise.core.state.events.calls import CallQueued as CallQueued
from turnwise.core.state.events.calls import CallRefused as CallRefused
from turnwise.core.state.events.calls import SequenceAdvanced as SequenceAdvanced
from turnwise.core.state.events.external_events import EventHeld as EventHeld
from turnwise.core.state.events.external_events import EventReceived as EventReceived
from turnwise.core.state.events.external_events import EventResumed as EventResumed
from turnwise.core.state.events.fields import FieldCleared as FieldCleared
from turnwise.core.state.events.fields import FieldRevived as FieldRevived
from turnwise.core.state.events.fields import FieldSet as FieldSet
from turnwise.core.state.events.fields import FieldShelved as FieldShelved
from turnwise.core.state.events.fields import NothingSet as NothingSet
from turnwise.core.state.events.fields import WordsHidden as WordsHidden
from turnwise.core.state.events.forms import ArtefactMade as ArtefactMade
from turnwise.core.state.events.forms import FormChanged as FormChanged
from turnwise.core.state.events.forms import FormClosed as FormClosed
from turnwise.core.state.events.forms import Missed as Missed
from turnwise.core.state.events.forms import OptionsFixed as OptionsFixed
from turnwise.core.state.events.forms import QuestionsFixed as QuestionsFixed
from turnwise.core.state.events.incoming import CallDecision as CallDecision
from turnwise.core.state.events.incoming import CallerLeft as CallerLeft
from turnwise.core.state.events.incoming import CallsDecided as CallsDecided
from turnwise.core.state.events.incoming import Commands as Commands
from turnwise.core.state.events.incoming import Continued as Continued
from turnwise.core.state.events.incoming import Erased as Erased
from turnwise.core.state.events.incoming import EventRefused as EventRefused
from turnwise.core.state.events.incoming import Forked as Forked
from turnwise.core.state.events.incoming import GivenBack as GivenBack
from turnwise.core.state.events.incoming import Kept as Kept
from turnwise.core.state.events.incoming import Migrated as Migrated
from turnwise.core.state.events.incoming import OperatorSaid as OperatorSaid
from turnwise.core.state.events.incoming import OutsideEvent as OutsideEvent
from turnwise.core.state.events.incoming import Snapshot as Snapshot
from turnwise.core.state.events.incoming import Started as Started
from turnwise.core.state.events.incoming import TakenOver as TakenOver
from turnwise.core.state.events.incoming import TimerFired as TimerFired
from turnwise.core.state.events.incoming import ToolUsed as ToolUsed
from turnwise.core.state.events.incoming import TurnRestarted as TurnRestarted
from turnwise.core.state.events.incoming import UndoAsked as UndoAsked
from turnwise.core.state.events.incoming import UserChose as UserChose
from turnwise.core.state.events.incoming import UserSaid as UserSaid
from turnwise.core.state.events.items import ItemAdded as ItemAdded
from turnwise.core.state.events.items import ItemChanged as ItemChanged
from turnwise.core.state.events.items import ItemEvent as ItemEvent
from turnwise.core.state.events.items import ItemMoved as ItemMoved
from turnwise.core.state.events.items import ItemRemoved as ItemRemoved
from turnwise.core.state.events.moves import JudgingPlanned as JudgingPlanned
from turnwise.core.state.events.moves import Moved as Moved
from turnwise.core.state.events.moves import MovePlanned as MovePlanned
from turnwise.core.state.events.moves import MovePutOff as MovePutOff
from turnwise.core.state.events.moves import Undone as Undone
from turnwise.core.state.events.offers import OfferClosed as OfferClosed
from turnwise.core.state.events.offers import Offered as Offered
from turnwise.core.state.events.overlays import OverlayForced as OverlayForced
from turnwise.core.state.events.overlays import OverlaysChanged as OverlaysChanged
from turnwise.core.state.events.results import Attempt as Attempt
from turnwise.core.state.events.results import ModelFailed as ModelFailed
from turnwise.core.state.events.results import ModelReplied as ModelReplied
from turnwise.core.state.events.results import ResultEvent as ResultEvent
from turnwise.core.state.events.results import StateRecalled as StateRecalled
from turnwise.core.state.events.results import ToolFailed as ToolFailed
from turnwise.core.state.events.results import ToolReturned as ToolReturned
from turnwise.core.state.events.results import UnderstandingFailed as UnderstandingFailed
from turnwise.core.state.events.results import Understood as Understood
from turnwise.core.state.events.results import WordsRecalled as WordsRecalled
from turnwise.core.state.events.schedules import ScheduleDue as ScheduleDue
from turnwise.core.state.events.schedules import ScheduleFired as ScheduleFired
from turnwise.core.state.events.schedules import TimeZoneChanged as TimeZoneChanged
from turnwise.core.state.events.scopes import KeptWords as KeptWords
from turnwise.core.state.events.scopes import ScopeClosed as ScopeClosed
from turnwise.core.state.events.scopes import ScopeOpened as ScopeOpened
from turnwise.core.state.kinds import (
    AppliedCommand,
    CommandRefusal,
    FailureReason,
    ReplyKind,
    Wait,
    WarningCode,
)
from turnwise.core.state.schedules import Schedules


class LanguageChanged(Event, frozen=True, tag="language_changed"):
    """The language of the conversation changed, since a field that the flow's `language` reads did."""

    language: str
    """The code of the new language."""


class CommandApplied(Event, frozen=True, tag="command_applied"):
    """A command that sets no field was applied."""

    command: AppliedCommand
    """The name of the command."""
    field: str = ""
    """The address of the field that the command is about; empty if none."""
    text: str = ""
    """The text of the command, such as the question of `ask`; empty if it has none."""
    input: dict[str, Any] = {}
    """For `start`: the input values with which the scope is opened, by field."""


class CommandRefused(Event, frozen=True, tag="command_refused"):
    """A command was refused: `reason` is the code, `text` the reason in words."""

    command: CommandName
    """The name of the command."""
    reason: CommandRefusal
    """The code of why the command was refused."""
    field: str = ""
    """The address of the field that the command is about; empty if none."""
    text: str = ""
    """Why the command was refused, in words for people."""
    iso: str = ""
    """`text` with dates and numbers in ISO form, for models; empty if that is the same."""
    scope: str = ""
    """The scope that was to begin after another one and no longer waits for that; empty for other commands."""
    item: str = ""
    """The id of the list item that the command is about; empty if none."""
    name: str = ""
    """The name of the value of that item; empty if none."""


class GiveBackRefused(Event, frozen=True, tag="give_back_refused"):
    """The operator tried to give the conversation back with values that fields refuse: nothing changed."""

    operator: str
    """The name of the operator in charge."""
    set: dict[str, Any]
    """The refused values by field; those of secret fields are redacted."""
    refused: tuple[CommandRefused, ...]
    """The refusal of each value, with its reason."""


class CodeRun(Struct, frozen=True, gc=False, omit_defaults=True):
    """One call of a Python guard: what it returned or raised, and the values that it read."""

    guard: str
    """The name of the Python guard."""
    returned: Any = None
    """What the guard returned; `None` if it raised."""
    reads: dict[str, Any] = {}
    """The values that the guard read, by field."""
    error: str = ""
    """The exception that the guard raised; empty if it raised none."""
    at: str = ""
    """The `file:line` where the guard raised; empty if it did not."""


class Decided(Event, frozen=True, tag="decided"):
    """The candidates of a moment were judged: one letter for each in `outcomes`, and the values that were read.

    Letters: t taken, f false, u unknown, o outranked, n not reached, b blocked by the limit of moves, r blocked since
    its node was entered before in the turn, x held but the move failed (`Faulted` follows), e error, m held but only a
    mirror, - no candidate this time. The explanation is made from this when someone asks.
    """

    node: str
    """The node in charge."""
    moment: str
    """The name of the moment that was judged, such as `before`."""
    outcomes: str
    """One letter per candidate, in their order: `t` taken, `f` false, `u` unknown; all are listed at `Decided`."""
    taken: int = -1
    """The index, from 0, of the candidate that was taken; -1 if none was."""
    reads: tuple[Any, ...] = ()
    """The values that were read, in the order of `Candidates.keys`; a long list stands as its field and length."""
    code: tuple[CodeRun, ...] = ()
    """The calls of Python guards that judging made."""
    marks: dict[str, int] = {}
    """Hashes of the values that judged `enter_when` guards read, by the node that each of them enters."""
    firing: str = ""
    """The timer that fired, or the external event that came; empty without one."""
    operator: str = ""
    """The operator who chose the transition; the other letters are as the machine judged. Empty for the machine."""
    because: str = ""
    """Why the operator chose the transition; empty for the machine."""
    trimmed: Erasure | None = None
    """When and by which rule retention erased the values that were read; `None` if it did not."""
    broken_off: BrokenOff = ""
    """How a form was left before it was finished, so that only its own exits were judged; empty if none was."""
    calls: dict[str, int] | None = None
    """Hashes of the values that judged `call` transitions read, by transition; `None` if none was judged."""


class Button(Struct, frozen=True, gc=False):
    """A button under a message: the text that it shows, and the value that it sends."""

    label: str
    """The text that the button shows."""
    value: str
    """The value that the button sends when it is pressed."""


class Said(Event, frozen=True, tag="said"):
    """The machine sent a text to the user, with its buttons and its question."""

    text: str
    """The text, as the user read it."""
    kind: ReplyKind = "say"
    """What kind of reply the text is, such as the text of a node, a question or a confirmation."""
    buttons: tuple[Button, ...] = ()
    """The buttons below the text, in order."""
    question: QuestionKind | None = None
    """What kind of answer the text asks for; `None` if it is no question."""
    field: str = ""
    """The address of the field that the text asks for; empty if none."""


class WorkDone(Event, frozen=True, tag="work_done"):
    """The node in charge has done its work."""

    node: str
    """The name of the node."""


class PersonAwaited(Event, frozen=True, tag="person_awaited"):
    """The conversation waits for a person in a queue."""

    queue: str
    """The name of the queue."""
    about: str = ""
    """What the person is asked to do, in words; empty if the flow does not say."""
    due_ms: int | None = None
    """When the wait ends at the latest, in milliseconds since 1970; `None` if it has no end."""
    is_work: bool = False
    """True if the node itself hands over to a person (its work), false if a request for a person interrupts it."""


class NobodyCame(Event, frozen=True, tag="nobody_came"):
    """No person came in time; the machine continues."""

    queue: str
    """The queue in which the conversation waited."""


A_PERSON = "human"
"""The name of the person if a handoff names no one."""


class EffectAsked(Event, frozen=True, tag="effect_asked"):
    """An effect was requested, such as a model call; the turn waits for its result."""

    effect: AnyEffect
    """The effect that was requested."""


class Faulted(Event, frozen=True, tag="faulted"):
    """Something failed: a model, a guard, a write, a limit. Counts in `errors`."""

    fault: Fault
    """What failed, and why."""


class Warned(Event, frozen=True, tag="warned"):
    """A problem that operators should see; the turn continues."""

    code: WarningCode
    """The code of the problem."""
    message: str
    """What the problem is, in words."""
    fields: tuple[str, ...] = ()
    """The addresses of the fields that the problem is about."""


class Ended(Event, frozen=True, tag="ended"):
    """The conversation ended with an outcome."""

    outcome: str
    """The name of the outcome."""


class Failed(Event, frozen=True, tag="failed"):
    """The turn failed; the next message can continue the conversation."""

    reason: FailureReason
    """The code of why the turn failed."""
    message: str = ""
    """Why the turn failed, in words."""


class TurnEnded(Event, frozen=True, tag="turn_ended"):
    """A turn ended: what the conversation waits for now, and the timers that are armed."""

    waits_for: Literal[Wait, ""] = ""
    """What the conversation waits for; empty if it has ended or failed."""
    timers: tuple[Timer, ...] = ()
    """The timers that are armed now."""
    schedules: Schedules | None = None
    """The schedules with their next times; `None` if nothing about them changed."""


DecidedEvent = (
    FieldSet
    | FieldCleared
    | ItemEvent
    | NothingSet
    | FieldShelved
    | FieldRevived
    | LanguageChanged
    | TimeZoneChanged
    | ScheduleFired
    | CommandApplied
    | CommandRefused
    | Missed
    | Decided
    | MovePlanned
    | MovePutOff
    | JudgingPlanned
    | Moved
    | QuestionsFixed
    | OptionsFixed
    | FormChanged
    | FormClosed
    | Said
    | CallAnswered
    | CallRefused
    | CallHeld
    | CallQueued
    | ApprovalUnclear
    | CallApproved
    | SequenceAdvanced
    | WorkDone
    | ScopeOpened
    | ScopeClosed
    | Offered
    | OfferClosed
    | EventHeld
    | EventResumed
    | PersonAwaited
    | NobodyCame
    | ArtefactMade
    | EffectAsked
    | Faulted
    | Warned
    | Undone
    | Ended
    | Failed
    | TurnEnded
    | WordsHidden
    | GiveBackRefused
    | OverlaysChanged
    | OverlayForced
    | BudgetEvent
)
"""The events that the machine itself decides on."""

Note = CallerLeft | EventRefused | GiveBackRefused | Forked | OverlayForced
"""Events that are recorded between two turns, with the number of the earlier turn."""

AnyEvent = Started | OutsideEvent | ResultEvent | DecidedEvent | Kept
"""Every event."""


class Entry(Struct, frozen=True, gc=False, omit_defaults=True):
    """An event in the journal: its position, its turn, when it happened, and the frame that was in charge."""

    seq: int
    """The position of the entry in the journal, from 1."""
    turn: int
    """The number of the entry's turn."""
    at_ms: int
    """When the entry was written, in milliseconds since 1970."""
    event: AnyEvent
    """The event."""
    frame: int = 0
    """The id of the frame that was in charge; 0 for the root."""

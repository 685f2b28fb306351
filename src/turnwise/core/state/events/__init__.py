"""The events: facts in past tense, of which the journal consists.

There are three kinds: events from outside, results of effects (both in `incoming`), and what the machine decided (here;
only `step` makes these). All of them change the state through `fold`.
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
    """The conversation goes on in another language: fields that the flow's `language` reads have other values."""

    language: str
    """The code of the new language."""


class CommandApplied(Event, frozen=True, tag="command_applied"):
    """A command that sets no field was applied."""

    command: AppliedCommand
    """Which command."""
    field: str = ""
    """The field that it is about."""
    text: str = ""
    """What it was given, such as the question of `ask`."""
    input: dict[str, Any] = {}
    """What a scope that was asked for is opened with, by field."""


class CommandRefused(Event, frozen=True, tag="command_refused"):
    """A command was refused: the reason for machines, the text for people."""

    command: CommandName
    """Which command."""
    reason: CommandRefusal
    """The code of the reason."""
    field: str = ""
    """The field that it is about."""
    text: str = ""
    """The reason in words, for people."""
    iso: str = ""
    """The text for models, where it has dates and numbers in another form; else empty."""
    scope: str = ""
    """A scope that was to begin after another, and is not waited for any more."""
    item: str = ""
    """The id of the item of a list that the command is about."""
    name: str = ""
    """The field of that item."""


class GiveBackRefused(Event, frozen=True, tag="give_back_refused"):
    """The person in charge wanted to give the conversation back with values that their fields refuse. Nothing else
    changed: the person stays in charge.
    """

    operator: str
    """The person in charge."""
    set: dict[str, Any]
    """The refused values by field; those of secret fields are redacted."""
    refused: tuple[CommandRefused, ...]
    """Each refused value, with the reason."""


class CodeRun(Struct, frozen=True, gc=False, omit_defaults=True):
    """One call of a Python guard: what it returned, what it read, what it raised, and where (`file:line`)."""

    guard: str
    """The name of the guard."""
    returned: Any = None
    """What it returned; `None` if it raised."""
    reads: dict[str, Any] = {}
    """The values that it read, by field."""
    error: str = ""
    """The exception that it raised; empty if it raised none."""
    at: str = ""
    """The `file:line` that raised."""


class Decided(Event, frozen=True, tag="decided"):
    """A moment was judged: one letter per candidate, and the values that were read.

    Letters: t taken, f false, u unknown, o outranked, n not reached, b blocked by the limit of moves, r blocked since
    its node was entered before in the turn, x held but the move failed (`Faulted` follows), e error, m held but only a
    mirror, - no candidate this time. The explanation is made from this when someone asks.
    """

    node: str
    """The node in charge."""
    moment: str
    """The moment that was judged."""
    outcomes: str
    """One letter per candidate."""
    taken: int = -1
    """The index of the candidate that was taken, -1 for none."""
    reads: tuple[Any, ...] = ()
    """The values that were read, as `Candidates.keys`: fields, then roots; of longer lists, field and length."""
    code: tuple[CodeRun, ...] = ()
    """The calls of Python guards."""
    marks: dict[str, int] = {}
    """On which values an `enter_when` was judged, by node."""
    firing: str = ""
    """The timer that fired, or the event that came."""
    operator: str = ""
    """The person who decided; the letters of the others are as the machine would have judged. Empty for the machine."""
    because: str = ""
    """Why the person decided so."""
    trimmed: Erasure | None = None
    """How retention took away what the decision read; `None` if it did not."""
    broken_off: BrokenOff = ""
    """How a form broke off, after which only its own ways were judged; empty if none did."""
    calls: dict[str, int] | None = None
    """On which values a `call` was judged, by transition."""


class Button(Struct, frozen=True, gc=False):
    """A button: what it shows, and the value that pressing it sends."""

    label: str
    """The text that the button shows."""
    value: str
    """What pressing it sends."""


class Said(Event, frozen=True, tag="said"):
    """The machine sent a text to the user, with its buttons and its question."""

    text: str
    kind: ReplyKind = "say"
    """What kind of reply it is: the text of a node, a question, a confirmation."""
    buttons: tuple[Button, ...] = ()
    question: QuestionKind | None = None
    """What kind of answer it asks for; `None` for none."""
    field: str = ""
    """The field that it asks for."""


class WorkDone(Event, frozen=True, tag="work_done"):
    """The node in charge has done its work."""

    node: str
    """The node."""


class PersonAwaited(Event, frozen=True, tag="person_awaited"):
    """The conversation waits for a person in a queue."""

    queue: str
    about: str = ""
    """A text for the person."""
    due_ms: int | None = None
    """When the wait ends at the latest; `None` if it does not."""
    is_work: bool = False
    """True where the person is the work of the node."""


class NobodyCame(Event, frozen=True, tag="nobody_came"):
    """No person came in time: the machine goes on."""

    queue: str
    """The queue in which it waited."""


A_PERSON = "human"
"""Who takes over if a handoff names no one."""


class EffectAsked(Event, frozen=True, tag="effect_asked"):
    """An effect was requested, such as a model call; the turn waits for its result."""

    effect: AnyEffect
    """The effect."""


class Faulted(Event, frozen=True, tag="faulted"):
    """Something failed: a model, a guard, a write, a limit. Counts in `errors`."""

    fault: Fault
    """What failed, and why."""


class Warned(Event, frozen=True, tag="warned"):
    """A problem that operators should see; the turn continues."""

    code: WarningCode
    """Which problem it is."""
    message: str
    """What happened, in words."""
    fields: tuple[str, ...] = ()
    """The fields that it is about."""


class Ended(Event, frozen=True, tag="ended"):
    """The conversation ended with an outcome."""

    outcome: str
    """The outcome."""


class Failed(Event, frozen=True, tag="failed"):
    """The turn failed; the next message can continue the conversation."""

    reason: FailureReason
    """The code of the reason."""
    message: str = ""
    """Why it failed, in words."""


class TurnEnded(Event, frozen=True, tag="turn_ended"):
    """The turn is over."""

    waits_for: Literal[Wait, ""] = ""
    """What is awaited; empty where the conversation has ended or failed."""
    timers: tuple[Timer, ...] = ()
    """The timers that are armed now."""
    schedules: Schedules | None = None
    """What schedules do next; `None` where it is as before."""


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
"""Facts that are recorded between two turns, with the number of the earlier one."""

AnyEvent = Started | OutsideEvent | ResultEvent | DecidedEvent | Kept
"""Every event."""


class Entry(Struct, frozen=True, gc=False, omit_defaults=True):
    """An event in the journal: its position, its turn, when it happened, and the frame that was in charge."""

    seq: int
    """Its position in the journal, from 1."""
    turn: int
    """The number of its turn."""
    at_ms: int
    """When it was written, in milliseconds since 1970."""
    event: AnyEvent
    frame: int = 0
    """The id of the frame that was in charge."""

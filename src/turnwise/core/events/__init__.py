"""The events: facts that happened, in past tense. The journal is made of them and of nothing else.

Three kinds: what came from outside, what came back from an effect, and what the machine decided.
Only the last kind is made by `step`; all of them change the state through `fold`.
"""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.events.base import (
    Event,
)
from turnwise.core.events.decided import (
    A_PERSON,
    ArtefactMade,
    Button,
    CallAnswered,
    CallHeld,
    CallRefused,
    CodeRun,
    CommandApplied,
    CommandRefused,
    Decided,
    EffectAsked,
    Ended,
    Fact,
    Failed,
    Faulted,
    FieldCleared,
    FieldRevived,
    FieldSet,
    FieldShelved,
    FormChanged,
    FormClosed,
    Missed,
    Moved,
    MovePlanned,
    NothingSet,
    Said,
    SequenceAdvanced,
    TurnEnded,
    Undone,
    Warned,
    WordsHidden,
    WorkDone,
)
from turnwise.core.events.kept import (
    CallerLeft,
    Erased,
    Forked,
    Kept,
    Migrated,
    Snapshot,
    TurnRestarted,
)
from turnwise.core.events.outside import (
    Commands,
    Continued,
    OutsideEvent,
    Started,
    TimerFired,
    ToolUsed,
    UndoAsked,
    UserChose,
    UserSaid,
)
from turnwise.core.events.results import (
    ModelFailed,
    ModelReplied,
    ResultEvent,
    StateRecalled,
    ToolFailed,
    ToolReturned,
    UnderstandingFailed,
    Understood,
    WordsRecalled,
)

__all__ = [
    "A_PERSON",
    "AnyEvent",
    "ArtefactMade",
    "Button",
    "CallAnswered",
    "CallHeld",
    "CallRefused",
    "CallerLeft",
    "CodeRun",
    "CommandApplied",
    "CommandRefused",
    "Commands",
    "Continued",
    "Decided",
    "EffectAsked",
    "Ended",
    "Entry",
    "Erased",
    "Event",
    "Fact",
    "Failed",
    "Faulted",
    "FieldCleared",
    "FieldRevived",
    "FieldSet",
    "FieldShelved",
    "Forked",
    "FormChanged",
    "FormClosed",
    "Kept",
    "Migrated",
    "Missed",
    "ModelFailed",
    "ModelReplied",
    "MovePlanned",
    "Moved",
    "NothingSet",
    "OutsideEvent",
    "ResultEvent",
    "Said",
    "SequenceAdvanced",
    "Snapshot",
    "Started",
    "StateRecalled",
    "TimerFired",
    "ToolFailed",
    "ToolReturned",
    "ToolUsed",
    "TurnEnded",
    "TurnRestarted",
    "UnderstandingFailed",
    "Understood",
    "UndoAsked",
    "Undone",
    "UserChose",
    "UserSaid",
    "Warned",
    "WordsHidden",
    "WordsRecalled",
    "WorkDone",
]

AnyEvent = Started | OutsideEvent | ResultEvent | Fact | Kept


class Entry(Struct, frozen=True, gc=False):
    """An event in the journal: its position, its turn, and when it happened."""

    seq: int
    turn: int
    at_ms: int
    event: AnyEvent

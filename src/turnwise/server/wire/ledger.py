"""The ledger of a form at a turn: what is asked, refused, given, left and passed over, and what answers would do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.core.state import FormStatus, ValueOrigin
from turnwise.server.wire.conversations import ItemTexts

RowState = Literal["asked", "refused", "given", "left", "passed_over"]
"""The status of a question of a form: `left` is still to be asked, `passed_over` does not apply."""


class LedgerRow(Struct, frozen=True):
    """A question of a form with its answer and state."""

    field: str
    """The address of the question's field, `record.field`."""
    label: str
    """The label of the question, in a few words."""
    state: RowState
    """The state of the question: `left` is still to be asked, `passed_over` does not apply."""
    answer: str = ""
    """The answer as people read it; empty without one."""
    items: ItemTexts | None = None
    """The items of the answer, if it is a list of records; else `None`."""
    words: str = ""
    """The words of the user that the answer came from; empty where none are known."""
    how: ValueOrigin | Literal[""] = ""
    """How the answer was understood; empty without one."""
    turn: int | None = None
    """The number of the turn in which the question was answered; `None` without an answer."""
    seq: int | None = None
    """The position of the message with the words; `None` where none are known."""
    start: int | None = None
    """The offset in the message of the first character of `words`; `None` where none are known."""
    end: int | None = None
    """The offset in the message after the last character of `words`; `None` where none are known."""
    note: str = ""
    """A sentence in the language of the request about the question; empty for none.
    It says why the answer is refused, why the question is passed over, or what is to be known of it."""
    counts: bool = True
    """True where the form's progress waits for the question."""


class OutlookStep(Struct, frozen=True):
    """Something that an answer would cause: a move, a call of a tool or a model, a handover, an end."""

    kind: Literal["moves", "runs", "asks", "speaks", "hands_over", "ends", "refused"]
    """The kind of step."""
    title: str
    """What the step leads to or does, in the language of the request."""
    detail: str = ""
    """Why, or with which values, the step would happen, in the language of the request; may be empty."""
    approver: str = ""
    """Who would have to approve the step; empty where no one is asked."""


class AnswerOutlook(Struct, frozen=True):
    """What an answer would do, tried on a copy of the state without calling anything."""

    label: str
    """The label of the button that gives the answer."""
    value: str
    """The value that the button sends."""
    text: str
    """What the answer would do, in a few words."""
    steps: tuple[OutlookStep, ...] = ()
    """The steps that the answer would cause, in order."""
    stops_at: Literal["", "model", "tool", "understanding"] = ""
    """What would have to be called before more is known: a model or a tool; empty where nothing would."""


class FormLedger(Struct, frozen=True):
    """The form in charge at the end of a turn, with its questions and answers."""

    node: str
    """The node that the form belongs to."""
    title: str
    """The title of the form for people."""
    status: FormStatus
    """The status of the form: it collects answers, waits for the confirmation, or is closed."""
    answered: int
    """How many of the `count` questions are answered."""
    count: int
    """How many questions apply and are asked."""
    language: str
    """The code of the language of labels, answers and words; notes are in the language of the request."""
    rows: tuple[LedgerRow, ...]
    """The questions of the form, in order."""
    asked_since: int | None = None
    """The number of the turn in which the open question was first asked; `None` if none is open."""
    tries: int = 0
    """How often an answer to the open question was not understood."""
    outlooks: tuple[AnswerOutlook, ...] = ()
    """What each answer to the open question would do; empty where that is not known."""


class LedgerAnswer(Struct, frozen=True):
    """The answer to a request for the ledger of the form in charge."""

    ledger: FormLedger | None = None
    """The ledger of the form in charge; `None` where no form is."""

"""The ledger of a form at a turn: what is asked, refused, given, left and passed over, and what answers would do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.core.state import FormStatus, ValueOrigin
from turnwise.server.wire.conversations import ItemTexts

RowState = Literal["asked", "refused", "given", "left", "passed_over"]
"""How a question stands: `left` is to be asked still, `passed_over` does not apply."""


class LedgerRow(Struct, frozen=True):
    """A question of a form."""

    field: str
    """Its address, `record.field`."""
    label: str
    """What the question is called in a few words."""
    state: RowState
    """How it stands: `left` is to be asked still, `passed_over` does not apply."""
    answer: str = ""
    """The value as people read it; empty without one."""
    items: ItemTexts | None = None
    """The items of a list of records."""
    words: str = ""
    """The words of the user that the answer came from; empty where none are known."""
    how: ValueOrigin | Literal[""] = ""
    """How the answer was understood; empty without one."""
    turn: int | None = None
    """The turn in which it was answered."""
    seq: int | None = None
    """The position of the message with the words."""
    start: int | None = None
    """The first character of `words` in the message."""
    end: int | None = None
    """The character behind them."""
    note: str = ""
    """A sentence in the language of the request: why the answer is refused, why the question is passed over, or what is
    to be known of it.
    """
    counts: bool = True
    """Whether progress waits for it."""


class OutlookStep(Struct, frozen=True):
    """Something that would follow: a move, a call of a tool or a model, an end, a handing over."""

    kind: Literal["moves", "runs", "asks", "speaks", "hands_over", "ends", "refused"]
    """What would happen."""
    title: str
    """What it leads to or does, in the language of the request."""
    detail: str = ""
    """Why, or with what, in the language of the request."""
    approver: str = ""
    """Who else would have to agree; empty where no one is asked."""


class AnswerOutlook(Struct, frozen=True):
    """What an answer would do, tried on a copy of the state without calling anything."""

    label: str
    """The button that gives the answer."""
    value: str
    """The value that it sends."""
    text: str
    """What it would do, in a few words."""
    steps: tuple[OutlookStep, ...] = ()
    """What would follow, in order."""
    stops_at: Literal["", "model", "tool", "understanding"] = ""
    """What would have to be asked before more is known: a model or a tool; empty where nothing would."""


class FormLedger(Struct, frozen=True):
    """The form in charge at the end of a turn."""

    node: str
    """The node that the form belongs to."""
    title: str
    """What people call the form."""
    status: FormStatus
    """How far the form is: it collects answers, waits for the confirmation, or is closed."""
    answered: int
    """How many of the `count` questions are answered."""
    count: int
    """How many questions are asked and apply."""
    language: str
    """The language of labels, answers and words; notes are in the language of the request."""
    rows: tuple[LedgerRow, ...]
    """Its questions, in order."""
    asked_since: int | None = None
    """The turn in which the open question was first asked."""
    tries: int = 0
    """How often an answer to it was not understood."""
    outlooks: tuple[AnswerOutlook, ...] = ()
    """What each answer to the open question would do."""


class LedgerAnswer(Struct, frozen=True):
    """The ledger of the form in charge."""

    ledger: FormLedger | None = None
    """`None` where no form is in charge."""

"""The ledger of a form at a turn: what is asked, refused, given, left and passed over, and what answers would do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.core.state import FormStatus, ValueOrigin
from turnwise.server.wire.conversations import ItemTexts

RowState = Literal["asked", "refused", "given", "left", "passed_over"]
"""How a question stands: `left` is to be asked still, `passed_over` does not apply."""


class LedgerRow(Struct, frozen=True):
    """A question of a form. `answer` is its value as people read it; `words` are the user's, with the message (`seq`)
    and the characters in it where they stand. `note` is a sentence in the language of the request: why it is refused or
    passed over, or what is to be known of it. Of a row that counts, progress waits for the answer.
    """

    field: str
    """Its address, `record.field`."""
    label: str
    """What the question is called in a few words."""
    state: RowState
    """How it stands: `left` is to be asked still, `passed_over` does not apply."""
    answer: str = ""
    items: ItemTexts | None = None
    """The items of a list of records."""
    words: str = ""
    how: ValueOrigin | Literal[""] = ""
    """How the answer was understood; empty without one."""
    turn: int | None = None
    """The turn in which it was answered."""
    seq: int | None = None
    start: int | None = None
    """The first character of `words` in the message."""
    end: int | None = None
    """The character behind them."""
    note: str = ""
    counts: bool = True
    """Whether progress waits for it."""


class OutlookStep(Struct, frozen=True):
    """Something that would follow: a move, a call of a tool or a model, an end, a handing over. `title` is what it
    leads to or does, `detail` why or with what, in the language of the request; `approver` is who else would have to
    agree: empty where no one is asked.
    """

    kind: Literal["moves", "runs", "asks", "speaks", "hands_over", "ends", "refused"]
    """What would happen."""
    title: str
    detail: str = ""
    approver: str = ""


class AnswerOutlook(Struct, frozen=True):
    """What an answer would do, tried on a copy of the state without calling anything. `text` is it in a few words;
    `stops_at` is what would have to be asked before more is known: a model or a tool.
    """

    label: str
    """The button that gives the answer."""
    value: str
    """The value that it sends."""
    text: str
    steps: tuple[OutlookStep, ...] = ()
    """What would follow, in order."""
    stops_at: Literal["", "model", "tool", "understanding"] = ""


class FormLedger(Struct, frozen=True):
    """The form in charge at the end of a turn. `answered` of `count` questions are answered: those that are asked and
    apply. `language` is that of labels, answers and words; notes are in the language of the request.
    """

    node: str
    """The node that the form belongs to."""
    title: str
    status: FormStatus
    """How far the form is: it collects answers, waits for the confirmation, or is closed."""
    answered: int
    count: int
    language: str
    rows: tuple[LedgerRow, ...]
    """Its questions, in order."""
    asked_since: int | None = None
    """The turn in which the open question was first asked."""
    tries: int = 0
    """How often an answer to it was not understood."""
    outlooks: tuple[AnswerOutlook, ...] = ()
    """What each answer to the open question would do."""


class LedgerAnswer(Struct, frozen=True):
    """The ledger of the form in charge; `None` where no form is."""

    ledger: FormLedger | None = None

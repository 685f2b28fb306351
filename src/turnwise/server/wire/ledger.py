"""The ledger of a form at a turn: what is asked, refused, given, left and passed over, and what answers would do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.core.state import ValueOrigin
from turnwise.server.wire.conversations import ItemTexts

RowState = Literal["asked", "refused", "given", "left", "passed_over"]


class LedgerRow(Struct, frozen=True):
    """A question of a form. `answer` is its value as people read it; `words` are the user's, with the message (`seq`)
    and the characters in it where they stand. `note` is a sentence in the language of the request: why it is refused or
    passed over, or what is to be known of it. Of a row that counts, progress waits for the answer.
    """

    field: str
    label: str
    state: RowState
    answer: str = ""
    items: ItemTexts | None = None
    words: str = ""
    how: ValueOrigin | Literal[""] = ""
    turn: int | None = None
    seq: int | None = None
    start: int | None = None
    end: int | None = None
    note: str = ""
    counts: bool = True


class OutlookStep(Struct, frozen=True):
    """Something that would follow: a move, a call of a tool or a model, an end, a handing over. `title` is what it
    leads to or does, `detail` why or with what, in the language of the request; `approver` is who else would have to
    agree: empty where no one is asked.
    """

    kind: Literal["moves", "runs", "asks", "speaks", "hands_over", "ends", "refused"]
    title: str
    detail: str = ""
    approver: str = ""


class AnswerOutlook(Struct, frozen=True):
    """What an answer would do, tried on a copy of the state without calling anything. `text` is it in a few words;
    `stops_at` is what would have to be asked before more is known: a model or a tool.
    """

    label: str
    value: str
    text: str
    steps: tuple[OutlookStep, ...] = ()
    stops_at: Literal["", "model", "tool", "understanding"] = ""


class FormLedger(Struct, frozen=True):
    """The form in charge at the end of a turn. `answered` of `count` questions are answered: those that are asked and
    apply. `language` is that of labels, answers and words; notes are in the language of the request.
    """

    node: str
    title: str
    status: str
    answered: int
    count: int
    language: str
    rows: tuple[LedgerRow, ...]
    asked_since: int | None = None
    """The turn in which the open question was first asked."""
    tries: int = 0
    """How often an answer to it was not understood."""
    outlooks: tuple[AnswerOutlook, ...] = ()


class LedgerAnswer(Struct, frozen=True):
    """The ledger of the form in charge; `None` where no form is."""

    ledger: FormLedger | None = None

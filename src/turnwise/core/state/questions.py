"""Questions that are data: one question, and the list with which a form was entered (law 5.15)."""

from __future__ import annotations

from msgspec import Struct


class DataQuestion(Struct, frozen=True, gc=False, omit_defaults=True):
    """One question of a form over data: its text, allowed answers, and the answers that stop the form or are right."""

    id: str
    """The id of the question, under which its answer is stored."""
    ask: str
    """The text of the question."""
    options: tuple[str, ...] = ()
    """The allowed answers; empty if any text is allowed."""
    stop: tuple[str, ...] = ()
    """The answers that end the form."""
    stop_say: str = ""
    """The reply to an answer that ends the form; empty if none."""
    right: tuple[str, ...] = ()
    """The right answers, if the questions are a test; else empty."""


class QuestionList(Struct, frozen=True, gc=False, omit_defaults=True):
    """The questions of a form over data, fixed until the form is entered again."""

    items: tuple[DataQuestion, ...]
    """The questions, in order."""
    source: str
    """The field from which the questions were read."""
    node: str
    """The node of the form."""


QuestionLists = dict[str, QuestionList]
"""Lists of questions, by the address of the field that takes the answers."""

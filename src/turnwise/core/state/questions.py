"""Questions that are data: one question, and the list with which a form was entered (law 5.15)."""

from __future__ import annotations

from msgspec import Struct


class DataQuestion(Struct, frozen=True, gc=False, omit_defaults=True):
    """One question of a form over data, with its allowed answers, and those that stop the form or are right."""

    id: str
    """The name of the question, by which its answer is found."""
    ask: str
    """The text of the question."""
    options: tuple[str, ...] = ()
    """The allowed answers; empty where any text is one."""
    stop: tuple[str, ...] = ()
    """The answers that end the form."""
    stop_say: str = ""
    """The reply to such an answer."""
    right: tuple[str, ...] = ()
    """The right answers, where the questions are a test."""


class QuestionList(Struct, frozen=True, gc=False, omit_defaults=True):
    """The questions with which a form was entered, which stay the same until it is entered again."""

    items: tuple[DataQuestion, ...]
    """The questions, in order."""
    source: str
    """The field from which they were read."""
    node: str
    """The node of the form."""


QuestionLists = dict[str, QuestionList]
"""Lists of questions, by the address of the field that takes the answers."""

"""Decisions that are judged again with other values or guards."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.trace import Decision


class GuardProblem(Struct, frozen=True):
    """A problem in a guard that was entered to be supposed."""

    transition: str
    """The name of the guard's transition."""
    code: str
    """The code of the diagnostic, such as `TW041`."""
    message: str
    """What is wrong, in words."""
    line: int
    """The line in the guard, from 1."""
    column: int
    """The column in the line, from 1."""
    hint: str = ""
    """What may have been meant; empty where nothing is suggested."""


class WhatIfDecision(Struct, frozen=True):
    """A decision that was judged again: as recorded, and as it would have been."""

    seq: int
    """The position of the decision in the journal."""
    turn: int
    """The number of the decision's turn."""
    node: str
    """The address of the node whose transitions were judged."""
    was: Decision
    """The decision as it was recorded."""
    would: Decision
    """The decision as it would have been."""
    differs: bool
    """Whether another transition would have been taken."""
    replaced: tuple[str, ...] = ()
    """The names of the transitions whose guard was replaced; their `because` still describes the old guard."""


class ChangedConversation(Struct, frozen=True):
    """A conversation in which decisions would differ."""

    conversation: str
    """The name of the conversation."""
    differs: int
    """How many of its decisions would differ."""
    turn: int
    """The number of the first turn with a decision that would differ."""


class WhatIfPage(Struct, frozen=True):
    """The result of judging the decisions of some of a flow's conversations again."""

    conversations: int
    """How many conversations were judged for this page."""
    total: int
    """How many conversations the flow has."""
    judged: int
    """How many decisions were judged again."""
    differs: int
    """How many of the judged decisions would differ."""
    changed: tuple[ChangedConversation, ...] = ()
    """The conversations with decisions that would differ."""
    skipped: int = 0
    """How many conversations cannot be judged again, as their flow version lacks what is supposed."""
    problems: tuple[GuardProblem, ...] = ()
    """Faults in the values or guards; then nothing was judged."""
    next: str | None = None
    """The cursor of the next page; `None` at the end."""


class WhatIfResult(Struct, frozen=True):
    """The result of judging decisions of a conversation again."""

    judged: int
    """How many decisions were judged again."""
    differs: int
    """How many of the judged decisions would differ."""
    decisions: tuple[WhatIfDecision, ...] = ()
    """The decisions that would differ, or all where one turn was asked for."""
    problems: tuple[GuardProblem, ...] = ()
    """Faults in the values or guards of the question; then nothing was judged."""
    skipped: int = 0
    """How many decisions cannot be judged again."""
    command: str = ""
    """The shell command that asks the same; empty where there is none."""

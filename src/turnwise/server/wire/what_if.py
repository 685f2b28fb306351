"""Decisions that are judged again with other values or guards."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.trace import Decision


class GuardProblem(Struct, frozen=True):
    """A problem in a guard that was typed."""

    transition: str
    """The transition of the guard."""
    code: str
    """The code of the diagnostic."""
    message: str
    """What is wrong."""
    line: int
    """In the guard, from 1."""
    column: int
    """In the line, from 1."""
    hint: str = ""
    """What may have been meant."""


class WhatIfDecision(Struct, frozen=True):
    """A decision that was judged again: as recorded, and as it would have been."""

    seq: int
    """The position of the decision in the journal."""
    turn: int
    node: str
    was: Decision
    """As it was recorded."""
    would: Decision
    """As it would have been."""
    differs: bool
    """Whether another transition would have been taken."""
    replaced: tuple[str, ...] = ()
    """The transitions whose guard was replaced; their `because` still describes the old one."""


class ChangedConversation(Struct, frozen=True):
    """A conversation in which decisions would differ: how many, and the first turn with one."""

    conversation: str
    differs: int
    """How many of its decisions would differ."""
    turn: int
    """The first turn with one."""


class WhatIfPage(Struct, frozen=True):
    """What would differ in some of a flow's conversations."""

    conversations: int
    """How many conversations this page judged."""
    total: int
    """How many conversations the flow has."""
    judged: int
    """How many decisions were judged again."""
    differs: int
    """How many of them would differ."""
    changed: tuple[ChangedConversation, ...] = ()
    """The conversations with such decisions."""
    skipped: int = 0
    """How many conversations cannot be judged again: their version of the flow does not have what is supposed."""
    problems: tuple[GuardProblem, ...] = ()
    """Faults in the values or guards; then nothing was judged."""
    next: str | None = None
    """The cursor of the following conversations; `None` at the end."""


class WhatIfResult(Struct, frozen=True):
    """What would differ."""

    judged: int
    """How many decisions were judged again."""
    differs: int
    """How many of them would differ."""
    decisions: tuple[WhatIfDecision, ...] = ()
    """Those that would differ, or all where one turn was asked for."""
    problems: tuple[GuardProblem, ...] = ()
    """Faults in the values or guards of the question; then nothing was judged."""
    skipped: int = 0
    """How many decisions cannot be judged again."""
    command: str = ""
    """The command that asks the same in a terminal, empty where there is none."""

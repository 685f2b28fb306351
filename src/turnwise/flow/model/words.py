"""Types that the classes of the flow model share: strict ones for attributes, wider ones for constructor arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, time, timedelta
from typing import Any, Literal

from turnwise.flow.declare import Takes, converter
from turnwise.flow.kinds import Anything, Duration, Many, Table, Text

# the words of documents ----------------------------------------------------------------------------

_PlainType = Literal[
    "string", "integer", "number", "boolean", "date", "time", "datetime", "duration", "email", "phone", "choice"
]
FieldType = Literal[_PlainType, "list", "question", "answers"]
"""The types of fields."""
ItemType = Literal[_PlainType, "question"]
"""The types of items of a list."""
Moment = Literal["before", "tool", "calls", "after", "error", "timer", "event", "choice"]
"""When the guard of a transition is judged."""
MatchMode = Literal["direct_then_model", "direct", "model"]
"""Whether a model may read the answer to a question."""
LastRung = Literal["", "skip", "default", "hand_over"]
"""What a form does when an answer was not understood after all wordings of its question; empty: it asks again."""
EditWay = Literal["chooser", "first"]
"""How the user changes answers: chooses one, or is asked again from the first."""
Wording = Literal["fixed", "model"]
"""Who words a question: the author, or a model."""
Prefill = Literal["", "ask", "trust"]
"""What a form does with values known from elsewhere: asks about them, or takes them."""
CollectMode = Literal["conversational", "form"]
"""Whether collecting may overwrite what is known."""
Exposure = Literal["all", "next"]
"""Which of the missing fields a model is shown."""
ToolKind = Literal["read", "effect"]
"""Whether a tool changes the world."""
OnCrash = Literal["again", "check", "unknown"]
"""What happens to a call that a crash interrupted: made again, looked up, or reported as unknown."""
Approver = Literal["user", "operator"]
"""Who approves the calls of a tool."""
OnReturn = Literal["resume", "re-enter", "replace"]
"""How a node goes on after a scope: where it was, from its beginning, or as if the scope were its work."""
Reply = Literal["now", "next"]
"""Whether the target of a move speaks in this turn or the next."""
Shown = Literal["all", "visit", "none"]
"""How much of the transcript a model is shown."""
Recurrence = Literal["", "year"]
"""Whether an overlay comes back every year."""
Missed = Literal["skip", "once", "each"]
"""What a schedule does about times that were missed."""
Busy = Literal["queue", "reject"]
"""What happens to a message that comes during a turn."""
LogLevel = Literal["", "debug", "info", "warning", "error"]
"""The level from which on a flow is logged."""

# what constructors take ----------------------------------------------------------------------------

Values = str | int | float | Sequence[str | int | float]
"""Texts, and numbers as they are written; a single one stands for a list of one."""
Naming = Any
"""A name, or an object with a name: a record class, a node, a tool."""
Namings = Any
"""Names, or objects with names; a single one stands for a list of one."""
Function = Callable[..., Any]
"""A Python function of an author."""
AnyFieldType = FieldType | type[Any]
"""A type of fields as a program may write it."""
AnyBound = float | str | date | time | timedelta | None
"""A bound as a program may write it."""
AnySpan = float | str | timedelta
"""Seconds, a `timedelta`, or a text such as `30m`."""

# kinds whose constructors take more than what is kept ----------------------------------------------

REFERENCE: Takes[Naming, str] = converter(Text())
"""The converter of a part of the flow, or its name, to the name."""
REFERENCES: Takes[Namings, tuple[str, ...]] = converter(Many(Text(), single=True))
"""The converter of one or several parts of the flow, or their names, to the names."""
TEXTS: Takes[Values, tuple[str, ...]] = converter(Many(Text(), single=True))
"""The converter of one or several texts."""
SECONDS: Takes[AnySpan | None, float | None] = converter(Duration())
"""The converter of a time span to seconds, or leaves it out."""
SPAN: Takes[AnySpan, float] = converter(Duration())
"""The converter of a time span to seconds."""
WRITTEN: Takes[Mapping[str, Any], Mapping[str, Any]] = converter(Table(Anything(), is_written=True))
"""The converter of written values by field: constants or expressions."""

INPUT = "input"
"""The record inside a scope that holds its input; a flow that is made to be a scope declares it."""

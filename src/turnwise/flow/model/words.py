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
ItemType = Literal[_PlainType, "question"]
Moment = Literal["before", "tool", "calls", "after", "error", "timer", "event", "choice"]
MatchMode = Literal["direct_then_model", "direct", "model"]
LastRung = Literal["", "skip", "default", "hand_over"]
EditWay = Literal["chooser", "first"]
Wording = Literal["fixed", "model"]
Prefill = Literal["", "ask", "trust"]
CollectMode = Literal["conversational", "form"]
Exposure = Literal["all", "next"]
ToolKind = Literal["read", "effect"]
OnCrash = Literal["again", "check", "unknown"]
Approver = Literal["user", "operator"]
OnReturn = Literal["resume", "re-enter", "replace"]
Reply = Literal["now", "next"]
Shown = Literal["all", "visit", "none"]
Recurrence = Literal["", "year"]
Missed = Literal["skip", "once", "each"]
Busy = Literal["queue", "reject"]
LogLevel = Literal["", "debug", "info", "warning", "error"]

# what constructors take ----------------------------------------------------------------------------

Values = str | int | float | Sequence[str | int | float]
"""Texts, and numbers as they are written; a single one stands for a list of one."""
Naming = Any
"""A name, or what has one: a record class, a node, a tool."""
Namings = Any
"""Names, or what has one; a single one stands for a list of one."""
Function = Callable[..., Any]
AnyFieldType = FieldType | type[Any]
AnyBound = float | str | date | time | timedelta | None
AnySpan = float | str | timedelta
"""Seconds, a `timedelta`, or a text such as `30m`."""

# kinds whose constructors take more than what is kept ----------------------------------------------

REFERENCE: Takes[Naming, str] = converter(Text())
REFERENCES: Takes[Namings, tuple[str, ...]] = converter(Many(Text(), single=True))
TEXTS: Takes[Values, tuple[str, ...]] = converter(Many(Text(), single=True))
SECONDS: Takes[AnySpan | None, float | None] = converter(Duration())
SPAN: Takes[AnySpan, float] = converter(Duration())
WRITTEN: Takes[Mapping[str, Any], Mapping[str, Any]] = converter(Table(Anything(), is_written=True))

INPUT = "input"
"""The record inside a scope that holds its input; a flow that is made to be a scope declares it."""

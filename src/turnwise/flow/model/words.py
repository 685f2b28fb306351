"""The words that the classes of the flow model have in common, strict for what is kept and wide for what is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import date, time, timedelta
from typing import Any, Literal

from turnwise.flow.diagnostic import NOWHERE

# closed sets of words, the only place where they stand ----------------------------------------------

FieldType = Literal[
    "string",
    "integer",
    "number",
    "boolean",
    "date",
    "time",
    "datetime",
    "duration",
    "email",
    "phone",
    "choice",
    "list",
]
Moment = Literal["before", "tool", "after", "error", "timer", "choice"]
MatchMode = Literal["direct_then_model", "direct", "model"]
LastRung = Literal["", "skip", "default", "hand_over"]
EditWay = Literal["chooser", "first"]
Wording = Literal["fixed", "model"]
Prefill = Literal["", "ask", "trust"]
CollectMode = Literal["conversational", "form"]
Exposure = Literal["all", "next"]
ToolKind = Literal["read", "effect"]
OnCrash = Literal["again", "check", "unknown"]
OnReturn = Literal["resume", "re-enter", "replace"]
Reply = Literal["now", "next"]
Recurrence = Literal["", "year"]
Missed = Literal["skip", "once", "each"]
Busy = Literal["queue", "reject"]

# what constructors take besides ------------------------------------------------------------------

Texts = Sequence[str]
Values = str | int | float | Sequence[str | int | float]
Naming = Any
"""A name, or what bears it: a record class, a node, a tool."""
Namings = Any
"""Names, or what bears them; a single one stands for a list of one."""
Function = Callable[..., Any]
AnyFieldType = FieldType | type[Any]
AnyBound = float | str | date | time | timedelta | None
AnySpan = float | str | timedelta
"""Seconds, a `timedelta`, or a text such as `30m`."""


def table_of() -> Any:
    """An empty mapping as default."""
    return field(default_factory=dict[str, Any])


def span() -> Any:
    """Where a part stands in its document or program: never part of equality, fingerprint or codec."""
    return field(default=NOWHERE, compare=False, repr=False)


def hidden(default: Any) -> Any:
    """What lies beside the data of a flow: never part of equality, fingerprint or codec."""
    return field(default=default, compare=False, repr=False)
